/* Instruction selection: functions, blocks, edges, values, constants and addresses (isel.h has the idea).
 *
 * Registers are 32 bits; a narrow integer's upper bits are undefined ("any-extended"), and an instruction that looks at
 * them extends first.  i1 is 0 or 1.  Constants and addresses are made once for a block, or in front of its loop. */
#include "backend/isel.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { IMM14_MIN = -8192, IMM14_MAX = 8191, ANCHOR0 = 1024, HOIST_SIZE = 120 };

int isel_bits(IrType t) { return t == T_I1 ? 1 : 8 * ir_type_bytes(t); }

/* ---- building */
static MIns blank(Isel *s, int op)
{
    return (MIns){.op = (uint16_t)op, .d = R_NONE, .a = R_NONE, .b = R_NONE, .c = R_NONE, .fi = FI_NONE, .loc = s->loc};
}

MIns *isel_emit(Isel *s, int op, Reg d, Reg a, Reg b)
{
    MIns in = blank(s, op);
    in.d = d;
    in.a = a;
    in.b = b;
    arrput(s->tmp, in);
    return &s->tmp[arrlen(s->tmp) - 1];
}

MIns *isel_emit_imm(Isel *s, int op, Reg d, Reg a, int64_t imm)
{
    MIns *in = isel_emit(s, op, d, a, R_NONE);
    in->imm = (int32_t)imm;
    return in;
}

Reg isel_tmp(Isel *s) { return vreg_new(s->mf, RC_GPR, s->loc); }

static void push_group(Isel *s)
{
    for (ptrdiff_t i = arrlen(s->tmp) - 1; i >= 0; i--) arrput(s->rev, s->tmp[i]);
    arrsetlen(s->tmp, 0);
    for (ptrdiff_t i = 0; i < arrlen(s->consts); i++)
        if (s->consts[i].used_here) {
            s->consts[i].pos = arrlen(s->rev);
            s->consts[i].used_here = false;
        }
}

static void flush_to(Isel *s, uint32_t b)
{
    for (ptrdiff_t i = 0; i < arrlen(s->tmp); i++) arrput(s->mf->blks[b].ins, s->tmp[i]);
    arrsetlen(s->tmp, 0);
}

static void jump(Isel *s, uint32_t b) { isel_emit(s, OP_JMP, R_NONE, R_NONE, R_NONE)->tgt = b; }

/* ---- constants: made in a home block, at its latest point that is before all uses */
static uint32_t home_of(Isel *s, uint32_t b)
{
    if (s->cx->opts->level < 1) return b;
    uint32_t l = s->lp.of[b], last = 0;
    while (l && (!last || s->size[l - 1] <= HOIST_SIZE)) {
        last = l;
        l = s->lp.loops[l - 1].parent;
    }
    if (!last) return b;
    uint32_t home = s->lp.idom[s->lp.loops[last - 1].header].i, other;
    /* not in a loop beside: a hardware loop that goes round no time skips its header */
    while (home && (other = s->lp.of[home]) && !s->lp.loops[other - 1].in[b]) home = s->lp.idom[s->lp.loops[other - 1].header].i;
    return home ? home : b;
}

static Reg const_in(Isel *s, uint32_t home, ConstKind kind, int64_t key)
{
    ConstUse *c = NULL;
    for (ptrdiff_t i = arrlen(s->consts) - 1; i >= 0 && !c; i--)
        if (s->consts[i].home == home && s->consts[i].kind == kind && s->consts[i].key == key) c = &s->consts[i];
    if (!c) {
        ConstUse n = {.home = home, .kind = (uint8_t)kind, .key = key, .r = isel_tmp(s), .loc = s->loc};
        arrput(s->consts, n);
        c = &s->consts[arrlen(s->consts) - 1];
    }
    if (home == s->cur) c->used_here = true;
    return c->r;
}

Reg isel_int(Isel *s, int64_t v) { return (int32_t)v == 0 ? 0 : const_in(s, home_of(s, s->cur), CK_INT, (int32_t)v); }

/* Anchors serve many globals: one of a task, or of a function without calls, is made at its entry. */
static bool entry_anchors(const Isel *s)
{
    return s->cx->opts->level >= 1 && (s->f->kind != FN_PLAIN || !s->mf->has_call) && !arrlen(s->f->blks[1].preds);
}

Reg isel_data_addr(Isel *s, int64_t off) { return const_in(s, home_of(s, s->cur), CK_DATA, off); }

Reg isel_anchor(Isel *s, int64_t off) { return const_in(s, entry_anchors(s) ? 1 : home_of(s, s->cur), CK_DATA, off); }

/* base + anchor, one addition for all accesses of a block that go through both */
static Reg anchored(Isel *s, Reg base, int64_t off)
{
    for (ptrdiff_t i = arrlen(s->consts) - 1; i >= 0; i--) {
        ConstUse *c = &s->consts[i];
        if (c->home != s->cur || c->kind != CK_SUM || c->key != off || c->base != base) continue;
        c->used_here = true;
        Reg r = c->r;
        isel_anchor(s, off);                             /* its part is wanted as early */
        return r;
    }
    ConstUse n = {.home = s->cur, .kind = CK_SUM, .key = off, .base = base, .add = isel_anchor(s, off), .r = isel_tmp(s),
                  .used_here = true, .loc = s->loc};
    arrput(s->consts, n);
    return n.r;
}

