/* frontend/sema_stream_stmt.c: Tungsten's statements: binds, accumulations, moves, ∀, forever, dispatch, parallel, and the
 * prelude's set_router, set_sockets, teardown.
 *
 * Takes the tree and sema's scopes; leaves vector operations and blocks of WIR.  The one idea: a ∀ over one move is tried as one
 * vector operation, element by element the same as the loop; what does not fit becomes the loop. */
#include "frontend/sema_stream_int.h"

/* ---- registers ---------------------------------------------------------------------------------------------------------- */

static StObj *entry_dot(const Entry *e)
{
    StObj *o = e && e->kind == E_STREAM ? st_ext_obj(&e->v) : NULL;
    return o && o->kind == ST_DOT ? o : NULL;
}

/* A value starts a chain: 0 + v, to the bit but for -0. */
static void dot_start(Sema *s, Value v, IrRef d, Loc loc)
{
    v = coerce(s, v, ty_f32, loc);
    if (v.kind == V_ERR) return;
    Vec m = {IRV_SUMS, ty_f32, {0}, st_val(v), {0}, false, false};
    st_emit(s, &m, d, 1, loc);
}

static void bind_dot(Sema *s, Scope *sc, AstNode *n, const char *name)
{
    IrRef d = st_dot_new(s, name, n->loc);
    bool ok = st_sum(s, sc, n->u.assign.src, d, false);
    Entry *e = scope_define(s, sc, name, n->loc);
    if (!e) return;
    st_fn(s)->ndots++;
    StObj *o = st_obj_new(s, ST_DOT, name, ty_f32, n->loc);
    o->slot = d;
    e->kind = E_STREAM;
    e->v = ok ? v_ext(type_stream(s->prog, TY_REG, ty_f32), o) : V_NONE;
}

/* name <- expr: the first on a name declares a register (a variable that mem2reg keeps in one) of its block; a later one, also
 * in a block inside, sets it: a dot register then starts a new chain. */
static void exec_bind(Sema *s, Scope *sc, AstNode *n)
{
    const char *name = n->u.assign.dst->u.name.name;
    AstNode *src = n->u.assign.src;
    Entry *e = scope_lookup(sc, name);
    StObj *dot = entry_dot(e);
    if (!dot && e && e->kind != E_PLACE) e = NULL;       /* no register: the name is declared here, or reported */
    if (src->kind == AST_SUM && !e) {
        bind_dot(s, sc, n, name);
        return;
    }
    if (src->kind == AST_SUM && dot) {               /* a new chain in the same register */
        st_sum(s, sc, src, dot->slot, false);
        return;
    }
    Type *want = dot ? ty_f32 : e && e->kind == E_PLACE ? e->p.type : NULL;
    Value v = st_fetch(s, st_eval(s, sc, src, want), src->loc);
    if (dot) {
        if (v.kind != V_ERR) dot_start(s, v, dot->slot, src->loc);
        return;
    }
    if (e && e->kind == E_PLACE) {
        if (v.kind != V_ERR) place_store(s, &e->p, v, n->loc);
        return;
    }
    Type *t = v.kind == V_ERR ? NULL : v.type == ty_comptime_float ? ty_f32 : v.type == ty_comptime_int ? ty_i32 : v.type;
    if (t && !type_is_scalar(t)) {
        SEMA_ERR(s, st_reg_type, src->loc, d_type(v.type));
        t = NULL;
    }
    Addr a = {0};
    if (t) {
        a = addr_temp(s, t, n->loc);
        addr_store(s, a, t, v, n->loc);
    }
    e = scope_define(s, sc, name, n->loc);
    if (!e) return;
    e->kind = t ? E_PLACE : E_VALUE;                 /* E_VALUE: in error, silent from here on */
    e->v = V_NONE;
    e->p = (Place){.kind = P_MEM, .type = t, .addr = a};
}

