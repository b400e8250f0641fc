/* frontend/sema_stmt.c: statements, and the expressions that are control flow (if, switch, labelled blocks).
 * In a function with WIR, an open loop or block is a Label with WIR blocks; a jump ends the current block and returns
 * FLOW_END, after which nothing is looked at until the next join.  At compile time a jump returns FLOW_BREAK and so on, up to
 * the label it names.  Values that meet at a join wait, each with the still open block it was computed in, until their common
 * type is known. */
#include "frontend/sema_stream.h"
#include <assert.h>
#include <string.h>

static bool at_runtime(Sema *s) { return s->fn && s->fn->ir; }

/* a jump that an expression of this statement made */
static Flow took(Sema *s)
{
    if (!s->fn) return FLOW_NEXT;
    Flow f = s->fn->flow;
    s->fn->flow = FLOW_NEXT;
    return f;
}

/* ---- labels */
Label *label_push(Sema *s, const char *name, bool is_loop, bool known)
{
    Label *l = ARENA_NEW(s->arena, Label);
    l->up = s->fn->labels;
    l->name = name;
    l->is_loop = is_loop;
    l->known = known;
    s->fn->labels = l;
    return l;
}

void label_pop(Sema *s, Label *l)
{
    assert(s->fn->labels == l);
    arrfree(l->vals);
    s->fn->labels = l->up;
}

static Label *label_find(Sema *s, const char *name, bool loop)
{
    for (Label *l = s->fn ? s->fn->labels : NULL; l; l = l->up)
        if (name ? l->name == name : l->is_loop)
            if (!loop || l->is_loop) return l;
    return NULL;
}

/* ---- joins: values from several blocks */
typedef struct { Value v; IrBlk from; Loc loc; } Arm;

/* The one type of number that arms have, but for literals that fit it: then what is wanted changes nothing (it may be wanted of a
 * whole expression that this is a part of).  NULL: they have several, or none. */
static Type *own_number(Sema *s, const Arm *a, uint32_t n)
{
    Type *t = NULL;
    for (uint32_t i = 0; i < n; i++) {
        Type *x = a[i].v.type;
        if (x->kind == TY_COMPTIME_INT || x->kind == TY_COMPTIME_FLOAT) continue;
        if ((x->kind != TY_INT && x->kind != TY_FLOAT) || (t && x != t)) return NULL;
        t = x;
    }
    for (uint32_t i = 0; i < n && t; i++)
        if (!can_coerce(s, &a[i].v, t)) return NULL;
    return t;
}

static Type *arms_type(Sema *s, const Arm *a, uint32_t n, Type *want, Loc loc)
{
    Type *own = own_number(s, a, n);
    if (own) return own;
    bool all = want && want->kind != TY_ANYTYPE;
    for (uint32_t i = 0; i < n && all; i++) all = can_coerce(s, &a[i].v, want);
    if (all && want->kind != TY_COMPTIME_STRUCT && !want->comptime_only) return want;
    Value x = a[0].v;
    for (uint32_t i = 1; i < n; i++) {
        Type *t = peer_type(s, &x, &a[i].v, a[i].loc);
        if (!t) return NULL;
        if (t != x.type) x = a[i].v;
        x.type = t;
    }
    return x.type;
}

static Value join(Sema *s, const Arm *arms, uint32_t n, Type *want, IrBlk to, Loc loc)
{
    IrFn *f = s->fn->ir;
    if (!n) { /* no way gets here */
        s->fn->flow = FLOW_END;
        s->fn->cur = to;
        return (Value){.kind = V_UNDEF, .type = ty_undefined};
    }
    bool same = true, bad = false;
    for (uint32_t i = 0; i < n; i++) {
        bad |= arms[i].v.kind == V_ERR;
        same &= i == 0 || (is_known(&arms[i].v) && is_known(&arms[0].v) && value_equal(&arms[i].v, &arms[0].v));
    }
    Type *t = bad ? NULL : same ? arms[0].v.type : arms_type(s, arms, n, want, loc);
    if (t && !same && t->comptime_only) {
        if (t->kind == TY_COMPTIME_INT || t->kind == TY_COMPTIME_FLOAT) SEMA_ERR(s, untyped_branch, loc, d_type(t));
        else SEMA_ERR(s, branch_comptime, loc, d_type(t));
        t = NULL;
    }
    if (!t || same || t->kind == TY_VOID) {
        for (uint32_t i = 0; i < n; i++) ir_br(f, arms[i].from, to, loc);
        s->fn->cur = to;
        return t ? arms[0].v : V_NONE;
    }
    if (!type_is_scalar(t)) {
        Addr a = addr_temp(s, t, loc);
        for (uint32_t i = 0; i < n; i++) {
            s->fn->cur = arms[i].from;
            addr_store(s, a, t, arms[i].v, arms[i].loc);
            ir_br(f, s->fn->cur, to, loc);
        }
        s->fn->cur = to;
        return (Value){.kind = V_MEM, .type = t, .is_const = true, .u.addr = a};
    }
    IrRef *r = ARENA_ARR(s->arena, IrRef, n);
    IrBlk *b = ARENA_ARR(s->arena, IrBlk, n);
    for (uint32_t i = 0; i < n; i++) {
        s->fn->cur = arms[i].from;
        r[i] = value_ir(s, arms[i].v, t, arms[i].loc);
        bad |= !r[i].i;
        b[i] = s->fn->cur;
        ir_br(f, b[i], to, loc);
    }
    s->fn->cur = to;
    if (bad) return V_NONE;
    IrRef phi = ir_phi(f, to, t->ir, loc);
    for (uint32_t i = 0; i < n; i++) ir_phi_add(f, phi, b[i], r[i]);
    return v_ir(t, phi);
}

/* evaluate an arm in the current block; false: it jumped away */
static bool arm_eval(Sema *s, Scope *sc, AstNode *n, Type *want, Arm *a)
{
    a->v = eval_expr(s, sc, n, want);
    a->loc = n->loc;
    a->from = s->fn->cur;
    return took(s) == FLOW_NEXT;
}

