/* From allocated machine code to words: block order, frame, jumps, pseudo instructions, encoding.
 * Blocks stand in a reverse postorder that puts what is in a loop before what leaves it, so that loops are contiguous and
 * LOOP/ENDL enclose their body. */
#include "backend/mir.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- jumps to jumps */
static uint32_t thread(const MFn *f, uint32_t b)
{
    for (int steps = 0; steps < 64; steps++) {
        const MBlk *bl = &f->blks[b];
        if (arrlen(bl->ins) != 1 || bl->ins[0].op != OP_JMP || bl->ins[0].tgt == b) return b;
        b = bl->ins[0].tgt;
    }
    return b;
}

static void thread_jumps(MFn *f)
{
    for (ptrdiff_t b = 1; b < arrlen(f->blks); b++)
        for (ptrdiff_t i = 0; i < arrlen(f->blks[b].ins); i++) {
            MIns *in = &f->blks[b].ins[i];
            if (in->tgt) in->tgt = thread(f, in->tgt);
        }
    for (ptrdiff_t t = 0; t < arrlen(f->tables); t++)
        for (ptrdiff_t i = 0; i < arrlen(f->tables[t].to); i++) f->tables[t].to[i] = thread(f, f->tables[t].to[i]);
}

/* ---- order: what is visited last of the successors stands first behind a block */
static void visit(const MFn *f, uint32_t b, uint8_t *seen, uint32_t **post)
{
    seen[b] = 1;
    const MBlk *bl = &f->blks[b];
    uint32_t *succ = NULL;
    for (ptrdiff_t i = arrlen(bl->succ) - 1; i >= 0; i--) arrput(succ, bl->succ[i]);
    for (ptrdiff_t i = 1; i < arrlen(succ); i++)
        for (ptrdiff_t k = i; k > 0 && f->blks[succ[k]].depth < f->blks[succ[k - 1]].depth; k--) {
            uint32_t t = succ[k];
            succ[k] = succ[k - 1];
            succ[k - 1] = t;
        }
    for (ptrdiff_t i = 0; i < arrlen(succ); i++)
        if (!seen[succ[i]]) visit(f, succ[i], seen, post);
    arrfree(succ);
    arrput(*post, b);
}

static void order_blocks(MFn *f)
{
    uint8_t *seen = ws_xmalloc((size_t)arrlen(f->blks));
    uint32_t *post = NULL;
    visit(f, 1, seen, &post);
    arrsetlen(f->order, 0);
    for (ptrdiff_t i = arrlen(post) - 1; i >= 0; i--) arrput(f->order, post[i]);
    arrfree(post);
    free(seen);
}

static int inverse(int op)
{
    static const uint8_t pair[][2] = {{OP_BEQ, OP_BNE}, {OP_BLT, OP_BGE}, {OP_BLTU, OP_BGEU}, {OP_BEQH, OP_BNEH}, {OP_BLTH, OP_BGEH}, {OP_BLTUH, OP_BGEUH}};
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++)
        for (int k = 0; k < 2; k++)
            if (pair[i][k] == op) return pair[i][1 - k];
    return 0;
}

static bool is_end(const MIns *in, const MFn *f)
{
    return in->op == OP_DONE || (in->op == M_RET && f->frame_bytes == 0);
}

static void fix_jumps(MFn *f)
{
    for (ptrdiff_t i = 0; i < arrlen(f->order); i++) {
        MBlk *b = &f->blks[f->order[i]];
        uint32_t next = i + 1 < arrlen(f->order) ? f->order[i + 1] : 0;
        ptrdiff_t n = arrlen(b->ins);
        if (!n || b->ins[n - 1].op != OP_JMP) continue;
        MIns *j = &b->ins[n - 1], *c = n > 1 ? &b->ins[n - 2] : NULL;
        bool cond = c && c->tgt && mi_is_term(c) && c->op != OP_JMP;
        if (cond && c->tgt == j->tgt && inverse(c->op)) {
            *c = *j;
            (void)arrpop(b->ins);
            cond = false;
            n--;
            j = &b->ins[n - 1];
        }
        if (j->tgt == next) {
            (void)arrpop(b->ins);
        } else if (cond && c->tgt == next && inverse(c->op)) {
            c->op = (uint16_t)inverse(c->op);
            c->tgt = j->tgt;
            (void)arrpop(b->ins);
        } else {
            const MBlk *t = &f->blks[j->tgt];
            if (arrlen(t->ins) == 1 && is_end(&t->ins[0], f)) *j = t->ins[0];
        }
    }
}

/* ---- frame: outgoing arguments, objects, saved registers */
static uint32_t save_mask(const MFn *f)
{
    if (f->ir->kind != FN_PLAIN) return 0;
    return f->saved | (f->has_call ? 1u << REG_LINK : 0);
}

