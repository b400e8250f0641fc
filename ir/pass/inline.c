/* Inline calls: always where a function has one call site, and where the body is small; callees before callers.
 * needs: -     breaks: block numbers, predecessors     keeps: ssa, the order of effects, places (Loc) of the callee
 * Only plain functions with a body are inlined; a function that can call itself, through others too, is left alone.  What is
 * exported, or whose address is taken, stays besides.  Allocas go to the caller's entry block: a callee's frame holds nothing when
 * it starts, so sharing it between two runs of the call site is right. */
#include "ir/ir.h"
#include <stdlib.h>
#include <string.h>

enum { SMALL = 12 };                                     /* instructions besides parameters, constants and terminators */
typedef struct { IrModule *m; int *sites; uint8_t *taken, *recursive, *state; } Inliner;

static uint32_t index_of(IrSym s) { return s.i & 0x7fffffffu; }

/* ---- the call graph */
static void count_sites(Inliner *in)
{
    IrModule *m = in->m;
    for (ptrdiff_t i = 0; i < arrlen(m->fns); i++) {
        IrFn *f = m->fns[i];
        for (ptrdiff_t b = 1; b < arrlen(f->blks); b++)
            for (ptrdiff_t k = 0; k < arrlen(f->blks[b].ins); k++) {
                IrIns *x = ir_ins(f, f->blks[b].ins[k]);
                if (x->op == IR_CALL) in->sites[index_of(x->sym)]++;
                if (x->op == IR_FADDR) in->taken[index_of(x->sym)] = 1;
            }
    }
    for (ptrdiff_t i = 0; i < arrlen(m->globals); i++)
        for (ptrdiff_t k = 0; k < arrlen(m->globals[i].relocs); k++)
            if (ir_sym_is_fn(m->globals[i].relocs[k].sym)) in->taken[index_of(m->globals[i].relocs[k].sym)] = 1;
    for (ptrdiff_t i = 0; i < arrlen(m->boot); i++)
        if (ir_sym_is_fn(m->boot[i].fn)) in->taken[index_of(m->boot[i].fn)] = 1;
}

static void callees(IrFn *f, uint32_t **out)
{
    for (ptrdiff_t b = 1; b < arrlen(f->blks); b++)
        for (ptrdiff_t k = 0; k < arrlen(f->blks[b].ins); k++) {
            IrIns *x = ir_ins(f, f->blks[b].ins[k]);
            if (x->op == IR_CALL) arrput(*out, index_of(x->sym));
        }
}

/* Can function i reach itself? */
static bool reaches_itself(IrModule *m, uint32_t i)
{
    uint8_t *seen = ws_xmalloc((size_t)arrlen(m->fns));
    uint32_t *work = NULL;
    bool hit = false;
    callees(m->fns[i], &work);
    while (!hit && arrlen(work)) {
        uint32_t k = arrpop(work);
        hit = k == i;
        if (seen[k]) continue;
        seen[k] = 1;
        callees(m->fns[k], &work);
    }
    arrfree(work);
    free(seen);
    return hit;
}

static int cost(IrFn *f)
{
    int n = 0;
    for (ptrdiff_t b = 1; b < arrlen(f->blks); b++)
        for (ptrdiff_t k = 0; k < arrlen(f->blks[b].ins); k++) {
            IrIns *x = ir_ins(f, f->blks[b].ins[k]);
            switch (x->op) {
            case IR_PARAM: case IR_CONST: case IR_FCONST: case IR_UNDEF: case IR_GADDR: case IR_FADDR: case IR_ALLOCA:
            case IR_RET: case IR_BR: case IR_PHI: case IR_BITCAST: case IR_DSRSLOT: case IR_DOTSLOT: break;
            case IR_CALL: case IR_CALLR: n += 2 + x->nargs; break;
            case IR_SWITCH: n += x->nblocks; break;
            default: n++;
            }
        }
    return n;
}

