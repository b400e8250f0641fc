/* frontend/sema_stream_vec.c: elements of streams and iterators in expressions, as operands of vector operations.
 *
 * The one idea: an element `a[]` is not loaded when it is met; it is an operand (Opd) that goes into the vector operation that
 * uses it, or, where no operation can take it, into a register (st_fetch).
 *
 * A loop nest is the outermost ∀, for or while statement.  An iterator that is used in it gets a DSR slot, loaded at the
 * nest's entry: position 0 there, dropped at its exit.  A statement outside of any nest is a nest of its own.  The load is put
 * in at the first use that sema meets, so what is not evaluated is not loaded.  What a nest certainly moves an iterator over is
 * added up (StUse.moved), since nothing at run time would notice that it leaves its array. */
#include "frontend/sema_stream_int.h"

/* ---- loop nests --------------------------------------------------------------------------------------------------------- */

Point st_here(Sema *s)
{
    IrRef *v = ir_blk(st_ir(s), s->fn->cur)->ins;
    return (Point){s->fn->cur, arrlen(v) ? v[arrlen(v) - 1] : IR_NONE};
}

/* Add an instruction at a point; the next one at this point comes behind it. */
static IrRef add_at(Sema *s, Point *p, IrOp op, IrType t, int n, const IrRef *args, Loc loc)
{
    IrFn *f = st_ir(s);
    IrRef *v = ir_blk(f, p->blk)->ins;
    ptrdiff_t i = arrlen(v);
    while (i > 0 && v[i - 1].i != p->after.i) i--;
    if (!p->after.i)                                 /* at the head, behind what has to stand there */
        for (i = 0; i < arrlen(v); i++) {
            IrOp o = (IrOp)ir_ins(f, v[i])->op;
            if (o != IR_PARAM && o != IR_ALLOCA && o != IR_PHI) break;
        }
    p->after = i < arrlen(v) ? ir_insert_before(f, v[i], op, t, n, args, loc) : ir_append(f, p->blk, op, t, n, args, loc);
    return p->after;
}

typedef struct Calls { Sema *s; Scope *sc; bool yes; } Calls;
static bool is_view_call(Sema *s, Scope *sc, const AstNode *n)
{
    if (n->kind != AST_CALL || n->u.call.fn->kind != AST_NAME || !n->u.call.fn->parens || n->u.call.args.n != 1) return false;
    const char *name = n->u.call.fn->u.name.name;
    return st_view_type(name) && (!sc || (!scope_lookup(sc, name) && !module_find(sc->mod, name)));
}
static void find_calls(void *ctx, AstNode *n)
{
    Calls *c = ctx;
    if (n->kind == AST_CALL && !is_view_call(c->s, c->sc, n)) c->yes = true;
    else if (!c->yes) ast_each_child(n, find_calls, ctx);
}
static bool has_call(Sema *s, Scope *sc, AstNode *n)
{
    Calls c = {s, sc, false};
    find_calls(&c, n);
    return c.yes;
}

/* In a loop with calls sockets are loaded by each statement: they have no position to be kept. */
static void forget_sockets(StFn *f)
{
    for (StUse *u = f->calls ? f->uses : NULL; u; u = u->next)
        if (u->obj->kind == ST_SOCKET) u->slot = IR_NONE;
}

/* May the rounds of a loop with this body be fewer than counted? */
static void find_jump(void *ctx, AstNode *n)
{
    bool *yes = ctx;
    if (n->kind == AST_BREAK || n->kind == AST_CONTINUE || n->kind == AST_RETURN) *yes = true;
    else if (!*yes) ast_each_child(n, find_jump, ctx);
}

int64_t st_rounds(Sema *s, const AstNode *body, int64_t times)
{
    StFn *f = st_fn(s);
    int64_t old = f->rounds;
    bool jumps = false;
    if (body) ast_each_child(body, find_jump, &jumps);
    if (times < 0 || jumps || old < 0 || __builtin_mul_overflow(old, times, &f->rounds)) f->rounds = -1;
    return old;
}

void st_nest_enter(Sema *s, AstNode *n)
{
    StFn *f = st_fn(s);
    if (f->nest++) {
        forget_sockets(f);
        return;
    }
    f->nest_no++;
    f->rounds = f->elems = 1;
    f->uses = NULL;
    f->entry = st_here(s);
    f->loop = n->kind == AST_FORALL || n->kind == AST_FOR || n->kind == AST_WHILE;
    f->calls = f->loop && has_call(s, NULL, n);
}

void st_nest_leave(Sema *s)
{
    st_fn(s)->nest--;
    forget_sockets(st_fn(s));
}

int64_t sema_stream_nest_enter(Sema *s, AstNode *n, int64_t times)
{
    st_nest_enter(s, n);
    return st_rounds(s, n->u.loop.body, times);
}
void sema_stream_nest_leave(Sema *s, int64_t rounds)
{
    st_fn(s)->rounds = rounds;
    st_nest_leave(s);
}
int64_t sema_stream_perhaps(Sema *s) { return s->fn->stream ? st_rounds(s, NULL, -1) : 1; }
void sema_stream_certain(Sema *s, int64_t rounds)
{
    if (s->fn->stream) st_fn(s)->rounds = rounds;
}

