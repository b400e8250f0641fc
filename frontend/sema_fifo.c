/* frontend/sema_fifo.c: @allocate_fifo, and what the machine's wider descriptors need from options: control words at an input.
 *
 * A FIFO is a record in memory (docs/machine.md, "FIFOs") and a descriptor that names it; both are data of the class.  Each
 * call of @allocate_fifo makes one record, so it stands where it is evaluated once: in the initialiser of a constant. */
#include "frontend/sema_dsd.h"
#include <string.h>

static const char *const actions[] = {"test_or_suspend", "terminate", "suspend", "fault", NULL};    /* by FifoAction */

static void put16(uint8_t *p, unsigned v) { p[0] = (uint8_t)v, p[1] = (uint8_t)(v >> 8); }

/* .{ .terminate = true }: one of the actions */
static bool action_of(Cfg *c, const char *name, unsigned *action)
{
    Value v;
    Loc loc;
    int found = -1, n = 0;
    if (!dsd_cfg_get(c, name, NULL, &v, &loc)) return true;
    if (v.kind == V_ERR) return false;
    for (uint32_t i = 0; v.kind == V_AGG && v.type->kind == TY_STRUCT && !v.type->tuple && i < v.n; i++) {
        int k = 0;
        const Value *f = agg_at(&v, i);
        while (actions[k] && strcmp(actions[k], v.type->fields[i].name)) k++;
        if (!actions[k] || f->kind != V_INT || f->type != ty_bool) n = 2;
        else if (f->u.i) found = k, n++;
    }
    if (n != 1) return SEMA_ERR(c->s, fifo_action, loc, d_str(name)), false;
    *action = (unsigned)found;
    return true;
}

/* where the elements lie: an array by its name or a pointer to one */
static bool buffer_of(Sema *s, Scope *sc, AstNode *n, Addr *a, Type **t)
{
    Place p = eval_place(s, sc, n);
    if (p.kind == P_ERR) return false;
    if (p.kind == P_MEM && p.type->kind == TY_ARRAY && p.addr.sym.i && !p.is_const) return *a = p.addr, *t = p.type, true;
    SEMA_ERR(s, fifo_buffer, n->loc, d_type(p.kind == P_MEM ? p.type : p.v.type));
    return false;
}

static Type *scalar_of(Type *t)
{
    while (t->kind == TY_ARRAY) t = t->elem;
    return t;
}

Value dsd_allocate_fifo(Sema *s, Scope *sc, AstNode *n)
{
    static const char *const known[] = {"empty_action", "full_action", "activate_push", "activate_pop", "priority", NULL};
    static const char *const later[] = {"simd_mode", NULL};
    Addr a;
    Type *t;
    Cfg c;
    Done done = dsd_done_none;
    unsigned empty = FIFO_TEST, full = FIFO_TEST, act = 0;
    int push = -1, pop = -1;
    if (!s->ir) return SEMA_ERR(s, dsd_outside, n->loc, d_int(0));
    if (!buffer_of(s, sc, arg(n, 0), &a, &t)) return V_NONE;
    Type *elem = scalar_of(t);
    if (!type_is_scalar(elem) || (elem->size != 2 && elem->size != 4)) return SEMA_ERR(s, st_elem_size, arg_loc(n, 0), d_type(elem));
    if (n->u.builtin.args.n > 1) {
        if (!dsd_cfg(&c, s, sc, arg(n, 1), "@allocate_fifo", known, later)) return V_NONE;
        if (!action_of(&c, "empty_action", &empty) || !action_of(&c, "full_action", &full) || !dsd_cfg_task(&c, "activate_push", &push) ||
            !dsd_cfg_task(&c, "activate_pop", &pop) || !dsd_cfg_priority(&c, &done.prio))
            return V_NONE;
    }
    if (push >= 0) act |= 0x40u | (unsigned)push;
    if (pop >= 0) act |= (0x40u | (unsigned)pop) << 8;
    IrSym rec = ir_global_new(s->ir, sema_unique(s, "fifo"), 2 * FIFO_WORDS, 2);
    IrGlobal *g = ir_global(s->ir, rec);
    g->init = arena_alloc(s->ir->arena, 2 * FIFO_WORDS);
    memset(g->init, 0, 2 * FIFO_WORDS);
    put16(g->init + 2 * FIFO_CAP, t->size / elem->size);
    put16(g->init + 2 * FIFO_ACT, act);
    put16(g->init + 2 * FIFO_FORM, elem->size | empty << 4 | full << 6);
    g->elem_type = WT_U16;
    IrReloc base = {2 * FIFO_BASE, a.sym, a.off};
    arrput(g->relocs, base);
    s->ir->uses |= USES_DSD;
    DsdConst k = {.w = {0, 0, 0, DSD_FIFO}, .base = rec, .elem = elem};
    dsd_done_words(&done, false, k.w);
    return dsd_const(s, ty_fifo_dsd, k);
}

/* .on_control = .{ .terminate = true } or .{ .activate = task } of an operation: into the input operands' descriptors */
bool dsd_on_control(Cfg *c, uint16_t *w0)
{
    Value v;
    Loc loc;
    *w0 = 0;
    if (!dsd_cfg_get(c, "on_control", NULL, &v, &loc)) return true;
    if (v.kind == V_ERR) return false;
    bool ok = v.kind == V_AGG && v.type->kind == TY_STRUCT && !v.type->tuple && v.n;
    for (uint32_t i = 0; ok && i < v.n; i++) {
        const Value *f = agg_at(&v, i);
        const char *name = v.type->fields[i].name;
        if (!strcmp(name, "terminate") && f->kind == V_INT && f->type == ty_bool) *w0 |= f->u.i ? ON_CONTROL_END : 0;
        else if (!strcmp(name, "activate")) {
            int id = task_id6(c->s, *f, loc);
            if (id < 0) return false;
            *w0 |= (uint16_t)(ON_CONTROL_ACT | id << 8);
        } else ok = false;
    }
    if (!ok) SEMA_ERR(c->s, on_control, loc);
    return ok;
}

/* Does an operand take part as a FIFO?  Then a synchronous operation says whether it went to its end. */
bool dsd_is_fifo(const Opnd *o) { return o->k == O_DSD && o->t->sub == DSDT_FIFO; }

Value dsd_went_through(Sema *s, Loc loc)
{
    IrFn *f = fn_of(s);
    IrRef left = ir_append(f, s->fn->cur, IR_VLEFT, T_I16, 0, NULL, loc);
    return v_ir(ty_bool, ir_icmp(f, s->fn->cur, CMP_EQ, left, ir_const(f, s->fn->cur, T_I16, 0, loc), loc));
}
