/* Machine instructions: roles of operands, control flow edges, cost, text.
 * The one idea: everything that a pass asks about an instruction follows from its format in the table. */
#include "backend/mir.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

const DiagRow be_diag_rows[BD_COUNT] = {
#define ROW(id, sev, name, text, hint) [BD_##name] = {SEV_##sev, #id, #name, text, hint},
#include "backend/be_diags.def"
#undef ROW
};

Reg vreg_new(MFn *f, RegClass c, Loc loc)
{
    VReg v = {.cls = (uint8_t)c, .loc = loc};
    arrput(f->vregs, v);
    return PR_VIRT + (Reg)arrlen(f->vregs) - 1;
}

RegClass reg_class(const MFn *f, Reg r)
{
    if (r >= PR_VIRT) return f->vregs[r - PR_VIRT].cls;
    return r < PR_DEST ? RC_GPR : r < PR_SRC0 ? RC_DEST : r < PR_SRC1 ? RC_SRC0 : r < PR_DOT ? RC_SRC1 : RC_DOT;
}

uint32_t mblk_new(MFn *f, const char *name, uint32_t depth)
{
    MBlk b = {.name = name, .depth = depth};
    arrput(f->blks, b);
    return (uint32_t)arrlen(f->blks) - 1;
}

void mfn_free(MFn *f)
{
    if (!f) return;
    for (ptrdiff_t i = 0; i < arrlen(f->blks); i++) {
        arrfree(f->blks[i].ins);
        arrfree(f->blks[i].succ);
        arrfree(f->blks[i].pred);
    }
    for (ptrdiff_t i = 0; i < arrlen(f->tables); i++) arrfree(f->tables[i].to);
    arrfree(f->blks);
    arrfree(f->order);
    arrfree(f->vregs);
    arrfree(f->frame);
    arrfree(f->tables);
    arrfree(f->xdsr);
    free(f);
}

bool mi_is_vec(const MIns *in) { return in->op < 256 && (pe_ops[in->op].fmt == FMT_V3 || pe_ops[in->op].fmt == FMT_V4); }

bool mi_is_term(const MIns *in)
{
    return in->op == M_RET || (in->op < 256 && (pe_ops[in->op].flags & F_BR));
}

bool mi_barrier(const MIns *in)
{
    if (in->op == M_CALL || in->op == M_CALLR) return true;
    if (in->op >= 256) return false;
    const PeOp *o = &pe_ops[in->op];
    return o->unit == UNIT_TSK || o->unit == UNIT_RTR || in->op == OP_SENDC;
}

/* ---- operands */
static int opd(MOpd *out, int n, Reg *r, bool use, bool def)
{
    if (*r < 0) return n;
    out[n] = (MOpd){r, use, def};
    return n + 1;
}

static int vec_operands(MIns *in, MOpd out[5])
{
    int n = 0;
    bool chain = in->op == OP_DOTAS || in->op == OP_SUMAS || in->op == OP_DOTNS;
    n = opd(out, n, &in->a, true, false);
    n = opd(out, n, &in->b, true, false);
    n = opd(out, n, &in->c, true, false);
    if (in->d >= 0) {
        /* a DSR as destination is used, not written; ra.c and sched.c tell by its class */
        out[n] = (MOpd){&in->d, chain, true};
        n++;
    }
    return n;
}

int mi_operands(MIns *in, MOpd out[5])
{
    int n = 0;
    switch ((int)in->op) {
    case M_COPY: n = opd(out, n, &in->a, true, false); return opd(out, n, &in->d, false, true);
    case M_CONST: case M_ADDR: case M_FRAME: return opd(out, n, &in->d, false, true);
    case M_CALL: case M_RET: return 0;
    case M_CALLR: return opd(out, n, &in->a, true, false);
    }
    const PeOp *o = &pe_ops[in->op];
    switch (o->fmt) {
    case FMT_V3: case FMT_V4: return vec_operands(in, out);
    case FMT_R: case FMT_LP: case FMT_QR: return opd(out, n, &in->a, true, false);
    case FMT_BR: n = opd(out, n, &in->a, true, false); return opd(out, n, &in->b, true, false);
    case FMT_RR: case FMT_RRR: case FMT_RRRR: case FMT_RRI: case FMT_DL: case FMT_DRR:
        n = opd(out, n, &in->a, true, false);
        n = opd(out, n, &in->b, true, false);
        n = opd(out, n, &in->c, true, false);
        if (o->flags & F_STORE) return opd(out, n, &in->d, true, false);
        return opd(out, n, &in->d, false, true);
    case FMT_RI: return opd(out, n, &in->d, in->op == OP_INSL, true);
    case FMT_RK: return opd(out, n, &in->d, in->op == OP_HOUT, in->op != OP_HOUT);
    case FMT_DR: n = opd(out, n, &in->a, true, false); return opd(out, n, &in->d, true, true);
    default: return 0;
    }
}