/* ---- if */
static bool cond_value(Sema *s, Scope *sc, AstNode *n, Value *c)
{
    *c = eval_expr(s, sc, n, NULL);
    if (c->kind == V_ERR) return false;
    if (c->type != ty_bool) return SEMA_ERR(s, cond_type, n->loc, d_type(c->type)), false;
    if (c->kind == V_SYM) *c = decide(s, *c, n->loc);
    if (c->kind == V_UNDEF) return SEMA_ERR(s, not_comptime, n->loc, d_str("the condition")), false;
    if (c->kind != V_INT && !at_runtime(s)) return SEMA_ERR(s, not_comptime, n->loc, d_str("the condition")), false;
    return true;
}

Value eval_if(Sema *s, Scope *sc, AstNode *n, Type *want)
{
    Value c;
    if (!cond_value(s, sc, n->u.iff.cond, &c)) return V_NONE;
    if (c.kind == V_INT) {
        if (c.u.i) return eval_expr(s, sc, n->u.iff.then, want);
        return n->u.iff.els ? eval_expr(s, sc, n->u.iff.els, want) : v_void();
    }
    IrFn *f = s->fn->ir;
    IrBlk t = ir_block_new(f, "then"), e = ir_block_new(f, "else"), j = ir_block_new(f, "endif");
    ir_condbr(f, s->fn->cur, c.u.ref, t, e, n->loc);
    Arm arms[2];
    uint32_t k = 0;
    int64_t rounds = sema_stream_perhaps(s);
    s->fn->cur = t;
    k += arm_eval(s, sc, n->u.iff.then, want, &arms[k]);
    s->fn->cur = e;
    if (n->u.iff.els) k += arm_eval(s, sc, n->u.iff.els, want, &arms[k]);
    else arms[k++] = (Arm){v_void(), e, n->loc};
    sema_stream_certain(s, rounds);
    return join(s, arms, k, want, j, n->loc);
}

static Flow exec_scoped(Sema *s, Scope *sc, AstNode *n)
{
    Scope *in = scope_push(s, sc);
    Flow f = exec_stmt(s, in, n);
    scope_pop(s, in);
    return f;
}

static Flow exec_if(Sema *s, Scope *sc, AstNode *n)
{
    Value c;
    bool ok = cond_value(s, sc, n->u.iff.cond, &c);
    Flow j = took(s);
    if (!ok || j) return j;
    if (c.kind == V_INT) {
        AstNode *b = c.u.i ? n->u.iff.then : n->u.iff.els;
        return b ? exec_scoped(s, sc, b) : FLOW_NEXT;
    }
    IrFn *f = s->fn->ir;
    IrBlk t = ir_block_new(f, "then"), e = n->u.iff.els ? ir_block_new(f, "else") : IR_NOBLK, d = ir_block_new(f, "endif");
    ir_condbr(f, s->fn->cur, c.u.ref, t, e.i ? e : d, n->loc);
    int64_t rounds = sema_stream_perhaps(s);
    s->fn->cur = t;
    Flow x = exec_scoped(s, sc, n->u.iff.then), y = FLOW_NEXT;
    if (x == FLOW_NEXT) ir_br(f, s->fn->cur, d, n->loc);
    if (e.i) {
        s->fn->cur = e;
        y = exec_scoped(s, sc, n->u.iff.els);
        if (y == FLOW_NEXT) ir_br(f, s->fn->cur, d, n->loc);
    }
    sema_stream_certain(s, rounds);
    s->fn->cur = d;
    return x == FLOW_END && y == FLOW_END ? FLOW_END : FLOW_NEXT;
}

/* ---- loops */
static Flow exec_body(Sema *s, Scope *sc, AstNode *n) /* scope of the body's names is sc */
{
    return n->kind == AST_BLOCK && !n->u.block.label ? exec_block(s, sc, n) : exec_scoped(s, sc, n);
}

/* one round at compile time: true: go on */
static bool known_round(Sema *s, Scope *sc, AstNode *n, Label *l, Flow *out)
{
    int before = s->errors;
    Flow f = exec_body(s, sc, n->u.loop.body);
    if (s->errors > before) return *out = f == FLOW_BREAK || f == FLOW_CONTINUE ? FLOW_NEXT : f, false; /* the next rounds would say the same */
    if ((f == FLOW_BREAK || f == FLOW_CONTINUE) && s->fn->target == l) {
        *out = FLOW_NEXT;
        return f == FLOW_CONTINUE;
    }
    *out = f;
    return f == FLOW_NEXT;
}

static Flow known_while(Sema *s, Scope *sc, AstNode *n)
{
    Label *l = label_push(s, n->u.loop.label, true, true);
    Flow f = FLOW_NEXT;
    bool c;
    while (eval_known_bool(s, sc, n->u.loop.cond, &c) && c) {
        if (!sema_fuel(s, n->u.loop.cond->loc) || !known_round(s, sc, n, l, &f)) break;
        if (n->u.loop.step && (f = exec_stmt(s, sc, n->u.loop.step)) != FLOW_NEXT) break;
    }
    label_pop(s, l);
    return f;
}

/* iterators and sockets of a loop get their DSRs before it */
typedef struct { bool on; int64_t rounds; } Nest;
static Nest nest_open(Sema *s, Scope *sc, AstNode *n, int64_t times)
{
    if (sc->mod->file->mode != FE_MODE_W) return (Nest){0};
    return (Nest){true, sema_stream_nest_enter(s, n, times)};
}
static void nest_close(Sema *s, Nest n)
{
    if (n.on) sema_stream_nest_leave(s, n.rounds);
}

static Flow run_while(Sema *s, Scope *sc, AstNode *n)
{
    IrFn *f = s->fn->ir;
    Label *l = label_push(s, n->u.loop.label, true, false);
    IrBlk head = ir_block_new(f, "while"), body = ir_block_new(f, "body");
    l->cont = ir_block_new(f, "step");
    l->brk = ir_block_new(f, "done");
    ir_br(f, s->fn->cur, head, n->loc);
    s->fn->cur = head;
    Value c;
    if (!cond_value(s, sc, n->u.loop.cond, &c)) c = v_bool(false);
    bool leaves = true;
    if (c.kind == V_INT) {
        ir_br(f, s->fn->cur, c.u.i ? body : l->brk, n->loc);
        leaves = !c.u.i;
    } else ir_condbr(f, s->fn->cur, c.u.ref, body, l->brk, n->u.loop.cond->loc);
    if (c.kind != V_INT || c.u.i) {
        s->fn->cur = body;
        Flow x = exec_body(s, sc, n->u.loop.body);
        if (x == FLOW_NEXT) ir_br(f, s->fn->cur, l->cont, n->loc);
        if (x == FLOW_NEXT || l->cont_used) {
            s->fn->cur = l->cont;
            if (n->u.loop.step) exec_stmt(s, sc, n->u.loop.step);
            ir_br(f, s->fn->cur, head, n->loc);
        }
    }
    leaves |= l->brk_used;
    s->fn->cur = l->brk;
    label_pop(s, l);
    return leaves ? FLOW_NEXT : FLOW_END;
}