/* dot <+- e without ∑: one element, product or number more. */
static void accum_one(Sema *s, Scope *sc, AstNode *src, IrRef d)
{
    if (st_is_elem(s, sc, src) || (src->kind == AST_BINARY && src->u.bin.op == OP_MUL &&
                                   ((st_is_elem(s, sc, src->u.bin.l) && (st_is_elem(s, sc, src->u.bin.r) || st_invariant(s, sc, src->u.bin.r, NULL))) ||
                                    (st_is_elem(s, sc, src->u.bin.r) && st_invariant(s, sc, src->u.bin.l, NULL))))) {
        st_chain(s, sc, src, 1, V_NONE, d, true, src->loc);
        return;
    }
    Value v = st_fetch(s, st_eval(s, sc, src, ty_f32), src->loc);
    if (v.kind != V_ERR) v = coerce(s, v, ty_f32, src->loc);
    if (v.kind == V_ERR) return;
    Vec m = {IRV_SUMAS, ty_f32, {0}, st_val(v), {0}, false, false};
    st_emit(s, &m, d, 1, src->loc);
}

static void exec_accum(Sema *s, Scope *sc, AstNode *n)
{
    AstNode *dst = n->u.assign.dst, *src = n->u.assign.src;
    Entry *e = dst->kind == AST_NAME ? scope_lookup(sc, dst->u.name.name) : NULL;
    StObj *o = entry_dot(e);
    if (o) {
        if (src->kind == AST_SUM) st_sum(s, sc, src, o->slot, true);
        else accum_one(s, sc, src, o->slot);
    } else if (e && e->kind == E_PLACE) {
        AstNode sum = {.kind = AST_BINARY, .loc = n->loc, .depth = n->depth};
        sum.u.bin.op = OP_ADD;
        sum.u.bin.l = dst;
        sum.u.bin.r = src;
        Value v = st_fetch(s, st_eval(s, sc, &sum, e->p.type), src->loc);
        if (v.kind != V_ERR) place_store(s, &e->p, v, n->loc);
    } else if (!e || e->v.kind != V_ERR) {
        SEMA_ERR(s, st_no_register, dst->loc, d_str(dst->kind == AST_NAME ? dst->u.name.name : "this"));
    }
}

/* ---- moves ------------------------------------------------------------------------------------------------------------- */

/* dst of a move: an element to be written, through a view or not. */
static Opd dest_opd(Sema *s, Scope *sc, AstNode *d)
{
    Type *t = NULL;
    AstNode *e = d;
    if (d->kind == AST_VIEW) {
        t = st_view_type(d->u.field.name);
        if (!t) {
            SEMA_ERR(s, st_view_type, d->u.field.name_loc, d_str(d->u.field.name));
            return (Opd){.k = O_ERR};
        }
        e = d->u.field.e;
    }
    if (e->kind != AST_ELEM) {
        SEMA_ERR(s, st_write_reg, e->loc, d_int(0));
        return (Opd){.k = O_ERR};
    }
    Opd o = st_elem(s, sc, e, true);
    if (!t || o.k != O_ELEM) return o;
    if (o.use->obj->kind == ST_ITER && t->size != o.t->size) {
        SEMA_ERR(s, st_view_write, d->loc, d_type(t), d_type(o.t));
        return (Opd){.k = O_ERR};
    }
    o.t = t;
    return o;
}

/* A value on its way to a stream that takes any bits: 16 or 32 of them. */
static Value raw_value(Sema *s, Value v, Loc loc)
{
    if (v.kind == V_ERR || !type_is_scalar(v.type)) return coerce(s, v, v.type == ty_comptime_float ? ty_f32 : ty_u32, loc);
    if (v.type->size != 1) return v;
    IrRef r = value_ir(s, v, v.type, loc);
    return r.i ? v_ir(ty_u16, ir_un(st_ir(s), s->fn->cur, IR_ZEXT, T_I16, r, loc)) : V_NONE;
}

static Vec move_of(Opd o) { return (Vec){o.k == O_ERR ? -1 : (int)st_mov_of(o.t), o.t, {0}, o, {0}, false, false}; }

