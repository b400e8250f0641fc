/* Simplify the control-flow graph: branches with one target, unreachable blocks, straight lines, blocks that only branch on.
 * needs: -     breaks: block numbers, predecessors     keeps: ssa, the order of effects
 * Every step shortens the graph or the list of edges, so the repetition ends. */
#include "ir/ir.h"
#include <string.h>

static ptrdiff_t n_phis(IrFn *f, uint32_t b)
{
    ptrdiff_t n = 0;
    while (n < arrlen(f->blks[b].ins) && ir_ins(f, f->blks[b].ins[n])->op == IR_PHI) n++;
    return n;
}

static IrRef phi_value(const IrIns *phi, uint32_t pred)
{
    for (int k = 0; k < phi->nargs; k++)
        if (phi->blocks[k].i == pred) return phi->args[k];
    return IR_NONE;
}

static bool is_pred(IrFn *f, uint32_t b, uint32_t p)
{
    IrIns *t = ir_term(f, (IrBlk){p});
    for (int k = 0; t && k < t->nblocks; k++)
        if (t->blocks[k].i == b) return true;
    return false;
}

/* b ends with br to s, whose only predecessor is b: s's instructions move into b */
static bool merge(IrFn *f, uint32_t b, IrRef *map)
{
    IrIns *t = ir_term(f, (IrBlk){b});
    if (!t || t->op != IR_BR) return false;
    uint32_t s = t->blocks[0].i;
    if (s == b || s == 1 || arrlen(f->blks[s].preds) != 1) return false;
    t->dead = true;
    (void)arrpop(f->blks[b].ins);
    for (ptrdiff_t i = 0; i < arrlen(f->blks[s].ins); i++) {
        IrIns *in = ir_ins(f, f->blks[s].ins[i]);
        if (in->op == IR_PHI) {
            map[f->blks[s].ins[i].i] = in->args[0];
            in->dead = true;
        } else {
            in->blk.i = b;
            arrput(f->blks[b].ins, f->blks[s].ins[i]);
        }
    }
    arrsetlen(f->blks[s].ins, 0);                        /* unreachable from here on */
    t = ir_term(f, (IrBlk){b});
    for (int k = 0; t && k < t->nblocks; k++) {
        IrBlock *to = ir_blk(f, t->blocks[k]);
        ir_phi_rename(f, t->blocks[k], (IrBlk){s}, (IrBlk){b});
        for (ptrdiff_t i = 0; i < arrlen(to->preds); i++)
            if (to->preds[i].i == s) to->preds[i].i = b;
    }
    return true;
}

/* may predecessor p of the forwarding block s branch to t itself?  Not if p does already and a phi tells them apart. */
static bool may_skip(IrFn *f, uint32_t p, uint32_t s, uint32_t t)
{
    if (!is_pred(f, t, p)) return true;
    for (ptrdiff_t i = 0, n = n_phis(f, t); i < n; i++) {
        const IrIns *phi = ir_ins(f, f->blks[t].ins[i]);
        if (phi_value(phi, p).i != phi_value(phi, s).i) return false;
    }
    return true;
}

/* p branches to t instead of s, which only branches to t */
static void redirect(IrFn *f, uint32_t p, uint32_t s, uint32_t t)
{
    IrIns *pt = ir_term(f, (IrBlk){p});
    bool known = is_pred(f, t, p);
    for (ptrdiff_t i = 0, n = n_phis(f, t); !known && i < n; i++) {
        IrRef phi = f->blks[t].ins[i];
        ir_phi_add(f, phi, (IrBlk){p}, phi_value(ir_ins(f, phi), s));
    }
    if (!known) arrput(f->blks[t].preds, (IrBlk){p});
    for (int q = 0; q < pt->nblocks; q++)
        if (pt->blocks[q].i == s) pt->blocks[q].i = t;
}

/* s holds nothing but br t: its predecessors go to t */
static bool forward(IrFn *f, uint32_t s)
{
    IrIns *br = ir_term(f, (IrBlk){s});
    if (s == 1 || arrlen(f->blks[s].ins) != 1 || !br || br->op != IR_BR || br->blocks[0].i == s) return false;
    uint32_t t = br->blocks[0].i;
    IrBlk *p = f->blks[s].preds;
    ptrdiff_t n = arrlen(p), kept = 0;
    for (ptrdiff_t k = 0; k < n; k++) {
        if (may_skip(f, p[k].i, s, t)) redirect(f, p[k].i, s, t);
        else p[kept++] = p[k];
    }
    if (kept == n) return false;
    arrsetlen(f->blks[s].preds, kept);
    if (kept) return true;
    ir_phi_drop(f, (IrBlk){t}, (IrBlk){s});              /* s is unreachable now */
    for (ptrdiff_t k = 0; k < arrlen(f->blks[t].preds); k++)
        if (f->blks[t].preds[k].i == s) {
            arrdel(f->blks[t].preds, k);
            break;
        }
    br->dead = true;
    arrsetlen(f->blks[s].ins, 0);
    return true;
}

static bool merge_all(IrFn *f)
{
    IrRef *map = NULL;
    bool merged = false;
    arrsetlen(map, arrlen(f->ins));
    memset(map, 0, sizeof *map * (size_t)arrlen(f->ins));
    for (uint32_t b = 1; b < (uint32_t)arrlen(f->blks); b++)
        while (merge(f, b, map)) merged = true;
    if (merged) ir_apply(f, map);
    arrfree(map);
    return merged;
}

void pass_simplifycfg(IrFn *f)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 1; b < (uint32_t)arrlen(f->blks); b++) changed |= ir_fold_branch(f, (IrBlk){b});
        changed |= ir_drop_unreachable(f);
        ir_preds(f);
        changed |= merge_all(f);
        for (uint32_t b = 1; b < (uint32_t)arrlen(f->blks); b++) changed |= forward(f, b);
    }
    ir_cfg(f);
}