static bool wanted(Inliner *in, uint32_t callee)
{
    IrFn *f = in->m->fns[callee];
    if (f->kind != FN_PLAIN || f->decl_only || f->inl == INLINE_NEVER || in->recursive[callee]) return false;
    if (f->inl == INLINE_ALWAYS) return true;
    if (in->sites[callee] == 1 && !f->exported && !in->taken[callee]) return true;
    return cost(f) <= SMALL + arrlen(f->params);         /* a call costs about its arguments */
}

/* ---- one call */
typedef struct { IrFn *to, *from; IrRef *map; IrBlk *blks; } Copy;

static void copy_block(Copy *c, uint32_t b, IrBlk behind, const IrRef *args, IrRef **results, IrBlk **exits)
{
    IrFn *f = c->from, *to = c->to;
    for (ptrdiff_t i = 0; i < arrlen(f->blks[b].ins); i++) {
        IrRef r = f->blks[b].ins[i];
        const IrIns *x = ir_ins(f, r);
        switch (x->op) {
        case IR_PARAM: c->map[r.i] = args[x->imm]; continue;
        case IR_RET:
            ir_br(to, c->blks[b], behind, x->loc);
            arrput(*results, x->nargs ? x->args[0] : IR_NONE);   /* the callee's handle: mapped at the end */
            arrput(*exits, c->blks[b]);
            continue;
        case IR_ALLOCA: c->map[r.i] = ir_alloca(to, (uint32_t)x->imm, x->loc); break;
        default: c->map[r.i] = ir_append(to, c->blks[b], (IrOp)x->op, (IrType)x->type, 0, NULL, x->loc);
        }
        IrIns *y = ir_ins(to, c->map[r.i]);              /* operands are the callee's until remap() */
        y->vop = x->vop;
        y->sym = x->sym;
        y->imm = x->imm;
        y->async = x->async;
        y->name = x->name;
        y->cases = x->cases;
        ir_set_args(to, c->map[r.i], x->nargs, x->args);
        ir_set_blocks(to, c->map[r.i], x->nblocks, x->blocks);
        if (x->op == IR_SWITCH && x->nblocks > 1) {
            y = ir_ins(to, c->map[r.i]);
            y->cases = ARENA_ARR(to->mod->arena, int64_t, 2 * x->nblocks);
            memcpy(y->cases, x->cases, sizeof *y->cases * (size_t)(x->nblocks - 1));
        }
    }
}

static void remap(Copy *c)
{
    IrFn *f = c->from;
    for (ptrdiff_t b = 1; b < arrlen(f->blks); b++)
        for (ptrdiff_t i = 0; i < arrlen(f->blks[b].ins); i++) {
            const IrIns *x = ir_ins(f, f->blks[b].ins[i]);
            if (x->op == IR_PARAM || x->op == IR_RET) continue;
            IrIns *y = ir_ins(c->to, c->map[f->blks[b].ins[i].i]);
            for (int k = 0; k < y->nargs; k++) y->args[k] = c->map[y->args[k].i];
            for (int k = 0; k < y->nblocks; k++) y->blocks[k] = c->blks[y->blocks[k].i];
        }
}

/* What is behind instruction `at` of block b goes to a new block. */
static IrBlk split(IrFn *f, uint32_t b, ptrdiff_t at)
{
    IrBlk n = ir_block_new(f, NULL);
    for (ptrdiff_t i = at + 1; i < arrlen(f->blks[b].ins); i++) {
        IrRef r = f->blks[b].ins[i];
        ir_ins(f, r)->blk = n;
        arrput(f->blks[n.i].ins, r);
    }
    arrsetlen(f->blks[b].ins, at);
    IrIns *t = ir_term(f, n);
    for (int k = 0; t && k < t->nblocks; k++) ir_phi_rename(f, t->blocks[k], (IrBlk){b}, n);
    return n;
}