/* The operation that makes src, as far as it can write memory; -1: reported (or, for many elements, vec_failed). */
static Vec source_vec(Sema *s, Scope *sc, AstNode *src, const Opd *dst, bool raw)
{
    Type *want = raw ? NULL : dst->t;
    if (src->kind == AST_BINARY && src->u.bin.op < OP_EQ && st_touches(s, sc, src)) {
        Vec v = st_binary(s, sc, src, want);
        return v.vop == -2 ? move_of(v.b) : v;
    }
    if (src->kind == AST_UNARY && src->u.un.op == OP_NEG && st_is_elem(s, sc, src->u.un.e)) {
        Opd o = st_eval(s, sc, src->u.un.e, want);
        if (o.k != O_ELEM) return (Vec){.vop = -1};
        if (o.t == ty_f32 || o.t == ty_f16) return (Vec){o.t == ty_f32 ? IRV_FNEGS : IRV_FNEGH, o.t, {0}, o, {0}, false, false};
        Value v = st_fetch(s, o, src->loc);
        return move_of(v.kind == V_ERR ? st_val(v) : st_val(unary(s, OP_NEG, v, src->loc)));
    }
    Opd o = st_eval(s, sc, src, want);
    return o.k == O_ERR ? (Vec){.vop = -1} : move_of(o);
}

/* dst = src as one operation, types and all.  false: reported (or vec_failed). */
static bool move_vec(Sema *s, Scope *sc, AstNode *src, const Opd *dst, Vec *v)
{
    bool raw = dst->use->obj->kind == ST_SOCKET && dst->t == ty_u32;      /* wv: takes any bits */
    *v = source_vec(s, sc, src, dst, raw);
    if (v->vop < 0) return false;
    bool move = !v->has_a && v->vop != IRV_FNEGS && v->vop != IRV_FNEGH;
    if (move && v->b.k == O_VAL) {
        Value x = raw ? raw_value(s, v->b.v, src->loc) : coerce(s, v->b.v, dst->t, src->loc);
        *v = move_of(st_val(x));
        return v->vop >= 0;
    }
    bool word = move && v->b.k == O_ELEM && v->b.use->obj->kind == ST_SOCKET && v->t == ty_u32;   /* a raw wavelet */
    bool ints = v->t->size == dst->t->size && v->t->kind == TY_INT && dst->t->kind == TY_INT;
    if (v->t != dst->t && !raw && !word && !ints) {
        SEMA_ERR(s, st_move_type, src->loc, d_type(v->t), d_type(dst->t));
        return false;
    }
    if (word && dst->t->size == 2) {
        v->vop = IRV_MOV16;
        v->t = v->b.t = ty_u16;
    }
    return true;
}

/* dst[] = src, one element.  There is no multiply-subtract to memory: it goes through a register. */
static void move_elem(Sema *s, Scope *sc, AstNode *dn, AstNode *src, Loc loc)
{
    Opd dst = dest_opd(s, sc, dn);
    Vec v;
    if (dst.k == O_ERR || !move_vec(s, sc, src, &dst, &v)) return;
    if (v.vop == IRV_FMSS) {
        IrRef r = st_emit(s, &v, IR_NONE, 1, loc);
        if (!r.i) return;
        v = move_of(st_val(v_ir(v.t, r)));
    }
    st_emit(s, &v, st_dest(s, &dst, loc), 1, loc);   /* its slot comes last: calls in src are over */
}

static void exec_move(Sema *s, Scope *sc, AstNode *n)
{
    AstNode *dn = n->u.assign.dst, *src = n->u.assign.src;
    if (dn->kind != AST_ELEM && dn->kind != AST_VIEW) {      /* x.f <- a[], an array element, ... */
        Place p = eval_place(s, sc, dn);
        Value v = st_fetch(s, st_eval(s, sc, src, p.kind == P_ERR ? NULL : p.type), n->loc);
        if (p.kind != P_ERR && v.kind != V_ERR) place_store(s, &p, v, n->loc);
        return;
    }
    AstNode bin = {.kind = AST_BINARY, .loc = n->loc, .depth = n->depth};
    if (n->kind == AST_ASSIGN && n->u.assign.op != OP_NONE) {
        bin.u.bin.op = n->u.assign.op;
        bin.u.bin.l = dn;
        bin.u.bin.r = src;
        src = &bin;
    }
    move_elem(s, sc, dn, src, n->loc);
}

