/* Natural loops of WIR, and which of them count.
 * A loop becomes LOOP/ENDL when its trip count can be computed at the entry: one phi stepped by a constant, compared with
 * a value that the loop does not change, no call inside (counters do not survive one).  Nothing is rewritten here: isel.c
 * reads the decision, and the phi disappears by itself when nothing else asks for it. */
#include "backend/mir.h"
#include <assert.h>
#include <stdlib.h>

static int type_bits(IrType t) { return t == T_I1 ? 1 : 8 * ir_type_bytes(t); }

bool is_const(IrFn *f, IrRef r, int64_t *v)
{
    if (!r.i || ir_ins(f, r)->op != IR_CONST) return false;
    IrIns *in = ir_ins(f, r);
    int bits = type_bits(in->type);
    int64_t x = in->imm;
    if (bits == 1) x &= 1;
    else if (bits < 64) x = (int64_t)((uint64_t)x << (64 - bits)) >> (64 - bits);
    *v = x;
    return true;
}

static uint32_t loop_size(const Loop *l, ptrdiff_t nblk)
{
    uint32_t n = 0;
    for (ptrdiff_t i = 0; i < nblk; i++) n += l->in[i];
    return n;
}

/* needs: f's cfg.  Leaves loops sorted by size, inner ones first. */
void loops_find(IrFn *f, Loops *l)
{
    ir_cfg(f);
    *l = (Loops){.rpo = ir_rpo(f)};
    l->idom = ir_idom(f, l->rpo);
    ptrdiff_t nblk = arrlen(f->blks);
    for (ptrdiff_t i = 0; i < arrlen(l->rpo); i++) {
        uint32_t h = l->rpo[i].i;
        Loop lp = {.header = h, .in = ir_loop_body(f, l->idom, h)};
        int latches = 0;
        if (!lp.in) continue;
        for (ptrdiff_t k = 0; k < arrlen(f->blks[h].preds); k++) {
            uint32_t p = f->blks[h].preds[k].i;
            if (!lp.in[p]) continue;
            if (lp.latch != p) latches++;
            lp.latch = p;
        }
        if (latches > 1) lp.latch = 0;
        arrput(l->loops, lp);
    }
    for (ptrdiff_t i = 1; i < arrlen(l->loops); i++)      /* insertion sort: stable, few loops */
        for (ptrdiff_t k = i; k > 0 && loop_size(&l->loops[k], nblk) < loop_size(&l->loops[k - 1], nblk); k--) {
            Loop t = l->loops[k];
            l->loops[k] = l->loops[k - 1];
            l->loops[k - 1] = t;
        }
    arrsetlen(l->of, (size_t)nblk);
    for (ptrdiff_t b = 0; b < nblk; b++) l->of[b] = 0;
    for (ptrdiff_t i = arrlen(l->loops) - 1; i >= 0; i--)
        for (ptrdiff_t b = 0; b < nblk; b++)
            if (l->loops[i].in[b]) l->of[b] = (uint32_t)i + 1;
    for (ptrdiff_t i = 0; i < arrlen(l->loops); i++)
        for (ptrdiff_t k = i + 1; k < arrlen(l->loops) && !l->loops[i].parent; k++)
            if (l->loops[k].in[l->loops[i].header]) l->loops[i].parent = (uint32_t)k + 1;
    for (ptrdiff_t i = arrlen(l->loops) - 1; i >= 0; i--)
        l->loops[i].depth = l->loops[i].parent ? l->loops[l->loops[i].parent - 1].depth + 1 : 1;
}

void loops_free(Loops *l)
{
    for (ptrdiff_t i = 0; i < arrlen(l->loops); i++) free(l->loops[i].in);
    arrfree(l->loops);
    arrfree(l->of);
    arrfree(l->rpo);
    arrfree(l->idom);
}

/* ---- counted loops */
static IrIns *terminator(IrFn *f, uint32_t b)
{
    IrRef *ins = f->blks[b].ins;
    return arrlen(ins) ? ir_ins(f, ins[arrlen(ins) - 1]) : NULL;
}

