/* frontend/sema_task.c: tasks, queues, exports: what a class starts with.  Comptime blocks fill tables here (ids in 6 bits:
 * bit 5 set for data tasks); sema_boot turns them into boot records when the class is complete. */
#include "frontend/sema.h"
#include "frontend/sema_place.h"
#include <assert.h>
#include <string.h>

/* ---- names that the host uses: what @export_symbol exports has its name to itself; another of that name, also an `export var`,
 * gets a new one */
static bool take_name(Sema *s, const char *name, IrSym taker, Loc loc)
{
    for (ptrdiff_t i = 0; i < arrlen(s->ir->globals); i++) {
        IrGlobal *g = &s->ir->globals[i];
        if (strcmp(g->name, name) || ir_gsym((uint32_t)i).i == taker.i) continue;
        if (g->exported && shgeti(s->claimed, name) >= 0) return SEMA_ERR(s, export_twice, loc, d_str(name)), false;
        const char *old = g->name;
        g->name = sema_unique(s, name);
        pe_data_rename(s, old, g->name);
    }
    for (ptrdiff_t i = 0; i < arrlen(s->ir->fns); i++) {
        IrFn *f = s->ir->fns[i];
        if (strcmp(f->name, name) || ir_fsym((uint32_t)i).i == taker.i) continue;
        if (f->exported && f->kind == FN_PLAIN) return SEMA_ERR(s, export_twice, loc, d_str(name)), false;
        f->name = sema_unique(s, name);
    }
    if (shgeti(s->names, name) < 0) sema_unique(s, name);
    shput(s->claimed, arena_strdup(s->arena, name), 1);
    return true;
}

/* ---- functions that the outside may call */
void fn_export(Sema *s, Decl *d, Loc loc)
{
    if (!d->node->u.fn.body) {
        SEMA_ERR(s, not_built, d->node->loc, d_str("an extern function"));
        return;
    }
    FnSpec *sp = fn_spec_plain(s, d, loc);
    if (!sp) return;
    IrFn *f = ir_fn(s->ir, sp->sym);
    f->exported = true;
    s->prog->starts = true;
    if (sp->sret || sp->ret->ir == T_I64) SEMA_ERR(s, export_type, loc, d_str(d->name), d_type(sp->ret));
    for AST_EACH(i, d->node->u.fn.args)
        if (sp->types[i]->ir == T_I64 || (!type_is_scalar(sp->types[i]) && sp->types[i]->kind != TY_VOID)) SEMA_ERR(s, export_type, loc, d_str(d->name), d_type(sp->types[i]));
    if (s->prog->exported) s->prog->exported(s->prog->exported_user, d->export_name ? d->export_name : d->name, type_fn(s->prog, d->node->u.fn.args.n, sp->types, sp->ret, false)->name, false);
    if (d->export_name && take_name(s, d->export_name, sp->sym, loc)) f->name = d->export_name;
}

/* an instance of a task as a function of that kind; data tasks get the wavelet as one i32 */
static FnSpec *task_spec(Sema *s, Decl *d, IrFnKind kind, int id, Loc loc)
{
    AstNode *n = d->node;
    FnSpec *sp = fn_spec_plain(s, d, loc);
    if (!sp) return NULL;
    if (sp->ret->kind != TY_VOID) return SEMA_ERR(s, task_result, n->loc, d_str(d->name)), NULL;
    IrFn *f = ir_fn(s->ir, sp->sym);
    f->kind = kind;
    f->task_id = id < 0 ? -1 : id & (kind == FN_TASK_CONTROL ? 63 : 31);
    f->exported = true;
    uint32_t k = n->u.fn.args.n;
    if (kind == FN_TASK_CONTROL) {
        bool ok = !k || (k == 1 && type_is_scalar(sp->types[0]) && sp->types[0]->size <= 2);
        if (!ok) return SEMA_ERR(s, control_task_args, n->loc, d_str(d->name)), NULL;
        arrfree(f->params);
        if (k) ir_fn_param(f, T_I32);
    } else if (kind == FN_TASK_DATA) {
        bool ok = k <= 2;
        for (uint32_t i = 0; i < k && ok; i++) ok = type_is_scalar(sp->types[i]) && sp->types[i]->size <= (k == 2 ? 2 : 4) && sp->types[i]->ir != T_DSD;
        if (!ok) return SEMA_ERR(s, data_task_args, n->loc, d_str(d->name)), NULL;
        arrfree(f->params);
        if (k) ir_fn_param(f, T_I32);
    } else if (k) return SEMA_ERR(s, task_args, n->u.fn.args.v[0]->loc, d_str(d->name)), NULL;
    return sp;
}