/* what a for loop runs over */
typedef struct { Value range, agg; Place place; Type *elem; uint32_t n; bool is_range, is_tuple; } Over;

static bool over_what(Sema *s, Scope *sc, AstNode *e, Over *o)
{
    memset(o, 0, sizeof *o);
    Place p = eval_place(s, sc, e);
    if (p.kind == P_ERR) return false;
    Type *t = p.kind == P_CELL ? p.slot->type : p.type;
    if (t->kind == TY_POINTER && !t->many && t->elem->kind == TY_ARRAY) {
        p = ptr_deref(s, place_load(s, &p, e->loc), e->loc);
        if (p.kind == P_ERR) return false;
        t = p.kind == P_CELL ? p.slot->type : p.type;
    }
    if (t->kind == TY_RANGE && p.kind == P_VALUE) {
        o->is_range = true;
        o->range = p.v;
        o->elem = p.v.u.range->type;
        return true;
    }
    if (t->kind == TY_ARRAY && t->rank == 1) {
        o->n = (uint32_t)t->count;
        o->elem = t->elem;
    } else if (t->kind == TY_STRUCT && t->tuple) {
        o->n = t->nfields;
        o->is_tuple = true;
    } else return SEMA_ERR(s, for_over, e->loc, d_type(t)), false;
    o->place = p;
    return true;
}

static bool range_known(Sema *s, Over *o, Int *start, Int *end, Int *step, Loc loc)
{
    RangeVal *r = o->range.u.range;
    Value v[3] = {r->start, r->end, r->step};
    Int *out[3] = {start, end, step};
    for (int i = 0; i < 3; i++) {
        if (v[i].kind == V_SYM) v[i] = decide(s, v[i], loc);
        if (v[i].kind != V_INT) return SEMA_ERR(s, not_comptime, loc, d_str("the range")), false;
        *out[i] = v[i].u.i;
    }
    return true;
}

static void define_loop_var(Sema *s, Scope *sc, AstNode *n, const char *name, Value v)
{
    if (!name || !strcmp(name, "_")) return;
    Entry *e = scope_define(s, sc, name, n->u.loop.cond->loc);
    if (e) e->v = v;
}

static Value over_elem(Sema *s, Over *o, uint32_t i, Loc loc)
{
    Value at = v_int(ty_u16, i);
    Place p = place_index(s, &o->place, 1, &at, loc);
    return place_load(s, &p, loc);
}

/* every round written out: at compile time, `inline`, and over tuples */
static Flow unrolled_for(Sema *s, Scope *sc, AstNode *n, Over *o)
{
    bool rt = at_runtime(s);
    Int start = 0, end = o->n, step = 1;
    if (o->is_range && !range_known(s, o, &start, &end, &step, n->u.loop.cond->loc)) return FLOW_NEXT;
    Label *l = label_push(s, n->u.loop.label, true, !rt);
    if (rt) l->brk = ir_block_new(s->fn->ir, "done");
    Flow f = FLOW_NEXT;
    bool open = true;
    for (Int i = start; (step > 0 ? i < end : i > end) && !diags_full(s->d); i += step) {
        if (!sema_fuel(s, n->u.loop.cond->loc)) break;
        if (rt) {
            l->cont = ir_block_new(s->fn->ir, "next");
            l->cont_used = false;
        }
        Scope *in = scope_push(s, sc);
        define_loop_var(s, in, n, n->u.loop.elem, o->is_range ? v_int(o->elem, i) : over_elem(s, o, (uint32_t)i, n->u.loop.cond->loc));
        define_loop_var(s, in, n, n->u.loop.pos, v_int(ty_u16, (i - start) / step));
        bool more = true;
        if (!rt) more = known_round(s, in, n, l, &f);
        else {
            Flow x = exec_body(s, in, n->u.loop.body);
            if (x == FLOW_NEXT) ir_br(s->fn->ir, s->fn->cur, l->cont, n->loc);
            more = x == FLOW_NEXT || l->cont_used;
            if (more) s->fn->cur = l->cont;
            else ir_append(s->fn->ir, l->cont, IR_UNREACH, T_VOID, 0, NULL, n->loc);
        }
        scope_pop(s, in);
        if (!more) {
            open = false;
            break;
        }
    }
    if (rt) {
        if (open) ir_br(s->fn->ir, s->fn->cur, l->brk, n->loc);
        f = open || l->brk_used ? FLOW_NEXT : FLOW_END;
        s->fn->cur = l->brk;
    }
    label_pop(s, l);
    return f;
}

/* Rounds of a range whose three parts are known; else -1. */
static int64_t over_rounds(const Over *o)
{
    if (!o->is_range) return o->n;
    const RangeVal *r = o->range.u.range;
    if (r->start.kind != V_INT || r->end.kind != V_INT || r->step.kind != V_INT) return -1;
    Int span = r->step.u.i > 0 ? r->end.u.i - r->start.u.i : r->start.u.i - r->end.u.i;
    Int step = r->step.u.i > 0 ? r->step.u.i : -r->step.u.i;
    return span <= 0 ? 0 : (int64_t)((span + step - 1) / step);
}

/* The run-time form of a range of type t.  The counter never passes the end: before each further round the way that is left,
 * as an unsigned number, is compared with the step.  So nothing wraps, and the rounds are those of the same range when it
 * is known. */
typedef struct { Type *t; IrRef first, end, step, down, mag; int dir; } Walk; /* dir: 1 up, -1 down, 0 known at run time: down */

