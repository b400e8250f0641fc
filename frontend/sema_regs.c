/* frontend/sema_regs.c: builtins that set registers of the machine (docs/machine.md, "Registers of the machine"), and those that only
 * say how code is laid out. */
#include "frontend/sema.h"

/* ---- code that runs at boot: what comptime blocks load and store.  It goes before main, or is what boots where there is no main. */
FnState *start_code(Sema *s, Loc loc)
{
    if (s->start) return s->start;
    IrSym sym;
    FnState *f = ARENA_NEW(s->arena, FnState);
    *f = (FnState){.ir = ir_fn_new(s->ir, sema_unique(s, ".start"), FN_PLAIN, T_VOID, &sym), .cur = {1}, .name = ".start"};
    f->ir->loc = loc;
    return s->start = f;
}

void start_emit(Sema *s)
{
    if (!s->start) return;
    IrFn *f = s->start->ir, *main = NULL;
    IrSym sym = {0};
    ir_ret(f, s->start->cur, IR_NONE, f->loc);
    for (ptrdiff_t i = 0; i < arrlen(s->ir->fns); i++) {
        if (s->ir->fns[i]->kind == FN_MAIN) main = s->ir->fns[i];
        if (s->ir->fns[i] == f) sym = ir_fsym((uint32_t)i);
    }
    if (!main) {
        f->kind = FN_MAIN;
        f->exported = true;
        return;
    }
    ir_call(main, (IrBlk){1}, sym, T_VOID, 0, NULL, f->loc);     /* behind the block's end; its place is in front */
    IrRef *ins = main->blks[1].ins, call = arrpop(ins);
    arrins(ins, 0, call);
    main->blks[1].ins = ins;
}

/* @block and @unblock of a microthread (wse3): a bit of REG_UT_BLOCK. */
void microthread_state(Sema *s, bool block, Value v, Loc loc)
{
    int64_t ut;
    if (!s->fn || !s->fn->ir) {
        SEMA_ERR(s, ut_state, loc);
        return;
    }
    if (v.kind == V_IR || v.kind == V_MEM) {
        SEMA_ERR(s, not_comptime, loc, d_str("the microthread"));
        return;
    }
    if (!known_int(s, v, "the microthread", 0, N_UT - 1, loc, &ut)) return;
    IrFn *f = s->fn->ir;
    IrBlk b = s->fn->cur;
    IrRef p = ir_un(f, b, IR_BITCAST, T_PTR, ir_const(f, b, T_I16, (int16_t)REG_UT_BLOCK, loc), loc);
    IrRef w = ir_load(f, b, T_I16, p, 0, loc), bit = ir_const(f, b, T_I16, block ? 1 << ut : (int16_t)~(1 << ut), loc);
    ir_store(f, b, p, 0, ir_bin(f, b, block ? IR_OR : IR_AND, w, bit, loc), loc);
    s->ir->uses |= USES_REGS;
}

/* ---- control tasks and tables (wse3) */
static bool wse3_setup(Sema *s, AstNode *n)
{
    if (!s->in_comptime || (s->fn && s->fn->ir)) return SEMA_ERR(s, comptime_only, n->loc, d_str(n->u.builtin.name)), false;
    if (s->prog->arch.id == ARCH_WSE2) return SEMA_ERR(s, builtin_wse3, n->loc, d_str(n->u.builtin.name)), false;
    return true;
}

/* @set_control_task_table: control tasks have ids of their own.  How many instructions an entry has is checked, and changes
 * nothing: any task may lie anywhere. */
Value control_task_table(Sema *s, Scope *sc, AstNode *n)
{
    int64_t instructions = 4, stride = 1;
    if (!wse3_setup(s, n)) return V_NONE;
    if (n->u.builtin.args.n) {
        AstNode *a = n->u.builtin.args.v[0];
        Value o = eval_expr(s, sc, a, NULL), i = opt_field(s, &o, "instructions"), k = opt_field(s, &o, "stride");
        if (o.kind == V_ERR) return o;
        if (i.kind != V_ERR && !known_int(s, i, "instructions", 2, 8, a->loc, &instructions)) return V_NONE;
        if (k.kind != V_ERR && !known_int(s, k, "stride", 1, 7, a->loc, &stride)) return V_NONE;
        if (instructions & (instructions - 1)) return SEMA_ERR(s, table_step, a->loc, d_int(instructions));
    }
    if (s->ctrl_stride) {
        SEMA_ERR(s, table_twice, n->loc);
        SEMA_NOTE(s, note_first, s->ctrl_loc, d_str("the table"));
        return V_NONE;
    }
    s->ctrl_stride = stride;
    s->ctrl_loc = n->loc;
    return v_void();
}