/* ---- ∀ as one vector operation ------------------------------------------------------------------------------------------- */

static AstNode *skip_block(AstNode *n)
{
    while (n->kind == AST_BLOCK && n->u.block.stmts.n == 1 && !n->u.block.label) n = n->u.block.stmts.v[0];
    return n;
}

/* May the statement be one operation over all elements, by its form: elements, values that are the same for all, one operation
 * or a multiply-add?  No stream may be in it twice: the machine would read it in another order. */
static bool vector_form(Sema *s, Scope *sc, AstNode *n, const char *index)
{
    if ((n->kind != AST_MOVE && n->kind != AST_ASSIGN) || n->u.assign.op != OP_NONE || !st_is_elem(s, sc, n->u.assign.dst)) return false;
    AstNode *e = n->u.assign.src, *x[3] = {e, NULL, NULL};
    int nx = 1;
    if (e->kind == AST_UNARY && e->u.un.op == OP_NEG && st_is_elem(s, sc, e->u.un.e)) x[0] = e->u.un.e;
    else if (e->kind == AST_BINARY && st_touches(s, sc, e)) {
        AstNode *l = e->u.bin.l, *r = e->u.bin.r, *m = NULL;
        if (e->u.bin.op == OP_ADD && r->kind == AST_BINARY && r->u.bin.op == OP_MUL) m = r, x[0] = l;
        else if (e->u.bin.op == OP_ADD && l->kind == AST_BINARY && l->u.bin.op == OP_MUL) m = l, x[0] = r;
        else x[0] = l;
        if (m && st_is_elem(s, sc, m->u.bin.l) && st_is_elem(s, sc, m->u.bin.r)) return false;
        if (m && !st_touches(s, sc, m)) m = NULL, x[0] = l;
        x[1] = m ? m->u.bin.l : r;
        x[2] = m ? m->u.bin.r : NULL;
        nx = m ? 3 : 2;
    }
    for (int i = 0; i < nx; i++) {
        if (!st_is_elem(s, sc, x[i]) && !st_invariant(s, sc, x[i], index)) return false;
        for (int j = 0; j < i; j++)
            if (st_same_twice(s, sc, x[i], x[j])) return false;
        if (st_same_twice(s, sc, x[i], n->u.assign.dst)) return false;
    }
    return true;
}

/* One vector instruction over the index set, k elements (-1: kv); false: it has to be a loop.  Nothing was emitted then but
 * what is the same for all elements. */
static bool exec_vector(Sema *s, Scope *sc, AstNode *n, int64_t k, Value kv, const char *index)
{
    StFn *f = st_fn(s);
    if (k > VEC_MAX || !vector_form(s, sc, n, index)) return false;
    int before = s->errors;
    f->vec = true;
    f->vec_failed = false;
    Opd dst = dest_opd(s, sc, n->u.assign.dst);
    Vec v;
    bool ok = dst.k != O_ERR && move_vec(s, sc, n->u.assign.src, &dst, &v);
    f->vec = false;
    if (!ok || f->vec_failed) return s->errors > before;     /* reported: nothing more to do */
    if (v.vop == IRV_FMSS) return false;                     /* to a register only */
    if ((k != 1 && !st_fits(s, &v, n->loc)) || k == 0) return true;
    /* a run-time count of 0 would mean "no length" to the machine: skip the operation then */
    IrFn *ir = st_ir(s);
    IrBlk over = {0};
    f->elems = k;
    IrRef d = st_dest(s, &dst, n->loc);
    if (k < 0) {
        IrBlk go = ir_block_new(ir, "some");
        over = ir_block_new(ir, "done");
        IrRef n16 = value_ir(s, kv, ty_u16, n->loc);
        ir_condbr(ir, s->fn->cur, ir_icmp(ir, s->fn->cur, CMP_EQ, n16, ir_const(ir, s->fn->cur, T_I16, 0, n->loc), n->loc), over, go, n->loc);
        s->fn->cur = go;
    }
    st_emit(s, &v, d, st_count(s, &v, &dst, k, kv, n->loc), n->loc);
    f->elems = 1;
    if (k < 0) {
        ir_br(ir, s->fn->cur, over, n->loc);
        s->fn->cur = over;
    }
    return true;
}