static void make_const(Isel *s, MIns *in, const ConstUse *c)
{
    if (c->kind == CK_SUM) {
        *in = blank(s, OP_ADD);
        in->d = c->r;
        in->a = c->base;
        in->b = c->add;
        in->loc = c->loc;
        return;
    }
    *in = blank(s, c->kind == CK_INT ? M_CONST : M_ADDR);
    in->d = c->r;
    in->loc = c->loc;
    in->imm = (int32_t)c->key;
    if (c->kind == CK_DATA) in->symk = SY_DATA;
    if (c->kind == CK_FN) {
        in->symk = SY_FN;
        in->sym = (uint32_t)c->key;
        in->imm = 0;
    }
}

/* ---- values */
static bool load_ext(const Isel *s, IrRef r, int ext) { return s->f->ins[r.i].op == IR_LOAD && s->ext[r.i] == ext; }

/* Is the register of r known to be extended so from its type's width?  Follows what isel_scalar builds. */
static bool known_ext(Isel *s, IrRef r, int ext)
{
    IrIns *in = ir_ins(s->f, r);
    int64_t c;
    if (in->type == T_I32 || in->type == T_F32) return true;
    if (in->type == T_I1) return ext == EXT_ZERO;
    switch (in->op) {
    case IR_LOAD: return s->ext[r.i] == ext;
    case IR_ZEXT: return isel_bits(ir_ins(s->f, in->args[0])->type) < isel_bits(in->type) || ext == EXT_ZERO;
    case IR_SEXT: return ext == EXT_SIGN;
    case IR_AND: return is_const(s->f, in->args[1], &c) && c >= 0 && c <= IMM14_MAX;
    case IR_LSHR: return is_const(s->f, in->args[1], &c) ? c > 0 || ext == EXT_ZERO : ext == EXT_ZERO;
    case IR_ASHR: return ext == EXT_SIGN;
    case IR_UREM: return ext == EXT_ZERO;
    case IR_TSC: case IR_VLEFT: return ext == EXT_ZERO;
    default: return false;
    }
}

IrRef isel_resolve(Isel *s, IrRef r)
{
    for (;;) {
        IrIns *in = ir_ins(s->f, r);
        if (in->op == IR_BITCAST) r = in->args[0];
        else if (in->op == IR_TRUNC && in->type != T_I1 && ir_ins(s->f, in->args[0])->type != T_I64) r = in->args[0];
        else if (in->op == IR_ZEXT && in->type != T_I64) {
            IrRef a = in->args[0];
            if (ir_ins(s->f, a)->op == IR_CONST || !known_ext(s, isel_resolve(s, a), EXT_ZERO)) return r;
            if (isel_bits(ir_ins(s->f, isel_resolve(s, a))->type) > isel_bits(ir_ins(s->f, a)->type)) return r;
            r = a;
        } else if (in->op == IR_SEXT && in->type != T_I64) {
            IrRef a = isel_resolve(s, in->args[0]);
            if (!load_ext(s, a, EXT_SIGN) || isel_bits(ir_ins(s->f, a)->type) != isel_bits(ir_ins(s->f, in->args[0])->type)) return r;
            r = a;
        } else return r;
    }
}

/* constant of any kind as the 32-bit pattern of its register */
static bool const_bits(Isel *s, IrRef r, int64_t *v)
{
    IrIns *in = ir_ins(s->f, r);
    if (in->op == IR_UNDEF) return *v = 0, true;
    if (in->op == IR_FCONST) return *v = in->type == T_F32 ? (int32_t)in->imm : (int16_t)in->imm, true;
    return in->type != T_DSD && is_const(s->f, r, v);
}

static Reg dsd_const(Isel *s, IrRef r, bool high)
{
    IrIns *in = ir_ins(s->f, r);
    uint64_t v = in->op == IR_UNDEF ? 0 : (uint64_t)in->imm;
    return isel_int(s, (int32_t)(uint32_t)(high ? v >> 32 : v));
}

Reg isel_need(Isel *s, IrRef r)
{
    r = isel_resolve(s, r);
    IrIns *in = ir_ins(s->f, r);
    int64_t v;
    if (in->type == T_DSD && (in->op == IR_CONST || in->op == IR_UNDEF)) return dsd_const(s, r, false);
    if (const_bits(s, r, &v)) return isel_int(s, v);
    if (in->op == IR_GADDR) return isel_data_addr(s, s->cx->place[in->sym.i - 1].addr_off + in->imm);
    if (in->op == IR_FADDR) return const_in(s, home_of(s, s->cur), CK_FN, in->sym.i & 0x7fffffff);
    if (s->lo[r.i] == R_NONE) s->lo[r.i] = isel_tmp(s);
    return s->lo[r.i];
}

Reg isel_need_hi(Isel *s, IrRef r)
{
    r = isel_resolve(s, r);
    IrIns *in = ir_ins(s->f, r);
    if (in->op == IR_CONST || in->op == IR_UNDEF) return dsd_const(s, r, true);
    if (s->hi[r.i] == R_NONE) s->hi[r.i] = isel_tmp(s);
    return s->hi[r.i];
}