static bool walk_begin(Sema *s, const Over *o, Walk *w, Loc loc)
{
    const RangeVal *r = o->is_range ? o->range.u.range : NULL;
    Type *t = w->t = r ? o->elem : ty_u16;
    Value step = r ? r->step : v_int(t, 1);
    w->first = value_ir(s, r ? r->start : v_int(t, 0), t, loc);
    w->end = value_ir(s, r ? r->end : v_int(t, o->n), t, loc);
    if (step.kind == V_SYM) step = decide(s, step, loc);
    bool known = step.kind == V_INT;
    w->dir = known ? (step.u.i < 0 ? -1 : 1) : t->is_signed ? 0 : 1;
    w->step = known ? ir_const(s->fn->ir, s->fn->cur, t->ir, (int64_t)int_wrap(step.u.i, t), loc) : value_ir(s, step, t, loc);
    if (!w->first.i || !w->end.i || !w->step.i) return false;
    IrFn *f = s->fn->ir;
    IrRef zero = ir_const(f, s->fn->cur, t->ir, 0, loc);
    if (known) {
        w->mag = step.u.i < 0 ? ir_const(f, s->fn->cur, t->ir, (int64_t)int_wrap(-step.u.i, t), loc) : w->step;
        return true;
    }
    IrBlk bad = ir_block_new(f, "nostep"), ok = ir_block_new(f, "step");
    ir_condbr(f, s->fn->cur, ir_icmp(f, s->fn->cur, CMP_NE, w->step, zero, loc), ok, bad, loc);
    ir_append(f, bad, IR_TRAP, T_VOID, 0, NULL, loc);
    ir_append(f, bad, IR_UNREACH, T_VOID, 0, NULL, loc);
    s->fn->cur = ok;
    w->mag = w->step;
    if (w->dir) return true;
    w->down = ir_icmp(f, ok, CMP_SLT, w->step, zero, loc);
    w->mag = ir_select(f, ok, w->down, ir_bin(f, ok, IR_SUB, zero, w->step, loc), w->step, loc);
    return true;
}

/* Is there a round, with the counter at i? */
static IrRef walk_more(Sema *s, const Walk *w, IrRef i, Loc loc)
{
    IrFn *f = s->fn->ir;
    IrCmp lt = w->t->is_signed ? CMP_SLT : CMP_ULT;
    IrRef up = w->dir >= 0 ? ir_icmp(f, s->fn->cur, lt, i, w->end, loc) : IR_NONE;
    IrRef down = w->dir <= 0 ? ir_icmp(f, s->fn->cur, lt, w->end, i, loc) : IR_NONE;
    return w->dir > 0 ? up : w->dir < 0 ? down : ir_select(f, s->fn->cur, w->down, down, up, loc);
}

/* After a round at i: is there one more, a step further? */
static IrRef walk_next(Sema *s, const Walk *w, IrRef i, Loc loc)
{
    IrFn *f = s->fn->ir;
    IrRef up = w->dir >= 0 ? ir_bin(f, s->fn->cur, IR_SUB, w->end, i, loc) : IR_NONE;
    IrRef down = w->dir <= 0 ? ir_bin(f, s->fn->cur, IR_SUB, i, w->end, loc) : IR_NONE;
    IrRef left = w->dir > 0 ? up : w->dir < 0 ? down : ir_select(f, s->fn->cur, w->down, down, up, loc);
    return ir_icmp(f, s->fn->cur, CMP_ULT, w->mag, left, loc);
}

static void for_names(Sema *s, Scope *in, AstNode *n, Over *o, Value iv, Value pos, Loc loc)
{
    if (o->is_range) {
        define_loop_var(s, in, n, n->u.loop.elem, iv);
        define_loop_var(s, in, n, n->u.loop.pos, pos);
        return;
    }
    if (n->u.loop.elem && strcmp(n->u.loop.elem, "_")) {
        Place p = place_index(s, &o->place, 1, &iv, loc);
        define_loop_var(s, in, n, n->u.loop.elem, place_load(s, &p, loc));
    }
    define_loop_var(s, in, n, n->u.loop.pos, iv);
}

static void step_slot(Sema *s, IrRef slot, IrType t, IrRef by, Loc loc)
{
    IrFn *f = s->fn->ir;
    IrRef x = ir_load(f, s->fn->cur, t, slot, 0, loc);
    ir_store(f, s->fn->cur, slot, 0, ir_bin(f, s->fn->cur, IR_ADD, x, by, loc), loc);
}

/* The loop in WIR.  In steps of one, or over a known range, the test stands at the head alone, where it meets its end exactly;
 * else it stands at the entry and behind each round (Walk). */