void task_export(Sema *s, Decl *d)
{
    AstNode *n = d->node;
    if (strcmp(d->name, "main") || !d->mod->root) {
        SEMA_ERR(s, export_task, n->loc, d_str(d->name));
        return;
    }
    s->prog->starts = true;
    task_spec(s, d, FN_MAIN, -1, n->loc);
}

/* ---- ids */
static const char *id_text(Sema *s, int id6)
{
    if (id6 >= TASK_CONTROL_ID) return arena_printf(s->arena, "control task id %d", id6 - TASK_CONTROL_ID);
    return arena_printf(s->arena, id6 & TASK_DATA ? "data task id %d" : "local task id %d", id6 & 31);
}

bool task_bind(Sema *s, Decl *d, IrFnKind kind, int id6, Loc loc)
{
    if (!s->ir) return true;
    if (d->node->kind != AST_TASK) {
        SEMA_ERR(s, not_task, loc, d_str(d->name));
        SEMA_NOTE(s, note_declared, d->node->loc, d_str(d->name));
        return false;
    }
    TaskSlot *t = id6 >= TASK_CONTROL_ID ? &s->control[id6 - TASK_CONTROL_ID] : &s->tasks[id6];
    if (t->task && t->task != d) {
        SEMA_ERR(s, task_bound, loc, d_str(id_text(s, id6)), d_str(t->task->name));
        SEMA_NOTE(s, note_bound, t->loc, d_str(t->task->name));
        return false;
    }
    if (d->task_id >= 0 && d->task_id != id6) {
        SEMA_ERR(s, task_twice, loc, d_str(d->name), d_str(id_text(s, d->task_id)));
        SEMA_NOTE(s, note_bound, d->bind_loc, d_str(d->name));
        return false;
    }
    t->task = d;
    t->loc = d->bind_loc = loc;
    d->task_id = id6;
    d->task_kind = kind;
    FnSpec *sp = task_spec(s, d, kind, id6, loc);
    if (sp) t->fn = sp->sym;
    return sp != NULL;
}

int task_id6(Sema *s, Value v, Loc loc)
{
    if (v.kind == V_ERR) return -1;
    if (v.kind == V_FN && v.u.decl->node->kind == AST_TASK) {
        if (v.u.decl->task_id >= TASK_CONTROL_ID) return SEMA_ERR(s, control_task_state, loc), -1;
        if (v.u.decl->task_id >= 0) return v.u.decl->task_id;
        SEMA_ERR(s, task_unbound, loc, d_str(v.u.decl->name));
        return -1;
    }
    if (v.kind == V_SYM) v = decide(s, v, loc);
    bool w3 = s->prog->arch.id == ARCH_WSE3;
    if (v.kind == V_INT && v.type->kind == TY_LOCAL_TASK_ID) return (int)v.u.i;
    if (v.kind == V_INT && v.type->kind == TY_DATA_TASK_ID) return (int)v.u.i | TASK_DATA;
    if (v.kind == V_INT && v.type->kind == TY_INPUT_QUEUE && w3) return (int)v.u.i | TASK_DATA;
    if (v.kind == V_INT && v.type->kind == TY_COLOR && !w3) return (int)v.u.i | TASK_DATA;
    if (v.type->kind == TY_CONTROL_TASK_ID) SEMA_ERR(s, control_task_state, loc);
    else if (v.kind != V_INT && type_is_discrete(v.type)) SEMA_ERR(s, not_comptime, loc, d_str("the task id"));
    else SEMA_ERR(s, not_task_id, loc, v.kind == V_FN ? d_str("a function") : d_type(v.type));
    return -1;
}