static StUse *use_of(Sema *s, StObj *o)
{
    StFn *f = st_fn(s);
    for (StUse *u = f->uses; u; u = u->next)
        if (u->obj == o) return u;
    StUse *u = ARENA_NEW(s->arena, StUse);
    u->obj = o;
    u->next = f->uses;
    return f->uses = u;
}

/* The DSR slot of a use.  Outside of loops it is loaded here, behind calls that its statement made before. */
static IrRef use_slot(Sema *s, StUse *u, Loc loc)
{
    StFn *f = st_fn(s);
    StObj *o = u->obj;
    bool again = f->calls && o->kind == ST_SOCKET;
    if (u->slot.i) return u->slot;
    Point now = st_here(s), *p = &now;
    if (!again && o->nest_no == f->nest_no && o->fn == st_ir(s)) p = &o->point;
    else if (!again && (f->loop || s->fn->cur.i != f->entry.blk.i)) p = &f->entry;
    u->slot = add_at(s, p, IR_DSRSLOT, T_SLOT, 0, NULL, loc);
    ir_ins(st_ir(s), u->slot)->imm = o->nested;
    ir_ins(st_ir(s), u->slot)->name = o->name;
    IrRef g = add_at(s, p, IR_GADDR, T_PTR, 0, NULL, loc);
    ir_ins(st_ir(s), g)->sym = o->desc;
    add_at(s, p, IR_DSRLOAD, T_VOID, 2, (IrRef[]){u->slot, g}, loc);
    return u->slot;
}

/* The slot of an element that an operation reads or writes now: the iterator moves on. */
static IrRef move_slot(Sema *s, StUse *u, Loc loc)
{
    StFn *f = st_fn(s);
    StObj *o = u->obj;
    bool inside = o->nest_no == f->nest_no && o->fn == st_ir(s);     /* it starts anew where it is declared */
    int64_t per = inside ? o->rounds : 1, n;
    if (o->kind == ST_ITER && !o->patched && u->moved >= 0 && f->rounds >= 0 && f->elems >= 0 && per > 0 &&
        !__builtin_mul_overflow(f->rounds / per, f->elems, &n)) {
        u->moved += n;
        if (u->moved > o->total) {
            SEMA_ERR(s, st_overrun, loc, d_str(o->name), d_int(o->total), d_int(u->moved));
            SEMA_NOTE(s, note_declared, o->loc, d_str(o->name));
            u->moved = -1;
        }
    }
    return use_slot(s, u, loc);
}

IrRef st_dest(Sema *s, const Opd *o, Loc loc) { return move_slot(s, o->use, loc); }

/* ---- elements ----------------------------------------------------------------------------------------------------------- */

static const Opd opd_err = {.k = O_ERR};
Opd st_val(Value v) { return v.kind == V_ERR ? opd_err : (Opd){.k = O_VAL, .t = v.type, .v = v}; }

/* sp hp xp wv: the type of a view name, or NULL. */
Type *st_view_type(const char *name)
{
    return strcmp(name, "sp") == 0 ? ty_f32 : strcmp(name, "hp") == 0 ? ty_f16 : strcmp(name, "xp") == 0 ? ty_i16 :
           strcmp(name, "wv") == 0 ? ty_u32 : NULL;
}

/* The ELEM under a view or two, or NULL. */
static const AstNode *elem_node(Sema *s, Scope *sc, const AstNode *n)
{
    while (n->kind == AST_VIEW || is_view_call(s, sc, n)) n = n->kind == AST_VIEW ? n->u.field.e : n->u.call.args.v[0];
    return n->kind == AST_ELEM ? n : NULL;
}
bool st_is_elem(Sema *s, Scope *sc, const AstNode *n) { return elem_node(s, sc, n) != NULL; }

/* name[] of something that is no iterator or socket. */
static Opd not_stream(Sema *s, Scope *sc, AstNode *n, AstNode *e)
{
    Value v;
    bool known = st_name(s, sc, e, &v);
    if (!known && e->kind == AST_NAME && !scope_lookup(sc, e->u.name.name) && !module_find(sc->mod, e->u.name.name)) {
        v = eval_expr(s, sc, e, NULL);               /* says so */
        if (v.kind != V_ERR) known = true;
    } else if (!known) v = (Value){.kind = V_VOID};
    if (v.kind == V_ERR) return opd_err;
    if (e->kind == AST_NAME) SEMA_ERR(s, st_not_stream, e->loc, d_str(arena_printf(s->arena, "'%s'", e->u.name.name)));
    else SEMA_ERR(s, st_not_stream, n->loc, d_str("this"));
    return opd_err;
}