Reg isel_need_ext(Isel *s, IrRef r, int ext)
{
    IrType t = ir_ins(s->f, r)->type;
    int bits = isel_bits(t);
    int64_t v;
    if (bits == 32 || bits == 1) return isel_need(s, r);
    IrRef q = isel_resolve(s, r);
    if (const_bits(s, q, &v)) {
        v = ext == EXT_ZERO ? v & ((1 << bits) - 1) : bits == 8 ? (int8_t)v : (int16_t)v;
        return isel_int(s, v);
    }
    if (isel_bits(ir_ins(s->f, q)->type) == bits && known_ext(s, q, ext)) return isel_need(s, q);
    Reg d = isel_tmp(s);
    int op = ext == EXT_ZERO ? (bits == 8 ? OP_ZEXT8 : OP_ZEXT16) : (bits == 8 ? OP_SEXT8 : OP_SEXT16);
    isel_emit(s, op, d, isel_need(s, r), R_NONE);
    return d;
}

/* ---- addresses */
bool isel_near(const Isel *s, int64_t off) { return off >= 0 && off < s->cx->near_bytes; }

/* p + off with constant parts taken out; g: the global under it, base: what is added to it (IR_NONE: nothing) */
static IrRef split_addr(Isel *s, IrRef p, int64_t *off, IrIns **leaf)
{
    IrRef base = IR_NONE;
    for (;;) {
        p = isel_resolve(s, p);
        IrIns *in = ir_ins(s->f, p);
        int64_t c;
        *leaf = in;
        if (in->op == IR_GADDR || in->op == IR_ALLOCA || in->op == IR_CONST) return base;
        if (isel_bits(in->type) != 16) return p;
        if (in->op == IR_ADD && is_const(s->f, in->args[1], &c)) *off += c, p = in->args[0];
        else if (in->op == IR_ADD && is_const(s->f, in->args[0], &c)) *off += c, p = in->args[1];
        else if (in->op == IR_SUB && is_const(s->f, in->args[1], &c)) *off -= c, p = in->args[0];
        else if (in->op == IR_ADD && !base.i) {
            int64_t o = 0;
            for (int k = 0; k < 2; k++) {
                IrIns *lf;
                o = 0;
                IrRef rest = split_addr(s, in->args[k], &o, &lf);
                if (lf->op != IR_GADDR || rest.i) continue;
                *off += o;
                *leaf = lf;
                return in->args[1 - k];
            }
            return p;
        } else return p;
    }
}

uint32_t isel_root(Isel *s, IrRef p, bool *frame)
{
    int64_t off = 0;
    IrIns *leaf;
    split_addr(s, p, &off, &leaf);
    if (frame) *frame = leaf->op == IR_ALLOCA;
    return leaf->op == IR_GADDR ? leaf->sym.i : 0;
}

static Reg add_reg(Isel *s, Reg a, Reg b)
{
    Reg t = isel_tmp(s);
    isel_emit(s, OP_ADD, t, a, b);
    return t;
}

static int64_t anchor_of(int64_t off)
{
    int64_t k = off < ANCHOR0 + IMM14_MAX + 1 ? 0 : (off - ANCHOR0 - IMM14_MAX - 1) / (2 * (IMM14_MAX + 1)) + 1;
    return ANCHOR0 + k * 2 * (IMM14_MAX + 1);
}

Addr isel_addr(Isel *s, IrRef p, int64_t off, int bytes)
{
    IrIns *leaf;
    IrRef base = split_addr(s, p, &off, &leaf);
    Addr a = {.fi = FI_NONE};
    off = (int16_t)off;
    if (leaf->op == IR_GADDR) {
        int64_t g = s->cx->place[leaf->sym.i - 1].addr_off + leaf->imm + off;
        a.mem = (MemRef){MK_GLOBAL, leaf->sym.i, base.i ? 0 : (int32_t)(leaf->imm + off), base.i ? 0 : bytes};
        if (isel_near(s, g)) {
            a.base = base.i ? isel_need(s, base) : 0;
            a.symk = SY_DATA;
            a.imm = (int32_t)g;
            return a;
        }
        int64_t n = anchor_of(g);
        a.base = base.i ? anchored(s, isel_need(s, base), n) : isel_anchor(s, n);
        a.imm = (int32_t)(g - n);
        return a;
    }
    if (leaf->op == IR_ALLOCA) {
        a = (Addr){.base = REG_SP, .imm = (int32_t)off, .fi = s->fo[leaf - s->f->ins],
                   .mem = {MK_FRAME, (uint32_t)(leaf - s->f->ins), (int32_t)off, bytes}};
        return a;
    }
    a.mem = (MemRef){.kind = MK_ANY};
    if (leaf->op == IR_CONST) {                           /* a number as address: memory-mapped, or a test */
        int64_t c;
        is_const(s->f, (IrRef){(uint32_t)(leaf - s->f->ins)}, &c);
        off = (int16_t)(off + c);
        a.base = 0;
    } else a.base = isel_need(s, base);
    if (off < IMM14_MIN || off > IMM14_MAX) {
        a.base = a.base ? add_reg(s, a.base, isel_int(s, off)) : isel_int(s, off);
        off = 0;
    }
    a.imm = (int32_t)off;
    return a;
}

MIns *isel_mem(Isel *s, int op, Reg v, Addr a)
{
    MIns *in = isel_emit_imm(s, op, v, a.base, a.imm);
    in->symk = a.symk;
    in->fi = a.fi;
    if (pe_ops[op].flags & F_STORE) in->wr = a.mem;
    else in->rd[0] = a.mem;
    return in;
}

/* ---- what is needed at all; phis that only feed themselves fall out */
static Loop *hw_at(Isel *s, uint32_t b, bool test)
{
    for (ptrdiff_t i = 0; i < arrlen(s->lp.loops); i++) {
        Loop *l = &s->lp.loops[i];
        if (l->hw && b == (test ? (l->bottom ? l->latch : l->header) : l->latch)) return l;
    }
    return NULL;
}

