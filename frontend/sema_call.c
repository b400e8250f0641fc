/* frontend/sema_call.c: calls.  At compile time the body is run with the arguments as values.  In WIR a call goes to an
 * instance of the function (FnSpec): one per combination of what is fixed, that is the comptime arguments, the arguments
 * whose types have no run-time form, and the types that `anytype` met.  Bodies are compiled later, from a queue.
 * Aggregates travel by address: arguments are read-only memory, a result is written through a first, hidden argument. */
#include "frontend/sema.h"
#include <assert.h>
#include <string.h>

enum { MAX_ARGS = 64, MAX_CALLS = 200 };

/* arguments met with parameters; large, so a call that has ended leaves its own to the next (Sema.free_bound) */
typedef struct Bound { Value v[MAX_ARGS]; Type *t[MAX_ARGS]; bool fixed[MAX_ARGS]; Type *ret; Scope *sc; struct Bound *next; } Bound;

static Bound *bound_take(Sema *s)
{
    Bound *b = s->free_bound;
    if (!b) return ARENA_NEW(s->arena, Bound);
    s->free_bound = b->next;
    return b;
}

static void bound_leave(Sema *s, Bound *b)
{
    b->next = s->free_bound;
    s->free_bound = b;
}

static bool at_runtime(Sema *s) { return s->fn && s->fn->ir; }

static void define_param(Sema *s, Scope *sc, AstNode *p, Value v)
{
    if (!p->u.arg.name || !strcmp(p->u.arg.name, "_")) return;
    Entry *e = scope_define(s, sc, p->u.arg.name, p->loc);
    if (e) {
        e->v = v;
        if (v.kind == V_EXT) e->kind = E_STREAM;
    }
}

/* Evaluate parameter types left to right, each seeing the parameters before it, and the arguments with them. */
static bool bind_args(Sema *s, Decl *d, Scope *caller, AstNode **nodes, const Value *vals, uint32_t n, Loc loc, Bound *b)
{
    AstNode *f = d->node;
    if (f->u.fn.args.n > MAX_ARGS) return SEMA_ERR(s, too_many_args, f->loc, d_int(MAX_ARGS)), false;
    if (n != f->u.fn.args.n) {
        SEMA_ERR(s, arg_count, loc, d_str(d->name), d_int(f->u.fn.args.n), d_int(n));
        SEMA_NOTE(s, note_declared, f->loc, d_str(d->name));
        return false;
    }
    b->sc = scope_push(s, NULL);
    b->sc->mod = d->mod;
    bool ok = true;
    for (uint32_t i = 0; i < n; i++) {
        AstNode *p = f->u.fn.args.v[i];
        bool any = p->u.arg.type->kind == AST_T_ANYTYPE;
        Type *t = any ? NULL : eval_type(s, b->sc, p->u.arg.type);
        if (!any && !t) return scope_pop(s, b->sc), false;
        Loc at = nodes ? nodes[i]->loc : loc;
        bool fixed = p->u.arg.is_comptime || (t && t->comptime_only);
        Value v = !nodes ? vals[i] : fixed ? eval_fixed(s, caller, nodes[i], t) : eval_expr(s, caller, nodes[i], t);
        if (t == ty_anytype) any = true;
        if (!any) v = coerce(s, v, t, at);
        if (v.kind == V_ERR) {
            ok = false;
            v = (Value){.kind = V_UNDEF, .type = t ? t : ty_void};
        }
        if (any || t == ty_comptime_struct) t = v.type;
        b->fixed[i] = p->u.arg.is_comptime || t->comptime_only;
        if (p->u.arg.is_comptime && v.kind == V_SYM) v = decide(s, v, at);
        if (b->fixed[i] && is_runtime(&v)) {
            SEMA_ERR(s, arg_comptime, at, d_str(p->u.arg.name));
            SEMA_NOTE(s, note_declared, p->loc, d_str(p->u.arg.name));
            ok = false;
        }
        b->v[i] = v;
        b->t[i] = t;
        define_param(s, b->sc, p, b->fixed[i] || !at_runtime(s) ? v : (Value){.kind = V_UNDEF, .type = t});
    }
    b->ret = f->u.fn.ret ? eval_type(s, b->sc, f->u.fn.ret) : ty_void;
    if (b->ret && ok) return true;
    scope_pop(s, b->sc);
    return false;
}