static Flow run_for(Sema *s, Scope *sc, AstNode *n, Over *o)
{
    IrFn *f = s->fn->ir;
    Loc loc = n->u.loop.cond->loc;
    RangeVal *r = o->is_range ? o->range.u.range : NULL;
    int64_t rounds = over_rounds(o);
    if (rounds == 0) return FLOW_NEXT; /* the body is not looked at */
    bool one = !r || (r->step.kind == V_INT && (r->step.u.i == 1 || r->step.u.i == -1));
    Walk w;
    if (!walk_begin(s, o, &w, loc)) return FLOW_NEXT;
    Type *t = w.t;
    /* the end that the counter meets, which may lie past the range's, or wrap as long as it does not reach the start again */
    Int way = r && rounds > 0 ? rounds * r->step.u.i : 0;
    bool exact = way && !one && (way < 0 ? -way : way) < (Int)1 << t->bits;
    if (exact) w.end = ir_const(f, s->fn->cur, t->ir, (int64_t)int_wrap(r->start.u.i + way, t), loc);
    if (o->place.kind == P_CELL || o->place.kind == P_VALUE) { /* a constant table gets memory */
        Value v = place_load(s, &o->place, loc);
        o->place = (Place){.kind = P_MEM, .type = v.type, .addr = value_addr(s, v, v.type, loc), .is_const = true};
    }
    Label *l = label_push(s, n->u.loop.label, true, false);
    bool count = r && n->u.loop.pos && strcmp(n->u.loop.pos, "_");
    IrRef slot = ir_alloca(f, t->size, loc), pos = count ? ir_alloca(f, 2, loc) : IR_NONE;
    IrBlk head = ir_block_new(f, "for"), body = one || exact ? ir_block_new(f, "body") : head;
    l->cont = ir_block_new(f, "next");
    l->brk = ir_block_new(f, "done");
    ir_store(f, s->fn->cur, slot, 0, w.first, loc);
    if (count) ir_store(f, s->fn->cur, pos, 0, ir_const(f, s->fn->cur, T_I16, 0, loc), loc);
    if (one || exact) ir_br(f, s->fn->cur, head, loc);
    else ir_condbr(f, s->fn->cur, walk_more(s, &w, w.first, loc), head, l->brk, loc);
    s->fn->cur = head;
    IrRef i = ir_load(f, head, t->ir, slot, 0, loc);
    if (one || exact) ir_condbr(f, head, exact ? ir_icmp(f, head, CMP_NE, i, w.end, loc) : walk_more(s, &w, i, loc), body, l->brk, loc);
    s->fn->cur = body;
    Scope *in = scope_push(s, sc);
    for_names(s, in, n, o, v_ir(t, i), count ? v_ir(ty_u16, ir_load(f, body, T_I16, pos, 0, loc)) : V_NONE, loc);
    Flow x = exec_body(s, in, n->u.loop.body);
    scope_pop(s, in);
    if (x == FLOW_NEXT) ir_br(f, s->fn->cur, l->cont, loc);
    if (x == FLOW_NEXT || l->cont_used) {
        s->fn->cur = l->cont;
        if (!one && !exact) {
            IrBlk more = ir_block_new(f, "more");
            ir_condbr(f, l->cont, walk_next(s, &w, ir_load(f, l->cont, t->ir, slot, 0, loc), loc), more, l->brk, loc);
            s->fn->cur = more;
        }
        step_slot(s, slot, t->ir, w.step, loc);
        if (count) step_slot(s, pos, T_I16, ir_const(f, s->fn->cur, T_I16, 1, loc), loc);
        ir_br(f, s->fn->cur, head, loc);
    }
    s->fn->cur = l->brk;
    label_pop(s, l);
    return FLOW_NEXT;
}

static Flow exec_for(Sema *s, Scope *sc, AstNode *n)
{
    Over o;
    if (!over_what(s, sc, n->u.loop.cond, &o)) return took(s);
    if (!at_runtime(s) || n->u.loop.is_inline || o.is_tuple || (o.elem && o.elem->comptime_only)) return unrolled_for(s, sc, n, &o);
    Nest nest = nest_open(s, sc, n, over_rounds(&o));
    Flow f = run_for(s, sc, n, &o);
    nest_close(s, nest);
    return f;
}

/* ---- switch */
typedef struct { Int lo, hi; uint32_t arm; Loc loc; } CaseRange;

/* labels of all cases, checked; els: number of the else arm or -1 */
static CaseRange *switch_labels(Sema *s, Scope *sc, AstNode *n, Type *t, int *els, bool *ok)
{
    CaseRange *c = NULL;
    *els = -1;
    for AST_EACH(i, n->u.swtch.cases) {
        AstNode *cs = n->u.swtch.cases.v[i];
        if (!cs->u.cas.labels.n) *els = (int)i;
        for AST_EACH(j, cs->u.cas.labels) {
            AstNode *ln = cs->u.cas.labels.v[j];
            bool range = ln->kind == AST_RANGE;
            Value lo = eval_as(s, sc, range ? ln->u.bin.l : ln, t), hi = range ? eval_as(s, sc, ln->u.bin.r, t) : lo;
            if (lo.kind == V_SYM) lo = decide(s, lo, ln->loc);
            if (hi.kind == V_SYM) hi = decide(s, hi, ln->loc);
            if (lo.kind != V_INT || hi.kind != V_INT) {
                if (lo.kind != V_ERR && hi.kind != V_ERR) SEMA_ERR(s, not_comptime, ln->loc, d_str("a label of switch"));
                *ok = false;
                continue;
            }
            for (ptrdiff_t k = 0; k < arrlen(c); k++)
                if (lo.u.i <= c[k].hi && c[k].lo <= hi.u.i) {
                    SEMA_ERR(s, switch_twice, ln->loc, d_value(s, &lo));
                    SEMA_NOTE(s, note_first, c[k].loc, d_str("the label"));
                    *ok = false;
                }
            arrput(c, ((CaseRange){lo.u.i, hi.u.i, i, ln->loc}));
        }
    }
    return c;
}

static bool exhaustive(const Type *t, const CaseRange *c)
{
    Int have = 0;
    for (ptrdiff_t k = 0; k < arrlen(c); k++) have += c[k].hi - c[k].lo + 1;
    if (t->kind == TY_ENUM) return have >= t->nfields;
    if (t->kind == TY_BOOL) return have >= 2;
    return t->kind == TY_INT && t->bits < 64 && have >= (Int)1 << t->bits;
}

/* evaluates the switch up to the choice.  Known: *arm, or -1 for none.  Run time: c is kept for the caller to emit. */
static bool switch_head(Sema *s, Scope *sc, AstNode *n, Value *on, CaseRange **c, int *els, int *arm)
{
    *on = eval_expr(s, sc, n->u.swtch.on, NULL);
    if (on->kind == V_ERR) return false;
    if (on->kind == V_SYM) *on = decide(s, *on, n->u.swtch.on->loc);
    if (!type_is_discrete(on->type)) return SEMA_ERR(s, switch_type, n->u.swtch.on->loc, d_type(on->type)), false;
    if (on->kind != V_INT && !at_runtime(s)) return SEMA_ERR(s, not_comptime, n->u.swtch.on->loc, d_str("the value")), false;
    bool ok = true;
    *c = switch_labels(s, sc, n, on->type, els, &ok);
    if (ok && *els < 0 && !exhaustive(on->type, *c) && on->kind != V_INT) SEMA_ERR(s, switch_not_all, n->loc, d_type(on->type)), ok = false;
    *arm = *els;
    if (on->kind == V_INT)
        for (ptrdiff_t k = 0; k < arrlen(*c); k++)
            if (on->u.i >= (*c)[k].lo && on->u.i <= (*c)[k].hi) *arm = (int)(*c)[k].arm;
    if (ok && on->kind == V_INT && *arm < 0) SEMA_ERR(s, switch_not_all, n->loc, d_type(on->type)), ok = false;
    if (!ok) arrfree(*c);
    return ok;
}