Opd st_elem(Sema *s, Scope *sc, AstNode *n, bool write)
{
    AstNode *e = n->u.wrap.e;
    StObj *o = st_name_obj(s, sc, e);
    if (!o || (o->kind != ST_ITER && o->kind != ST_SOCKET)) return not_stream(s, sc, n, e);
    if (o->kind == ST_SOCKET && o->out != write) {
        SEMA_ERR(s, st_socket_dir, n->loc, d_str(o->name), d_str(o->out ? "out" : "in"), d_str(write ? "written" : "read"));
        return opd_err;
    }
    if (write && o->is_const) {
        SEMA_ERR(s, store_const, n->loc, d_int(0));
        return opd_err;
    }
    StUse *u = use_of(s, o);
    if (o->kind == ST_ITER && (write ? u->pos == POS_SRC0 || u->pos == POS_SRC1 : u->pos == POS_DEST)) {
        SEMA_ERR(s, st_read_write, n->loc, d_str(o->name));
        return opd_err;
    }
    if (write) u->pos = POS_DEST;
    return (Opd){.k = O_ELEM, .t = o->elem, .use = u};
}

/* Does its type have the size of its elements?  (A wavelet fits all.) */
static bool whole(const Opd *o) { return o->use->obj->kind == ST_SOCKET || o->t->size == o->use->obj->elem->size; }
static bool may_pos(const Opd *o, Pos p)
{
    return o->k != O_ELEM || o->use->obj->kind == ST_SOCKET || o->use->pos == POS_NONE || o->use->pos == p;
}
/* An element's DSR is to stand in this position: then it does so for the rest of the nest. */
static bool take_pos(const Opd *o, Pos p)
{
    if (!whole(o) || !may_pos(o, p)) return false;
    if (o->use->obj->kind == ST_ITER) o->use->pos = p;
    return true;
}
static bool is_stream(const Opd *o) { return o->k == O_ELEM || o->k == O_DOT; }

IrVop st_mov_of(const Type *t)
{
    return t == ty_f32 ? IRV_FMOVS : t == ty_f16 ? IRV_FMOVH : t->size == 4 ? IRV_MOV32 : IRV_MOV16;
}

/* In `parallel`, what writes to a slot goes to the microthread. */
static IrRef emit_vop(Sema *s, IrVop v, IrRef d, IrRef a, IrRef b, IrRef c, int n, Loc loc)
{
    IrRef r = ir_vop(st_ir(s), s->fn->cur, v, d, a, b, c, n, loc);
    StFn *f = st_fn(s);
    if (f->ut >= 0 && d.i)
        ir_ins(st_ir(s), r)->async = (IrAsync){.on = true, .ut = (int8_t)f->ut, .act = -1, .unb = -1, .prio = 0};
    return r;
}

static IrRef to_ir_type(Sema *s, IrRef r, IrType t, Loc loc)
{
    return ir_ins(st_ir(s), r)->type == t ? r : ir_un(st_ir(s), s->fn->cur, IR_BITCAST, t, r, loc);
}
/* The bits of a register as a number of type t: all of them, or the low half. */
static Value bits_as(Sema *s, IrRef r, const Type *from, Type *t, Loc loc)
{
    if (from->size == 4 && t->size == 2) r = ir_un(st_ir(s), s->fn->cur, IR_TRUNC, T_I16, to_ir_type(s, r, T_I32, loc), loc);
    return v_ir(t, to_ir_type(s, r, t->ir, loc));
}

Value st_fetch(Sema *s, Opd o, Loc loc)
{
    StFn *f = st_fn(s);
    if (o.k == O_ERR) return V_NONE;
    if (o.k == O_VAL) return o.v;
    if (o.k == O_DOT) return v_ir(ty_f32, emit_vop(s, IRV_FMOVS, IR_NONE, IR_NONE, o.slot, IR_NONE, 1, loc));
    if (f->vec) {
        f->vec_failed = true;
        return V_NONE;
    }
    Opd w = o;
    if (!whole(&o)) w.t = o.use->obj->elem;
    IrRef slot = move_slot(s, o.use, loc), r;
    if (take_pos(&w, POS_SRC1)) r = emit_vop(s, st_mov_of(w.t), IR_NONE, IR_NONE, slot, IR_NONE, 1, loc);
    else {                                           /* its DSR is a src0: subtract 0 from the bits */
        IrRef zero = ir_const(st_ir(s), s->fn->cur, w.t->size == 4 ? T_I32 : T_I16, 0, loc);
        r = emit_vop(s, w.t->size == 4 ? IRV_SUB32 : IRV_SUB16, IR_NONE, slot, zero, IR_NONE, 1, loc);
    }
    return bits_as(s, r, w.t, o.t, loc);
}

/* The operand in position p of an operation on type t, whose row has the IR type it.  An element that cannot stand there is
 * read first. */
static IrRef opd_ref(Sema *s, Opd *o, Type *t, IrType it, Pos p, Loc loc)
{
    if (o->k == O_ELEM && p != POS_NONE && take_pos(o, p)) return move_slot(s, o->use, loc);
    if (o->k == O_DOT) return o->slot;
    Value v = st_fetch(s, *o, loc);
    IrRef r = v.kind == V_ERR ? IR_NONE : value_ir(s, v, t, loc);
    return r.i ? to_ir_type(s, r, it, loc) : r;
}

