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

/* @set_control_task_table: where control tasks' code lies.  Here any task may lie anywhere, so that it is checked and changes nothing. */
Value control_task_table(Sema *s, Scope *sc, AstNode *n)
{
    int64_t instructions = 4, stride = 1;
    if (!s->in_comptime || (s->fn && s->fn->ir)) return SEMA_ERR(s, comptime_only, n->loc, d_str(n->u.builtin.name));
    if (s->prog->arch.id == ARCH_WSE2) return SEMA_ERR(s, builtin_wse3, n->loc, d_str(n->u.builtin.name));
    if (!n->u.builtin.args.n) return v_void();
    AstNode *a = n->u.builtin.args.v[0];
    Value o = eval_expr(s, sc, a, NULL), i = opt_field(s, &o, "instructions"), k = opt_field(s, &o, "stride");
    if (o.kind == V_ERR) return o;
    if (i.kind != V_ERR && !known_int(s, i, "instructions", 2, 8, a->loc, &instructions)) return V_NONE;
    if (k.kind != V_ERR && !known_int(s, k, "stride", 1, 7, a->loc, &stride)) return V_NONE;
    if (instructions & (instructions - 1)) return SEMA_ERR(s, table_step, a->loc, d_int(instructions));
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