/* The value of the call at the head of `behind`. */
static IrRef result(IrFn *f, IrBlk behind, IrType t, Loc loc, const IrRef *results, const IrBlk *exits)
{
    if (t == T_VOID) return IR_NONE;
    if (arrlen(results) == 1) return results[0];
    if (arrlen(results) == 0) {                          /* never returns: behind is unreachable */
        IrRef u = ir_append(f, behind, IR_UNDEF, t, 0, NULL, loc);
        IrRef *v = f->blks[behind.i].ins;
        memmove(v + 1, v, sizeof *v * (size_t)(arrlen(v) - 1));
        v[0] = u;
        return u;
    }
    IrRef phi = ir_phi(f, behind, t, loc);
    for (ptrdiff_t i = 0; i < arrlen(results); i++) ir_phi_add(f, phi, exits[i], results[i]);
    return phi;
}

/* Inlines the call, instruction `at` of block b; returns the block that goes on behind it. */
static IrBlk expand(IrFn *f, uint32_t b, ptrdiff_t at)
{
    IrRef call = f->blks[b].ins[at];
    IrFn *g = ir_fn(f->mod, ir_ins(f, call)->sym);
    Loc loc = ir_ins(f, call)->loc;
    IrType t = (IrType)ir_ins(f, call)->type;
    const char *name = ir_ins(f, call)->name;
    const IrRef *args = ir_ins(f, call)->args;
    IrBlk behind = split(f, b, at);
    Copy c = {f, g, ws_xmalloc(sizeof(IrRef) * (size_t)arrlen(g->ins)), ws_xmalloc(sizeof(IrBlk) * (size_t)arrlen(g->blks))};
    IrRef *results = NULL;
    IrBlk *exits = NULL;
    for (ptrdiff_t k = 1; k < arrlen(g->blks); k++) c.blks[k] = ir_block_new(f, k > 1 ? g->blks[k].name : g->name);
    ir_br(f, (IrBlk){b}, c.blks[1], loc);
    for (uint32_t k = 1; k < (uint32_t)arrlen(g->blks); k++) copy_block(&c, k, behind, args, &results, &exits);
    remap(&c);
    for (ptrdiff_t k = 0; k < arrlen(results); k++) results[k] = c.map[results[k].i];
    IrRef value = result(f, behind, t, loc, results, exits);
    if (value.i) {
        ir_replace(f, call, value);
        if (!ir_ins(f, value)->name) ir_ins(f, value)->name = name;
    }
    ir_ins(f, call)->dead = true;
    arrfree(results);
    arrfree(exits);
    free(c.map);
    free(c.blks);
    return behind;
}

static void inline_into(Inliner *in, IrFn *f)
{
    uint32_t last = (uint32_t)arrlen(f->blks);           /* blocks that come from a callee have nothing more to inline */
    for (uint32_t b = 1; b < last; b++) {
        uint32_t cur = b;
        for (ptrdiff_t i = 0; i < arrlen(f->blks[cur].ins); i++) {
            IrIns *x = ir_ins(f, f->blks[cur].ins[i]);
            if (x->op != IR_CALL || !wanted(in, index_of(x->sym))) continue;
            if (ir_fn(in->m, x->sym) == f) continue;
            cur = expand(f, cur, i).i;
            i = -1;
        }
    }
}

static void visit(Inliner *in, uint32_t i)
{
    uint32_t *out = NULL;
    if (in->state[i]) return;
    in->state[i] = 1;
    callees(in->m->fns[i], &out);
    for (ptrdiff_t k = 0; k < arrlen(out); k++) visit(in, out[k]);
    arrfree(out);
    inline_into(in, in->m->fns[i]);
}

void pass_inline(IrModule *m)
{
    size_t n = (size_t)arrlen(m->fns);
    Inliner in = {m, ws_xmalloc(sizeof(int) * n), ws_xmalloc(n), ws_xmalloc(n), ws_xmalloc(n)};
    for (ptrdiff_t i = 0; i < arrlen(m->fns); i++) ir_drop_unreachable(m->fns[i]);
    count_sites(&in);
    for (uint32_t i = 0; i < n; i++) in.recursive[i] = reaches_itself(m, i);
    for (uint32_t i = 0; i < n; i++) visit(&in, i);
    free(in.sites);
    free(in.taken);
    free(in.recursive);
    free(in.state);
}