/* ---- order: elements of one stream are read in the order in which they are written -------------------------------------- */

static bool same_stream(const StObj *a, const StObj *b)
{
    return a == b || (a->kind == ST_SOCKET && b->kind == ST_SOCKET && a->out == b->out && a->queue == b->queue);
}

typedef struct Find { Sema *s; Scope *sc; StObj *o; bool yes; } Find;
static void find_stream(void *ctx, AstNode *n)
{
    Find *f = ctx;
    if (f->yes) return;
    if (n->kind == AST_ELEM) {
        StObj *o = st_name_obj(f->s, f->sc, n->u.wrap.e);
        f->yes = o && f->o && same_stream(o, f->o);
    } else if (n->kind == AST_CALL && !is_view_call(f->s, f->sc, n)) f->yes = true;
    else ast_each_child(n, find_stream, ctx);
}

/* An operand waits while `later` is evaluated.  If that reads the same stream, or calls something, it is read now.  direct:
 * the operation takes both in this order, so two words of one queue need no register. */
static void hold(Sema *s, Scope *sc, Opd *o, AstNode *later, bool direct)
{
    if (!is_stream(o)) return;
    Find f = {s, sc, o->k == O_ELEM ? o->use->obj : NULL, false};
    if (direct && f.o && f.o->kind == ST_SOCKET && st_is_elem(s, sc, later)) return;
    find_stream(&f, later);
    if (f.yes) *o = st_val(st_fetch(s, *o, later->loc));
}

typedef struct Twice { Sema *s; Scope *sc; AstNode *in; bool yes; } Twice;
static void find_twice(void *ctx, AstNode *n)
{
    Twice *t = ctx;
    if (n->kind == AST_ELEM) {
        Find f = {t->s, t->sc, st_name_obj(t->s, t->sc, n->u.wrap.e), false};
        find_stream(&f, t->in);
        t->yes |= f.yes;
    } else if (!t->yes) ast_each_child(n, find_twice, ctx);
}
bool st_same_twice(Sema *s, Scope *sc, AstNode *a, AstNode *b)
{
    Twice t = {s, sc, b, false};
    find_twice(&t, a);
    return t.yes;
}

/* ---- what an expression touches ------------------------------------------------------------------------------------------ */

static StObj *name_dot(Scope *sc, const AstNode *n)
{
    Entry *e = n->kind == AST_NAME ? scope_lookup(sc, n->u.name.name) : NULL;
    StObj *o = e && e->kind != E_PLACE ? st_ext_obj(&e->v) : NULL;
    return o && o->kind == ST_DOT ? o : NULL;
}

/* Does the expression touch an element, a dot register or a ∑?  (Then it is ours; else plain sema evaluates it.)  Every level
 * of a deep expression asks, so the answers for deep nodes are remembered. */
typedef struct Touch { Sema *s; Scope *sc; bool yes; } Touch;
static void touch(void *ctx, AstNode *n)
{
    Touch *t = ctx;
    if (!t->yes) t->yes = st_touches(t->s, t->sc, n);
}
bool st_touches(Sema *s, Scope *sc, AstNode *n)
{
    if (n->kind == AST_ELEM || n->kind == AST_SUM || n->kind == AST_VIEW) return true;
    if (n->kind == AST_NAME) return name_dot(sc, n) != NULL;
    StFn *f = st_fn(s);
    bool deep = n->depth > 8;
    size_t at = ((uintptr_t)n / sizeof *n * 0x9e3779b1u) % MEMO;
    if (deep && f->memo[at].n == n && f->memo[at].ndots == f->ndots) return f->memo[at].yes;
    Touch t = {s, sc, false};
    ast_each_child(n, touch, &t);
    if (deep) {
        f->memo[at].n = n;
        f->memo[at].ndots = f->ndots;
        f->memo[at].yes = t.yes;
    }
    return t.yes;
}

bool st_invariant(Sema *s, Scope *sc, AstNode *n, const char *index)
{
    switch (n->kind) {
    case AST_INT: case AST_FLOAT: case AST_BOOL: return true;
    case AST_NAME: return n->u.name.name != index;
    case AST_FIELD: return st_invariant(s, sc, n->u.field.e, index);
    case AST_UNARY: return n->u.un.op != OP_ADDR && st_invariant(s, sc, n->u.un.e, index);
    case AST_BINARY: return st_invariant(s, sc, n->u.bin.l, index) && st_invariant(s, sc, n->u.bin.r, index);
    case AST_CALL: return is_view_call(s, sc, n) && st_invariant(s, sc, n->u.call.args.v[0], index);
    case AST_BUILTIN:
        if (strcmp(n->u.builtin.name, "as") && strcmp(n->u.builtin.name, "bitcast")) return false;
        for AST_EACH(i, n->u.builtin.args)
            if (!st_invariant(s, sc, n->u.builtin.args.v[i], index)) return false;
        return true;
    default: return false;
    }
}

/* ---- element-wise operations ------------------------------------------------------------------------------------------- */