static bool invariant(IrFn *f, const Loop *l, IrRef r)
{
    IrIns *in = ir_ins(f, r);
    return in->op == IR_CONST || !l->in[in->blk.i];
}

static IrRef phi_arg(IrFn *f, IrRef phi, uint32_t pred)
{
    IrIns *in = ir_ins(f, phi);
    for (int i = 0; i < in->nargs; i++)
        if (in->blocks[i].i == pred) return in->args[i];
    return IR_NONE;
}

static bool has_call(IrFn *f, const Loop *l)
{
    for (ptrdiff_t b = 1; b < arrlen(f->blks); b++) {
        if (!l->in[b]) continue;
        for (ptrdiff_t i = 0; i < arrlen(f->blks[b].ins); i++) {
            int op = ir_ins(f, f->blks[b].ins[i])->op;
            if (op == IR_CALL || op == IR_CALLR) return true;
        }
    }
    return false;
}

/* Not computed where it stands: selected again wherever it is used. */
static bool is_constant(const IrIns *in) { return in->op == IR_CONST || in->op == IR_FCONST || in->op == IR_GADDR || in->op == IR_FADDR; }

/* May the header run one time less?  Phis and constants apart, what it computes has no effect and is not used behind the loop.  In the
 * bottom form it is the phis that must not be seen behind: the copies for the next turn are made before ENDL. */
static bool header_ok(IrFn *f, const Loop *l, bool bottom)
{
    uint8_t *mark = ws_xmalloc((size_t)arrlen(f->ins));
    IrRef *h = f->blks[l->header].ins;
    bool ok = true;
    for (ptrdiff_t i = 0; i < arrlen(h); i++) {
        IrIns *in = ir_ins(f, h[i]);
        bool phi = in->op == IR_PHI;
        if (bottom == phi && !is_constant(in)) mark[h[i].i] = 1;
        if (!bottom && (ir_ops[in->op].flags & I_EFF)) ok = false;
        if (!bottom && (in->op == IR_DSRSLOT || in->op == IR_DOTSLOT)) mark[h[i].i] = 0;
    }
    for (ptrdiff_t b = 1; b < arrlen(f->blks) && ok; b++) {
        if (l->in[b]) continue;
        for (ptrdiff_t i = 0; i < arrlen(f->blks[b].ins); i++) {
            IrIns *in = ir_ins(f, f->blks[b].ins[i]);
            for (int k = 0; k < in->nargs; k++) ok &= !mark[in->args[k].i];
        }
    }
    free(mark);
    return ok;
}

/* value = phi, or phi + step: finds the phi of the header */
static bool match_iv(IrFn *f, Loop *l, IrRef v, IrRef *phi, IrRef *next, int64_t *step, bool *on_next)
{
    for (ptrdiff_t i = 0; i < arrlen(f->blks[l->header].ins); i++) {
        IrRef p = f->blks[l->header].ins[i];
        if (ir_ins(f, p)->op != IR_PHI) break;
        IrRef n = phi_arg(f, p, l->latch);
        if (!n.i || (v.i != p.i && v.i != n.i)) continue;
        IrIns *add = ir_ins(f, n);
        int64_t c;
        bool sub = add->op == IR_SUB;
        if ((add->op != IR_ADD && !sub) || add->args[0].i != p.i || !is_const(f, add->args[1], &c) || !c) continue;
        *phi = p;
        *next = n;
        *step = sub ? -c : c;
        *on_next = v.i == n.i;
        return true;
    }
    return false;
}

static int64_t type_max(int w, bool sgn) { return sgn ? (int64_t)(((uint64_t)1 << (w - 1)) - 1) : (int64_t)(((uint64_t)1 << w) - 1); }
static int64_t type_min(int w, bool sgn) { return sgn ? -(int64_t)((uint64_t)1 << (w - 1)) : 0; }
static int64_t as_type(int64_t v, int w, bool sgn)
{
    uint64_t m = (uint64_t)v & (((uint64_t)1 << w) - 1);
    return sgn && m >> (w - 1) ? (int64_t)(m - ((uint64_t)1 << w)) : (int64_t)m;
}