/* ---- at compile time */
static Value call_known(Sema *s, Decl *d, Bound *b, Loc loc)
{
    AstNode *f = d->node;
    if (!f->u.fn.body) return SEMA_ERR(s, not_comptime, loc, d_str("an extern function"));
    if (s->calls >= MAX_CALLS) return SEMA_ERR(s, recursion, loc, d_str(d->name), d_int(MAX_CALLS));
    if (!sema_fuel(s, loc)) return V_NONE;
    s->calls++;
    FnState ct = {.up = s->fn, .name = d->name, .ret = b->ret, .call_loc = loc};
    s->fn = &ct;
    Flow fl = exec_block(s, b->sc, f->u.fn.body);
    s->fn = ct.up;
    s->calls--;
    if (fl == FLOW_RETURN) return b->ret == ty_comptime_struct || ct.ret_val.kind == V_ERR ? ct.ret_val : ct.ret_val;
    if (b->ret->kind == TY_VOID) return v_void();
    return s->errors ? V_NONE : SEMA_ERR(s, no_return, f->loc, d_str(d->name), d_type(b->ret));
}

/* ---- instances */
static const char *spec_key(Sema *s, AstNode *f, const Bound *b)
{
    Buf k = {0};
    for AST_EACH(i, f->u.fn.args) {
        if (b->fixed[i]) value_key(&k, &b->v[i]);
        else buf_printf(&k, "_%u", b->t[i]->id); /* types may hang on earlier arguments */
        buf_printf(&k, ";");
    }
    const char *r = k.p ? arena_strdup(s->arena, k.p) : "";
    buf_free(&k);
    return r;
}

static const char *fn_name(Sema *s, Decl *d)
{
    if (d->node->u.fn.attrs && d->node->u.fn.attrs->linksection) SEMA_ERR(s, not_built, d->node->u.fn.attrs->linksection->loc, d_str("linksection of a function"));
    if (d->node->u.fn.attrs && d->node->u.fn.attrs->linkname && d->node->u.fn.attrs->linkname->kind == AST_STRING)
        return sema_unique(s, d->node->u.fn.attrs->linkname->u.str.p);
    return sema_unique(s, d->mod->root ? d->name : arena_printf(s->arena, "%s.%s", d->mod->stem, d->name));
}

static FnSpec *spec_new(Sema *s, Decl *d, const Bound *b, const char *key)
{
    AstNode *f = d->node;
    uint32_t n = f->u.fn.args.n;
    FnSpec *sp = ARENA_NEW(s->arena, FnSpec);
    *sp = (FnSpec){.decl = d, .key = key, .ret = b->ret, .fixed = ARENA_ARR(s->arena, Value, n + 1), .types = ARENA_ARR(s->arena, Type *, n + 1)};
    sp->sret = b->ret->kind != TY_VOID && !type_is_scalar(b->ret);
    IrFn *ir = ir_fn_new(s->ir, fn_name(s, d), FN_PLAIN, sp->sret ? T_VOID : b->ret->ir, &sp->sym);
    ir->loc = f->loc;
    ir->inl = f->u.fn.flags & DECL_INLINE ? INLINE_ALWAYS : INLINE_AUTO;
    if (sp->sret) ir_fn_param(ir, T_PTR);
    for (uint32_t i = 0; i < n; i++) {
        sp->types[i] = b->t[i];
        sp->fixed[i] = b->fixed[i] ? value_copy(s->arena, b->v[i]) : V_NONE;
        if (!b->fixed[i] && b->t[i]->kind != TY_VOID) ir_fn_param(ir, type_is_scalar(b->t[i]) ? b->t[i]->ir : T_PTR);
    }
    arrput(d->specs, sp);
    arrput(s->queue, sp);
    return sp;
}

static FnSpec *spec_get(Sema *s, Decl *d, const Bound *b, Loc loc)
{
    enum { MAX_SPECS = 2000 };      /* so many fill the memory of a PE: it is a recursion over known arguments that does not end */
    const char *key = spec_key(s, d->node, b);
    for (ptrdiff_t i = 0; i < arrlen(d->specs); i++)
        if (!strcmp(d->specs[i]->key, key)) return d->specs[i];
    if (arrlen(d->specs) == MAX_SPECS) return SEMA_ERR(s, recursion, loc, d_str(d->name), d_int(MAX_SPECS)), NULL;
    return spec_new(s, d, b, key);
}