/* @activate, @block, @unblock */
void task_state(Sema *s, int bi, Value v, Loc loc)
{
    IrOp op = bi == BI_activate ? IR_ACTIVATE : bi == BI_block ? IR_BLOCK : IR_UNBLOCK;
    if (s->fn && s->fn->ir) {
        if (v.kind == V_IR && (v.type->kind == TY_LOCAL_TASK_ID || v.type->kind == TY_DATA_TASK_ID)) {
            IrRef r = v.u.ref;
            if (v.type->kind == TY_DATA_TASK_ID)
                r = ir_bin(s->fn->ir, s->fn->cur, IR_OR, r, ir_const(s->fn->ir, s->fn->cur, T_I16, TASK_DATA, loc), loc);
            ir_append(s->fn->ir, s->fn->cur, op, T_VOID, 1, &r, loc);
            return;
        }
        int id = task_id6(s, v, loc);
        if (id < 0) return;
        if (op == IR_ACTIVATE && id & TASK_DATA) {
            SEMA_ERR(s, activate_data, loc);
            return;
        }
        IrRef r = ir_append(s->fn->ir, s->fn->cur, op, T_VOID, 0, NULL, loc);
        ir_ins(s->fn->ir, r)->imm = id;
        if (op == IR_ACTIVATE) s->tasks[id].want = true, s->tasks[id].want_loc = loc;
        return;
    }
    if (!s->ir) return;
    int id = task_id6(s, v, loc);
    if (id < 0) return;
    TaskSlot *t = &s->tasks[id];
    if (op == IR_ACTIVATE) {
        if (id & TASK_DATA) {
            SEMA_ERR(s, activate_data, loc);
            return;
        }
        t->flags |= BOOT_ACTIVE;
        t->want = true;
        t->want_loc = loc;
    } else if (op == IR_BLOCK) t->flags |= BOOT_BLOCKED;
    else {
        t->flags &= (uint8_t)~BOOT_BLOCKED;
        t->opened = true;
        if (!t->loc.file) t->loc = loc;
    }
}

/* ---- queues */
/* On wse2 a color belongs to the descriptor, and one queue may carry several, one operation after the other.  Here a queue has one
 * color: further ones go through queues that nobody names, on the microthread of the queue that was named. */
static int other_queue(Sema *s, int q, bool out, int color)
{
    const int *c = out ? s->oq_color : s->iq_color, *as = out ? s->oq_as : s->iq_as;
    for (int k = 0; k < N_QUEUE; k++)
        if (c[k] == color && as[k] == q) return k;
    if (c[q] < 0) return q;
    for (int k = N_QUEUE - 1; k >= 0; k--)
        if (c[k] < 0 && (!out || arch_oq_words(&s->prog->arch, k))) return k;
    return -1;
}

static void no_queue(Sema *s, bool out, int color, Loc loc)
{
    int n = 0;
    for (int i = 0; i < N_QUEUE; i++) n += !out || arch_oq_words(&s->prog->arch, i) != 0;
    SEMA_ERR(s, queue_colors, loc, d_int(n), d_str(out ? "output" : "input"), d_int(color));
}

int queue_bind(Sema *s, int q, bool out, int color, Loc loc)
{
    bool wse2 = s->prog->arch.id == ARCH_WSE2;
    int *c = out ? s->oq_color : s->iq_color;
    Loc *l = out ? s->oq_loc : s->iq_loc;
    int k = wse2 ? other_queue(s, q, out, color) : c[q] >= 0 && c[q] != color ? -1 : q;
    if (k < 0 && wse2) return no_queue(s, out, color, loc), q;
    if (k < 0) {
        SEMA_ERR(s, queue_bound, loc, d_str(out ? "output" : "input"), d_int(q), d_int(c[q]));
        if (l[q].file) SEMA_NOTE(s, note_bound, l[q], d_str(out ? "the output queue" : "the input queue"));
        return q;
    }
    (out ? s->oq_as : s->iq_as)[k] = q;
    c[k] = color;
    l[k] = loc;
    return k;
}

int queue_pick(Sema *s, bool out, int color, Loc loc)
{
    const int *c = out ? s->oq_color : s->iq_color;
    for (int q = 0; q < N_QUEUE; q++)
        if (c[q] == color) return q;
    for (int q = N_QUEUE - 1; q >= 0; q--)
        if (c[q] < 0 && (!out || arch_oq_words(&s->prog->arch, q))) return q;
    no_queue(s, out, color, loc);
    return -1;
}

void queue_lend(Sema *s, int q, Loc loc)
{
    if (q >= 4) {
        SEMA_ERR(s, queue_lend, loc, d_int(q));
        return;
    }
    s->iq_lend[q] = true;
    s->iq_loc[q] = s->iq_loc[q].file ? s->iq_loc[q] : loc;
}

/* wse2: data tasks hang on colors; one whose color has no queue gets the highest free one.  So does a color that is unblocked:
 * words for control tasks come that way; and, while there are free ones, in a class with control tasks each color that a router
 * brings to the PE. */