/* ---- edges */
static void edge(MFn *f, uint32_t from, uint32_t to)
{
    for (ptrdiff_t i = 0; i < arrlen(f->blks[from].succ); i++)
        if (f->blks[from].succ[i] == to) return;
    arrput(f->blks[from].succ, to);
    arrput(f->blks[to].pred, from);
}

void mfn_edges(MFn *f)
{
    for (ptrdiff_t b = 1; b < arrlen(f->blks); b++) {
        arrsetlen(f->blks[b].succ, 0);
        arrsetlen(f->blks[b].pred, 0);
    }
    for (ptrdiff_t b = 1; b < arrlen(f->blks); b++) {
        MBlk *bl = &f->blks[b];
        for (ptrdiff_t i = 0; i < arrlen(bl->ins); i++) {
            MIns *in = &bl->ins[i];
            if (!mi_is_term(in)) continue;
            if (in->op == OP_JR && in->jt)
                for (ptrdiff_t k = 0; k < arrlen(f->tables[in->jt - 1].to); k++)
                    edge(f, (uint32_t)b, f->tables[in->jt - 1].to[k]);
            else if (in->tgt && !(in->op == OP_LOOP && in->no_exit)) edge(f, (uint32_t)b, in->tgt);
        }
    }
}

/* ---- cost */
static int div_up(int a, int b) { return (a + b - 1) / b; }

static int vec_slots(const Arch *a, const MIns *in)
{
    const PeOp *o = &pe_ops[in->op];
    const Reg r[4] = {in->d, in->a, in->b, in->c};
    bool any = false, fabric = in->wr.kind == MK_FABRIC;
    int reads = 0;
    for (int i = 0; i < 4; i++) {
        bool dsr = r[i] >= PR_VIRT ? true : r[i] >= PR_DEST && r[i] < PR_DOT;
        if (r[i] == R_SAME) dsr = true;
        any |= dsr;
    }
    for (int i = 0; i < 2; i++) {
        if (in->rd[i].kind == MK_FABRIC) fabric = true;
        else if (in->rd[i].kind != MK_NONE) reads++;
    }
    if (in->op == OP_FMACS1 || in->op == OP_FMSS1 || in->op == OP_FMACH1) return 1;
    bool has_mem = in->rd[0].kind || in->rd[1].kind || in->wr.kind;
    if (!any || !has_mem) return 1;
    int n = o->fmt == FMT_V3 && in->imm ? in->imm : 8;
    int w = pe_width(a, o->vclass), bits = 8 * (o->esz[0] ? o->esz[0] : o->esz[2]);
    if (fabric && AP(a, fabric_width) < w) w = AP(a, fabric_width);
    if (reads == 2 && AP(a, read_bits_each) / bits < w) w = AP(a, read_bits_each) / bits;
    if (in->wr.kind && AP(a, write_bits) / bits < w) w = AP(a, write_bits) / bits;
    return div_up(n, w < 1 ? 1 : w);
}

int mi_slots(const Arch *a, const MIns *in)
{
    if (in->op >= 256) return 1;
    const PeOp *o = &pe_ops[in->op];
    switch (o->slots) {
    case SLOT_VEC: return in->is_async ? 2 : vec_slots(a, in);
    case SLOT_BRANCH: return AP(a, branch_not_taken);
    case SLOT_SETRTR: case SLOT_SETSOCK: return CTX_PAIRS;
    default: return pe_cycles(a, o->slots);
    }
}

static bool writes_dot(const MIns *in)
{
    return in->op >= OP_DOTS && in->op <= OP_DOTNS;
}
_Static_assert(OP_DOTNS - OP_DOTS == 4, "the dot and sum rows stand together");

int mi_latency(const Arch *a, const MIns *in, Reg r, const MIns *user)
{
    if (in->op >= 256) return 1;
    if (writes_dot(in) && r == in->d) {
        bool goes_on = writes_dot(user) && user->d == r && user->op != OP_DOTS && user->op != OP_SUMS;
        return goes_on ? 1 : 1 + AP(a, dot_drain);
    }
    return pe_cycles(a, pe_ops[in->op].latency);
}