/* ---- ∀ as a loop ---------------------------------------------------------------------------------------------------------- */

/* The body for each index, in a scope where the index's name is its value (u16). */
static void counted_loop(Sema *s, Scope *sc, AstNode *n, int64_t k, Value kv)
{
    IrFn *f = st_ir(s);
    Loc loc = n->loc;
    if (k == 0) return;
    IrRef bound = k > 0 ? ir_const(f, s->fn->cur, T_I16, k, loc) : value_ir(s, kv, ty_u16, loc);
    IrRef zero = ir_const(f, s->fn->cur, T_I16, 0, loc);
    IrBlk head = ir_block_new(f, "forall"), latch = ir_block_new(f, "next"), exit = ir_block_new(f, "done");
    IrBlk pre = s->fn->cur;
    if (k > 0) ir_br(f, pre, head, loc);
    else ir_condbr(f, pre, ir_icmp(f, pre, CMP_EQ, bound, zero, loc), exit, head, loc);
    IrRef phi = ir_phi(f, head, T_I16, loc);
    s->fn->cur = head;
    Label *l = label_push(s, NULL, true, false);
    l->brk = exit;
    l->cont = latch;
    Scope *in = scope_push(s, sc);
    Entry *e = scope_define(s, in, n->u.idx.index, n->u.idx.index_loc);
    e->v = v_ir(ty_u16, phi);
    int64_t rounds = st_rounds(s, n->u.idx.e, k);
    exec_stmt(s, in, n->u.idx.e);
    st_fn(s)->rounds = rounds;
    scope_pop(s, in);
    label_pop(s, l);
    if (!ir_terminated(f, s->fn->cur)) ir_br(f, s->fn->cur, latch, loc);
    IrRef next = ir_bin(f, latch, IR_ADD, phi, ir_const(f, latch, T_I16, 1, loc), loc);
    ir_condbr(f, latch, ir_icmp(f, latch, CMP_ULT, next, bound, loc), head, exit, loc);
    ir_phi_add(f, phi, pre, zero);
    ir_phi_add(f, phi, latch, next);
    s->fn->cur = exit;
}

/* ∀i dot <+- e: one chain of the length of the index set. */
static bool forall_accum(Sema *s, Scope *sc, AstNode *b, const char *index, int64_t k, Value kv)
{
    if (b->kind != AST_ACCUM || b->u.assign.dst->kind != AST_NAME || k > VEC_MAX) return false;
    StObj *o = entry_dot(scope_lookup(sc, b->u.assign.dst->u.name.name));
    AstNode *e = b->u.assign.src;
    if (!o) return false;
    bool product = e->kind == AST_BINARY && e->u.bin.op == OP_MUL;
    AstNode *l = product ? e->u.bin.l : e, *r = product ? e->u.bin.r : NULL;
    if (!st_is_elem(s, sc, l) && !(r && st_is_elem(s, sc, r) && st_invariant(s, sc, l, index))) return false;
    if (r && !st_is_elem(s, sc, r) && !st_invariant(s, sc, r, index)) return false;
    if (r && st_same_twice(s, sc, l, r)) return false;
    if ((!st_is_elem(s, sc, l) && st_touches(s, sc, l)) || (r && !st_is_elem(s, sc, r) && st_touches(s, sc, r))) return false; /* may be dot */
    st_chain(s, sc, e, k, kv, o->slot, true, b->loc);
    return true;
}

static void exec_forall(Sema *s, Scope *sc, AstNode *n)
{
    StObj *ix = st_index(s, sc, n->u.idx.index, n->u.idx.index_loc);
    int64_t k;
    Value kv;
    if (!ix || !st_extent(s, ix, n->loc, &k, &kv)) return;
    st_nest_enter(s, n);
    AstNode *b = skip_block(n->u.idx.e);
    if (!exec_vector(s, sc, b, k, kv, n->u.idx.index) && !forall_accum(s, sc, b, n->u.idx.index, k, kv)) counted_loop(s, sc, n, k, kv);
    st_nest_leave(s);
}