FnSpec *fn_spec_plain(Sema *s, Decl *d, Loc loc)
{
    AstNode *f = d->node;
    Bound b;
    if (f->u.fn.args.n > MAX_ARGS) return SEMA_ERR(s, too_many_args, f->loc, d_int(MAX_ARGS)), NULL;
    Scope *sc = scope_push(s, NULL);
    sc->mod = d->mod;
    bool ok = true;
    for AST_EACH(i, f->u.fn.args) {
        AstNode *p = f->u.fn.args.v[i];
        b.t[i] = eval_type(s, sc, p->u.arg.type);
        b.fixed[i] = false;
        b.v[i] = V_NONE;
        if (!b.t[i]) ok = false;
        else if (p->u.arg.is_comptime || b.t[i]->comptime_only) {
            SEMA_ERR(s, generic_here, loc, d_str(d->name), d_str(p->u.arg.name));
            SEMA_NOTE(s, note_declared, p->loc, d_str(p->u.arg.name));
            ok = false;
        }
    }
    b.ret = f->u.fn.ret ? eval_type(s, sc, f->u.fn.ret) : ty_void;
    scope_pop(s, sc);
    if (!ok || !b.ret) return NULL;
    if (b.ret->comptime_only) return SEMA_ERR(s, not_runtime, f->loc, d_type(b.ret)), NULL;
    return spec_get(s, d, &b, loc);
}

/* ---- in WIR */
static Value call_runtime(Sema *s, Decl *d, Bound *b, AstNode **nodes, Loc loc)
{
    AstNode *f = d->node;
    if (!f->u.fn.body) return SEMA_ERR(s, not_built, loc, d_str(f->u.fn.flags & DECL_HOST ? "calling a host function" : "calling an extern function"));
    FnSpec *sp = spec_get(s, d, b, loc);
    if (!sp) return V_NONE;
    IrRef args[MAX_ARGS + 1];
    int k = 0;
    Value r = v_void();
    if (sp->sret) {
        Addr a = addr_temp(s, b->ret, loc);
        r = (Value){.kind = V_MEM, .type = b->ret, .is_const = true, .u.addr = a};
        args[k++] = addr_ir(s, a, loc);
    }
    for AST_EACH(i, f->u.fn.args) {
        if (b->fixed[i] || b->t[i]->kind == TY_VOID) continue;
        Loc at = nodes ? nodes[i]->loc : loc;
        if (type_is_scalar(b->t[i])) args[k] = value_ir(s, b->v[i], b->t[i], at);
        else {
            Value v = b->v[i];
            if (v.kind == V_MEM && !v.is_const) { /* the callee may change the original */
                Addr a = addr_temp(s, v.type, at);
                addr_store(s, a, v.type, v, at);
                args[k] = addr_ir(s, a, at);
            } else args[k] = addr_ir(s, value_addr(s, v, b->t[i], at), at);
        }
        if (!args[k++].i) return V_NONE;
    }
    IrRef c = ir_call(s->fn->ir, s->fn->cur, sp->sym, sp->sret ? T_VOID : b->ret->ir, k, args, loc);
    if (sp->sret || b->ret->kind == TY_VOID) return r;
    return v_ir(b->ret, c);
}

static Value call_bound(Sema *s, Value fn, Scope *caller, AstNode **nodes, const Value *vals, uint32_t n, Loc loc, Bound *b)
{
    if (fn.kind == V_ERR) return fn;
    if (fn.kind != V_FN) return SEMA_ERR(s, not_callable, loc, d_type(fn.type));
    Decl *d = fn.u.decl;
    if (d->node->kind == AST_TASK) {
        SEMA_ERR(s, call_task, loc, d_str(d->name));
        SEMA_NOTE(s, note_declared, d->node->loc, d_str(d->name));
        return V_NONE;
    }
    if (!bind_args(s, d, caller, nodes, vals, n, loc, b)) return V_NONE;
    bool known = !at_runtime(s);
    if (!known && b->ret->comptime_only) {
        known = true;
        for (uint32_t i = 0; i < n; i++)
            if (is_runtime(&b->v[i])) {
                scope_pop(s, b->sc);
                return SEMA_ERR(s, call_comptime, loc, d_str(d->name), d_type(b->ret));
            }
        for (uint32_t i = 0; i < n; i++) /* they were declared as run-time parameters */
            for (uint32_t k = 0; k < b->sc->n; k++)
                if (b->sc->e[k]->name == d->node->u.fn.args.v[i]->u.arg.name) b->sc->e[k]->v = b->v[i];
    }
    Value r = known ? call_known(s, d, b, loc) : call_runtime(s, d, b, nodes, loc);
    scope_pop(s, b->sc);
    return r;
}

static Value call(Sema *s, Value fn, Scope *caller, AstNode **nodes, const Value *vals, uint32_t n, Loc loc)
{
    Bound *b = bound_take(s);
    Value r = call_bound(s, fn, caller, nodes, vals, n, loc, b);
    bound_leave(s, b);
    return r;
}