static Loop *hw_entry(Isel *s, uint32_t from, uint32_t to)
{
    for (ptrdiff_t i = 0; i < arrlen(s->lp.loops); i++)
        if (s->lp.loops[i].hw && s->lp.loops[i].pre == from && s->lp.loops[i].header == to) return &s->lp.loops[i];
    return NULL;
}

static void mark(Isel *s, IrRef **work, IrRef r)
{
    if (!r.i || s->live[r.i]) return;
    s->live[r.i] = 1;
    arrput(*work, r);
}

static void mark_live(Isel *s)
{
    IrRef *work = NULL;
    for (ptrdiff_t i = 0; i < arrlen(s->lp.rpo); i++) {
        uint32_t b = s->lp.rpo[i].i;
        for (ptrdiff_t k = 0; k < arrlen(s->f->blks[b].ins); k++) {
            IrRef r = s->f->blks[b].ins[k];
            IrIns *in = ir_ins(s->f, r);
            if (in->op == IR_CONDBR && hw_at(s, b, true)) continue;
            if (ir_ops[in->op].flags & (I_EFF | I_TERM)) mark(s, &work, r);
        }
    }
    for (ptrdiff_t i = 0; i < arrlen(s->lp.loops); i++) {
        if (!s->lp.loops[i].hw || s->lp.loops[i].count >= 0) continue;
        mark(s, &work, s->lp.loops[i].init);
        mark(s, &work, s->lp.loops[i].bound);
    }
    while (arrlen(work)) {
        IrIns *in = ir_ins(s->f, arrpop(work));
        for (int k = 0; k < in->nargs; k++) mark(s, &work, in->args[k]);
    }
    arrfree(work);
}

/* A load takes the extension that most of its users want; others extend by themselves. */
static void choose_load_ext(Isel *s)
{
    int *votes = ws_xmalloc(sizeof *votes * (size_t)arrlen(s->f->ins));
    for (ptrdiff_t i = 0; i < arrlen(s->lp.rpo); i++) {
        IrRef *ins = s->f->blks[s->lp.rpo[i].i].ins;
        for (ptrdiff_t k = 0; k < arrlen(ins); k++) {
            IrIns *in = ir_ins(s->f, ins[k]);
            int v = 0;
            switch (in->op) {
            case IR_SEXT: case IR_SITOFP: case IR_SDIV: case IR_SREM: case IR_ASHR: v = 1; break;
            case IR_ZEXT: case IR_UITOFP: case IR_UDIV: case IR_UREM: case IR_LSHR: case IR_SHL: v = -1; break;
            case IR_ICMP:
                if (isel_bits(ir_ins(s->f, in->args[0])->type) == 8) v = in->imm == CMP_SLT || in->imm == CMP_SLE ? 1 : -1;
                break;
            default: break;
            }
            for (int a = 0; v && a < in->nargs; a++) votes[in->args[a].i] += v;
        }
    }
    for (ptrdiff_t i = 0; i < arrlen(s->f->ins); i++)
        if (s->f->ins[i].op == IR_LOAD) s->ext[i] = votes[i] > 0 && s->f->ins[i].type != T_I1 ? EXT_SIGN : EXT_ZERO;
    free(votes);
}

/* ---- phi copies of an edge, as one parallel copy made sequential */
typedef struct { Reg d, s; MIns make; bool has_make; } Copy;

static void add_copy(Isel *s, Copy **cs, Reg d, IrRef v, bool high)
{
    Copy c = {.d = d};
    v = isel_resolve(s, v);
    IrIns *in = ir_ins(s->f, v);
    int64_t k;
    if (in->op == IR_UNDEF) return;
    c.make = blank(s, M_CONST);
    c.make.d = d;
    c.has_make = true;
    if (in->type == T_DSD && in->op == IR_CONST) c.make.imm = (int32_t)((uint64_t)in->imm >> (high ? 32 : 0));
    else if (in->type != T_DSD && const_bits(s, v, &k)) c.make.imm = (int32_t)k;
    else if (in->op == IR_GADDR) {
        c.make.op = M_ADDR;
        c.make.symk = SY_DATA;
        c.make.imm = (int32_t)(s->cx->place[in->sym.i - 1].addr_off + in->imm);
    } else if (in->op == IR_FADDR) {
        c.make.op = M_ADDR;
        c.make.symk = SY_FN;
        c.make.sym = in->sym.i & 0x7fffffff;
    } else if (in->op == IR_ALLOCA) {
        c.make.op = M_FRAME;
        c.make.fi = s->fo[v.i];
    } else {
        c.has_make = false;
        c.s = high ? isel_need_hi(s, v) : isel_need(s, v);
        if (c.s == d) return;
    }
    arrput(*cs, c);
}