/* @rpc(id): the color on which launches of the host come, or its data task.  Here they come without either. */
Value rpc_color(Sema *s, Scope *sc, AstNode *n)
{
    if (!s->in_comptime || (s->fn && s->fn->ir)) return SEMA_ERR(s, comptime_only, n->loc, d_str(n->u.builtin.name));
    AstNode *a = n->u.builtin.args.v[0];
    Value v = eval_expr(s, sc, a, NULL);
    if (v.kind == V_ERR) return v;
    if (v.type != ty_data_task_id && v.type != ty_color) return SEMA_ERR(s, type_mismatch, a->loc, d_str("a data_task_id or a color"), d_type(v.type));
    return v_void();
}

/* @bind_rotating_tasks(main, alt, id, .{ .limit = n, .init = k }) */
Value bind_rotating(Sema *s, Scope *sc, AstNode *n)
{
    AstNode **a = n->u.builtin.args.v;
    if (!wse3_setup(s, n)) return V_NONE;
    if (!s->ir) return v_void();
    Value main = eval_expr(s, sc, a[0], NULL), alt = eval_expr(s, sc, a[1], NULL), id = eval_expr(s, sc, a[2], NULL), o = eval_expr(s, sc, a[3], NULL);
    if (main.kind == V_ERR || alt.kind == V_ERR || id.kind == V_ERR || o.kind == V_ERR) return V_NONE;
    for (int i = 0; i < 2; i++) {
        Value *t = i ? &alt : &main;
        if (t->kind != V_FN) return SEMA_ERR(s, type_mismatch, a[i]->loc, d_str("a task"), d_type(t->type));
    }
    if (id.type != ty_data_task_id) return SEMA_ERR(s, type_mismatch, a[2]->loc, d_type(ty_data_task_id), d_type(id.type));
    int64_t limit, first = 0;
    Value l = opt_field(s, &o, "limit"), f = opt_field(s, &o, "init");
    if (l.kind == V_ERR) return SEMA_ERR(s, field_missing, a[3]->loc, d_type(o.type), d_str("limit"));
    if (!known_int(s, l, "limit", 0, 65535, a[3]->loc, &limit) || (f.kind != V_ERR && !known_int(s, f, "init", 0, limit, a[3]->loc, &first))) return V_NONE;
    if (s->nrotate == N_ROTATE) return SEMA_ERR(s, rotate_many, n->loc);
    int x = task_id6(s, id, a[2]->loc);
    if (x < 0 || !task_bind(s, main.u.decl, FN_TASK_DATA, x, n->loc)) return V_NONE;
    s->rotate[s->nrotate].id = x;
    s->rotate[s->nrotate].limit = limit;
    s->rotate[s->nrotate].first = first;
    s->rotate[s->nrotate].alt = alt.u.decl;
    s->rotate[s->nrotate++].loc = n->loc;
    return v_void();
}

/* The control task that a queue's words name first. */
static int table_start(const Sema *s, int q) { return (int)(s->iq_table[q] * (s->ctrl_stride ? s->ctrl_stride : 1)); }

/* Rotating tasks: the other one is control task 0 of the queue's table. */
void rotating_bind(Sema *s)
{
    for (int i = 0; i < s->nrotate; i++) {
        int id = table_start(s, s->rotate[i].id & 31);
        if (id < N_CONTROL && id != CTRL_NO_TASK) task_bind(s, s->rotate[i].alt, FN_TASK_CONTROL, TASK_CONTROL_ID + id, s->rotate[i].loc);
        IrBoot b = {.kind = BOOT_ROTATE, .id = s->rotate[i].id, .num = (int)s->rotate[i].limit, .first = (int)s->rotate[i].first};
        arrput(s->ir->boot, b);
    }
}

/* A program that makes no table of control tasks has one for all tasks (wse3). */
void control_tables_check(Sema *s)
{
    if (s->prog->arch.id != ARCH_WSE3) return;
    for (int q = 0; q < N_QUEUE; q++)
        if (table_start(s, q) >= N_CONTROL) SEMA_ERR(s, table_range, s->iq_loc[q], d_int(s->iq_table[q]), d_int(s->ctrl_stride ? s->ctrl_stride : 1));
    for (int id = 0; !s->ctrl_stride && id < 32; id++) {
        const TaskSlot *c = &s->control[id], *t = &s->tasks[id < 8 ? id | TASK_DATA : id];
        if (!c->task || !t->task) continue;
        SEMA_ERR(s, table_shared, c->loc, d_int(id), d_str(t->task->name));
        SEMA_NOTE(s, note_bound, t->loc, d_str(t->task->name));
    }
}

/* what is added to the ids of control tasks by words of the queue */
int queue_control_base(const Sema *s, int q) { return s->prog->arch.id == ARCH_WSE3 ? table_start(s, q) % N_CONTROL : 0; }

/* ---- @get_config, @set_config: registers by word address */
enum { CONFIG_FIRST = 0x7e00, CONFIG_LAST = 0x7fff };
static bool reserved(int64_t a)
{
    a *= 2;
    return (a >= REG_IQ_COLOR && a < REG_OQ_COLOR + 2 * N_QUEUE) || (a >= REG_COLOR && a < REG_COLOR + 2 * N_COLOR) || (a >= REG_SWITCH && a < REG_SWITCH + 2 * N_COLOR) || (a >= REG_FILTER && a < REG_FILTER + 16 * N_FILTER);
}