/* ---- forever, dispatch, parallel ------------------------------------------------------------------------------------------ */

static Flow exec_forever(Sema *s, Scope *sc, AstNode *n)
{
    IrFn *f = st_ir(s);
    IrBlk head = ir_block_new(f, "forever"), exit = ir_block_new(f, "left");
    ir_br(f, s->fn->cur, head, n->loc);
    s->fn->cur = head;
    Label *l = label_push(s, n->u.loop.label, true, false);
    l->brk = exit;
    l->cont = head;
    int64_t rounds = st_rounds(s, NULL, -1);
    exec_stmt(s, sc, n->u.loop.body);
    st_fn(s)->rounds = rounds;
    bool left = l->brk_used;
    label_pop(s, l);
    if (!ir_terminated(f, s->fn->cur)) ir_br(f, s->fn->cur, head, n->loc);
    s->fn->cur = exit;
    if (left) return FLOW_NEXT;
    ir_append(f, exit, IR_UNREACH, T_VOID, 0, NULL, n->loc);
    return FLOW_END;
}

enum { MAX_LABELS = 1024 };
typedef struct Labels { struct { int64_t lo, hi; uint32_t arm; Loc loc; } *v; uint32_t n, cap, values; int els; } Labels;

static bool label_add(Sema *s, Scope *sc, AstNode *l, Type *t, uint32_t arm, Labels *out)
{
    bool range = l->kind == AST_RANGE;
    Value lo = eval_as(s, sc, range ? l->u.bin.l : l, t), hi = range ? eval_as(s, sc, l->u.bin.r, t) : lo;
    if (lo.kind == V_SYM) lo = decide(s, lo, l->loc);
    if (hi.kind == V_SYM) hi = decide(s, hi, l->loc);
    if (lo.kind == V_ERR || hi.kind == V_ERR) return false;
    if (lo.kind != V_INT || hi.kind != V_INT || hi.u.i < lo.u.i || hi.u.i - lo.u.i + out->values >= MAX_LABELS) {
        SEMA_ERR(s, st_dispatch_label, l->loc, d_int(MAX_LABELS));
        return false;
    }
    for (uint32_t k = 0; k < out->n; k++)
        if (lo.u.i <= out->v[k].hi && out->v[k].lo <= hi.u.i) {
            SEMA_ERR(s, st_dispatch_twice, l->loc, d_int((int64_t)(lo.u.i > out->v[k].lo ? lo.u.i : out->v[k].lo)));
            SEMA_NOTE(s, note_first, out->v[k].loc, d_str("the label"));
            return false;
        }
    if (out->n == out->cap) {
        uint32_t cap = out->cap ? 2 * out->cap : WS_LIMIT(8, 1);
        void *p = arena_alloc(s->arena, cap * sizeof *out->v);
        if (out->n) memcpy(p, out->v, out->n * sizeof *out->v);
        out->v = p;
        out->cap = cap;
    }
    out->values += (uint32_t)(hi.u.i - lo.u.i) + 1;
    out->v[out->n].lo = (int64_t)lo.u.i;
    out->v[out->n].hi = (int64_t)hi.u.i;
    out->v[out->n].loc = l->loc;
    out->v[out->n++].arm = arm;
    return true;
}

static bool labels_of(Sema *s, Scope *sc, AstNode *n, Type *t, Labels *out)
{
    bool ok = true;
    *out = (Labels){.els = -1};
    for AST_EACH(i, n->u.swtch.cases) {
        AstList l = n->u.swtch.cases.v[i]->u.cas.labels;
        if (l.n == 0 && out->els >= 0) {
            SEMA_ERR(s, st_dispatch_else, n->u.swtch.cases.v[i]->loc, d_int(0));
            ok = false;
        }
        if (l.n == 0) out->els = (int)i;
        for AST_EACH(k, l) ok &= label_add(s, sc, l.v[k], t, i, out);
    }
    return ok;
}