static void emit_copies(Isel *s, Copy *cs)
{
    ptrdiff_t n = arrlen(cs), left = 0;
    for (ptrdiff_t i = 0; i < n; i++) left += !cs[i].has_make;
    while (left) {
        bool moved = false;
        for (ptrdiff_t i = 0; i < n; i++) {
            if (cs[i].has_make || cs[i].d == R_NONE) continue;
            bool blocked = false;
            for (ptrdiff_t k = 0; k < n; k++)
                if (k != i && !cs[k].has_make && cs[k].d != R_NONE && cs[k].s == cs[i].d) blocked = true;
            if (blocked) continue;
            isel_emit(s, M_COPY, cs[i].d, cs[i].s, R_NONE);
            cs[i].d = R_NONE;
            left--;
            moved = true;
        }
        if (moved || !left) continue;
        for (ptrdiff_t i = 0; i < n; i++) {              /* a cycle: free one destination */
            if (cs[i].has_make || cs[i].d == R_NONE) continue;
            Reg t = isel_tmp(s), from = cs[i].d;
            isel_emit(s, M_COPY, t, from, R_NONE);
            for (ptrdiff_t k = 0; k < n; k++)
                if (!cs[k].has_make && cs[k].d != R_NONE && cs[k].s == from) cs[k].s = t;
            break;
        }
    }
    for (ptrdiff_t i = 0; i < n; i++)
        if (cs[i].has_make) arrput(s->tmp, cs[i].make);
}

static bool edge_has_copies(Isel *s, uint32_t to)
{
    IrRef *ins = s->f->blks[to].ins;
    for (ptrdiff_t i = 0; i < arrlen(ins) && ir_ins(s->f, ins[i])->op == IR_PHI; i++)
        if (s->live[ins[i].i]) return true;
    return false;
}

static void edge_copies(Isel *s, uint32_t from, uint32_t to)
{
    IrRef *ins = s->f->blks[to].ins;
    Copy *cs = NULL;
    for (ptrdiff_t i = 0; i < arrlen(ins) && ir_ins(s->f, ins[i])->op == IR_PHI; i++) {
        IrIns *phi = ir_ins(s->f, ins[i]);
        if (!s->live[ins[i].i]) continue;
        for (int k = 0; k < phi->nargs; k++) {
            if (phi->blocks[k].i != from) continue;
            Reg d = isel_need(s, ins[i]);
            add_copy(s, &cs, d, phi->args[k], false);
            if (phi->type == T_DSD) add_copy(s, &cs, isel_need_hi(s, ins[i]), phi->args[k], true);
            break;
        }
    }
    emit_copies(s, cs);
    arrfree(cs);
}

/* ---- trip count of a hardware loop, at its entry */
static IrRef with_add(Isel *s, IrRef r, int64_t add, int64_t *k, bool *known)
{
    *known = is_const(s->f, r, k);
    *k = *known ? *k + add : add;
    return r;
}

static Reg count_operand(Isel *s, const Loop *l, IrRef r, int64_t add)
{
    int64_t k;
    bool known;
    with_add(s, r, add, &k, &known);
    int ext = l->sgn ? EXT_SIGN : EXT_ZERO;
    if (known) {
        if (l->width < 32) k = l->sgn ? (l->width == 8 ? (int8_t)k : (int16_t)k) : k & ((1 << l->width) - 1);
        return isel_int(s, (int32_t)k);
    }
    bool need32 = l->width == 8 && l->rel != REL_NE;
    Reg v = need32 ? isel_need_ext(s, r, ext) : isel_need(s, r);
    if (!add) return v;
    Reg t = isel_tmp(s);
    isel_emit_imm(s, OP_ADDI, t, v, add);
    if (!need32) return t;
    Reg u = isel_tmp(s);
    isel_emit(s, ext == EXT_SIGN ? OP_SEXT8 : OP_ZEXT8, u, t, R_NONE);
    return u;
}

static Reg loop_count(Isel *s, const Loop *l)
{
    if (l->count >= 0) return isel_int(s, (int32_t)(uint32_t)l->count);
    int64_t k;
    bool from0 = is_const(s->f, l->init, &k) && k + l->start_add == 0;
    if (l->rel != REL_GT && from0 && !l->sgn && (!l->bottom || l->guarded) && l->step == 1 && !l->bound_add)
        return isel_need_ext(s, l->bound, EXT_ZERO);      /* 0, 1, .. < n */
    Reg i = count_operand(s, l, l->init, l->start_add), b = count_operand(s, l, l->bound, l->bound_add);
    Reg hi = b, lo = i;
    if (l->rel == REL_GT || (l->rel == REL_NE && l->step < 0)) hi = i, lo = b;
    Reg n = hi;
    if (lo) isel_emit(s, OP_SUB, n = isel_tmp(s), hi, lo);
    if (l->width < 32) {
        Reg z = isel_tmp(s);
        isel_emit(s, l->width == 8 ? OP_ZEXT8 : OP_ZEXT16, z, n, R_NONE);
        n = z;
    }
    if (l->rel != REL_NE && !l->guarded) {
        Reg p = isel_tmp(s), q = isel_tmp(s);
        int op = l->width == 16 ? (l->sgn ? OP_SLTH : OP_SLTUH) : (l->sgn ? OP_SLT : OP_SLTU);
        isel_emit(s, op, p, lo, hi);
        MIns *sel = isel_emit(s, OP_SEL, q, p, n);
        sel->c = 0;
        n = q;
    }
    int64_t step = l->step < 0 ? -l->step : l->step;
    if (step > 1) {                                      /* a power of two (loops.c): the distance divided, upwards */
        Reg t = isel_tmp(s), u = isel_tmp(s);
        isel_emit_imm(s, OP_ADDI, t, n, step - 1);
        isel_emit_imm(s, OP_SRLI, u, t, __builtin_ctzll((uint64_t)step));
        n = u;
    }
    if (l->bottom && !l->guarded) {
        Reg t = isel_tmp(s);
        isel_emit_imm(s, OP_ADDI, t, n, 1);
        n = t;
    }
    return n;
}