static void frame_layout(MFn *f)
{
    uint32_t off = (f->out_bytes + 3) & ~3u;
    for (ptrdiff_t i = 0; i < arrlen(f->frame); i++) {
        f->frame[i].off = (int32_t)off;
        off += (f->frame[i].bytes + 3) & ~3u;
    }
    off += 4 * (uint32_t)__builtin_popcount(save_mask(f));
    f->frame_bytes = off;
}

/* ---- pseudo instructions */
static bool fits14(int64_t v) { return v >= -8192 && v <= 8191; }

static MIns plain(int op, Reg d, Reg a, int32_t imm, Loc loc)
{
    return (MIns){.op = (uint16_t)op, .d = d, .a = a, .b = R_NONE, .c = R_NONE, .imm = imm, .fi = FI_NONE, .loc = loc};
}

static void put_const(MIns **out, Reg d, int32_t v, Loc loc)
{
    if (v >= -32768 && v <= 32767) arrput(*out, plain(OP_LI, d, R_NONE, v, loc));
    else if (v >= 0 && v <= 65535) arrput(*out, plain(OP_LIU, d, R_NONE, v, loc));
    else {
        uint32_t u = (uint32_t)v;
        arrput(*out, plain(OP_LUI, d, R_NONE, (int32_t)(u >> 16), loc));
        if (u & 0xffff) arrput(*out, plain(OP_INSL, d, R_NONE, (int32_t)(u & 0xffff), loc));
    }
}

static void put_sp(MIns **out, Reg d, int32_t off, Loc loc)
{
    if (fits14(off)) {
        arrput(*out, plain(OP_ADDI, d, REG_SP, off, loc));
        return;
    }
    put_const(out, REG_TMP, off, loc);
    MIns add = plain(OP_ADD, d, REG_SP, 0, loc);
    add.b = REG_TMP;
    arrput(*out, add);
}

static void saves(MIns **out, const MFn *f, int op, Loc loc)
{
    uint32_t m = save_mask(f);
    int32_t off = (int32_t)f->frame_bytes - 4 * __builtin_popcount(m);
    Reg base = REG_SP;
    if (m && !fits14((int64_t)f->frame_bytes)) {
        put_sp(out, REG_TMP, off, loc);
        base = REG_TMP;
        off = 0;
    }
    for (Reg r = 1; r < N_GPR; r++) {
        if (!(m >> r & 1)) continue;
        arrput(*out, plain(op, r, base, off, loc));
        off += 4;
    }
}

static void put_ret(MIns **out, const MFn *f, Loc loc)
{
    saves(out, f, OP_LDW, loc);
    if (f->frame_bytes) put_sp(out, REG_SP, (int32_t)f->frame_bytes, loc);
    arrput(*out, plain(OP_JR, R_NONE, REG_LINK, 0, loc));
}

static void put_frame_ref(MIns **out, const MFn *f, MIns in)
{
    int32_t off = in.imm + (in.fi == FI_ARG_IN ? (int32_t)f->frame_bytes : in.fi == FI_ARG_OUT ? 0 : f->frame[in.fi].off);
    if (in.op == M_FRAME) {
        put_sp(out, in.d, off, in.loc);
        return;
    }
    in.fi = FI_NONE;
    in.imm = off;
    if (!fits14(off)) {
        put_sp(out, REG_TMP, off, in.loc);
        in.a = REG_TMP;
        in.imm = 0;
    }
    arrput(*out, in);
}

static void expand(MIns **out, const MFn *f, MIns in)
{
    if (in.fi != FI_NONE) {
        put_frame_ref(out, f, in);
        return;
    }
    switch ((int)in.op) {
    case M_COPY:
        in.op = OP_ADDI;
        if (in.a == 0) in.op = OP_LI, in.a = R_NONE;
        break;
    case M_CONST: put_const(out, in.d, in.imm, in.loc); return;
    case M_ADDR: in.op = OP_LIU; break;
    case M_CALL:
        in.op = OP_CALL;
        in.symk = SY_FN;
        break;
    case M_CALLR: in.op = OP_CALLR; break;
    case M_RET: put_ret(out, f, in.loc); return;
    default: break;
    }
    if (in.is_async) {
        MIns as = plain(OP_ASYNC, R_NONE, R_NONE, 0, in.loc);
        as.async = in.async;
        arrput(*out, as);
    }
    arrput(*out, in);
}