static Flow exec_arm(Sema *s, Scope *sc, AstNode *arm)
{
    Scope *in = scope_push(s, sc);
    int64_t rounds = st_rounds(s, NULL, -1);
    Flow f = exec_stmt(s, in, arm->u.cas.body);
    st_fn(s)->rounds = rounds;
    scope_pop(s, in);
    return f;
}

/* The value that a dispatch is about; V_ERR: reported. */
static Value dispatch_on(Sema *s, Scope *sc, AstNode *e)
{
    st_nest_enter(s, e);
    Value on = st_fetch(s, st_eval(s, sc, e, NULL), e->loc);
    st_nest_leave(s);
    if (on.kind == V_ERR) return on;
    bool fits = on.type->kind == TY_ENUM || on.type == ty_comptime_int || (on.type->kind == TY_INT && on.type->bits <= 32);
    return fits ? on : SEMA_ERR(s, st_dispatch_type, e->loc, d_type(on.type));
}

static Flow exec_dispatch(Sema *s, Scope *sc, AstNode *n)
{
    IrFn *f = st_ir(s);
    Value on = dispatch_on(s, sc, n->u.swtch.on);
    Labels l;
    if (on.kind == V_ERR || !labels_of(s, sc, n, on.type, &l)) return FLOW_NEXT;
    AstList arms = n->u.swtch.cases;
    if (on.kind == V_INT) {                          /* known: the others are not looked at */
        int arm = l.els;
        for (uint32_t i = 0; i < l.n; i++)
            if (on.u.i >= l.v[i].lo && on.u.i <= l.v[i].hi) arm = (int)l.v[i].arm;
        return arm < 0 ? FLOW_NEXT : exec_arm(s, sc, arms.v[arm]);
    }
    IrRef v = value_ir(s, on, on.type, n->loc);
    if (!v.i) return FLOW_NEXT;
    IrBlk exit = ir_block_new(f, "dispatched"), *blk = ARENA_ARR(s->arena, IrBlk, arms.n + 1);
    for AST_EACH(i, arms) blk[i] = ir_block_new(f, "op");
    IrRef sw = ir_switch(f, s->fn->cur, v, l.els < 0 ? exit : blk[l.els], n->loc);
    for (uint32_t i = 0; i < l.n; i++)
        for (int64_t x = l.v[i].lo; x <= l.v[i].hi; x++) ir_switch_add(f, sw, x, blk[l.v[i].arm]);
    bool falls = l.els < 0;
    for AST_EACH(i, arms) {
        s->fn->cur = blk[i];
        exec_arm(s, sc, arms.v[i]);
        if (ir_terminated(f, s->fn->cur)) continue;
        ir_br(f, s->fn->cur, exit, n->loc);
        falls = true;
    }
    s->fn->cur = exit;
    if (falls) return FLOW_NEXT;
    ir_append(f, exit, IR_UNREACH, T_VOID, 0, NULL, n->loc);
    return FLOW_END;
}

/* One statement of a parallel: one vector operation on the microthread; false: reported. */
static bool parallel_stmt(Sema *s, Scope *sc, AstNode *st, int ut)
{
    bool all = st->kind == AST_FORALL;
    StObj *ix = all ? st_index(s, sc, st->u.idx.index, st->u.idx.index_loc) : NULL;
    int64_t k = 1;
    Value kv = V_NONE;
    if (all && (!ix || !st_extent(s, ix, st->loc, &k, &kv))) return false;
    int before = s->errors;
    st_fn(s)->ut = ut;
    bool done = exec_vector(s, sc, all ? skip_block(st->u.idx.e) : st, k, kv, all ? st->u.idx.index : NULL);
    st_fn(s)->ut = -1;
    if (!done && s->errors == before) SEMA_ERR(s, st_parallel_stmt, st->loc, d_int(0));
    return done && s->errors == before;
}