static void enter_hw(Isel *s, Loop *l, bool may_skip)
{
    if (l->count == 1) return;                           /* no loop at all */
    Reg n = loop_count(s, l);
    MIns *in = isel_emit(s, OP_LOOP, R_NONE, n, R_NONE);
    in->k = l->counter;
    in->tgt = s->landing[l - s->lp.loops];
    in->no_exit = !may_skip && (l->bottom || l->count > 0);
}

/* ---- terminators */
/* The block to jump to for an edge: the successor itself, or a new block with the edge's copies. */
static uint32_t edge_target(Isel *s, uint32_t from, uint32_t to)
{
    Loop *l = hw_entry(s, from, to);
    if (!l && !edge_has_copies(s, to)) return s->blk[to];
    MIns *keep = s->tmp;
    s->tmp = NULL;
    uint32_t b = mblk_new(s->mf, NULL, s->f->blks[to].loop_depth < s->f->blks[from].loop_depth ? s->f->blks[to].loop_depth
                                                                                              : s->f->blks[from].loop_depth);
    edge_copies(s, from, to);
    if (l) enter_hw(s, l, false);
    jump(s, s->blk[to]);
    flush_to(s, b);
    arrfree(s->tmp);
    s->tmp = keep;
    return b;
}

static void sel_switch(Isel *s, IrIns *in, uint32_t from)
{
    int64_t min, range;
    int n = in->nblocks - 1;
    uint32_t dflt = edge_target(s, from, in->blocks[0].i), depth = s->f->blks[from].loop_depth;
    if (isel_switch_table(s->f, in, &min, &range)) {
        JumpTable jt = {0};
        for (int64_t i = 0; i < range; i++) arrput(jt.to, dflt);
        for (int k = 0; k < n; k++) {
            int64_t c = in->cases[k];
            int bits = isel_bits(ir_ins(s->f, in->args[0])->type);
            c = bits == 32 ? (int32_t)c : bits == 16 ? (int16_t)c : (int8_t)c;
            if (jt.to[c - min] == dflt) jt.to[c - min] = edge_target(s, from, in->blocks[k + 1].i);
        }
        jt.data_off = s->cx->table_next;
        s->cx->table_next += (uint32_t)range * 2;
        int bits = isel_bits(ir_ins(s->f, in->args[0])->type);
        Reg x = bits == 8 ? isel_need_ext(s, in->args[0], EXT_SIGN) : isel_need(s, in->args[0]);
        if (min) {
            Reg t = isel_tmp(s);
            if (-min >= IMM14_MIN && -min <= IMM14_MAX) isel_emit_imm(s, OP_ADDI, t, x, -min);
            else isel_emit(s, OP_SUB, t, x, isel_int(s, min));
            x = t;
        }
        arrput(s->mf->tables, jt);
        int32_t jtn = (int32_t)arrlen(s->mf->tables);
        uint32_t go = mblk_new(s->mf, NULL, depth);
        MIns *br = isel_emit(s, bits == 16 ? OP_BGEUH : OP_BGEU, R_NONE, x, isel_int(s, range));
        br->tgt = dflt;
        Reg base = 0;
        int64_t off = jt.data_off;
        if (!isel_near(s, off)) {
            base = isel_anchor(s, anchor_of(off));
            off -= anchor_of(off);
        }
        jump(s, go);
        MIns *keep = s->tmp;
        s->tmp = NULL;
        Reg t = isel_tmp(s), u = isel_tmp(s);
        isel_emit_imm(s, OP_SLLI, t, x, 1);
        if (base) t = add_reg(s, t, base);
        MIns *ld = isel_emit_imm(s, OP_LDHU, u, t, off);
        if (!base) ld->symk = SY_DATA;
        isel_emit(s, OP_JR, R_NONE, u, R_NONE)->jt = jtn;
        flush_to(s, go);
        arrfree(s->tmp);
        s->tmp = keep;
        return;
    }
    int bits = isel_bits(ir_ins(s->f, in->args[0])->type);
    Reg x = bits == 8 ? isel_need_ext(s, in->args[0], EXT_SIGN) : isel_need(s, in->args[0]);
    uint32_t next = dflt;
    for (int k = n - 1; k >= 0; k--) {                   /* blocks of the chain from the last to the first */
        uint32_t to = edge_target(s, from, in->blocks[k + 1].i);
        MIns *keep = s->tmp;
        if (k) s->tmp = NULL;
        int64_t c = bits == 32 ? (int32_t)in->cases[k] : bits == 16 ? (int16_t)in->cases[k] : bits == 8 ? (int8_t)in->cases[k] : in->cases[k] & 1;
        Reg r = 0;
        if (c) isel_emit_imm(s, M_CONST, r = isel_tmp(s), R_NONE, c);
        MIns *br = isel_emit(s, bits == 16 ? OP_BEQH : OP_BEQ, R_NONE, x, r);
        br->tgt = to;
        jump(s, next);
        if (!k) break;
        next = mblk_new(s->mf, NULL, depth);
        flush_to(s, next);
        arrfree(s->tmp);
        s->tmp = keep;
    }
    if (!n) jump(s, dflt);
}