static bool to_ramp(Sema *s, int c)
{
    const Placement *pl = s->prog->pl;
    for (uint32_t i = 0; pl->route[c] && i < s->npes; i++) {
        uint32_t cfg = pl->route[c][s->pes[i]];
        if (cfg && slot_tx(pl->cfgs[cfg - 1].slot) >> DIR_RAMP & 1) return true;
    }
    return false;
}

static int free_queue(const Sema *s)
{
    int q = N_QUEUE - 1;
    while (q >= 0 && s->iq_color[q] >= 0) q--;
    return q;
}

static bool has_queue(const Sema *s, int c)
{
    for (int q = 0; q < N_QUEUE; q++)
        if (s->iq_color[q] == c) return true;
    return false;
}

static void implicit_queues(Sema *s)
{
    bool control = false;
    for (int c = 0; c < N_COLOR && c < 32; c++) {
        TaskSlot *t = &s->tasks[c | TASK_DATA];
        if ((!t->task && !t->opened) || has_queue(s, c)) continue;
        int q = free_queue(s);
        if (q < 0) SEMA_ERR(s, queue_none, t->loc, d_int(c));
        else queue_bind(s, q, false, c, t->loc);
    }
    for (size_t i = 0; i < sizeof s->control / sizeof *s->control; i++) control |= s->control[i].task != NULL;
    for (int c = 0; control && c < N_COLOR; c++) {
        int q = free_queue(s);
        if (q >= 0 && !has_queue(s, c) && to_ramp(s, c)) queue_bind(s, q, false, c, (Loc){0});
    }
}

void sema_boot(Sema *s)
{
    if (s->prog->arch.id == ARCH_WSE2) implicit_queues(s);
    control_tables_check(s);
    for (int out = 0; out < 2; out++)
        for (int q = 0; q < N_QUEUE; q++) {
            int c = out ? s->oq_color[q] : s->iq_color[q];
            if (c < 0) continue;
            IrBoot b = {.kind = out ? BOOT_OQ : BOOT_IQ, .id = q, .color = c, .flags = !out && s->iq_lend[q] ? BOOT_LEND : 0};
            if (!out) b.num = queue_control_base(s, q);
            if (b.num) s->ir->uses |= USES_CONTROL;
            arrput(s->ir->boot, b);
        }
    for (int id = 0; id < 64; id++) {
        TaskSlot *t = &s->tasks[id];
        if (!t->task) {
            if (t->want) SEMA_ERR(s, task_none, t->want_loc, d_str(id_text(s, id)));
            continue;
        }
        if (!t->fn.i) continue;
        s->prog->starts |= id & TASK_DATA || t->flags & BOOT_ACTIVE;
        IrBoot b = {.kind = BOOT_TASK, .id = id, .flags = t->flags, .fn = t->fn};
        arrput(s->ir->boot, b);
    }
    if (s->tasks[TASK_TEARDOWN].task) s->ir->uses |= USES_TEARDOWN;
    for (int id = 0; id < 64; id++) {
        TaskSlot *t = &s->control[id];
        if (!t->task || !t->fn.i) continue;
        s->prog->starts = true;
        IrBoot b = {.kind = BOOT_CTRL, .id = id, .fn = t->fn};
        arrput(s->ir->boot, b);
    }
}

/* ---- @export_symbol */
void export_symbol(Sema *s, const Place *p, const char *name, Loc loc)
{
    if (!s->ir) return;
    if (p->kind == P_VALUE && p->v.kind == V_FN) {
        Decl *d = p->v.u.decl;
        if (d->node->kind == AST_TASK) {
            SEMA_ERR(s, export_task, loc, d_str(d->name));
            return;
        }
        d->export_name = name ? name : d->name;
        fn_export(s, d, loc);
        return;
    }
    Decl *d = p->decl;
    if (p->kind == P_ERR) return;
    if (!d || (d->node->kind != AST_VAR && d->node->kind != AST_CONST) || p->addr.off || p->type != d->type) {
        SEMA_ERR(s, export_what, loc);
        return;
    }
    if (!name) name = d->name;
    if (d->export_name && strcmp(d->export_name, name)) {
        SEMA_ERR(s, not_built, loc, d_str("exporting a variable under two names"));
        return;
    }
    d->export_name = name;
    IrSym y = decl_sym(s, d, loc);
    if (!y.i) return;
    IrGlobal *g = ir_global(s->ir, y);
    g->exported = g->keep = true;
    if (!strcmp(g->name, name) || !take_name(s, name, y, loc)) return;
    pe_data_rename(s, g->name, name);
    g->name = name;
}