/* Sets rel, bound_add, sgn from "go on while cmp"; false where the values may wrap before the test fails. */
static bool match_rel(IrFn *f, Loop *l, IrCmp cmp, bool swapped, bool negated)
{
    int64_t c;
    bool known = is_const(f, l->bound, &c);
    l->sgn = cmp == CMP_SLT || cmp == CMP_SLE;
    if (known) c = as_type(c, l->width, l->sgn);
    int64_t max = type_max(l->width, l->sgn), min = type_min(l->width, l->sgn);
    if (cmp == CMP_EQ || cmp == CMP_NE) {
        l->rel = (cmp == CMP_EQ) != negated ? REL_EQ : REL_NE;
        return true;
    }
    bool strict = cmp == CMP_SLT || cmp == CMP_ULT;
    bool less = !swapped;                                /* iv < bound, or bound < iv */
    if (negated) less = !less, strict = !strict;
    l->rel = less ? REL_LT : REL_GT;
    if (less != (l->step > 0)) return false;
    if (!strict) {                                       /* iv <= c is iv < c + 1 */
        if (!known || (less ? c == max : c == min)) return false;
        l->bound_add = less ? 1 : -1;
        c += l->bound_add;
    }
    if (l->step == 1 || l->step == -1) return true;
    return known && (less ? c - 1 + l->step <= max : c + 1 + l->step >= min);
}

static void known_count(IrFn *f, Loop *l)
{
    int64_t i, b;
    l->count = -1;
    if (!is_const(f, l->init, &i) || !is_const(f, l->bound, &b)) return;
    bool sgn = l->sgn;
    i = as_type(i + l->start_add, l->width, sgn);
    b = as_type(b, l->width, sgn) + l->bound_add;
    int64_t s = l->step < 0 ? -l->step : l->step, n;
    if (l->rel == REL_EQ) n = i == b;                    /* on while it is the bound: hardly ever twice */
    else if (l->rel == REL_NE) {
        n = as_type(l->step < 0 ? i - b : b - i, l->width, false);
        if (n % s) l->hw = false;                        /* it misses the bound and goes round */
        n /= s;
    }
    else {
        int64_t dist = l->rel == REL_LT ? b - i : i - b;
        n = dist > 0 ? (dist + s - 1) / s : 0;
    }
    l->count = n + (l->bottom && !l->guarded);
    if (l->count > (int64_t)UINT32_MAX) l->hw = false;
}

static bool same_value(IrFn *f, IrRef a, IrRef b)
{
    int64_t x, y;
    return a.i == b.i || (is_const(f, a, &x) && is_const(f, b, &y) && x == y && ir_ins(f, a)->type == ir_ins(f, b)->type);
}

/* Does the branch into the loop say that the first value would pass the test too?  Either the same compare, on the value
 * on entry, or that a bound counted to from 0 is not 0. */
static bool guarded(IrFn *f, const Loop *l, const IrIns *cmp, int iv_at, bool negated)
{
    IrIns *t = terminator(f, l->pre);
    int64_t k;
    if (t->op != IR_CONDBR || t->blocks[0].i == t->blocks[1].i) return false;
    bool neg = t->blocks[1].i == l->header;
    IrIns *c = ir_ins(f, t->args[0]);
    if (c->op != IR_ICMP) return false;
    if (c->imm == cmp->imm && neg == negated && same_value(f, c->args[iv_at], l->init) && same_value(f, c->args[1 - iv_at], l->bound)) return true;
    bool from0 = is_const(f, l->init, &k) && k == 0;
    if (!from0 || l->bound_add || (l->rel != REL_NE && (l->rel != REL_LT || l->sgn))) return false;
    if ((c->imm == CMP_EQ || c->imm == CMP_NE) && (c->imm == CMP_EQ) == neg)
        for (int i = 0; i < 2; i++)
            if (same_value(f, c->args[i], l->bound) && is_const(f, c->args[1 - i], &k) && k == 0) return true;
    return c->imm == CMP_ULT && !neg && is_const(f, c->args[0], &k) && k == 0 && same_value(f, c->args[1], l->bound);
}