/* The vector operation of `a op b` on elements of type t, or -1. */
static int vop_of(AstOp op, const Type *t)
{
    if (t == ty_f32) return op == OP_ADD ? IRV_FADDS : op == OP_SUB ? IRV_FSUBS : op == OP_MUL ? IRV_FMULS : -1;
    if (t == ty_f16) return op == OP_ADD ? IRV_FADDH : op == OP_SUB ? IRV_FSUBH : op == OP_MUL ? IRV_FMULH : -1;
    if (t->kind != TY_INT) return -1;
    if (t->bits == 32) return op == OP_ADD ? IRV_ADD32 : op == OP_SUB ? IRV_SUB32 : -1;
    if (t->bits != 16) return -1;
    switch (op) {
    case OP_ADD: return IRV_ADD16;
    case OP_SUB: return IRV_SUB16;
    case OP_MUL: return IRV_MUL16;
    case OP_BAND: return IRV_AND16;
    case OP_BOR: return IRV_OR16;
    case OP_BXOR: return IRV_XOR16;
    case OP_SHL: return IRV_SLL16;
    case OP_SHR: return t->is_signed ? IRV_SAR16 : IRV_SLR16;
    default: return -1;
    }
}
static bool vop_comm(AstOp op) { return op == OP_ADD || op == OP_MUL || op == OP_BAND || op == OP_BOR || op == OP_BXOR; }

/* Type that both operands of a stream operation have; elements decide, constants follow. */
static Type *common(Sema *s, const Opd *a, const Opd *b, Loc loc)
{
    if (a->t == b->t) return a->t;
    if (is_stream(a) && !is_stream(b) && can_coerce(s, &b->v, a->t)) return a->t;
    if (is_stream(b) && !is_stream(a) && can_coerce(s, &a->v, b->t)) return b->t;
    /* only the types are looked at; any reference but IR_NONE, which would mean an error that was reported */
    Value x = a->k == O_VAL ? a->v : v_ir(a->t, (IrRef){1}), y = b->k == O_VAL ? b->v : v_ir(b->t, (IrRef){1});
    return peer_type(s, &x, &y, loc);
}

/* Choose positions: a commutative pair is swapped where that lets both elements stay DSRs. */
static void choose(Vec *v, bool comm)
{
    if (!v->has_a || !comm) return;
    const StObj *x = v->a.k == O_ELEM ? v->a.use->obj : NULL, *y = v->b.k == O_ELEM ? v->b.use->obj : NULL;
    if (x && y && same_stream(x, y)) return;         /* in the order written */
    bool straight = may_pos(&v->a, POS_SRC0) && may_pos(&v->b, POS_SRC1);
    bool swapped = may_pos(&v->b, POS_SRC0) && may_pos(&v->a, POS_SRC1);
    bool prefer_swap = (x && !y && swapped) ||       /* a lone element goes to src1 */
                       (y && y->kind == ST_SOCKET && x && x->kind != ST_SOCKET && swapped);
    if (prefer_swap || (!straight && swapped)) {
        Opd t = v->a;
        v->a = v->b;
        v->b = t;
    }
}

static bool fits_at(Sema *s, const Opd *o, Pos p, Loc loc)
{
    if (o->k != O_ELEM || (p != POS_NONE && whole(o) && may_pos(o, p))) return true;
    SEMA_ERR(s, st_file, loc, d_str(o->use->obj->name));
    return false;
}
bool st_fits(Sema *s, Vec *v, Loc loc)
{
    if (v->has_a && v->a.k == O_ELEM && v->b.k == O_ELEM && v->a.use == v->b.use && v->a.use->obj->kind == ST_ITER) {
        SEMA_ERR(s, st_file, loc, d_str(v->a.use->obj->name));
        return false;
    }
    return (!v->has_a || fits_at(s, &v->a, POS_SRC0, loc)) && fits_at(s, &v->b, POS_SRC1, loc) &&
           (!v->has_c || fits_at(s, &v->c, POS_NONE, loc));
}

IrRef st_emit(Sema *s, Vec *v, IrRef d, int n, Loc loc)
{
    const IrVopRow *row = &ir_vops[v->vop];
    IrRef a = IR_NONE, b, c = IR_NONE;
    if (v->has_c && v->c.k == O_ELEM) v->c = st_val(st_fetch(s, v->c, loc));
    if (v->has_a && !(a = opd_ref(s, &v->a, v->t, row->a, POS_SRC0, loc)).i) return IR_NONE;
    if (!(b = opd_ref(s, &v->b, v->t, row->b, POS_SRC1, loc)).i) return IR_NONE;
    if (v->has_c && !(c = opd_ref(s, &v->c, v->t, row->c, POS_NONE, loc)).i) return IR_NONE;
    return emit_vop(s, (IrVop)v->vop, d, a, b, c, n, loc);
}

static bool vec_has_elem(const Vec *v)
{
    return (v->has_a && v->a.k == O_ELEM) || v->b.k == O_ELEM || (v->has_c && v->c.k == O_ELEM);
}