Value call_fn(Sema *s, Value fn, uint32_t n, const Value *args, Loc loc) { return call(s, fn, NULL, NULL, args, n, loc); }

Value eval_call(Sema *s, Scope *sc, AstNode *n, Type *want)
{
    AstNode *c = n->u.call.fn;
    Value v;
    if (c->kind == AST_NAME && sc->mod->file->mode == FE_MODE_W && !scope_lookup(sc, c->u.name.name) && !module_find(sc->mod, c->u.name.name)) {
        if (c->parens && sema_stream_expr(s, sc, n, want, &v)) return v;
        if (sema_stream_call(s, sc, n, want, &v)) return v;
    }
    Value fn = eval_expr(s, sc, c, NULL);
    return call(s, fn, sc, n->u.call.args.v, NULL, n->u.call.args.n, n->loc);
}

/* ---- bodies */
static void finish_blocks(IrFn *f, Loc loc)
{
    for (uint32_t b = 1; b < (uint32_t)arrlen(f->blks); b++)
        if (!ir_terminated(f, (IrBlk){b})) ir_append(f, (IrBlk){b}, IR_UNREACH, T_VOID, 0, NULL, loc);
}

/* a wavelet's words as the task's parameters: one of 32 or 16 bits, or two of 16 */
static void data_params(Sema *s, Scope *sc, FnSpec *sp, IrFn *f)
{
    AstList args = sp->decl->node->u.fn.args;
    if (!args.n) return;
    Loc loc = sp->decl->node->loc;
    IrRef w = ir_append(f, s->fn->cur, IR_PARAM, T_I32, 0, NULL, loc);
    for AST_EACH(i, args) {
        Type *t = sp->types[i];
        IrRef x = w;
        if (i) x = ir_bin(f, s->fn->cur, IR_LSHR, w, ir_const(f, s->fn->cur, T_I32, 16, loc), loc);
        int bits = ir_type_bits(t->ir);
        IrType it = bits == 32 ? T_I32 : bits == 16 ? T_I16 : bits == 8 ? T_I8 : T_I1;
        if (it != T_I32) x = ir_un(f, s->fn->cur, IR_TRUNC, it, x, loc);
        if (it != t->ir) x = ir_un(f, s->fn->cur, IR_BITCAST, t->ir, x, loc);
        define_param(s, sc, args.v[i], v_ir(t, x));
    }
}

void fn_compile(Sema *s, FnSpec *sp)
{
    Decl *d = sp->decl;
    AstNode *f = d->node;
    if (!f->u.fn.body) {
        SEMA_ERR(s, not_built, f->loc, d_str("an extern function"));
        return;
    }
    IrFn *ir = ir_fn(s->ir, sp->sym);
    FnState st = {.ir = ir, .cur = {1}, .spec = sp, .name = d->name, .ret = sp->ret};
    assert(!s->fn);
    s->fn = &st;
    Scope *sc = scope_push(s, NULL);
    sc->mod = d->mod;
    int64_t k = 0;
    if (sp->sret) st.sret = ir_append(ir, st.cur, IR_PARAM, T_PTR, 0, NULL, f->loc), k = 1;
    if (ir->kind == FN_TASK_DATA || ir->kind == FN_TASK_CONTROL) data_params(s, sc, sp, ir);
    else for AST_EACH(i, f->u.fn.args) {
        AstNode *p = f->u.fn.args.v[i];
        if (sp->fixed[i].kind != V_ERR) {
            define_param(s, sc, p, sp->fixed[i]);
            continue;
        }
        Type *t = sp->types[i];
        if (t->kind == TY_VOID) {
            define_param(s, sc, p, v_void());
            continue;
        }
        IrRef r = ir_append(ir, st.cur, IR_PARAM, type_is_scalar(t) ? t->ir : T_PTR, 0, NULL, p->loc);
        ir_ins(ir, r)->imm = k++;
        ir_ins(ir, r)->name = p->u.arg.name;
        define_param(s, sc, p, type_is_scalar(t) ? v_ir(t, r) : (Value){.kind = V_MEM, .type = t, .is_const = true, .u.addr = {.base = r}});
    }
    Flow fl = exec_block(s, sc, f->u.fn.body);
    if (fl == FLOW_NEXT) {
        if (sp->ret->kind == TY_VOID) ir_ret(ir, st.cur, IR_NONE, f->loc);
        else if (!s->errors) SEMA_ERR(s, no_return, f->loc, d_str(d->name), d_type(sp->ret));
    }
    scope_pop(s, sc);
    finish_blocks(ir, f->loc);
    s->fn = NULL;
}