static void sel_ret(Isel *s, IrIns *in)
{
    if (s->f->kind != FN_PLAIN) {
        isel_emit(s, OP_DONE, R_NONE, R_NONE, R_NONE);
        return;
    }
    uint32_t mask = 0;
    if (in->nargs) {
        bool pair = ir_ins(s->f, in->args[0])->type == T_DSD;
        Reg v = isel_need(s, in->args[0]), h = pair ? isel_need_hi(s, in->args[0]) : R_NONE;
        isel_emit(s, M_COPY, ABI_ARG0, v, R_NONE);
        if (pair) isel_emit(s, M_COPY, ABI_ARG0 + 1, h, R_NONE);
        mask = pair ? 6u : 2u;
    }
    isel_emit(s, M_RET, R_NONE, R_NONE, R_NONE)->mask = mask;
}

/* A branch round a hardware loop for a count of 0 is what LOOP does. */
static bool sel_guard(Isel *s, uint32_t b, const IrIns *in)
{
    for (int k = 0; k < 2; k++) {
        Loop *l = hw_entry(s, b, in->blocks[k].i);
        if (!l || !l->guard_zero || l->count >= 0 || in->blocks[1 - k].i != l->exit || edge_has_copies(s, l->exit)) continue;
        edge_copies(s, b, l->header);
        enter_hw(s, l, true);
        jump(s, s->blk[l->header]);
        return true;
    }
    return false;
}

static void sel_terminator(Isel *s, uint32_t b, IrIns *in)
{
    Loop *latch = hw_at(s, b, false), *test = hw_at(s, b, true), *next;
    if (test) {                                          /* the exit's copies stand behind the loop */
        uint32_t land = s->landing[test - s->lp.loops];
        edge_copies(s, b, test->exit);
        if ((next = hw_entry(s, b, test->exit))) enter_hw(s, next, false);
        jump(s, s->blk[test->exit]);
        flush_to(s, land);
    }
    if (latch && latch->count == 1) {
        if (!latch->bottom) edge_copies(s, b, latch->header);
        jump(s, s->landing[latch - s->lp.loops]);
        return;
    }
    if (latch) {
        edge_copies(s, b, latch->header);
        MIns *e = isel_emit(s, OP_ENDL, R_NONE, R_NONE, R_NONE);
        e->k = latch->counter;
        e->tgt = s->blk[latch->header];
        jump(s, s->landing[latch - s->lp.loops]);
        return;
    }
    if (test) {
        uint32_t to = in->blocks[0].i == test->exit ? in->blocks[1].i : in->blocks[0].i;
        edge_copies(s, b, to);
        if ((next = hw_entry(s, b, to))) enter_hw(s, next, false);
        jump(s, s->blk[to]);
        return;
    }
    switch (in->op) {
    case IR_BR: {
        uint32_t to = in->blocks[0].i;
        Loop *l = hw_entry(s, b, to);
        edge_copies(s, b, to);
        if (l) enter_hw(s, l, false);
        jump(s, s->blk[to]);
        return;
    }
    case IR_CONDBR: {
        if (sel_guard(s, b, in)) return;
        uint32_t t = edge_target(s, b, in->blocks[0].i), e = edge_target(s, b, in->blocks[1].i);
        int64_t c;
        if (t != e && !is_const(s->f, in->args[0], &c)) isel_branch(s, in->args[0], false, t);
        else if (t != e && c) e = t;
        jump(s, e);
        return;
    }
    case IR_SWITCH: sel_switch(s, in, b); return;
    case IR_RET: sel_ret(s, in); return;
    default: isel_emit_imm(s, OP_TRAP, R_NONE, R_NONE, 1); return;
    }
}

/* ---- blocks */
static int by_pos(const void *a, const void *b)
{
    const ConstUse *x = a, *y = b;
    if (x->pos != y->pos) return x->pos < y->pos ? -1 : 1;
    if ((x->kind == CK_SUM) != (y->kind == CK_SUM)) return x->kind == CK_SUM ? -1 : 1;    /* a sum stands behind its parts */
    return x->r < y->r ? -1 : x->r > y->r;
}

/* the block's code, forwards, with its constants put in: each before the first instruction that wants it */
static void finish_block(Isel *s, uint32_t irb, ptrdiff_t nterm)
{
    ConstUse *here = NULL;
    for (ptrdiff_t i = 0; i < arrlen(s->consts);) {
        if (s->consts[i].home != irb) {
            i++;
            continue;
        }
        if (s->consts[i].pos < nterm) s->consts[i].pos = nterm;
        arrput(here, s->consts[i]);
        arrdel(s->consts, i);
    }
    if (arrlen(here)) qsort(here, (size_t)arrlen(here), sizeof *here, by_pos);
    MIns **out = &s->mf->blks[s->blk[irb]].ins;
    ptrdiff_t c = arrlen(here) - 1;
    for (ptrdiff_t i = arrlen(s->rev); i >= 0; i--) {
        while (c >= 0 && here[c].pos == i) {
            MIns in;
            make_const(s, &in, &here[c--]);
            arrput(*out, in);
        }
        if (i) arrput(*out, s->rev[i - 1]);
    }
    assert(c < 0);
    arrfree(here);
    arrsetlen(s->rev, 0);
}

static bool is_vec_op(int op) { return op == IR_VOP || op == IR_DSRLOAD || op == IR_DSRLOADV || op == IR_DSRBASE || op == IR_DSRLEN || op == IR_DSRINDEX; }