/* Each statement is one vector operation on a microthread of its own; then wait for all. */
static void exec_parallel(Sema *s, Scope *sc, AstNode *n)
{
    AstList l = n->u.wrap.e->u.block.stmts;
    if (l.n > N_UT) SEMA_ERR(s, st_parallel_many, l.v[N_UT]->loc, d_int(N_UT));
    uint32_t mask = 0;
    st_nest_enter(s, n);
    for (uint32_t i = 0; i < l.n && i < N_UT; i++)
        if (parallel_stmt(s, sc, l.v[i], (int)i)) mask |= 1u << i;
    st_nest_leave(s);
    if (!mask) return;
    IrRef w = ir_append(st_ir(s), s->fn->cur, IR_WAITUT, T_VOID, 0, NULL, n->loc);
    ir_ins(st_ir(s), w)->imm = mask;
}

bool sema_stream_stmt(Sema *s, Scope *sc, AstNode *n, Flow *flow)
{
    *flow = FLOW_NEXT;
    if (!st_in_pe_code(s, n->loc)) return true;
    switch (n->kind) {
    case AST_FORALL: exec_forall(s, sc, n); return true;
    case AST_FOREVER: *flow = exec_forever(s, sc, n); return true;
    case AST_PARALLEL: exec_parallel(s, sc, n); return true;
    case AST_DISPATCH: *flow = exec_dispatch(s, sc, n); return true;
    default: break;
    }
    st_nest_enter(s, n);
    if (n->kind == AST_BIND) exec_bind(s, sc, n);
    else if (n->kind == AST_ACCUM) exec_accum(s, sc, n);
    else exec_move(s, sc, n);
    st_nest_leave(s);
    return true;
}

/* ---- the prelude ------------------------------------------------------------------------------------------------------- */

/* The argument of set_router, set_sockets: an array of u16, or a pointer to one. */
static IrRef context_arg(Sema *s, Scope *sc, AstNode *e, const char *fn)
{
    Place p = eval_place(s, sc, e);
    if (p.kind == P_ERR) return IR_NONE;
    if (p.kind == P_MEM && p.type->kind == TY_ARRAY && p.type->elem->size == 2) return addr_ir(s, p.addr, e->loc);
    Value v = place_load(s, &p, e->loc);
    if (v.kind == V_ERR) return IR_NONE;
    Type *t = v.type->kind == TY_POINTER ? v.type->elem : NULL;
    if (t && t->kind == TY_ARRAY) t = t->elem;
    if (t && type_is_scalar(t) && t->size == 2) return value_ir(s, v, v.type, e->loc);
    if (v.kind == V_AGG && v.type->kind == TY_ARRAY && v.type->elem->size == 2) return addr_ir(s, value_addr(s, v, v.type, e->loc), e->loc);
    SEMA_ERR(s, st_context_arg, e->loc, d_str(fn));
    return IR_NONE;
}

bool sema_stream_call(Sema *s, Scope *sc, AstNode *n, Type *want, Value *out)
{
    (void)want;
    const char *name = n->u.call.fn->u.name.name;
    bool router = strcmp(name, "set_router") == 0, socks = strcmp(name, "set_sockets") == 0, tear = strcmp(name, "teardown") == 0;
    if (!router && !socks && !tear) return false;
    *out = v_void();
    if (!st_in_pe_code(s, n->loc)) return true;
    if (n->u.call.args.n != 1) {
        *out = SEMA_ERR(s, st_arity, n->loc, d_str(name), d_int(1));
        return true;
    }
    AstNode *e = n->u.call.args.v[0];
    if (tear) {
        StObj *o = st_name_obj(s, sc, e);
        if (!o || o->kind != ST_SOCKET || !o->out) {
            *out = SEMA_ERR(s, st_teardown_arg, e->loc, d_int(0));
            return true;
        }
        IrRef w = ir_const(st_ir(s), s->fn->cur, T_I32, CTRL_TEARDOWN, n->loc);
        IrRef r = ir_append(st_ir(s), s->fn->cur, IR_SENDCTRL, T_VOID, 1, &w, n->loc);
        ir_ins(st_ir(s), r)->imm = o->queue;
        return true;
    }
    IrRef p = context_arg(s, sc, e, name);
    if (!p.i) *out = V_NONE;
    else ir_append(st_ir(s), s->fn->cur, router ? IR_SETROUTER : IR_SETSOCKETS, T_VOID, 1, &p, n->loc);
    return true;
}
