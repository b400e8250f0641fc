/* Control flow: predecessors, reverse postorder, dominators, loop depth; uses and replacement.
 * Everything is computed on demand from the terminators and holds until the next change.  Irreducible graphs are fine: dominators
 * are the iterative ones of Cooper, Harvey and Kennedy, and only loops with one header count for the depth. */
#include "ir.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

void ir_preds(IrFn *f)
{
    for (ptrdiff_t b = 1; b < arrlen(f->blks); b++) arrsetlen(f->blks[b].preds, 0);
    for (uint32_t b = 1; b < (uint32_t)arrlen(f->blks); b++) {
        IrIns *t = ir_term(f, (IrBlk){b});
        for (int k = 0; t && k < t->nblocks; k++) {
            if (!t->blocks[k].i || t->blocks[k].i >= (uint32_t)arrlen(f->blks)) continue;   /* the verifier complains */
            IrBlock *s = ir_blk(f, t->blocks[k]);
            if (!arrlen(s->preds) || arrlast(s->preds).i != b) arrput(s->preds, (IrBlk){b});
        }
    }
}

IrBlk *ir_rpo(IrFn *f)
{
    uint32_t n = (uint32_t)arrlen(f->blks);
    uint32_t *next = ws_xmalloc(sizeof *next * n);       /* successors looked at so far, plus 1; 0: not seen */
    IrBlk *stack = NULL, *post = NULL;
    arrput(stack, (IrBlk){1});
    next[1] = 1;
    while (arrlen(stack)) {
        IrBlk b = arrlast(stack);
        IrIns *t = ir_term(f, b);
        if (t && next[b.i] <= t->nblocks) {
            IrBlk s = t->blocks[next[b.i]++ - 1];
            if (s.i && s.i < n && !next[s.i]) {
                next[s.i] = 1;
                arrput(stack, s);
            }
        } else {
            arrput(post, b);
            (void)arrpop(stack);
        }
    }
    for (ptrdiff_t i = 0, j = arrlen(post) - 1; i < j; i++, j--) {
        IrBlk x = post[i];
        post[i] = post[j];
        post[j] = x;
    }
    arrfree(stack);
    free(next);
    return post;
}

IrBlk *ir_idom(IrFn *f, IrBlk *rpo)
{
    IrBlk *idom = NULL;
    arrsetlen(idom, arrlen(f->blks));
    memset(idom, 0, sizeof *idom * (size_t)arrlen(idom));
    uint32_t *num = ws_xmalloc(sizeof *num * (size_t)arrlen(f->blks));   /* place in rpo, plus 1; 0: unreachable */
    for (ptrdiff_t i = 0; i < arrlen(rpo); i++) num[rpo[i].i] = (uint32_t)i + 1;
    ir_preds(f);
    idom[1] = (IrBlk){1};                                /* for the walk; none at the end */
    for (bool changed = true; changed;) {
        changed = false;
        for (ptrdiff_t i = 1; i < arrlen(rpo); i++) {
            IrBlock *b = ir_blk(f, rpo[i]);
            uint32_t d = 0;
            for (ptrdiff_t k = 0; k < arrlen(b->preds); k++) {
                uint32_t p = b->preds[k].i;
                if (!idom[p].i) continue;
                if (!d) d = p;
                while (p != d) {
                    while (num[p] > num[d]) p = idom[p].i;
                    while (num[d] > num[p]) d = idom[d].i;
                }
            }
            if (idom[rpo[i].i].i != d) {
                idom[rpo[i].i].i = d;
                changed = true;
            }
        }
    }
    idom[1] = (IrBlk){0};
    free(num);
    return idom;
}

bool ir_dominates(const IrBlk *idom, uint32_t a, uint32_t b)
{
    while (b && b != a) b = idom[b].i;
    return b == a;
}

