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

/* .dest, .src: DSRs that hold the FIFO from the start; .xdsr is taken and not needed */
static bool fifo_dsr(Cfg *c, const char *name, Type *a, Type *b, int *num)
{
    Value v;
    Loc loc;
    if (!dsd_cfg_get(c, name, NULL, &v, &loc)) return true;
    if (v.kind == V_ERR) return false;
    if (v.kind == V_INT && (v.type == a || v.type == b)) return *num = (int)v.u.i, true;
    return SEMA_ERR(c->s, type_mismatch, loc, d_type(a), d_type(v.type)), false;
}

typedef struct FifoOpts { unsigned act, form; Done done; int dest, src; } FifoOpts;

/* options: the tasks that a push and a pop activate; what an operation does that the FIFO holds up; microthreads' priority; DSRs */
static bool fifo_options(Sema *s, Scope *sc, AstNode *n, FifoOpts *o)
{
    static const char *const known[] = {"activate_push", "activate_pop", "empty_action", "full_action", "priority", "dest", "src", "xdsr", NULL};
    Cfg c;
    int push = -1, pop = -1, x = -1;
    unsigned empty = FIFO_TEST, full = FIFO_TEST;
    *o = (FifoOpts){.done = dsd_done_none, .dest = -1, .src = -1};
    if (n->u.builtin.args.n < 2) return true;
    if (!dsd_cfg(&c, s, sc, arg(n, 1), "@allocate_fifo", known, (const char *const[]){"simd_mode", NULL})) return false;
    if (!dsd_cfg_done(&c, &o->done) || !fifo_dsr(&c, "dest", ty_dsr_fifo_dest, ty_dsr_dest, &o->dest) ||
        !fifo_dsr(&c, "src", ty_dsr_fifo_src1, ty_dsr_src1, &o->src) || !fifo_dsr(&c, "xdsr", ty_xdsr, ty_xdsr, &x)) return false;
    if (!action_of(&c, "empty_action", &empty) || !action_of(&c, "full_action", &full)) return false;
    o->form = empty << 4 | full << 6;
    if (!dsd_cfg_task(&c, "activate_push", &push) || !dsd_cfg_task(&c, "activate_pop", &pop)) return false;
    o->act = (push >= 0 ? 0x40u | (unsigned)push : 0) | (pop >= 0 ? 0x4000u | (unsigned)pop << 8 : 0);
    return true;
}

static void load_at_boot(Sema *s, int file, int num, IrSym desc, Loc loc)
{
    FnState *was = s->fn;
    s->fn = start_code(s, loc);
    Opnd d = {.k = O_DSD, .t = ty_fifo_dsd, .v = {.type = ty_fifo_dsd}, .home = true, .addr = {.sym = desc}, .loc = loc};
    dsd_slot_load(s, dsr_slot(s, file, num, -1, loc), &d);
    s->fn = was;
}

Value dsd_allocate_fifo(Sema *s, Scope *sc, AstNode *n)
{
    if (!s->ir) return SEMA_ERR(s, dsd_outside, n->loc);
    if (s->fn && s->fn->ir) return SEMA_ERR(s, fifo_global, n->loc);
    Place p = eval_place(s, sc, arg(n, 0));
    FifoOpts o;
    if (p.kind == P_ERR || !fifo_options(s, sc, n, &o)) return V_NONE;
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
    put16(g->init, FIFO_ACT, o.act);
    put16(g->init, FIFO_FORM, t->elem->size | o.form);
    IrReloc r = {2 * FIFO_BASE, p.addr.sym, (int16_t)p.addr.off};
    arrput(g->relocs, r);
    g->elem_type = WT_U16;
    g->loc = n->loc;
    s->ir->uses |= USES_DSD;
    DsdConst c = {.w = {0, 0, 0, DSD_FIFO}, .base = rec, .elem = t->elem};
    dsd_done_words(&o.done, true, c.w);
    DsdState *st = dsd_state(s);
    FifoHome *h = ARENA_NEW(s->arena, FifoHome);
    IrSym read = descriptor_new(s, ".fifor", c.w, rec, (IrSym){0}, false, n->loc);
    *h = (FifoHome){rec, read, descriptor_new(s, ".fifow", c.w, rec, (IrSym){0}, false, n->loc), st->fifos};
    st->fifos = h;
    if (o.dest >= 0) load_at_boot(s, DSRT_DEST, o.dest, h->write, n->loc);
    if (o.src >= 0) load_at_boot(s, DSRT_SRC1, o.src, h->read, n->loc);
    return dsd_const(s, ty_fifo_dsd, c);
}

static const FifoHome *home_of(Sema *s, const Value *v)
{
    for (const FifoHome *f = v->kind == V_DSD ? dsd_state(s)->fifos : NULL; f; f = f->next)
        if (f->record.i == v->u.dsd->base.i) return f;
    return NULL;
}

/* A FIFO has one descriptor as a source and one as a destination, in memory, so that their lengths can be set apart. */
bool dsd_fifo_home(Sema *s, Opnd *o, bool write)
{
    const FifoHome *h = o->home ? NULL : home_of(s, &o->v);
    if (!h) return SEMA_ERR(s, not_comptime, o->loc, d_str("the FIFO")), false;
    *o = (Opnd){.k = O_DSD, .t = o->t, .v = {.type = o->t}, .home = true, .addr = {.sym = write ? h->write : h->read}, .loc = o->loc};
    return true;
}

/* @set_fifo_read_length(fifo, n), @set_fifo_write_length(fifo, n) */
Value dsd_fifo_length(Sema *s, Scope *sc, AstNode *n, bool write)
{
    if (!dsd_runtime(s, n->loc)) return V_NONE;
    Value v = eval_expr(s, sc, arg(n, 0), NULL), len = eval_as(s, sc, arg(n, 1), ty_u16);
    if (v.kind == V_ERR || len.kind == V_ERR) return V_NONE;
    const FifoHome *h = home_of(s, &v);
    if (!h) return SEMA_ERR(s, dsd_not_dsd, arg_loc(n, 0), d_str(n->u.builtin.name), d_str("FIFO"), d_type(v.type));
    IrFn *f = fn_of(s);
    IrRef x = value_ir(s, len, ty_u16, n->loc);
    if (x.i) ir_store(f, s->fn->cur, ir_gaddr(f, s->fn->cur, write ? h->write : h->read, 2, n->loc), 0, x, n->loc);
    return v_void();
}