static bool try_hw(IrFn *f, Loop *l)
{
    if (!l->latch || l->header == 1) return false;
    IrBlk *preds = f->blks[l->header].preds;
    uint32_t pre = 0;
    for (ptrdiff_t i = 0; i < arrlen(preds); i++) {
        if (preds[i].i == l->latch || preds[i].i == pre) continue;
        if (pre) return false;
        pre = preds[i].i;
    }
    l->pre = pre;
    if (!pre || terminator(f, pre)->op == IR_SWITCH) return false;
    IrIns *tl = terminator(f, l->latch), *th = terminator(f, l->header);
    l->bottom = tl->op == IR_CONDBR;
    IrIns *t = l->bottom ? tl : th;
    if (t->op != IR_CONDBR) return false;
    bool in0 = l->in[t->blocks[0].i], in1 = l->in[t->blocks[1].i];
    if (in0 == in1) return false;
    l->exit = t->blocks[in0 ? 1 : 0].i;
    if (l->bottom && t->blocks[in0 ? 0 : 1].i != l->header) return false;
    IrIns *c = ir_ins(f, t->args[0]);
    if (c->op != IR_ICMP) return false;
    IrCmp cmp = (IrCmp)c->imm;
    IrType ty = ir_ins(f, c->args[0])->type;
    if (ty != T_I8 && ty != T_I16 && ty != T_I32) return false;
    l->width = (uint8_t)type_bits(ty);
    for (int sw = 0; sw < 2; sw++) {
        IrRef phi, next;
        bool on_next;
        if (!invariant(f, l, c->args[1 - sw]) || !match_iv(f, l, c->args[sw], &phi, &next, &l->step, &on_next)) continue;
        if (on_next && !l->bottom) return false;
        l->bound = c->args[1 - sw];
        l->init = phi_arg(f, phi, pre);
        if (!l->init.i || !match_rel(f, l, cmp, sw, !in0) || !header_ok(f, l, l->bottom)) return false;
        l->start_add = on_next ? l->step : 0;
        l->hw = true;
        l->guarded = l->bottom && on_next && (l->step == 1 || l->step == -1) && guarded(f, l, c, sw, !in0);
        if (l->guarded) l->start_add = 0;                /* as if the test stood at the top */
        int64_t from;
        l->guard_zero = l->guarded && is_const(f, l->init, &from) && from == 0 && !l->sgn && l->step == 1 && l->rel != REL_GT && !l->bound_add;
        known_count(f, l);
        int64_t st = l->step < 0 ? -l->step : l->step;
        bool simple = st <= 4096 && !(st & (st - 1)) && l->rel != REL_EQ && (st == 1 || (l->width < 32 && l->rel != REL_NE));
        if (l->count < 0 && !simple) return false;
        if (l->count != 1 && has_call(f, l)) return false;
        return l->hw && l->count != 0;
    }
    return false;
}

/* needs: loops_find.  Inner loops have the first claim on the counters. */
void loops_hw(const BeCtx *cx, IrFn *f, Loops *l)
{
    if (cx->opts->level < 1 || cx->opts->no_hwloop) return;
    for (ptrdiff_t i = 0; i < arrlen(l->loops); i++) {
        Loop *lp = &l->loops[i];
        lp->hw = false;
        int height = 0;
        for (ptrdiff_t k = 0; k < i; k++)
            if (l->loops[k].hw && lp->in[l->loops[k].header] && l->loops[k].counter >= height) height = l->loops[k].counter + 1;
        lp->hw = height < N_LOOP && try_hw(f, lp);
        lp->counter = (uint8_t)height;
    }
}
