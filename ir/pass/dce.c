/* Remove what nobody sees: instructions without effect whose result is unused, DSR slots that are only loaded, functions and
 * globals that cannot be reached from outside.
 * needs: -     breaks: symbol numbers     keeps: cfg, ssa, the order of effects
 * Roots are effects and terminators in a function; exported functions, tasks and main, boot records, exported and kept globals in
 * the module.  Marking goes from there, so that cycles of phis or of functions that only keep each other go too. */
#include "ir/ir.h"
#include <stdlib.h>
#include <string.h>

/* ---- instructions */
static bool has_slot(IrFn *f, const IrIns *in)
{
    for (int k = 0; k < in->nargs; k++)
        if (in->args[k].i && ir_ins(f, in->args[k])->type == T_SLOT) return true;
    return false;
}

static bool is_root(IrFn *f, const IrIns *in, const uint8_t *slot_used)
{
    unsigned fl = ir_ops[in->op].flags;
    switch (in->op) {
    case IR_VOP: return in->async.on || has_slot(f, in);  /* on registers only: a value like any other */
    case IR_VLEFT: return false;                          /* only reads */
    case IR_DSRLOAD: case IR_DSRLOADV: case IR_DSRBASE: case IR_DSRLEN: case IR_DSRINDEX: return slot_used[in->args[0].i];
    default: return (fl & (I_TERM | I_EFF)) != 0;
    }
}

/* slots that a vector operation names, and pinned ones */
static uint8_t *used_slots(IrFn *f)
{
    uint8_t *used = ws_xmalloc((size_t)arrlen(f->ins));
    for (ptrdiff_t b = 1; b < arrlen(f->blks); b++)
        for (ptrdiff_t i = 0; i < arrlen(f->blks[b].ins); i++) {
            IrIns *in = ir_ins(f, f->blks[b].ins[i]);
            if (in->type == T_SLOT && in->imm >= 2) used[f->blks[b].ins[i].i] = 1;
            for (int k = 0; in->op == IR_VOP && k < in->nargs; k++) used[in->args[k].i] = 1;
        }
    return used;
}

static void instructions(IrFn *f)
{
    uint8_t *slots = used_slots(f), *live = ws_xmalloc((size_t)arrlen(f->ins));
    IrRef *work = NULL;
    for (ptrdiff_t b = 1; b < arrlen(f->blks); b++)
        for (ptrdiff_t i = 0; i < arrlen(f->blks[b].ins); i++) {
            IrRef r = f->blks[b].ins[i];
            if (!is_root(f, ir_ins(f, r), slots)) continue;
            live[r.i] = 1;
            arrput(work, r);
        }
    while (arrlen(work)) {
        IrIns *in = ir_ins(f, arrpop(work));
        for (int k = 0; k < in->nargs; k++) {
            if (!in->args[k].i || live[in->args[k].i]) continue;
            live[in->args[k].i] = 1;
            arrput(work, in->args[k]);
        }
    }
    for (ptrdiff_t b = 1; b < arrlen(f->blks); b++)
        for (ptrdiff_t i = 0; i < arrlen(f->blks[b].ins); i++)
            if (!live[f->blks[b].ins[i].i]) ir_ins(f, f->blks[b].ins[i])->dead = true;
    ir_sweep(f);
    arrfree(work);
    free(live);
    free(slots);
}

/* ---- functions and globals */
typedef struct { IrModule *m; uint8_t *fn, *glb; IrSym *work; } Marks;

static void mark(Marks *k, IrSym s)
{
    uint8_t *x = ir_sym_is_fn(s) ? &k->fn[s.i & 0x7fffffffu] : s.i ? &k->glb[s.i - 1] : NULL;
    if (!x || *x) return;
    *x = 1;
    arrput(k->work, s);
}

static void mark_uses(Marks *k, IrSym s)
{
    if (!ir_sym_is_fn(s)) {
        IrGlobal *g = ir_global(k->m, s);
        for (ptrdiff_t i = 0; i < arrlen(g->relocs); i++) mark(k, g->relocs[i].sym);
        return;
    }
    IrFn *f = ir_fn(k->m, s);
    for (ptrdiff_t b = 1; b < arrlen(f->blks); b++)
        for (ptrdiff_t i = 0; i < arrlen(f->blks[b].ins); i++) mark(k, ir_ins(f, f->blks[b].ins[i])->sym);
}

static IrSym renumbered(IrSym s, const uint32_t *fn, const uint32_t *glb)
{
    if (ir_sym_is_fn(s)) return ir_fsym(fn[s.i & 0x7fffffffu]);
    return s.i ? ir_gsym(glb[s.i - 1]) : s;
}

static void compact(Marks *k)
{
    IrModule *m = k->m;
    uint32_t *fn = ws_xmalloc(sizeof *fn * (size_t)arrlen(m->fns)), *glb = ws_xmalloc(sizeof *glb * (size_t)arrlen(m->globals));
    uint32_t nf = 0, ng = 0;
    for (ptrdiff_t i = 0; i < arrlen(m->fns); i++) {
        IrFn *f = m->fns[i];
        fn[i] = nf;
        if (k->fn[i]) {
            m->fns[nf++] = f;
            continue;
        }
        for (ptrdiff_t b = 0; b < arrlen(f->blks); b++) {
            arrfree(f->blks[b].ins);
            arrfree(f->blks[b].preds);
        }
        arrfree(f->blks);
        arrfree(f->ins);
        arrfree(f->params);
    }
    for (ptrdiff_t i = 0; i < arrlen(m->globals); i++) {
        glb[i] = ng;
        if (k->glb[i]) m->globals[ng++] = m->globals[i];
        else arrfree(m->globals[i].relocs);
    }
    if (m->fns) arrsetlen(m->fns, nf);
    if (m->globals) arrsetlen(m->globals, ng);
    for (uint32_t i = 0; i < nf; i++)
        for (ptrdiff_t j = 1; j < arrlen(m->fns[i]->ins); j++)
            if (!m->fns[i]->ins[j].dead) m->fns[i]->ins[j].sym = renumbered(m->fns[i]->ins[j].sym, fn, glb);
    for (uint32_t i = 0; i < ng; i++)
        for (ptrdiff_t j = 0; j < arrlen(m->globals[i].relocs); j++)
            m->globals[i].relocs[j].sym = renumbered(m->globals[i].relocs[j].sym, fn, glb);
    for (ptrdiff_t i = 0; i < arrlen(m->boot); i++) m->boot[i].fn = renumbered(m->boot[i].fn, fn, glb);
    free(fn);
    free(glb);
}

static void symbols(IrModule *m)
{
    Marks k = {m, ws_xmalloc((size_t)arrlen(m->fns)), ws_xmalloc((size_t)arrlen(m->globals)), NULL};
    for (uint32_t i = 0; i < (uint32_t)arrlen(m->fns); i++)
        if (m->fns[i]->exported || m->fns[i]->kind != FN_PLAIN) mark(&k, ir_fsym(i));
    for (uint32_t i = 0; i < (uint32_t)arrlen(m->globals); i++)
        if (m->globals[i].exported || m->globals[i].keep) mark(&k, ir_gsym(i));
    for (ptrdiff_t i = 0; i < arrlen(m->boot); i++) mark(&k, m->boot[i].fn);
    while (arrlen(k.work)) mark_uses(&k, arrpop(k.work));
    compact(&k);
    arrfree(k.work);
    free(k.fn);
    free(k.glb);
}

void pass_dce(IrModule *m)
{
    for (ptrdiff_t i = 0; i < arrlen(m->fns); i++) instructions(m->fns[i]);
    symbols(m);
}
