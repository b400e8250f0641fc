/* frontend/sema_handler.c: what runs when a color was torn down or a flushed queue has run empty (docs/machine.md, sections 9
 * and 17).  The machine has one task for both, 29: here it is made, and asks the registers what happened.
 *
 * A color stays pending until the program opens it, so those whose handler has been called are remembered, in the words
 * `handled` of <tile_config/teardown>; its exit(color) takes the color out again. */
#include "frontend/sema.h"
#include <string.h>

#define ARG(i) (n->u.builtin.args.v[i])

static bool handler_of(Sema *s, Scope *sc, AstNode *a, IrSym *fn)
{
    Value v = eval_expr(s, sc, a, NULL);
    if (v.kind == V_ERR) return false;
    bool ok = v.kind == V_FN && v.u.decl->node->kind == AST_FN && !v.u.decl->node->u.fn.args.n;
    FnSpec *sp = ok ? fn_spec_plain(s, v.u.decl, a->loc) : NULL;
    if (ok && !sp) return false;
    if (!ok || sp->ret->kind != TY_VOID) return SEMA_ERR(s, handler_fn, a->loc), false;
    return *fn = sp->sym, true;
}

static Value add(Sema *s, AstNode *n, Handler **list, int id, IrSym fn, const char *what)
{
    for (ptrdiff_t i = 0; i < arrlen(*list); i++)
        if ((*list)[i].id == id) {
            SEMA_ERR(s, handler_twice, n->loc, d_str(what));
            SEMA_NOTE(s, note_first, (*list)[i].loc, d_str("the handler"));
            return V_NONE;
        }
    arrput(*list, ((Handler){id, fn, n->loc}));
    return v_void();
}

/* a queue; *out: an output queue */
static bool is_queue(Sema *s, const Value *v, Loc loc, bool *out)
{
    *out = v->type == ty_output_queue;
    if (*out || v->type == ty_input_queue) return true;
    return SEMA_ERR(s, type_mismatch, loc, d_str("a queue"), d_type(v->type)), false;
}

/* @set_teardown_handler(fn, color), @set_empty_queue_handler(fn, queue) */
Value handler_builtin(Sema *s, Scope *sc, AstNode *n, int bi)
{
    IrSym fn;
    int64_t k;
    if (!s->in_comptime || (s->fn && s->fn->ir)) return SEMA_ERR(s, comptime_only, n->loc, d_str(n->u.builtin.name));
    if (!s->ir) return v_void();
    if (!handler_of(s, sc, ARG(0), &fn)) return V_NONE;
    Value v = eval_expr(s, sc, ARG(1), NULL);
    if (v.kind == V_ERR) return v;
    if (bi == BI_set_teardown_handler) {
        if (v.type != ty_color) return SEMA_ERR(s, type_mismatch, ARG(1)->loc, d_type(ty_color), d_type(v.type));
        if (!known_int(s, v, "the color", 0, N_COLOR - 1, ARG(1)->loc, &k)) return V_NONE;
        return add(s, n, &s->on_teardown, (int)k, fn, arena_printf(s->arena, "color %d", (int)k));
    }
    bool out;
    if (!is_queue(s, &v, ARG(1)->loc, &out)) return V_NONE;
    if (!known_int(s, v, "the queue", 0, N_QUEUE - 1, ARG(1)->loc, &k)) return V_NONE;
    return add(s, n, &s->on_empty, (int)k + (out ? 8 : 0), fn, arena_printf(s->arena, "%s queue %d", out ? "output" : "input", (int)k));
}

/* @queue_flush(queue): the handler runs when the queue is empty */
Value queue_flush(Sema *s, Scope *sc, AstNode *n)
{
    if (!s->fn || !s->fn->ir) return SEMA_ERR(s, run_only, n->loc, d_str("@queue_flush"));
    Value v = eval_expr(s, sc, ARG(0), NULL);
    if (v.kind == V_ERR) return v;
    bool out;
    if (!is_queue(s, &v, ARG(0)->loc, &out)) return V_NONE;
    IrFn *f = s->fn->ir;
    IrRef q = value_ir(s, v, v.type, n->loc), one = ir_const(f, s->fn->cur, T_I16, out ? 0x100 : 1, n->loc);
    if (!q.i) return V_NONE;
    ir_store(f, s->fn->cur, ir_const(f, s->fn->cur, T_PTR, REG_FLUSH, n->loc), 0, ir_bin(f, s->fn->cur, IR_SHL, one, q, n->loc), n->loc);
    s->ir->uses |= USES_REGS | USES_TEARDOWN;
    return v_void();
}

