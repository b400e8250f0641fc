/* Global value numbering: an expression that a dominating block has computed, a load of what is known to be in memory.
 * needs: -     breaks: predecessors     keeps: cfg, ssa, the order of effects, every bit of floating-point results
 * Blocks are visited down the dominator tree.  Facts about memory ("this place holds this value") come from loads and stores:
 *   - inside a block, and from a block to the one that only it precedes, all of them hold until a store that may overlap, or until
 *     an effect that may reach a shared object (mem.h): reading once what was read twice with nothing between is what could have
 *     happened anyway, however a microthread or the host writes;
 *   - where ways meet, and so around a loop, only those about private objects hold, and only if no block on any way from the
 *     dominator stores there: no one else can write them, because a task runs to its end before another starts.
 * A pointer of unknown origin may name a register of the machine: what it reads is never merged.  Nothing is known behind a call,
 * and in a function with calls cheap values do not leave their block: both would cost a saved register. */
#include "ir/mem.h"
#include <stdlib.h>

enum { MAX_FACTS = 64 };
typedef struct { IrKey key; IrRef value; } Seen;
typedef struct { IrPlace place; IrRef ptr; int64_t imm; IrType type; IrRef value; } Fact;
typedef struct { IrPlace place; IrType type; } Write;
typedef struct { Write *writes; bool call; Fact *out; IrBlk *kids; uint32_t in, end; } Info;   /* of a block */
typedef struct { IrFn *f; IrMem mem; IrBlk *idom; Info *of; IrRef *map; Seen *seen; Fact *facts; uint32_t clock; bool calls; } V;

static IrRef follow(V *v, IrRef r)
{
    while (v->map[r.i].i) r = v->map[r.i];
    return r;
}
static bool dominates(V *v, IrBlk a, IrBlk b) { return v->of[a.i].in <= v->of[b.i].in && v->of[b.i].in <= v->of[a.i].end; }

/* ---- values */
/* Is it worth a register from one block to another?  The backend makes constants and addresses where they are wanted, a comparison
 * is part of its branch, and a descriptor is two registers. */
static bool travels(V *v, const IrIns *in)
{
    switch (in->op) {
    case IR_CONST: case IR_FCONST: case IR_GADDR: case IR_FADDR: return true;
    case IR_ICMP: case IR_FCMP: case IR_SELECT: return false;
    case IR_UDIV: case IR_SDIV: case IR_UREM: case IR_SREM: case IR_FDIV: return true;
    default: return !v->calls && in->type != T_DSD;
    }
}

static IrRef value(V *v, IrRef r)
{
    const IrIns *in = ir_ins(v->f, r);
    if (!ir_is_value(in) || in->op == IR_UNDEF) return r;
    IrKey k = ir_key(in);
    ptrdiff_t i = hmgeti(v->seen, k);
    if (i >= 0) {
        IrRef old = v->seen[i].value;
        IrBlk from = ir_ins(v->f, old)->blk;
        if (from.i == in->blk.i || (travels(v, in) && dominates(v, from, in->blk))) return old;
    }
    hmput(v->seen, k, r);
    return r;
}

/* ---- facts */
static void forget(V *v, const IrPlace *p, IrType t)
{
    for (ptrdiff_t i = arrlen(v->facts) - 1; i >= 0; i--)
        if (ir_mem_overlap(&v->mem, &v->facts[i].place, v->facts[i].type, p, t)) arrdelswap(v->facts, i);
}

static void forget_shared(V *v)
{
    for (ptrdiff_t i = arrlen(v->facts) - 1; i >= 0; i--)
        if (!ir_mem_private(&v->mem, &v->facts[i].place)) arrdelswap(v->facts, i);
}

static void learn(V *v, const Fact *f, IrRef is)
{
    if (!f->place.known || arrlen(v->facts) >= MAX_FACTS) return;
    Fact n = *f;
    n.value = is;
    arrput(v->facts, n);
}

static bool same_place(const Fact *a, const Fact *b)
{
    if (a->type != b->type || a->place.sym.i != b->place.sym.i || a->place.alloca.i != b->place.alloca.i) return false;
    if (a->place.exact && b->place.exact) return a->place.off == b->place.off;
    return a->ptr.i == b->ptr.i && a->imm == b->imm;
}

static IrRef load(V *v, IrRef r)
{
    const IrIns *in = ir_ins(v->f, r);
    Fact want = {ir_mem_place(&v->mem, r), in->args[0], in->imm, (IrType)in->type, r};
    for (ptrdiff_t i = 0; want.place.known && i < arrlen(v->facts); i++)
        if (same_place(&v->facts[i], &want)) return v->facts[i].value;
    learn(v, &want, r);
    return r;
}

static void store(V *v, IrRef r)
{
    const IrIns *in = ir_ins(v->f, r);
    IrType t = (IrType)ir_ins(v->f, in->args[1])->type;
    Fact put = {ir_mem_place(&v->mem, r), in->args[0], in->imm, t, in->args[1]};
    forget(v, &put.place, t);
    learn(v, &put, in->args[1]);
}