/* ---- text */
const char *mi_name(const MIns *in)
{
    static const char *const pseudo[] = {"copy", "const", "addr", "frame", "call", "callr", "ret"};
    _Static_assert(sizeof pseudo / sizeof *pseudo == M_END - M_COPY, "a name each");
    return in->op >= 256 ? pseudo[in->op - M_COPY] : pe_ops[in->op].name;
}

static void print_reg(Buf *b, const MFn *f, Reg r)
{
    static const char *const pre[] = {"r", "d.", "s0.", "s1.", "dot"};
    static const Reg base[] = {0, PR_DEST, PR_SRC0, PR_SRC1, PR_DOT};
    if (r == R_SAME) buf_printf(b, "same");
    else if (r < 0) buf_printf(b, "-");
    else {
        RegClass c = reg_class(f, r);
        if (r >= PR_VIRT) buf_printf(b, "%%%s%d", c == RC_GPR ? "" : pre[c], r - PR_VIRT);
        else buf_printf(b, "%s%d", pre[c], r - base[c]);
    }
}

static void print_ins(Buf *b, const BeCtx *cx, const MFn *f, const MIns *in)
{
    const char *sep = " ";
    if (in->is_async) buf_printf(b, "async(%d,%d,%d,%d) ", in->async.ut, in->async.act, in->async.unb, in->async.prio);
    for (const char *p = mi_name(in); *p; p++) buf_printf(b, "%c", *p >= 'A' && *p <= 'Z' ? *p - 'A' + 'a' : *p);
    const Reg r[4] = {in->d, in->a, in->b, in->c};
    bool vec = mi_is_vec(in);
    int nv = vec && pe_ops[in->op].fmt == FMT_V4 ? 4 : 3;
    for (int i = 0; i < 4; i++) {
        if (r[i] == R_NONE && !(vec && i < nv)) continue;
        buf_printf(b, "%s", sep);
        print_reg(b, f, r[i]);
        sep = ", ";
    }
    if (in->op == OP_LOOP || in->op == OP_ENDL) buf_printf(b, "%sl%d", sep, in->k), sep = ", ";
    if (in->op == M_CALL) buf_printf(b, " @%s", cx->m->fns[in->sym]->name);
    else if (in->symk == SY_FN) buf_printf(b, "%s@%s", sep, cx->m->fns[in->sym]->name);
    else if (in->symk == SY_DATA) buf_printf(b, "%sdata%+d", sep, in->imm);
    else if (in->fi != FI_NONE) buf_printf(b, "%sframe%d%+d", sep, in->fi, in->imm);
    else if (in->imm) buf_printf(b, vec ? "%sn=%d" : "%s%d", sep, in->imm);
    if (in->tgt) buf_printf(b, " -> b%u", in->tgt);
    buf_printf(b, "\n");
}

void mir_print(Buf *b, const BeCtx *cx, const MFn *f)
{
    buf_printf(b, "fn @%s\n", f->ir->name);
    for (ptrdiff_t i = 1; i < arrlen(f->blks); i++) {
        uint32_t id = arrlen(f->order) ? (i - 1 < arrlen(f->order) ? f->order[i - 1] : 0) : (uint32_t)i;
        if (!id) break;
        const MBlk *bl = &f->blks[id];
        buf_printf(b, "b%u:", id);
        if (bl->name) buf_printf(b, " ; %s", bl->name);
        if (bl->depth) buf_printf(b, " depth %u", bl->depth);
        buf_printf(b, "\n");
        for (ptrdiff_t k = 0; k < arrlen(bl->ins); k++) {
            buf_printf(b, "  ");
            print_ins(b, cx, f, &bl->ins[k]);
        }
    }
}

bool be_stage_known(const char *name, size_t n)
{
    static const char *const stages[] = {"isel", "hwloop", "sched", "ra"};
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        if (strlen(stages[i]) == n && memcmp(stages[i], name, n) == 0) return true;
    return false;
}

void mir_dump(const BeCtx *cx, const MFn *f, const char *stage)
{
    assert(be_stage_known(stage, strlen(stage)));
    if (!ir_listed(stage, cx->opts->dump_after)) return;
    Buf b = {0};
    mir_print(&b, cx, f);
    fputs(b.p ? b.p : "", cx->opts->dump ? cx->opts->dump : stdout);
    buf_free(&b);
}