uint8_t *ir_loop_body(IrFn *f, const IrBlk *idom, uint32_t h)
{
    uint8_t *in = NULL;
    uint32_t *work = NULL;
    for (ptrdiff_t k = 0; k < arrlen(f->blks[h].preds); k++)
        if (ir_dominates(idom, h, f->blks[h].preds[k].i)) arrput(work, f->blks[h].preds[k].i);
    if (arrlen(work)) {
        in = ws_xmalloc((size_t)arrlen(f->blks));
        in[h] = 1;
    }
    while (arrlen(work)) {
        uint32_t b = arrpop(work);
        if (in[b] || !ir_dominates(idom, h, b)) continue;    /* the latter: unreachable */
        in[b] = 1;
        for (ptrdiff_t k = 0; k < arrlen(f->blks[b].preds); k++) arrput(work, f->blks[b].preds[k].i);
    }
    arrfree(work);
    return in;
}

void ir_cfg(IrFn *f)
{
    IrBlk *rpo = ir_rpo(f), *idom = ir_idom(f, rpo);
    for (ptrdiff_t b = 1; b < arrlen(f->blks); b++) f->blks[b].loop_depth = 0;
    for (ptrdiff_t i = 0; i < arrlen(rpo); i++) {
        uint8_t *in = ir_loop_body(f, idom, rpo[i].i);
        for (ptrdiff_t b = 1; in && b < arrlen(f->blks); b++) f->blks[b].loop_depth += in[b];
        free(in);
    }
    arrfree(rpo);
    arrfree(idom);
}

uint32_t *ir_use_counts(IrFn *f)
{
    uint32_t *n = NULL;
    arrsetlen(n, arrlen(f->ins));
    memset(n, 0, sizeof *n * (size_t)arrlen(n));
    for (ptrdiff_t b = 1; b < arrlen(f->blks); b++)
        for (ptrdiff_t i = 0; i < arrlen(f->blks[b].ins); i++) {
            IrIns *in = ir_ins(f, f->blks[b].ins[i]);
            for (int k = 0; k < in->nargs; k++) n[in->args[k].i]++;
        }
    n[0] = 0;
    return n;
}

void ir_replace(IrFn *f, IrRef old, IrRef with)
{
    for (ptrdiff_t b = 1; b < arrlen(f->blks); b++)
        for (ptrdiff_t i = 0; i < arrlen(f->blks[b].ins); i++) {
            IrIns *in = ir_ins(f, f->blks[b].ins[i]);
            for (int k = 0; k < in->nargs; k++)
                if (in->args[k].i == old.i) in->args[k] = with;
        }
}

static IrRef follow(IrRef *map, IrRef r)
{
    IrRef end = r;
    while (end.i < (uint32_t)arrlen(map) && map[end.i].i) end = map[end.i];
    while (r.i != end.i) {                               /* shorten the chain */
        IrRef n = map[r.i];
        map[r.i] = end;
        r = n;
    }
    return end;
}

void ir_apply(IrFn *f, IrRef *map)
{
    for (ptrdiff_t b = 1; b < arrlen(f->blks); b++)
        for (ptrdiff_t i = 0; i < arrlen(f->blks[b].ins); i++) {
            IrIns *in = ir_ins(f, f->blks[b].ins[i]);
            for (int k = 0; k < in->nargs; k++) in->args[k] = follow(map, in->args[k]);
        }
}

void ir_sweep(IrFn *f)
{
    for (ptrdiff_t b = 1; b < arrlen(f->blks); b++) {
        IrRef *v = f->blks[b].ins;
        ptrdiff_t n = 0;
        for (ptrdiff_t i = 0; i < arrlen(v); i++)
            if (!ir_ins(f, v[i])->dead) v[n++] = v[i];
        if (v) arrsetlen(f->blks[b].ins, n);
    }
}