/* The operation into a register. */
static Opd vec_value(Sema *s, Vec *v, Loc loc)
{
    if (v->vop == -1) return opd_err;
    if (v->vop == -2) return v->b;
    if (st_fn(s)->vec && vec_has_elem(v)) {
        st_fn(s)->vec_failed = true;
        return opd_err;
    }
    IrRef r = st_emit(s, v, IR_NONE, 1, loc);
    return r.i ? st_val(v_ir(v->t, to_ir_type(s, r, v->t->ir, loc))) : opd_err;
}

static Vec computed(Value r) { return r.kind == V_ERR ? (Vec){.vop = -1} : (Vec){.vop = -2, .t = r.type, .b = st_val(r)}; }

/* a op b, both evaluated: as a vector operation where the machine has one. */
static Vec pair(Sema *s, AstOp op, Opd a, Opd b, Loc loc)
{
    if (a.k == O_ERR || b.k == O_ERR) return (Vec){.vop = -1};
    if (!is_stream(&a) && !is_stream(&b)) return computed(binary(s, op, a.v, b.v, loc));
    Type *t = common(s, &a, &b, loc);
    if (!t) return (Vec){.vop = -1};
    int vop = vop_of(op, t);
    if (vop < 0 || (is_stream(&a) && a.t != t) || (is_stream(&b) && b.t != t)) {
        Value x = st_fetch(s, a, loc), y = st_fetch(s, b, loc);
        return computed(x.kind == V_ERR || y.kind == V_ERR ? V_NONE : binary(s, op, x, y, loc));
    }
    Vec v = {vop, t, a, b, {0}, true, false};
    choose(&v, vop_comm(op));
    return v;
}

static bool becomes(Sema *s, const Opd *o, Type *t) { return o->t == t || (!is_stream(o) && can_coerce(s, &o->v, t)); }

/* x + y * z, x - y * z, y * z + x of floats are one multiply-add: it rounds twice, so the bits are those of two operations. */
static bool vec_fma(Sema *s, Scope *sc, AstNode *n, Type *want, Vec *out)
{
    AstOp op = n->u.bin.op;
    AstNode *l = n->u.bin.l, *r = n->u.bin.r, *mul = NULL, *add = NULL;
    if (op != OP_ADD && op != OP_SUB) return false;
    if (r->kind == AST_BINARY && r->u.bin.op == OP_MUL) mul = r, add = l;
    else if (op == OP_ADD && l->kind == AST_BINARY && l->u.bin.op == OP_MUL) mul = l, add = r;
    else return false;
    Opd x = opd_err, y, z;
    if (add == l) {
        x = st_eval(s, sc, add, want);
        hold(s, sc, &x, mul, false);
    }
    y = st_eval(s, sc, mul->u.bin.l, want);
    hold(s, sc, &y, mul->u.bin.r, false);
    if (add == r) hold(s, sc, &y, add, false);
    z = st_eval(s, sc, mul->u.bin.r, want);
    if (add == r) {
        hold(s, sc, &z, add, false);
        x = st_eval(s, sc, add, want);
    }
    *out = (Vec){.vop = -1};
    if (x.k == O_ERR || y.k == O_ERR || z.k == O_ERR) return true;
    Type *t = is_stream(&x) ? x.t : is_stream(&y) ? y.t : is_stream(&z) ? z.t : NULL;
    bool fma = (t == ty_f32 || (t == ty_f16 && op == OP_ADD)) && (is_stream(&y) || is_stream(&z)) && becomes(s, &x, t) &&
               becomes(s, &y, t) && becomes(s, &z, t);
    if (!fma) {
        Vec m = pair(s, OP_MUL, y, z, mul->loc);
        Opd p = vec_value(s, &m, mul->loc);
        *out = add == l ? pair(s, op, x, p, n->loc) : pair(s, op, p, x, n->loc);
        return true;
    }
    if (z.k == O_ELEM && y.k != O_ELEM) {            /* the factor c is a register or a dot register */
        Opd k = y;
        y = z;
        z = k;
    }
    *out = (Vec){t == ty_f16 ? IRV_FMACH : op == OP_ADD ? IRV_FMACS : IRV_FMSS, t, x, y, z, true, true};
    return true;
}

Vec st_binary(Sema *s, Scope *sc, AstNode *n, Type *want)
{
    Vec v;
    if (vec_fma(s, sc, n, want, &v)) return v;
    Opd a = st_eval(s, sc, n->u.bin.l, want);
    hold(s, sc, &a, n->u.bin.r, true);
    Opd b = st_eval(s, sc, n->u.bin.r, want);
    return pair(s, n->u.bin.op, a, b, n->loc);
}

/* ---- ∑ ----------------------------------------------------------------------------------------------------------------- */

/* Give a DSR operand the length of the index set; needed when the count does not fit the instruction.  An iterator of that
 * very length needs nothing, unless someone changes the length of its DSR in this nest, or of its descriptor. */