/* Forgets what the blocks on the ways from d, itself left out, to b may write: b counts, too, if it is on one of them. */
static void forget_between(V *v, IrBlk d, IrBlk b)
{
    uint8_t *seen = ws_xmalloc((size_t)arrlen(v->f->blks));
    IrBlk *work = NULL;
    arrput(work, b);
    while (arrlen(work) && arrlen(v->facts)) {
        IrBlk x = arrpop(work);
        for (ptrdiff_t k = 0; k < arrlen(v->f->blks[x.i].preds); k++) {
            IrBlk p = v->f->blks[x.i].preds[k];
            if (p.i == d.i || seen[p.i]) continue;
            seen[p.i] = 1;
            arrput(work, p);
            if (v->of[p.i].call) arrsetlen(v->facts, 0);
            for (ptrdiff_t w = 0; w < arrlen(v->of[p.i].writes); w++) forget(v, &v->of[p.i].writes[w].place, v->of[p.i].writes[w].type);
        }
    }
    arrfree(work);
    free(seen);
}

static void enter(V *v, IrBlk b)
{
    IrBlk d = v->idom[b.i];
    const IrBlk *preds = v->f->blks[b.i].preds;
    arrsetlen(v->facts, 0);
    if (!d.i) return;
    for (ptrdiff_t i = 0; i < arrlen(v->of[d.i].out); i++) arrput(v->facts, v->of[d.i].out[i]);
    if (arrlen(preds) == 1) return;                      /* d itself */
    forget_shared(v);
    forget_between(v, d, b);
}

/* ---- the walk */
static void block(V *v, IrBlk b)
{
    IrFn *f = v->f;
    enter(v, b);
    for (ptrdiff_t i = 0; i < arrlen(f->blks[b.i].ins); i++) {
        IrRef r = f->blks[b.i].ins[i];
        IrIns *in = ir_ins(f, r);
        for (int k = 0; k < in->nargs; k++) in->args[k] = follow(v, in->args[k]);
        IrRef is = in->op == IR_LOAD ? load(v, r) : value(v, r);
        if (is.i != r.i) {
            v->map[r.i] = is;
            in->dead = true;
            continue;
        }
        switch (ir_mem_effect(f, in)) {
        case MEM_NONE: break;
        case MEM_STORE: store(v, r); break;
        case MEM_SHARED: forget_shared(v); break;
        case MEM_ANY: arrsetlen(v->facts, 0); break;
        }
    }
    v->of[b.i].out = v->facts;
    v->facts = NULL;
}

static void survey(V *v, const IrBlk *rpo)
{
    for (ptrdiff_t i = 0; i < arrlen(rpo); i++) {
        Info *o = &v->of[rpo[i].i];
        if (i) arrput(v->of[v->idom[rpo[i].i].i].kids, rpo[i]);
        const IrRef *ins = v->f->blks[rpo[i].i].ins;
        for (ptrdiff_t k = 0; k < arrlen(ins); k++) {
            const IrIns *in = ir_ins(v->f, ins[k]);
            IrMemEffect e = ir_mem_effect(v->f, in);
            if (e == MEM_ANY) o->call = v->calls = true;
            if (e != MEM_STORE) continue;
            Write w = {ir_mem_place(&v->mem, ins[k]), (IrType)ir_ins(v->f, in->args[1])->type};
            arrput(o->writes, w);
        }
    }
}

/* The dominator tree in preorder; first the numbers that dominates() compares. */
static void number(V *v, IrBlk b)
{
    v->of[b.i].in = ++v->clock;
    for (ptrdiff_t i = 0; i < arrlen(v->of[b.i].kids); i++) number(v, v->of[b.i].kids[i]);
    v->of[b.i].end = v->clock;
}

static void walk(V *v, IrBlk b)
{
    block(v, b);
    for (ptrdiff_t i = 0; i < arrlen(v->of[b.i].kids); i++) walk(v, v->of[b.i].kids[i]);
}

static void one(IrFn *f, const uint8_t *shared)
{
    ir_drop_unreachable(f);
    IrBlk *rpo = ir_rpo(f);
    V v = {.f = f, .idom = ir_idom(f, rpo), .mem = ir_mem(f, shared)};
    v.of = ws_xmalloc(sizeof *v.of * (size_t)arrlen(f->blks));
    v.map = ws_xmalloc(sizeof *v.map * (size_t)arrlen(f->ins));
    survey(&v, rpo);
    number(&v, (IrBlk){1});
    walk(&v, (IrBlk){1});
    for (ptrdiff_t i = 0; i < arrlen(rpo); i++)          /* phis name what came later */
        for (ptrdiff_t k = 0; k < arrlen(f->blks[rpo[i].i].ins); k++) {
            IrIns *in = ir_ins(f, f->blks[rpo[i].i].ins[k]);
            for (int a = 0; a < in->nargs; a++) in->args[a] = follow(&v, in->args[a]);
        }
    ir_sweep(f);
    for (ptrdiff_t b = 0; b < arrlen(f->blks); b++) {
        arrfree(v.of[b].writes);
        arrfree(v.of[b].out);
        arrfree(v.of[b].kids);
    }
    hmfree(v.seen);
    arrfree(v.facts);
    arrfree(v.idom);
    arrfree(rpo);
    free(v.of);
    free(v.map);
    ir_mem_free(&v.mem);
}

void pass_gvn(IrModule *m)
{
    uint8_t *shared = ir_shared_globals(m);
    for (ptrdiff_t i = 0; i < arrlen(m->fns); i++)
        if (!m->fns[i]->decl_only) one(m->fns[i], shared);
    free(shared);
}