/* ---- the task */
typedef struct { IrFn *f; IrBlk cur; Loc loc; } Gen;
static IrRef num(Gen *g, IrType t, int64_t v) { return ir_const(g->f, g->cur, t, v, g->loc); }

/* call the handlers whose bit (id - first) is set in `bits` */
static void calls(Gen *g, const Handler *list, int first, int count, IrRef bits)
{
    for (ptrdiff_t i = 0; i < arrlen(list); i++) {
        if (list[i].id < first || list[i].id >= first + count) continue;
        IrBlk yes = ir_block_new(g->f, "handler"), no = ir_block_new(g->f, "next");
        IrRef bit = ir_bin(g->f, g->cur, IR_AND, bits, num(g, T_I16, 1 << (list[i].id - first)), g->loc);
        ir_condbr(g->f, g->cur, ir_icmp(g->f, g->cur, CMP_NE, bit, num(g, T_I16, 0), g->loc), yes, no, g->loc);
        ir_call(g->f, yes, list[i].fn, T_VOID, 0, NULL, g->loc);
        ir_br(g->f, yes, no, g->loc);
        g->cur = no;
    }
}

static bool any_in(const Handler *list, int first, int count)
{
    for (ptrdiff_t i = 0; i < arrlen(list); i++)
        if (list[i].id >= first && list[i].id < first + count) return true;
    return false;
}

void handlers_emit(Sema *s)
{
    if (!arrlen(s->on_teardown) && !arrlen(s->on_empty)) return;
    Loc loc = arrlen(s->on_teardown) ? s->on_teardown[0].loc : s->on_empty[0].loc;
    Decl *d = NULL;
    if (arrlen(s->on_teardown)) {
        Module *m = import_library(s, "<tile_config/teardown>", loc);
        d = m ? module_find(m, intern(s->prog->in, "handled")) : NULL;
        if (!d) return;
    }
    TaskSlot *slot = &s->tasks[TASK_TEARDOWN];
    if (slot->task) {
        SEMA_ERR(s, task_bound, loc, d_str("local task id 29"), d_str(slot->task->name));
        SEMA_NOTE(s, note_bound, slot->loc, d_str(slot->task->name));
        return;
    }
    IrSym sym;
    Gen g = {.f = ir_fn_new(s->ir, sema_unique(s, ".handlers"), FN_TASK_LOCAL, T_VOID, &sym), .cur = {1}, .loc = loc};
    g.f->task_id = TASK_TEARDOWN;
    g.f->loc = loc;
    for (int w = 0; w < 2; w++) { /* colors 0-15, 16-23 */
        if (!any_in(s->on_teardown, 16 * w, 16)) continue;
        IrRef was = ir_gaddr(g.f, g.cur, decl_sym(s, d, loc), 2 * w, loc);
        IrRef pend = ir_load(g.f, g.cur, T_I16, num(&g, T_PTR, REG_PENDING + 2 * w), 0, loc);
        IrRef old = ir_load(g.f, g.cur, T_I16, was, 0, loc);
        IrRef now = ir_bin(g.f, g.cur, IR_AND, pend, ir_bin(g.f, g.cur, IR_XOR, old, num(&g, T_I16, 0xffff), loc), loc);
        ir_store(g.f, g.cur, was, 0, pend, loc);
        calls(&g, s->on_teardown, 16 * w, 16, now);
    }
    if (arrlen(s->on_empty)) {
        IrRef reg = num(&g, T_PTR, REG_FLUSHED), all = ir_load(g.f, g.cur, T_I16, reg, 0, loc);
        int64_t ours = 0;        /* a queue without a handler keeps its bit, for <tile_config/queue_flush> */
        for (ptrdiff_t i = 0; i < arrlen(s->on_empty); i++) ours |= (int64_t)1 << s->on_empty[i].id;
        IrRef done = ir_bin(g.f, g.cur, IR_AND, all, num(&g, T_I16, ours), loc);
        ir_store(g.f, g.cur, reg, 0, done, loc);
        calls(&g, s->on_empty, 0, 16, done);
    }
    ir_ret(g.f, g.cur, IR_NONE, loc);
    IrBoot b = {.kind = BOOT_TASK, .id = TASK_TEARDOWN, .fn = sym};
    arrput(s->ir->boot, b);
    s->ir->uses |= USES_REGS | USES_TEARDOWN;
}