enum { MAX_CASES = 1024 };
static bool switch_emit(Sema *s, AstNode *n, Value on, const CaseRange *c, const IrBlk *blk, int els)
{
    IrFn *f = s->fn->ir;
    IrRef v = value_ir(s, on, on.type, n->loc);
    if (!v.i) return false;
    if (on.type->ir == T_I1) v = ir_un(f, s->fn->cur, IR_ZEXT, T_I16, v, n->loc);
    IrBlk dflt = els >= 0 ? blk[els] : ir_block_new(f, "nocase");
    if (els < 0) ir_append(f, dflt, IR_UNREACH, T_VOID, 0, NULL, n->loc);
    IrRef sw = ir_switch(f, s->fn->cur, v, dflt, n->loc);
    Int total = 0;
    for (ptrdiff_t k = 0; k < arrlen(c); k++) {
        total += c[k].hi - c[k].lo + 1;
        if (total > MAX_CASES) return SEMA_ERR(s, not_built, c[k].loc, d_str("a switch with more than 1024 values")), false;
        for (Int x = c[k].lo; x <= c[k].hi; x++) ir_switch_add(f, sw, (int64_t)x, blk[c[k].arm]);
    }
    return true;
}

static Flow exec_switch(Sema *s, Scope *sc, AstNode *n)
{
    Value on;
    CaseRange *c = NULL;
    int els, arm;
    if (!switch_head(s, sc, n, &on, &c, &els, &arm)) return took(s);
    uint32_t k = n->u.swtch.cases.n;
    Flow all = k ? FLOW_END : FLOW_NEXT;
    if (on.kind == V_INT) all = exec_scoped(s, sc, n->u.swtch.cases.v[arm]->u.cas.body);
    else {
        IrFn *f = s->fn->ir;
        IrBlk *blk = ARENA_ARR(s->arena, IrBlk, k + 1), done = ir_block_new(f, "endswitch");
        for (uint32_t i = 0; i < k; i++) blk[i] = ir_block_new(f, "case");
        if (!switch_emit(s, n, on, c, blk, els)) all = FLOW_NEXT;
        int64_t rounds = sema_stream_perhaps(s);
        for (uint32_t i = 0; i < k; i++) {
            s->fn->cur = blk[i];
            if (exec_scoped(s, sc, n->u.swtch.cases.v[i]->u.cas.body) == FLOW_NEXT) {
                ir_br(f, s->fn->cur, done, n->loc);
                all = FLOW_NEXT;
            }
        }
        sema_stream_certain(s, rounds);
        s->fn->cur = done;
    }
    arrfree(c);
    return all;
}

Value eval_switch(Sema *s, Scope *sc, AstNode *n, Type *want)
{
    Value on;
    CaseRange *c = NULL;
    int els, arm;
    if (!switch_head(s, sc, n, &on, &c, &els, &arm)) return V_NONE;
    Value v = V_NONE;
    if (on.kind == V_INT) v = eval_expr(s, sc, n->u.swtch.cases.v[arm]->u.cas.body, want);
    else {
        IrFn *f = s->fn->ir;
        uint32_t k = n->u.swtch.cases.n, m = 0;
        IrBlk *blk = ARENA_ARR(s->arena, IrBlk, k + 1), done = ir_block_new(f, "endswitch");
        Arm *arms = ARENA_ARR(s->arena, Arm, k + 1);
        for (uint32_t i = 0; i < k; i++) blk[i] = ir_block_new(f, "case");
        if (switch_emit(s, n, on, c, blk, els)) {
            int64_t rounds = sema_stream_perhaps(s);
            for (uint32_t i = 0; i < k; i++) {
                s->fn->cur = blk[i];
                m += arm_eval(s, sc, n->u.swtch.cases.v[i]->u.cas.body, want, &arms[m]);
            }
            sema_stream_certain(s, rounds);
            v = join(s, arms, m, want, done, n->loc);
        }
    }
    arrfree(c);
    return v;
}

/* ---- blocks */
static Flow exec_list(Sema *s, Scope *sc, AstList l)
{
    for AST_EACH(i, l) {
        if (diags_full(s->d)) return FLOW_NEXT;
        Flow f = exec_stmt(s, sc, l.v[i]);
        if (f != FLOW_NEXT) return f;
    }
    return FLOW_NEXT;
}

Flow exec_block(Sema *s, Scope *sc, AstNode *n)
{
    Scope *in = scope_push(s, sc);
    Flow f = exec_list(s, in, n->u.block.stmts);
    scope_pop(s, in);
    return f;
}

/* label: { ... }, as a value or a statement */
Value eval_block(Sema *s, Scope *sc, AstNode *n, Type *want)
{
    FnState file = {.name = "block"}; /* of a global initialiser */
    bool outer = !s->fn;
    if (outer) s->fn = &file;
    bool rt = at_runtime(s);
    Label *l = label_push(s, n->u.block.label, false, !rt);
    l->want = want;
    Value v = v_void();
    Flow f = exec_block(s, sc, n);
    if (!rt) {
        if (f == FLOW_BREAK && s->fn->target == l) v = l->val;
        else s->fn->flow = f;
    } else {
        IrBlk done = ir_block_new(s->fn->ir, "endblock");
        ptrdiff_t k = arrlen(l->vals);
        Arm *arms = ARENA_ARR(s->arena, Arm, k + 1);
        for (ptrdiff_t i = 0; i < k; i++) arms[i] = (Arm){l->vals[i].v, l->vals[i].from, n->loc};
        if (f == FLOW_NEXT) arms[k++] = (Arm){v_void(), s->fn->cur, n->loc};
        v = join(s, arms, (uint32_t)k, want, done, n->loc);
    }
    label_pop(s, l);
    if (outer) s->fn = NULL;
    return v;
}