/* needs: physical registers.  Leaves one word an instruction, in f->order. */
void emit_layout(MFn *f)
{
    thread_jumps(f);
    mfn_edges(f);
    order_blocks(f);
    frame_layout(f);
    fix_jumps(f);
    for (ptrdiff_t i = 0; i < arrlen(f->order); i++) {
        MBlk *b = &f->blks[f->order[i]];
        MIns *out = NULL;
        if (i == 0 && f->frame_bytes) {
            put_sp(&out, REG_SP, -(int32_t)f->frame_bytes, f->ir->loc);
            saves(&out, f, OP_STW, f->ir->loc);
        }
        for (ptrdiff_t k = 0; k < arrlen(b->ins); k++) expand(&out, f, b->ins[k]);
        arrfree(b->ins);
        b->ins = out;
    }
}

uint32_t emit_words(const MFn *f)
{
    uint32_t n = 0;
    for (ptrdiff_t i = 0; i < arrlen(f->order); i++) n += (uint32_t)arrlen(f->blks[f->order[i]].ins);
    return n;
}

/* ---- encoding */
static uint8_t opd_code(Reg r)
{
    if (r == R_NONE) return OPD_NONE;
    if (r == R_SAME) return OPD_SAME_A;
    if (r < N_GPR) return (uint8_t)r;
    if (r >= PR_DOT) return (uint8_t)(OPD_DOT0 + r - PR_DOT);
    return (uint8_t)(OPD_DSR0 + (r - PR_DEST) % N_DSR);
}

static uint8_t gpr(Reg r) { return r < 0 ? 0 : (uint8_t)r; }

static PeIns to_pe(const MIns *in)
{
    PeIns p = {.op = (uint8_t)in->op, .ut = -1, .act = -1, .unb = -1, .imm = in->imm};
    switch (pe_ops[in->op].fmt) {
    case FMT_V3: case FMT_V4:
        p.d = opd_code(in->d);
        p.a = opd_code(in->a);
        p.b = opd_code(in->b);
        p.c = opd_code(in->c);
        break;
    case FMT_DL: case FMT_DRR: case FMT_DR:
        p.dsr = (uint8_t)(in->d - PR_DEST);
        p.x = in->k;
        p.ra = gpr(in->a);
        p.rb = gpr(in->b);
        break;
    case FMT_AS:
        p.ut = in->async.ut;
        p.act = in->async.act;
        p.unb = in->async.unb;
        p.prio = in->async.prio;
        break;
    default:
        p.rd = gpr(in->d);
        p.ra = gpr(in->a);
        p.rb = gpr(in->b);
        p.rc = gpr(in->c);
        p.k = p.q = in->k;
        break;
    }
    return p;
}

static void put16(uint8_t *p, uint32_t v)
{
    p[0] = (uint8_t)v;
    p[1] = (uint8_t)(v >> 8);
}

void emit_encode(Emit *e, const MFn *f)
{
    uint32_t *at = ws_xmalloc(sizeof *at * (size_t)arrlen(f->blks)), pc = e->fn_addr[f->index];
    for (ptrdiff_t i = 0; i < arrlen(f->order); i++) {
        at[f->order[i]] = pc;
        pc += 4 * (uint32_t)arrlen(f->blks[f->order[i]].ins);
    }
    pc = e->fn_addr[f->index];
    for (ptrdiff_t i = 0; i < arrlen(f->order); i++) {
        MIns *ins = f->blks[f->order[i]].ins;
        for (ptrdiff_t k = 0; k < arrlen(ins); k++, pc += 4) {
            PeIns p = to_pe(&ins[k]);
            bool rri = pe_ops[p.op].fmt == FMT_RRI;
            if (ins[k].tgt) p.imm = ((int32_t)at[ins[k].tgt] - (int32_t)pc - 4) / 4;
            else if (ins[k].op == OP_CALL) p.imm = ((int32_t)e->fn_addr[ins[k].sym] - (int32_t)pc - 4) / 4;
            else if (ins[k].symk == SY_FN) p.imm = (int32_t)e->fn_addr[ins[k].sym];
            else if (ins[k].symk == SY_DATA) p.imm = (int32_t)(rri ? e->data_addr + (uint32_t)ins[k].imm : (e->data_addr + (uint32_t)ins[k].imm) & 0xffff);
            if (rri && ins[k].symk == SY_DATA && !fits14(p.imm)) {
                e->near_miss = true;
                p.imm = 0;
            }
            uint32_t w = 0;
            const char *why = NULL;
            if (!pe_encode(&p, &w, &why)) BE_DIAG(e->cx->d, encode, ins[k].loc, d_str(pe_ops[p.op].name), d_str(why));
            put16(e->text + pc, w);
            put16(e->text + pc + 2, w >> 16);
            e->locs[pc / 4] = ins[k].loc;
        }
    }
    for (ptrdiff_t t = 0; t < arrlen(f->tables); t++)
        for (ptrdiff_t i = 0; i < arrlen(f->tables[t].to); i++) put16(e->data + f->tables[t].data_off + 2 * i, at[f->tables[t].to[i]]);
    free(at);
}