static void set_len(Sema *s, Opd *o, int64_t k, Value v, Loc loc)
{
    if (o->k != O_ELEM) return;
    StUse *u = o->use;
    IrRef slot = use_slot(s, u, loc);
    IrRef n = k >= 0 ? ir_const(st_ir(s), s->fn->cur, T_I16, k, loc) : value_ir(s, v, ty_u16, loc);
    if (k >= 0 && k == u->obj->total && !u->len_set && !u->obj->patched) {
        LenSpot *p = ARENA_NEW(s->arena, LenSpot);
        *p = (LenSpot){u->spots, u->obj->spots, st_ir(s), ir_const(st_ir(s), s->fn->cur, T_I16, k, loc), slot, n};
        u->spots = u->obj->spots = p;
        return;
    }
    ir_append(st_ir(s), s->fn->cur, IR_DSRLEN, T_VOID, 2, (IrRef[]){slot, n}, loc);
    u->len_set = true;
    for (LenSpot *p = u->spots; p; p = p->of_use) st_len_needed(p);
}

int st_count(Sema *s, Vec *v, Opd *dst, int64_t k, Value kv, Loc loc)
{
    if (k >= 1 && k <= 63 && !v->has_c) return (int)k;
    if (k == 1) return 1;
    if (v->has_a) set_len(s, &v->a, k, kv, loc);
    set_len(s, &v->b, k, kv, loc);
    if (dst) set_len(s, dst, k, kv, loc);
    return 0;
}

/* What a chain adds up, as an operation that starts one: an element, a product of two factors, for many elements each.  A
 * factor is an element or the same for all.  vop -1: reported. */
static Vec chain_vec(Sema *s, Scope *sc, AstNode *e)
{
    Vec v = {.vop = -1};
    bool product = e->kind == AST_BINARY && e->u.bin.op == OP_MUL;
    AstNode *l = product ? e->u.bin.l : NULL, *r = product ? e->u.bin.r : e;
    bool le = l && st_is_elem(s, sc, l), re = st_is_elem(s, sc, r);
    if (!(product ? (le || re) && (le || st_invariant(s, sc, l, NULL)) && (re || st_invariant(s, sc, r, NULL)) : re)) {
        SEMA_ERR(s, st_sum_product, e->loc, d_int(0));
        return v;
    }
    Opd a = product ? st_eval(s, sc, l, ty_f32) : opd_err, b = st_eval(s, sc, r, ty_f32);
    if ((product && a.k == O_ERR) || b.k == O_ERR) return v;
    if ((product && !becomes(s, &a, ty_f32)) || !becomes(s, &b, ty_f32)) {
        SEMA_ERR(s, st_sum_product, e->loc, d_int(0));
        return v;
    }
    v = product ? (Vec){IRV_DOTS, ty_f32, a, b, {0}, true, false} : (Vec){IRV_SUMS, ty_f32, {0}, b, {0}, false, false};
    choose(&v, true);
    return v;
}

static bool chain_emit(Sema *s, Vec *v, int64_t k, Value kv, IrRef d, bool accumulate, Loc loc)
{
    if (v->has_a && v->a.k == O_DOT && v->a.slot.i == d.i) v->a = st_val(st_fetch(s, v->a, loc));  /* a chain cannot read itself */
    if (v->b.k == O_DOT && v->b.slot.i == d.i) v->b = st_val(st_fetch(s, v->b, loc));
    if (k != 1 && !st_fits(s, v, loc)) return false;
    if (accumulate) v->vop = v->vop == IRV_DOTS ? IRV_DOTAS : IRV_SUMAS;
    IrFn *f = st_ir(s);
    IrRef zero = IR_NONE;
    if (k <= 0 && !accumulate) zero = ir_fconst(f, s->fn->cur, T_F32, 0.0, loc);
    if (k == 0) {                                    /* nothing to add: a new chain is 0 */
        if (!accumulate) emit_vop(s, IRV_SUMS, d, IR_NONE, zero, IR_NONE, 1, loc);
        return true;
    }
    int cnt = st_count(s, v, NULL, k, kv, loc);
    if (k > 0) {
        st_fn(s)->elems = k;
        bool done = st_emit(s, v, d, cnt, loc).i != 0;
        st_fn(s)->elems = 1;
        return done;
    }
    /* a length of 0 would mean "no length" to the machine */
    IrBlk some = ir_block_new(f, "some"), over = ir_block_new(f, "added"), none = accumulate ? over : ir_block_new(f, "none");
    IrRef n = value_ir(s, kv, ty_u16, loc);
    ir_condbr(f, s->fn->cur, ir_icmp(f, s->fn->cur, CMP_EQ, n, ir_const(f, s->fn->cur, T_I16, 0, loc), loc), none, some, loc);
    if (!accumulate) {
        s->fn->cur = none;
        emit_vop(s, IRV_SUMS, d, IR_NONE, zero, IR_NONE, 1, loc);
        ir_br(f, none, over, loc);
    }
    s->fn->cur = some;
    st_fn(s)->elems = -1;
    bool ok = st_emit(s, v, d, cnt, loc).i != 0;
    st_fn(s)->elems = 1;
    ir_br(f, s->fn->cur, over, loc);
    s->fn->cur = over;
    return ok;
}