static Flow exec_break(Sema *s, Scope *sc, AstNode *n)
{
    Label *l = label_find(s, n->u.jump.label, false);
    if (!l) {
        if (n->u.jump.label) SEMA_ERR(s, no_label, n->loc, d_str(n->u.jump.label));
        else SEMA_ERR(s, no_loop, n->loc, d_str("break"));
        return FLOW_NEXT;
    }
    Value v = n->u.jump.e ? eval_expr(s, sc, n->u.jump.e, l->want) : v_void();
    Flow j = took(s);
    if (j) return j;
    if (n->u.jump.e && l->is_loop) SEMA_ERR(s, break_value, n->loc);
    if (l->known) {
        l->val = v;
        s->fn->target = l;
        return FLOW_BREAK;
    }
    if (l->is_loop) {
        l->brk_used = true;
        ir_br(s->fn->ir, s->fn->cur, l->brk, n->loc);
    } else {
        arrput(l->vals, ((struct LabelVal){v, s->fn->cur}));
    }
    return FLOW_END;
}

static Flow exec_continue(Sema *s, AstNode *n)
{
    Label *l = label_find(s, n->u.jump.label, true);
    if (!l) {
        if (n->u.jump.label) SEMA_ERR(s, no_label, n->loc, d_str(n->u.jump.label));
        else SEMA_ERR(s, no_loop, n->loc, d_str("continue"));
        return FLOW_NEXT;
    }
    if (l->known) {
        s->fn->target = l;
        return FLOW_CONTINUE;
    }
    l->cont_used = true;
    ir_br(s->fn->ir, s->fn->cur, l->cont, n->loc);
    return FLOW_END;
}

static Flow exec_return(Sema *s, Scope *sc, AstNode *n)
{
    FnState *f = s->fn;
    if (!f || !f->ret) {
        SEMA_ERR(s, bad_return, n->loc);
        return FLOW_NEXT;
    }
    Value v = n->u.jump.e ? eval_expr(s, sc, n->u.jump.e, f->ret) : v_void();
    Flow j = took(s);
    if (j) return j;
    if (f->ret->kind == TY_VOID && v.kind != V_ERR && v.type->kind != TY_VOID) {
        SEMA_ERR(s, return_void, n->loc, d_str(f->name));
        v = v_void();
    } else if (v.kind == V_VOID && f->ret->kind != TY_VOID) v = SEMA_ERR(s, return_value, n->loc, d_str(f->name), d_type(f->ret));
    else v = coerce(s, v, f->ret, n->u.jump.e ? n->u.jump.e->loc : n->loc);
    if (!f->ir) {
        f->ret_val = v;
        return FLOW_RETURN;
    }
    IrRef r = IR_NONE;
    if (v.kind == V_ERR) {
        ir_append(f->ir, f->cur, IR_UNREACH, T_VOID, 0, NULL, n->loc);
        return FLOW_END;
    }
    if (f->sret.i) addr_store(s, (Addr){.base = f->sret}, f->ret, v, n->loc);
    else if (f->ret->kind != TY_VOID) r = value_ir(s, v, f->ret, n->loc);
    if (f->ret->kind != TY_VOID && !f->sret.i && !r.i) ir_append(f->ir, f->cur, IR_UNREACH, T_VOID, 0, NULL, n->loc);
    else ir_ret(f->ir, f->cur, r, n->loc);
    return FLOW_END;
}

/* ---- declarations */
/* what must not change behind a const's back is copied */
static Value keep(Sema *s, Value v, Loc loc)
{
    if (v.kind == V_MEM && !v.is_const) {
        if (!at_runtime(s)) return SEMA_ERR(s, not_comptime, loc, d_str("the value"));
        Addr a = addr_temp(s, v.type, loc);
        addr_store(s, a, v.type, v, loc);
        v.u.addr = a;
        v.is_const = true;
        return v;
    }
    if (v.kind != V_AGG) return v;
    if (s->tmp.on) v = value_snapshot(s, v);
    for (uint32_t i = 0; i < (v.splat ? 1 : v.n); i++)
        if (v.u.agg[i].kind == V_MEM || v.u.agg[i].kind == V_AGG) v.u.agg[i] = keep(s, v.u.agg[i], loc);
    return v;
}

void bind_const(Sema *s, Scope *sc, const char *name, Value v, Loc loc)
{
    if (!strcmp(name, "_")) return;
    v = is_runtime(&v) ? keep(s, v, loc) : v;
    Entry *e = scope_define(s, sc, name, loc);
    if (!e) return;
    e->v = v;
    if (v.kind == V_EXT) e->kind = E_STREAM;
}

static Value var_init(Sema *s, Scope *sc, AstNode *n, Type **t)
{
    *t = NULL;
    if (n->u.var.type && !(*t = eval_type(s, sc, n->u.var.type))) return V_NONE;
    AstNode *e = n->u.var.init;
    if (!e) {
        if (*t && n->kind == AST_VAR) return (Value){.kind = V_VOID};
        return SEMA_ERR(s, needs_init, n->loc, d_str(n->u.var.name));
    }
    if (e->kind == AST_T_STRUCT || e->kind == AST_T_ENUM || e->kind == AST_T_UNION) {
        Type *c = eval_container(s, sc, e, n->u.var.name);
        return c ? v_type(c) : V_NONE;
    }
    return *t ? eval_as(s, sc, e, *t) : eval_expr(s, sc, e, NULL);
}