/* ---- changing the graph */
void ir_phi_drop(IrFn *f, IrBlk b, IrBlk pred)
{
    IrRef *v = ir_blk(f, b)->ins;
    for (ptrdiff_t i = 0; i < arrlen(v) && ir_ins(f, v[i])->op == IR_PHI; i++) {
        IrIns *in = ir_ins(f, v[i]);
        int n = 0;
        for (int k = 0; k < in->nargs; k++) {
            if (in->blocks[k].i == pred.i) continue;
            in->args[n] = in->args[k];
            in->blocks[n++] = in->blocks[k];
        }
        in->nargs = in->nblocks = (uint16_t)n;
    }
}

void ir_phi_rename(IrFn *f, IrBlk b, IrBlk from, IrBlk to)
{
    IrRef *v = ir_blk(f, b)->ins;
    for (ptrdiff_t i = 0; i < arrlen(v) && ir_ins(f, v[i])->op == IR_PHI; i++) {
        IrIns *in = ir_ins(f, v[i]);
        for (int k = 0; k < in->nblocks; k++)
            if (in->blocks[k].i == from.i) in->blocks[k] = to;
    }
}

static IrBlk only_target(IrFn *f, const IrIns *t)
{
    IrIns *c = t->op == IR_CONDBR || t->op == IR_SWITCH ? ir_ins(f, t->args[0]) : NULL;
    if (!c) return (IrBlk){0};
    if (c->op == IR_CONST && t->op == IR_CONDBR) return t->blocks[c->imm ? 0 : 1];
    if (c->op == IR_CONST) {
        for (int k = 1; k < t->nblocks; k++)
            if (t->cases[k - 1] == c->imm) return t->blocks[k];
        return t->blocks[0];
    }
    for (int k = 1; k < t->nblocks; k++)
        if (t->blocks[k].i != t->blocks[0].i) return (IrBlk){0};
    return t->blocks[0];
}

bool ir_fold_branch(IrFn *f, IrBlk b)
{
    IrIns *t = ir_term(f, b);
    IrBlk to = t ? only_target(f, t) : (IrBlk){0};
    if (!to.i) return false;
    for (int k = 0; k < t->nblocks; k++)
        if (t->blocks[k].i != to.i) ir_phi_drop(f, t->blocks[k], b);
    t->op = IR_BR;
    t->nargs = 0;
    t->blocks[0] = to;
    t->nblocks = 1;
    return true;
}

bool ir_drop_unreachable(IrFn *f)
{
    IrBlk *rpo = ir_rpo(f);
    bool some = arrlen(rpo) != arrlen(f->blks) - 1;
    if (some) {
        uint32_t *new_no = ws_xmalloc(sizeof *new_no * (size_t)arrlen(f->blks)), n = 1;
        for (ptrdiff_t i = 0; i < arrlen(rpo); i++) new_no[rpo[i].i] = 1;
        for (uint32_t b = 1; b < (uint32_t)arrlen(f->blks); b++) {
            IrIns *t = ir_term(f, (IrBlk){b});
            for (int k = 0; !new_no[b] && t && k < t->nblocks; k++)
                if (new_no[t->blocks[k].i]) ir_phi_drop(f, t->blocks[k], (IrBlk){b});
        }
        for (uint32_t b = 1; b < (uint32_t)arrlen(f->blks); b++) {
            if (new_no[b]) {
                f->blks[n] = f->blks[b];
                new_no[b] = n++;
                continue;
            }
            for (ptrdiff_t i = 0; i < arrlen(f->blks[b].ins); i++) ir_ins(f, f->blks[b].ins[i])->dead = true;
            arrfree(f->blks[b].ins);
            arrfree(f->blks[b].preds);
        }
        arrsetlen(f->blks, n);
        for (ptrdiff_t i = 1; i < arrlen(f->ins); i++) {
            IrIns *in = &f->ins[i];
            if (in->dead) continue;
            in->blk.i = new_no[in->blk.i];
            for (int k = 0; k < in->nblocks; k++) in->blocks[k].i = new_no[in->blocks[k].i];
        }
        for (ptrdiff_t b = 1; b < arrlen(f->blks); b++) arrsetlen(f->blks[b].preds, 0);
        free(new_no);
    }
    arrfree(rpo);
    return some;
}