static void sel_block(Isel *s, uint32_t b)
{
    IrRef *ins = s->f->blks[b].ins;
    ptrdiff_t n = arrlen(ins);
    s->cur = b;
    arrsetlen(s->rev, 0);
    arrsetlen(s->tmp, 0);
    s->loc = n ? ir_ins(s->f, ins[n - 1])->loc : s->f->loc;
    if (n && (ir_ops[ir_ins(s->f, ins[n - 1])->op].flags & I_TERM)) sel_terminator(s, b, ir_ins(s->f, ins[n - 1])), n--;
    else isel_emit_imm(s, OP_TRAP, R_NONE, R_NONE, 1);
    push_group(s);
    ptrdiff_t nterm = arrlen(s->rev);
    for (ptrdiff_t i = n - 1; i >= 0; i--) {
        IrIns *in = ir_ins(s->f, ins[i]);
        if (in->op == IR_PHI || in->dead) continue;
        if (s->lo[ins[i].i] == R_NONE && s->hi[ins[i].i] == R_NONE && !(ir_ops[in->op].flags & I_EFF)) continue;
        s->loc = in->loc;
        if (is_vec_op(in->op)) isel_vec(s, ins[i]);
        else isel_scalar(s, ins[i]);
        push_group(s);
    }
    finish_block(s, b, nterm);
}

static void loop_sizes(Isel *s)
{
    arrsetlen(s->size, arrlen(s->lp.loops));
    for (ptrdiff_t i = 0; i < arrlen(s->lp.loops); i++) {
        s->size[i] = 0;
        for (ptrdiff_t b = 1; b < arrlen(s->f->blks); b++)
            if (s->lp.loops[i].in[b]) s->size[i] += (uint32_t)arrlen(s->f->blks[b].ins);
    }
}

static void make_blocks(Isel *s)
{
    MBlk none = {0};
    arrput(s->mf->blks, none);
    arrsetlen(s->blk, arrlen(s->f->blks));
    if (arrlen(s->f->blks[1].preds)) mblk_new(s->mf, "start", 0);     /* the entry is a loop's header: parameters before it */
    for (ptrdiff_t i = 0; i < arrlen(s->lp.rpo); i++) {
        uint32_t b = s->lp.rpo[i].i;
        s->blk[b] = mblk_new(s->mf, s->f->blks[b].name, s->f->blks[b].loop_depth);
    }
    arrsetlen(s->landing, arrlen(s->lp.loops));
    for (ptrdiff_t i = 0; i < arrlen(s->lp.loops); i++)
        s->landing[i] = s->lp.loops[i].hw ? mblk_new(s->mf, NULL, s->lp.loops[i].depth - 1) : 0;
}

static void frame_objects(Isel *s)
{
    for (ptrdiff_t i = 0; i < arrlen(s->lp.rpo); i++) {
        IrRef *ins = s->f->blks[s->lp.rpo[i].i].ins;
        for (ptrdiff_t k = 0; k < arrlen(ins); k++) {
            IrIns *in = ir_ins(s->f, ins[k]);
            if (in->op == IR_CALL || in->op == IR_CALLR) s->mf->has_call = true;
            if (in->op != IR_ALLOCA) continue;
            FrameObj o = {.bytes = (uint32_t)in->imm};
            s->fo[ins[k].i] = (int32_t)arrlen(s->mf->frame);
            arrput(s->mf->frame, o);
        }
    }
}

static Reg *reg_array(ptrdiff_t n)
{
    Reg *r = ws_xmalloc(sizeof *r * (size_t)(n ? n : 1));
    for (ptrdiff_t i = 0; i < n; i++) r[i] = R_NONE;
    return r;
}

MFn *isel(BeCtx *cx, IrFn *f, uint32_t index)
{
    Isel s = {.cx = cx, .m = cx->m, .f = f, .mf = ws_xmalloc(sizeof(MFn))};
    size_t n = (size_t)arrlen(f->ins) + 1;
    s.mf->ir = f;
    s.mf->index = index;
    loops_find(f, &s.lp);
    loops_hw(cx, f, &s.lp);
    s.lo = reg_array((ptrdiff_t)n);
    s.hi = reg_array((ptrdiff_t)n);
    s.fo = ws_xmalloc(sizeof *s.fo * n);
    s.live = ws_xmalloc(n);
    s.ext = ws_xmalloc(n);
    s.swap = ws_xmalloc(n);
    s.uses = ir_use_counts(f);
    s.slots = ws_xmalloc(sizeof *s.slots * n);
    frame_objects(&s);
    make_blocks(&s);
    loop_sizes(&s);
    mark_live(&s);
    choose_load_ext(&s);
    isel_slots(&s);
    for (ptrdiff_t i = arrlen(s.lp.rpo) - 1; i >= 0; i--) sel_block(&s, s.lp.rpo[i].i);
    assert(arrlen(s.consts) == 0);
    arrsetlen(s.tmp, 0);
    for (ptrdiff_t i = 0; i < arrlen(s.params); i++) arrput(s.tmp, s.params[i]);
    if (arrlen(f->blks[1].preds)) jump(&s, s.blk[1]);
    for (ptrdiff_t i = 0; i < arrlen(s.tmp); i++) arrins(s.mf->blks[1].ins, i, s.tmp[i]);
    mfn_edges(s.mf);
    loops_free(&s.lp);
    free(s.lo);
    free(s.hi);
    free(s.fo);
    free(s.live);
    free(s.ext);
    free(s.swap);
    free(s.slots);
    arrfree(s.uses);
    arrfree(s.blk);
    arrfree(s.landing);
    arrfree(s.size);
    arrfree(s.consts);
    arrfree(s.rev);
    arrfree(s.tmp);
    arrfree(s.params);
    return s.mf;
}