static Flow exec_var(Sema *s, Scope *sc, AstNode *n)
{
    bool ct = n->u.var.flags & DECL_COMPTIME || !at_runtime(s);
    bool inner = n->u.var.flags & DECL_COMPTIME && at_runtime(s);
    FnState *old = s->fn, frame = {.up = old, .name = "comptime"};
    if (inner) s->fn = &frame;
    Type *t;
    Value v = var_init(s, sc, n, &t);
    s->fn = old;
    Flow j = took(s);
    if (j) return j;
    if (n->u.var.attrs && (n->u.var.attrs->linksection || n->u.var.attrs->linkname)) SEMA_ERR(s, not_built, n->loc, d_str("linkname on a local"));
    if (n->kind == AST_CONST) {
        if (inner && v.kind != V_ERR && is_runtime(&v)) v = SEMA_ERR(s, not_comptime, n->loc, d_str("the value"));
        bind_const(s, sc, n->u.var.name, v, n->loc);
        return FLOW_NEXT;
    }
    if (v.kind != V_ERR && !t) t = v.type;
    Place p = {.kind = P_ERR, .type = t};
    if (v.kind == V_ERR || !t) ;
    else if (ct) {
        if (!v.type) v = value_zero(s, t);
        if (is_runtime(&v)) SEMA_ERR(s, not_comptime, n->u.var.init->loc, d_str("the value"));
        else {
            p.kind = P_CELL;
            p.slot = ARENA_NEW(s->arena, Value);
            *p.slot = value_copy(s->arena, v);
            if (!n->u.var.type && t->kind == TY_TYPE) p.type = t;
        }
    } else if (t->kind == TY_COMPTIME_INT || t->kind == TY_COMPTIME_FLOAT) {
        SEMA_ERR(s, untyped_var, n->loc, d_str(n->u.var.name), d_type(t));
    } else if (t->comptime_only || t->kind == TY_VOID) {
        SEMA_ERR(s, var_comptime, n->loc, d_str(n->u.var.name), d_type(t));
    } else {
        p.kind = P_MEM;
        p.addr = addr_temp(s, t, n->loc);
        ir_ins(s->fn->ir, p.addr.base)->name = n->u.var.name;
        addr_store(s, p.addr, t, v.type ? v : value_zero(s, t), n->loc);
    }
    if (!strcmp(n->u.var.name, "_")) return FLOW_NEXT;
    Entry *e = scope_define(s, sc, n->u.var.name, n->loc);
    if (e) {
        e->kind = E_PLACE;
        e->p = p;
    }
    return FLOW_NEXT;
}

static Flow exec_stream_decl(Sema *s, Scope *sc, AstNode *n)
{
    Value v;
    if (!sema_stream_decl(s, sc, n, &v)) return FLOW_NEXT;
    Entry *e = scope_define(s, sc, n->kind == AST_SOCKET ? n->u.socket.name : n->u.var.name, n->loc);
    if (e) {
        e->kind = E_STREAM;
        e->v = v;
    }
    return FLOW_NEXT;
}

/* ---- assignment and the rest */
static Flow exec_assign(Sema *s, Scope *sc, AstNode *n)
{
    AstNode *d = n->u.assign.dst;
    if (d->kind == AST_NAME && !strcmp(d->u.name.name, "_") && !n->u.assign.op) {
        eval_expr(s, sc, n->u.assign.src, NULL);
        return took(s);
    }
    Place p = eval_place(s, sc, d);
    Type *t = p.kind == P_ERR ? NULL : p.kind == P_CELL ? p.slot->type : p.type;
    Value v = eval_expr(s, sc, n->u.assign.src, t);
    Flow j = took(s);
    if (j || p.kind == P_ERR || v.kind == V_ERR) return j;
    if (n->u.assign.op) v = binary(s, n->u.assign.op, place_load(s, &p, d->loc), v, n->loc);
    place_store(s, &p, v, n->u.assign.src->loc);
    return FLOW_NEXT;
}

static Flow exec_comptime(Sema *s, Scope *sc, AstNode *n)
{
    AstNode *e = n->u.wrap.e;
    if (e->kind == AST_CONST || e->kind == AST_VAR) return exec_var(s, sc, e);
    FnState ct = {.up = s->fn, .name = "comptime"};
    s->fn = &ct;
    Flow f = exec_stmt(s, sc, e);
    s->fn = ct.up;
    (void)f;
    return FLOW_NEXT;
}

/* the values of this compile-time statement are nobody's afterwards */
static Flow exec_temporary(Sema *s, Scope *sc, AstNode *n)
{
    TmpMark m = tmp_begin(s, true);
    Flow f = FLOW_NEXT;
    if (n->kind == AST_ASSIGN) f = exec_assign(s, sc, n);
    else {
        eval_expr(s, sc, n, NULL);
        f = took(s);
    }
    tmp_end(s, m);
    return f;
}

static Flow stmt(Sema *s, Scope *sc, AstNode *n)
{
    Flow f = FLOW_NEXT;
    switch (n->kind) {
    case AST_CONST: case AST_VAR: return exec_var(s, sc, n);
    case AST_INDEX_SET: case AST_ITER: case AST_SOCKET: return exec_stream_decl(s, sc, n);
    case AST_BLOCK:
        if (!n->u.block.label) return exec_block(s, sc, n);
        eval_block(s, sc, n, NULL);
        return took(s);
    case AST_IF: return exec_if(s, sc, n);
    case AST_WHILE: {
        if (!at_runtime(s) || n->u.loop.is_inline) return known_while(s, sc, n);
        Nest nest = nest_open(s, sc, n, -1);
        f = run_while(s, sc, n);
        nest_close(s, nest);
        return f;
    }
    case AST_FOR: return exec_for(s, sc, n);
    case AST_SWITCH: return exec_switch(s, sc, n);
    case AST_BREAK: return exec_break(s, sc, n);
    case AST_CONTINUE: return exec_continue(s, n);
    case AST_RETURN: return exec_return(s, sc, n);
    case AST_COMPTIME: return exec_comptime(s, sc, n);
    case AST_BIND: case AST_ACCUM: case AST_MOVE: case AST_FORALL: case AST_FOREVER: case AST_PARALLEL: case AST_DISPATCH:
        if (!sema_stream_stmt(s, sc, n, &f)) SEMA_ERR(s, not_built, n->loc, d_str(ast_kind_name((AstKind)n->kind)));
        return f ? f : took(s);
    case AST_ASSIGN:
        if ((n->u.assign.dst->kind == AST_ELEM || n->u.assign.dst->kind == AST_VIEW) && sema_stream_stmt(s, sc, n, &f)) return f ? f : took(s);
        return at_runtime(s) ? exec_assign(s, sc, n) : exec_temporary(s, sc, n);
    case AST_CALL: case AST_BUILTIN:
        if (!at_runtime(s)) return exec_temporary(s, sc, n);
        /* fall through */
    default:
        eval_expr(s, sc, n, NULL);
        return took(s);
    }
}

Flow exec_stmt(Sema *s, Scope *sc, AstNode *n)
{
    Flow f = FLOW_NEXT;
    FnState file = {.name = "block"};
    bool outer = !s->fn;
    if (outer) s->fn = &file;
    if (s->depth++ < 2500) f = stmt(s, sc, n);
    else SEMA_ERR(s, eval_depth, n->loc);
    s->depth--;
    if (outer) s->fn = NULL;
    return f;
}