/* The sum of e over k elements (-1: kv) into the dot register d. */
bool st_chain(Sema *s, Scope *sc, AstNode *e, int64_t k, Value kv, IrRef d, bool accumulate, Loc loc)
{
    Vec v = chain_vec(s, sc, e);
    if (v.vop < 0) return false;
    if (k > VEC_MAX) {
        SEMA_ERR(s, st_vec_length, loc, d_int(k), d_int(VEC_MAX));
        return false;
    }
    return chain_emit(s, &v, k, kv, d, accumulate, e->loc);
}

bool st_sum(Sema *s, Scope *sc, AstNode *n, IrRef d, bool accumulate)
{
    StObj *ix = st_index(s, sc, n->u.idx.index, n->u.idx.index_loc);
    int64_t k;
    Value kv;
    return ix && st_extent(s, ix, n->loc, &k, &kv) && st_chain(s, sc, n->u.idx.e, k, kv, d, accumulate, n->loc);
}

IrRef st_dot_new(Sema *s, const char *name, Loc loc)
{
    IrRef d = ir_append(st_ir(s), s->fn->cur, IR_DOTSLOT, T_SLOT, 0, NULL, loc);
    ir_ins(st_ir(s), d)->name = name;
    return d;
}

/* ---- expressions ------------------------------------------------------------------------------------------------------- */

static Opd st_view(Sema *s, Scope *sc, AstNode *n, Type *t, AstNode *e)
{
    Opd o = st_eval(s, sc, e, NULL);
    if (o.k == O_ERR) return o;
    Type *from = o.t;
    if (type_is_scalar(from) && from->size >= t->size && (from->size == 2 || from->size == 4)) {
        if (o.k == O_ELEM) {
            o.t = t;
            return o;
        }
        Value v = st_fetch(s, o, n->loc);
        IrRef r = v.kind == V_ERR ? IR_NONE : value_ir(s, v, from, n->loc);
        return r.i ? st_val(bits_as(s, r, from, t, n->loc)) : opd_err;
    }
    if (o.k == O_ELEM && o.use->obj->kind == ST_SOCKET) {    /* all 32 bits of the wavelet */
        o.t = t;
        return o;
    }
    SEMA_ERR(s, st_view_size, n->loc, d_type(from), d_type(t));
    return opd_err;
}

Opd st_eval(Sema *s, Scope *sc, AstNode *n, Type *want)
{
    switch (n->kind) {
    case AST_ELEM: return st_elem(s, sc, n, false);
    case AST_VIEW: {
        Type *t = st_view_type(n->u.field.name);
        if (t) return st_view(s, sc, n, t, n->u.field.e);
        SEMA_ERR(s, st_view_type, n->u.field.name_loc, d_str(n->u.field.name));
        return opd_err;
    }
    case AST_CALL:
        if (is_view_call(s, sc, n)) return st_view(s, sc, n, st_view_type(n->u.call.fn->u.name.name), n->u.call.args.v[0]);
        break;
    case AST_NAME: {
        StObj *o = name_dot(sc, n);
        if (o) return (Opd){.k = O_DOT, .t = ty_f32, .slot = o->slot};
        break;
    }
    case AST_SUM: {
        IrRef d = st_dot_new(s, NULL, n->loc);
        return st_sum(s, sc, n, d, false) ? (Opd){.k = O_DOT, .t = ty_f32, .slot = d} : opd_err;
    }
    case AST_BINARY:
        if (n->u.bin.op < OP_EQ && st_touches(s, sc, n)) {
            Vec v = st_binary(s, sc, n, want);
            return vec_value(s, &v, n->loc);
        }
        break;
    case AST_UNARY:
        if (n->u.un.op == OP_NEG && st_touches(s, sc, n->u.un.e)) {
            Opd o = st_eval(s, sc, n->u.un.e, want);
            if (!is_stream(&o) || (o.t != ty_f32 && o.t != ty_f16)) {
                Value v = st_fetch(s, o, n->loc);
                return v.kind == V_ERR ? opd_err : st_val(unary(s, OP_NEG, v, n->loc));
            }
            Vec v = {o.t == ty_f32 ? IRV_FNEGS : IRV_FNEGH, o.t, {0}, o, {0}, false, false};
            return vec_value(s, &v, n->loc);
        }
        break;
    default: break;
    }
    return st_val(eval_expr(s, sc, n, want));
}

bool sema_stream_expr(Sema *s, Scope *sc, AstNode *n, Type *want, Value *out)
{
    bool ours = n->kind == AST_ELEM || n->kind == AST_VIEW || n->kind == AST_SUM || is_view_call(s, sc, n) || name_dot(sc, n);
    if (!ours) return false;
    *out = V_NONE;
    if (!st_in_pe_code(s, n->loc)) return true;
    st_nest_enter(s, n);
    *out = st_fetch(s, st_eval(s, sc, n, want), n->loc);
    st_nest_leave(s);
    return true;
}
