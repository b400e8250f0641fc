/* frontend/sema_dsd_fifo.c: FIFOs: @allocate_fifo makes a record and a descriptor of it (docs/machine.md section 18), over an array
 * of the program's.  From then on it is a descriptor like any other, as a source or as a destination. */
#include "frontend/sema_dsd.h"
#include <string.h>

static void put16(uint8_t *b, int word, unsigned v)
{
    b[2 * word] = (uint8_t)v;
    b[2 * word + 1] = (uint8_t)(v >> 8);
}

/* .empty_action, .full_action = .{ .terminate = true }: what happens to an operation that the FIFO holds up */
static bool action_of(Cfg *c, const char *name, unsigned *action)
{
    static const char *const names[] = {"test_or_suspend", "terminate", "suspend", "fault", NULL};   /* by FifoAction */
    Value v;
    Loc loc;
    int found = -1, n = 0;
    if (!dsd_cfg_get(c, name, NULL, &v, &loc)) return true;
    if (v.kind == V_ERR) return false;
    for (uint32_t i = 0; v.kind == V_AGG && v.type->kind == TY_STRUCT && !v.type->tuple && i < v.n; i++) {
        int k = 0;
        const Value *f = agg_at(&v, i);
        while (names[k] && strcmp(names[k], v.type->fields[i].name)) k++;
        if (!names[k] || f->kind != V_INT || f->type != ty_bool) n = 2;
        else if (f->u.i) found = k, n++;
    }
    if (n != 1) return SEMA_ERR(c->s, fifo_action, loc, d_str(name)), false;
    *action = (unsigned)found;
    return true;
}

/* options: the tasks that a push and a pop activate; what an operation does that the FIFO holds up */
static bool fifo_options(Sema *s, Scope *sc, AstNode *n, unsigned *act, unsigned *form)
{
    static const char *const known[] = {"activate_push", "activate_pop", "empty_action", "full_action", NULL};
    Cfg c;
    int push = -1, pop = -1;
    unsigned empty = FIFO_TEST, full = FIFO_TEST;
    *act = *form = 0;
    if (n->u.builtin.args.n < 2) return true;
    if (!dsd_cfg(&c, s, sc, arg(n, 1), "@allocate_fifo", known, (const char *const[]){"simd_mode", "priority", NULL})) return false;
    if (!action_of(&c, "empty_action", &empty) || !action_of(&c, "full_action", &full)) return false;
    *form = empty << 4 | full << 6;
    if (!dsd_cfg_task(&c, "activate_push", &push) || !dsd_cfg_task(&c, "activate_pop", &pop)) return false;
    *act = (push >= 0 ? 0x40u | (unsigned)push : 0) | (pop >= 0 ? 0x4000u | (unsigned)pop << 8 : 0);
    return true;
}

Value dsd_allocate_fifo(Sema *s, Scope *sc, AstNode *n)
{
    if (!s->ir) return SEMA_ERR(s, dsd_outside, n->loc);
    if (s->fn && s->fn->ir) return SEMA_ERR(s, fifo_global, n->loc);
    Place p = eval_place(s, sc, arg(n, 0));
    unsigned act, form;
    if (p.kind == P_ERR || !fifo_options(s, sc, n, &act, &form)) return V_NONE;
    Type *t = p.type && p.type->kind == TY_POINTER && !p.type->many ? p.type->elem : p.type;
    if (p.kind != P_ERR && p.type && p.type->kind == TY_POINTER) p = ptr_deref(s, place_load(s, &p, n->loc), n->loc);
    if (p.kind != P_MEM || p.is_const || !t || t->kind != TY_ARRAY || !p.addr.sym.i) return SEMA_ERR(s, fifo_buffer, arg_loc(n, 0));
    if (!type_is_scalar(t->elem) || (t->elem->size != 2 && t->elem->size != 4)) return SEMA_ERR(s, st_elem_size, arg_loc(n, 0), d_type(t->elem));
    if (!t->count) return SEMA_ERR(s, fifo_buffer, arg_loc(n, 0));
    IrSym rec = ir_global_new(s->ir, sema_unique(s, ".fifo"), 2 * FIFO_WORDS, 4);
    IrGlobal *g = ir_global(s->ir, rec);
    g->init = arena_alloc(s->arena, 2 * FIFO_WORDS);
    memset(g->init, 0, 2 * FIFO_WORDS);
    put16(g->init, FIFO_BASE, (unsigned)p.addr.off);
    put16(g->init, FIFO_CAP, (unsigned)t->count);
    put16(g->init, FIFO_ACT, act);
    put16(g->init, FIFO_FORM, t->elem->size | form);
    IrReloc r = {2 * FIFO_BASE, p.addr.sym, (int16_t)p.addr.off};
    arrput(g->relocs, r);
    g->elem_type = WT_U16;
    g->loc = n->loc;
    s->ir->uses |= USES_DSD;
    DsdConst c = {.w = {0, 0, 0, DSD_FIFO}, .base = rec, .elem = t->elem};
    return dsd_const(s, ty_fifo_dsd, c);
}