/* does a known address lie in one of the ranges: a pair of numbers, or a tuple of pairs? */
static bool in_ranges(Sema *s, const Value *r, int64_t a, Loc loc, bool *in)
{
    int64_t lo, hi;
    if (r->kind != V_AGG || !r->n) return SEMA_ERR(s, type_mismatch, loc, d_str("a pair of addresses, or a tuple of pairs"), d_type(r->type)), false;
    if (agg_at(r, 0)->kind == V_AGG) {
        for (uint32_t i = 0; i < r->n; i++)
            if (!in_ranges(s, agg_at(r, i), a, loc, in)) return false;
        return true;
    }
    if (r->n != 2) return SEMA_ERR(s, type_mismatch, loc, d_str("a pair of addresses"), d_type(r->type)), false;
    if (!known_int(s, *agg_at(r, 0), "an address", 0, 65535, loc, &lo) || !known_int(s, *agg_at(r, 1), "an address", lo, 65535, loc, &hi)) return false;
    *in |= a < 0 || (a >= lo && a <= hi);
    return true;
}

/* the address argument: known in *k, or -1 */
static bool config_addr(Sema *s, Scope *sc, AstNode *n, bool checked, AstNode *ranges, Value *v, int64_t *k)
{
    AstNode *a = n->u.builtin.args.v[0];
    bool in = !ranges;
    *k = -1;
    *v = eval_as(s, sc, a, ty_u16);
    if (v->kind == V_SYM) *v = decide(s, *v, a->loc);
    if (v->kind == V_ERR) return false;
    if (v->kind == V_INT) *k = (int64_t)v->u.i;
    Value r = ranges ? eval_expr(s, sc, ranges, NULL) : V_NONE;
    if (ranges && (r.kind == V_ERR || !in_ranges(s, &r, *k, ranges->loc, &in))) return false;
    bool ok = !checked || *k < 0 || (*k >= CONFIG_FIRST && *k <= CONFIG_LAST && in);
    if (!ok) SEMA_ERR(s, config_range, a->loc, d_str(arena_printf(s->arena, "0x%x", (unsigned)*k)));
    return ok;
}

static Value config_at_boot(Sema *s, AstNode *n, bool set, int64_t k, const Value *x)
{
    if (k < 0) return SEMA_ERR(s, not_comptime, n->loc, d_str("the address"));
    if (reserved(k)) return SEMA_ERR(s, config_reserved, n->loc, d_str(arena_printf(s->arena, "0x%x", (unsigned)k)));
    if (!s->ir) return set ? v_void() : v_int(ty_u16, 0);
    if (!set) {
        ptrdiff_t i = hmgeti(s->config, k);
        return i >= 0 ? v_int(ty_u16, s->config[i].value) : SEMA_ERR(s, config_unset, n->loc, d_str(arena_printf(s->arena, "0x%x", (unsigned)k)));
    }
    int64_t w;
    if (!known_int(s, *x, "the value", 0, 65535, n->loc, &w)) return V_NONE;
    hmput(s->config, k, w);
    FnState *b = start_code(s, n->loc);
    ir_store(b->ir, b->cur, ir_const(b->ir, b->cur, T_PTR, 2 * k, n->loc), 0, ir_const(b->ir, b->cur, T_I16, w, n->loc), n->loc);
    return v_void();
}

Value config_builtin(Sema *s, Scope *sc, AstNode *n, int bi)
{
    bool set = bi == BI_set_config || bi == BI_set_config_unchecked, checked = bi == BI_get_config || bi == BI_set_config;
    uint32_t at = set ? 2 : 1, have = n->u.builtin.args.n;
    Value v, x = V_NONE;
    int64_t k;
    if (!config_addr(s, sc, n, checked, have > at ? n->u.builtin.args.v[at] : NULL, &v, &k)) return V_NONE;
    if (set && (x = eval_as(s, sc, n->u.builtin.args.v[1], ty_u16)).kind == V_ERR) return x;
    if (s->ir) s->ir->uses |= USES_REGS;
    if (s->fn && s->fn->ir) {
        IrFn *f = s->fn->ir;
        IrRef a = value_ir(s, v, ty_u16, n->loc), w = set ? value_ir(s, x, ty_u16, n->loc) : IR_NONE;
        if (!a.i || (set && !w.i)) return V_NONE;
        IrRef p = ir_un(f, s->fn->cur, IR_BITCAST, T_PTR, ir_bin(f, s->fn->cur, IR_ADD, a, a, n->loc), n->loc);
        if (!set) return v_ir(ty_u16, ir_load(f, s->fn->cur, T_I16, p, 0, n->loc));
        ir_store(f, s->fn->cur, p, 0, w, n->loc);
        return v_void();
    }
    if (!s->in_comptime) return SEMA_ERR(s, comptime_only, n->loc, d_str(n->u.builtin.name));
    return config_at_boot(s, n, set, k, &x);
}
