/* Control flow: predecessors, reverse postorder, dominators, loop depth; uses and replacement.
 * Everything is computed on demand from the terminators and holds until the next change.  Irreducible graphs are fine: dominators
 * are the iterative ones of Cooper, Harvey and Kennedy, and only loops with one header count for the depth. */
#include "ir.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void preds_of(IrFn *f)
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
    preds_of(f);
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

static bool dominates(const IrBlk *idom, uint32_t a, uint32_t b)
{
    while (b && b != a) b = idom[b].i;
    return b == a;
}

/* The body of the loop with header h: every block that reaches a back edge to h without passing h. */
static void mark_loop(IrFn *f, const IrBlk *idom, uint32_t h)
{
    uint8_t *in = ws_xmalloc((size_t)arrlen(f->blks));
    uint32_t *work = NULL;
    bool loop = false;
    in[h] = 1;
    for (ptrdiff_t k = 0; k < arrlen(f->blks[h].preds); k++) {
        uint32_t p = f->blks[h].preds[k].i;
        if (!dominates(idom, h, p)) continue;
        loop = true;
        if (!in[p]) {
            in[p] = 1;
            arrput(work, p);
        }
    }
    while (arrlen(work)) {
        uint32_t b = arrpop(work);
        for (ptrdiff_t k = 0; k < arrlen(f->blks[b].preds); k++) {
            uint32_t p = f->blks[b].preds[k].i;
            if (in[p] || !dominates(idom, h, p)) continue;   /* the latter: unreachable */
            in[p] = 1;
            arrput(work, p);
        }
    }
    for (ptrdiff_t b = 1; loop && b < arrlen(f->blks); b++) f->blks[b].loop_depth += in[b];
    arrfree(work);
    free(in);
}

void ir_cfg(IrFn *f)
{
    IrBlk *rpo = ir_rpo(f), *idom = ir_idom(f, rpo);
    for (ptrdiff_t b = 1; b < arrlen(f->blks); b++) f->blks[b].loop_depth = 0;
    for (ptrdiff_t i = 0; i < arrlen(rpo); i++) mark_loop(f, idom, rpo[i].i);
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
