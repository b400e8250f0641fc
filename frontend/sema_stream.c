/* frontend/sema_stream.c: Tungsten's statements over streams, iterators and index sets (docs/language.md section 2).
 *
 * Takes the tree and sema's scopes; leaves vector operations (IR_VOP) over DSR slots, dot slots and registers.  The one idea:
 * an element `a[]` is not loaded when it is met; it is an operand (Opd) that goes into the vector operation that uses it.
 *
 * A loop nest is the outermost ∀ or for statement.  Its iterators and sockets get a DSR slot each, loaded before the loop;
 * position 0 at its entry, dropped at its exit.  A statement outside any nest is a nest of its own. */
#include "sema_stream.h"
#include <string.h>

typedef enum { ST_INDEX, ST_ITER, ST_SOCKET, ST_DOT } StKind;
typedef struct StObj {
    StKind kind;
    const char *name;
    Type *elem;
    Loc loc;
    IrSym desc;              /* ITER, SOCKET: descriptor */
    bool nested;             /* ITER: needs an XDSR */
    int64_t total;           /* ITER: elements */
    bool out;                /* SOCKET */
    int queue;               /* SOCKET */
    Value extent;            /* INDEX: known, or run time; V_ERR: evaluate node in scope at each use */
    AstNode *node;
    Scope *scope;
    IrRef slot;              /* DOT */
} StObj;

typedef enum { POS_NONE, POS_DEST, POS_SRC0, POS_SRC1 } Pos;
typedef struct StUse { StObj *obj; IrRef slot; Pos pos; bool len_set; } StUse;
typedef struct StFn { StUse **uses; int nest; int ut; } StFn;   /* ut >= 0: vector operations go to that microthread (parallel) */

/* An operand of a vector operation. */
typedef struct Opd { enum { O_ERR, O_VAL, O_ELEM, O_DOT } k; Type *t; Value v; StUse *use; IrRef slot; } Opd;

static IrFn *fn_of(Sema *s) { return s->fn->ir; }
static bool in_pe_code(Sema *s, Loc loc)
{
    if (s->fn && s->fn->ir) return true;
    SEMA_ERR(s, st_outside_fn, loc, d_int(0));
    return false;
}

static StFn *st_fn(Sema *s)
{
    if (!s->fn->stream) {
        StFn *f = ARENA_NEW(s->arena, StFn);
        f->ut = -1;
        s->fn->stream = f;
    }
    return s->fn->stream;
}

/* ---- access functions ------------------------------------------------------------------------------------------------- */

/* The value of an index expression with the indices set to at[]. */
static bool index_value(Sema *s, Scope *sc, AstNode *lam, AstNode *e, const int64_t *at, int64_t *out)
{
    Scope *in = scope_push(s, sc);
    bool ok = true;
    for AST_EACH(k, lam->u.lambda.names) {
        AstNode *nm = lam->u.lambda.names.v[k];
        Entry *en = scope_define(s, in, nm->u.name.name, nm->loc);
        if (!en) { ok = false; break; }
        en->kind = E_VALUE;
        en->v = v_int(ty_comptime_int, at[k]);
    }
    ok = ok && eval_known_int(s, in, e, "an index", INT32_MIN, INT32_MAX, out);
    scope_pop(s, in);
    return ok;
}

/* Coefficients of one index expression: c[0] constant, c[1 + k] of index k. */
static bool affine(Sema *s, Scope *sc, AstNode *lam, AstNode *e, uint32_t nd, int64_t *c)
{
    int64_t at[ACCESS_MAX_DIMS] = {0}, v, sum;
    if (!index_value(s, sc, lam, e, at, &c[0])) return false;
    sum = c[0];
    for (uint32_t k = 0; k < nd; k++) {
        at[k] = 1;
        if (!index_value(s, sc, lam, e, at, &v)) return false;
        at[k] = 0;
        c[1 + k] = v - c[0];
        sum += c[1 + k] * (int64_t)(k + 2);
    }
    for (uint32_t k = 0; k < nd; k++) at[k] = (int64_t)k + 2;
    if (!index_value(s, sc, lam, e, at, &v)) return false;
    if (v == sum) return true;
    SEMA_ERR(s, st_not_affine, e->loc, d_int(0));
    return false;
}

/* The array (or what a pointer points at) under the element expression: a P_MEM place of an array, or of one element. */
static bool access_base(Sema *s, Scope *sc, AstNode *e, Access *out, const int64_t **dims, uint32_t *rank)
{
    Place p = eval_place(s, sc, e);
    if (p.kind == P_ERR) return false;
    if (p.type && p.type->kind == TY_POINTER) p = ptr_deref(s, place_load(s, &p, e->loc), e->loc);
    if (p.kind == P_ERR) return false;
    if (p.kind == P_VALUE || (p.kind == P_CELL && p.is_const)) {     /* a constant array gets memory */
        Value v = place_load(s, &p, e->loc);
        if (v.kind == V_AGG && v.type->kind == TY_ARRAY && is_known(&v) && s->ir)
            p = (Place){.kind = P_MEM, .type = v.type, .is_const = true, .addr = value_addr(s, v, v.type, e->loc)};
    }
    if (p.kind != P_MEM) {
        SEMA_ERR(s, st_lambda_body, e->loc, d_int(0));
        return false;
    }
    *rank = p.type->kind == TY_ARRAY ? p.type->rank : 1;
    *dims = p.type->kind == TY_ARRAY ? p.type->dims : NULL;
    out->elem = p.type->kind == TY_ARRAY ? p.type->elem : p.type;
    out->place = p;
    return true;
}

bool access_eval(Sema *s, Scope *sc, AstNode *n, bool fixed, Access *out)
{
    memset(out, 0, sizeof *out);
    uint32_t nd = n->u.lambda.names.n;
    AstNode *e = n->u.lambda.e;
    if (nd < 1 || nd > ACCESS_MAX_DIMS || n->u.lambda.extents.n != nd) {
        SEMA_ERR(s, st_lambda_dims, n->loc, d_uint(nd), d_uint(n->u.lambda.extents.n));
        return false;
    }
    if (e->kind != AST_INDEX) {
        SEMA_ERR(s, st_lambda_body, e->loc, d_int(0));
        return false;
    }
    const int64_t *dims;
    uint32_t rank;
    if (!access_base(s, sc, e->u.index.e, out, &dims, &rank)) return false;
    if (rank != e->u.index.at.n) {
        SEMA_ERR(s, st_lambda_body, e->loc, d_int(0));
        return false;
    }
    out->ndims = nd;
    for (uint32_t k = 0; k < rank; k++) {
        int64_t c[1 + ACCESS_MAX_DIMS];
        if (!affine(s, sc, n, e->u.index.at.v[k], nd, c)) return false;
        int64_t scale = 1;
        for (uint32_t j = k + 1; dims && j < rank; j++) scale *= dims[j];
        out->off += c[0] * scale;
        for (uint32_t d = 0; d < nd; d++) out->stride[d] += c[1 + d] * scale;
    }
    for (uint32_t d = 0; d < nd; d++) {
        AstNode *x = n->u.lambda.extents.v[d];
        int64_t v;
        if (fixed) {
            if (!eval_known_int(s, sc, x, "an extent", 0, 65535, &v)) return false;
            out->extent[d] = v_int(ty_u16, v);
        } else {
            out->extent[d] = eval_expr(s, sc, x, ty_u16);
            if (out->extent[d].kind == V_ERR) return false;
        }
    }
    return true;
}

int64_t access_total(const Access *a)
{
    int64_t t = 1;
    for (uint32_t d = 0; d < a->ndims; d++) {
        if (a->extent[d].kind != V_INT) return -1;
        t *= (int64_t)a->extent[d].u.i;
        if (t > INT32_MAX) return INT32_MAX;
    }
    return t;
}

void access_merge(Access *a)
{
    uint32_t w = 0;                                  /* dimensions kept so far are a[0..w) */
    for (uint32_t d = 0; d < a->ndims; d++) {
        bool known = a->extent[d].kind == V_INT;
        if (known && a->extent[d].u.i == 1 && a->ndims > 1 && !(w == 0 && d + 1 == a->ndims)) continue;
        if (w && known && a->extent[w - 1].kind == V_INT && a->stride[w - 1] == (int64_t)a->extent[d].u.i * a->stride[d]) {
            a->extent[w - 1].u.i *= a->extent[d].u.i;
            a->stride[w - 1] = a->stride[d];
            continue;
        }
        a->extent[w] = a->extent[d];
        a->stride[w++] = a->stride[d];
    }
    a->ndims = w ? w : 1;
}

static void put16(uint8_t *p, uint16_t v)
{
    p[0] = (uint8_t)v;
    p[1] = (uint8_t)(v >> 8);
}

IrSym access_shape(Sema *s, const Access *a, Loc loc)
{
    uint8_t b[16] = {0};
    for (uint32_t k = 0; k < a->ndims; k++) {        /* innermost first */
        uint32_t d = a->ndims - 1 - k;
        put16(b + 4 * k, d == 0 ? 0 : (uint16_t)a->extent[d].u.i);
        put16(b + 4 * k + 2, (uint16_t)a->stride[d]);
    }
    return global_bytes(s, "shape", b, 16, 4, true, loc);
}

IrSym descriptor_new(Sema *s, const char *name, const uint16_t w[4], IrSym base, IrSym shape, bool is_const, Loc loc)
{
    IrSym sym = ir_global_new(s->ir, sema_unique(s, name), 8, 4);
    IrGlobal *g = ir_global(s->ir, sym);
    g->init = arena_alloc(s->ir->arena, 8);
    for (int k = 0; k < 4; k++) put16(g->init + 2 * k, w[k]);
    if (base.i) {
        IrReloc r = {0, base, (int16_t)w[0]};
        arrput(g->relocs, r);
    }
    if (shape.i) {
        IrReloc r = {4, shape, 0};
        arrput(g->relocs, r);
    }
    g->is_const = is_const;
    g->elem_type = WT_DSD;
    g->loc = loc;
    return sym;
}

/* ---- declarations ------------------------------------------------------------------------------------------------------ */

static bool elem_ok(Sema *s, Type *t, Loc loc)
{
    if (type_is_scalar(t) && (t->size == 2 || t->size == 4)) return true;
    SEMA_ERR(s, st_elem_size, loc, d_type(t));
    return false;
}

static StObj *obj_new_st(Sema *s, StKind k, const char *name, Type *elem, Loc loc)
{
    StObj *o = ARENA_NEW(s->arena, StObj);
    o->kind = k;
    o->name = name;
    o->elem = elem;
    o->loc = loc;
    return o;
}

static Value decl_index(Sema *s, Scope *sc, AstNode *n)
{
    StObj *o = obj_new_st(s, ST_INDEX, n->u.var.name, ty_u16, n->loc);
    o->node = n->u.var.init;
    o->scope = sc;
    if (!o->node) return SEMA_ERR(s, st_index_extent, n->loc, d_str("nothing"));
    if (s->fn) o->extent = eval_as(s, sc, o->node, ty_u16);
    return v_ext(ty_index, o);
}

static Value decl_iter(Sema *s, Scope *sc, AstNode *n)
{
    AstNode *init = n->u.var.init;
    if (!init || init->kind != AST_LAMBDA) return SEMA_ERR(s, st_lambda_expected, init ? init->loc : n->loc, d_int(0));
    Access a;
    if (!access_eval(s, sc, init, true, &a)) return V_NONE;
    Type *t = n->u.var.type ? eval_type(s, sc, n->u.var.type) : a.elem;
    if (!t) return V_NONE;
    if (t != a.elem && (!type_is_scalar(t) || t->size != a.elem->size))
        return SEMA_ERR(s, st_elem_type, n->u.var.type->loc, d_type(t), d_type(a.elem));
    if (!elem_ok(s, t, n->loc)) return V_NONE;
    int64_t total = access_total(&a);
    if (total > 32766) return SEMA_ERR(s, st_extent_range, init->loc, d_int(total));
    access_merge(&a);
    bool nested = a.ndims > 1 || a.stride[0] < -128 || a.stride[0] > 127;
    for (uint32_t d = 0; d < a.ndims; d++)
        if (a.stride[d] < -32768 || a.stride[d] > 32767)
            return SEMA_ERR(s, st_stride_range, init->loc, d_int(a.stride[d]), d_str("-32768 to 32767"));
    int64_t off = a.place.addr.off + a.off * (int64_t)a.elem->size;
    uint16_t w[4] = {(uint16_t)off, (uint16_t)(DSD_SAVE | total), 0, nested ? DSD_MEMND : DSD_MEM1D};
    IrSym shape = {0};
    if (nested) shape = access_shape(s, &a, init->loc);
    else w[2] = (uint16_t)(a.stride[0] & 0xff);
    StObj *o = obj_new_st(s, ST_ITER, n->u.var.name, t, n->loc);
    o->nested = nested;
    o->total = total;
    o->desc = descriptor_new(s, n->u.var.name, w, a.place.addr.sym, shape, false, n->loc);
    return v_ext(type_stream(s->prog, TY_ITER, t), o);
}

static Value decl_socket(Sema *s, Scope *sc, AstNode *n)
{
    Type *t = NULL;
    AstNode *ty = n->u.socket.type;
    if (!ty || (ty->kind == AST_NAME && strcmp(ty->u.name.name, "wv") == 0)) t = ty_u32;
    else t = eval_type(s, sc, ty);
    if (!t) return V_NONE;
    if (!type_is_scalar(t) || (t->size != 2 && t->size != 4)) return SEMA_ERR(s, st_socket_type, n->loc, d_type(t));
    int64_t q;
    if (!eval_known_int(s, sc, n->u.socket.queue, "a queue", 0, 255, &q)) return V_NONE;
    bool out = n->u.socket.dir == SOCK_OUT;
    int max = N_QUEUE - 1;
    while (out && max > 0 && arch_oq_words(&s->prog->arch, max) == 0) max--;
    if (q > max) return SEMA_ERR(s, st_queue_range, n->u.socket.queue->loc, d_int(max), d_int(q));
    uint16_t w[4] = {(uint16_t)q, LEN_ENDLESS, 0, out ? DSD_FABOUT : DSD_FABIN};
    StObj *o = obj_new_st(s, ST_SOCKET, n->u.socket.name, t, n->loc);
    o->out = out;
    o->queue = (int)q;
    o->total = -1;
    o->desc = descriptor_new(s, n->u.socket.name, w, (IrSym){0}, (IrSym){0}, true, n->loc);
    return v_ext(type_stream(s->prog, TY_SOCKET, t), o);
}

bool sema_stream_decl(Sema *s, Scope *sc, AstNode *n, Value *out)
{
    if (n->kind != AST_INDEX_SET && n->kind != AST_ITER && n->kind != AST_SOCKET) return false;
    if (!s->ir && n->kind != AST_INDEX_SET) {
        *out = SEMA_ERR(s, st_outside_fn, n->loc, d_int(0));
        return true;
    }
    *out = n->kind == AST_INDEX_SET ? decl_index(s, sc, n) : n->kind == AST_ITER ? decl_iter(s, sc, n) : decl_socket(s, sc, n);
    return true;
}

/* ---- names ------------------------------------------------------------------------------------------------------------- */

static StObj *ext_obj(const Value *v)
{
    if (v->kind != V_EXT || !v->type) return NULL;
    switch (v->type->kind) {
    case TY_INDEX: case TY_ITER: case TY_SOCKET: case TY_REG: return v->u.ext;
    default: return NULL;
    }
}

/* What a NAME means when it is one of ours; NULL otherwise.  Reports nothing. */
static StObj *name_obj(Sema *s, Scope *sc, AstNode *n)
{
    if (n->kind == AST_FIELD) {                      /* an iterator or socket of an imported module */
        Value v = eval_expr(s, sc, n, NULL);
        return ext_obj(&v);
    }
    if (n->kind != AST_NAME) return NULL;
    Entry *e = scope_lookup(sc, n->u.name.name);
    if (e) return e->kind == E_PLACE ? NULL : ext_obj(&e->v);
    while (sc->up) sc = sc->up;
    Decl *d = module_find(sc->mod, n->u.name.name);
    if (!d || (d->node->kind != AST_ITER && d->node->kind != AST_SOCKET && d->node->kind != AST_INDEX_SET)) return NULL;
    Value v = decl_value(s, d, n->loc);
    return ext_obj(&v);
}

/* ---- loop nests: slots ------------------------------------------------------------------------------------------------- */

static StUse *use_find(StFn *f, StObj *o)
{
    for (ptrdiff_t i = 0; i < arrlen(f->uses); i++)
        if (f->uses[i]->obj == o) return f->uses[i];
    return NULL;
}

static StUse *use_load(Sema *s, StObj *o, Loc loc)
{
    StFn *f = st_fn(s);
    IrRef slot = ir_append(fn_of(s), s->fn->cur, IR_DSRSLOT, T_SLOT, 0, NULL, loc);
    ir_ins(fn_of(s), slot)->imm = o->nested;
    ir_ins(fn_of(s), slot)->name = o->name;
    IrRef p = ir_gaddr(fn_of(s), s->fn->cur, o->desc, 0, loc);
    ir_append(fn_of(s), s->fn->cur, IR_DSRLOAD, T_VOID, 2, (IrRef[]){slot, p}, loc);
    StUse *u = ARENA_NEW(s->arena, StUse);
    *u = (StUse){o, slot, POS_NONE, false};
    arrput(f->uses, u);
    return u;
}

typedef struct Collect { Sema *s; Scope *sc; } Collect;
static void collect(void *ctx, AstNode *n)
{
    Collect *c = ctx;
    if (n->kind == AST_ELEM) {
        StObj *o = name_obj(c->s, c->sc, n->u.wrap.e);
        if (o && (o->kind == ST_ITER || o->kind == ST_SOCKET) && !use_find(st_fn(c->s), o)) use_load(c->s, o, n->loc);
        return;
    }
    ast_each_child(n, collect, c);
}

static void nest_enter(Sema *s, Scope *sc, AstNode *n)
{
    StFn *f = st_fn(s);
    if (f->nest++ == 0) collect(&(Collect){s, sc}, n);
}

static void nest_leave(Sema *s)
{
    StFn *f = st_fn(s);
    if (--f->nest == 0) arrfree(f->uses);
}

void sema_stream_nest_enter(Sema *s, Scope *sc, AstNode *n) { nest_enter(s, sc, n); }
void sema_stream_nest_leave(Sema *s) { nest_leave(s); }

/* ---- operands ---------------------------------------------------------------------------------------------------------- */

static const Opd opd_err = {.k = O_ERR};
static Opd opd_val(Value v) { return v.kind == V_ERR ? opd_err : (Opd){.k = O_VAL, .t = v.type, .v = v}; }

static Opd opd_elem(Sema *s, Scope *sc, AstNode *n, bool write)
{
    AstNode *e = n->u.wrap.e;
    StObj *o = name_obj(s, sc, e);
    if (!o || (o->kind != ST_ITER && o->kind != ST_SOCKET)) {
        if (e->kind == AST_NAME) SEMA_ERR(s, st_not_stream, e->loc, d_str(e->u.name.name));
        else SEMA_ERR(s, st_not_stream, e->loc, d_str("this"));
        return opd_err;
    }
    if (o->kind == ST_SOCKET && o->out != write) {
        SEMA_ERR(s, st_socket_dir, n->loc, d_str(o->name), d_str(o->out ? "out" : "in"), d_str(write ? "written" : "read"));
        return opd_err;
    }
    StUse *u = use_find(st_fn(s), o);
    if (!u) u = use_load(s, o, n->loc);
    if (write ? u->pos == POS_SRC0 || u->pos == POS_SRC1 : u->pos == POS_DEST) {
        SEMA_ERR(s, st_read_write, n->loc, d_str(o->name));
        return opd_err;
    }
    if (write) u->pos = POS_DEST;
    return (Opd){.k = O_ELEM, .t = o->elem, .use = u, .slot = u->slot};
}

/* (sp) (hp) (xp) (wv): the type of a view name, or NULL. */
static Type *view_type(const char *name)
{
    return strcmp(name, "sp") == 0 ? ty_f32 : strcmp(name, "hp") == 0 ? ty_f16 : strcmp(name, "xp") == 0 ? ty_i16 :
           strcmp(name, "wv") == 0 ? ty_u32 : NULL;
}

static bool is_view_call(const AstNode *n)
{
    return n->kind == AST_CALL && n->u.call.fn->kind == AST_NAME && n->u.call.fn->parens && n->u.call.args.n == 1 &&
           view_type(n->u.call.fn->u.name.name);
}

/* Does the expression touch an element, a dot register or a ∑?  (Then it is ours; else plain sema evaluates it.) */
typedef struct Touch { Sema *s; Scope *sc; bool yes; } Touch;
static void touches_cb(void *ctx, AstNode *n)
{
    Touch *t = ctx;
    if (t->yes) return;
    if (n->kind == AST_ELEM || n->kind == AST_SUM || n->kind == AST_VIEW) t->yes = true;
    else if (n->kind == AST_NAME) {
        Entry *e = scope_lookup(t->sc, n->u.name.name);
        StObj *o = e && e->kind != E_PLACE ? ext_obj(&e->v) : NULL;
        t->yes = o && o->kind == ST_DOT;
    } else ast_each_child(n, touches_cb, ctx);
}
static bool touches(Sema *s, Scope *sc, AstNode *n)
{
    Touch t = {s, sc, false};
    touches_cb(&t, n);
    return t.yes;
}

static Opd st_eval(Sema *s, Scope *sc, AstNode *n, Type *want);

/* A source position for an element: true when its DSR may stand there (and then it does for the rest of the nest). */
static bool take_pos(StUse *u, Pos p)
{
    if (u->pos == POS_NONE) u->pos = p;
    return u->pos == p;
}
static bool may_pos(const Opd *o, Pos p) { return o->k != O_ELEM || o->use->pos == POS_NONE || o->use->pos == p; }

static IrVop mov_of(const Type *t)
{
    return t == ty_f32 ? IRV_FMOVS : t == ty_f16 ? IRV_FMOVH : t->size == 4 ? IRV_MOV32 : IRV_MOV16;
}

/* Emit; in `parallel` it goes to the microthread. */
static IrRef emit_vop(Sema *s, IrVop v, IrRef d, IrRef a, IrRef b, IrRef c, int n, Loc loc)
{
    IrRef r = ir_vop(fn_of(s), s->fn->cur, v, d, a, b, c, n, loc);
    StFn *f = st_fn(s);
    if (f->ut >= 0 && d.i)
        ir_ins(fn_of(s), r)->async = (IrAsync){.on = true, .ut = (int8_t)f->ut, .act = -1, .unb = -1, .prio = 0};
    return r;
}

/* The raw bits of an operand's type as another type of its size. */
static Value recast(Sema *s, IrRef r, IrType from, Type *t, Loc loc)
{
    if (from != t->ir) r = ir_un(fn_of(s), s->fn->cur, IR_BITCAST, t->ir, r, loc);
    return v_ir(t, r);
}

/* Read an operand into a register. */
static Value fetch(Sema *s, Opd o, Loc loc)
{
    if (o.k == O_ERR) return V_NONE;
    if (o.k == O_VAL) return o.v;
    if (o.k == O_DOT) return v_ir(ty_f32, emit_vop(s, IRV_FMOVS, IR_NONE, IR_NONE, o.slot, IR_NONE, 1, loc));
    IrVop mv = mov_of(o.t);
    IrType it = ir_vops[mv].b;
    if (take_pos(o.use, POS_SRC1)) return recast(s, emit_vop(s, mv, IR_NONE, IR_NONE, o.slot, IR_NONE, 1, loc), it, o.t, loc);
    /* its DSR is a src0: x - 0 is x to the bit, for floats too */
    IrVop sub = mv == IRV_FMOVS ? IRV_FSUBS : mv == IRV_FMOVH ? IRV_FSUBH : mv == IRV_MOV32 ? IRV_SUB32 : IRV_SUB16;
    IrRef zero = mv == IRV_FMOVS || mv == IRV_FMOVH ? ir_fconst(fn_of(s), s->fn->cur, it, 0.0, loc)
                                                    : ir_const(fn_of(s), s->fn->cur, it, 0, loc);
    return recast(s, emit_vop(s, sub, IR_NONE, o.slot, zero, IR_NONE, 1, loc), it, o.t, loc);
}

/* The operand as a WIR operand of type t in position p.  Elements that cannot stand there are read first. */
static IrRef opd_ref(Sema *s, Opd *o, Type *t, Pos p, Loc loc)
{
    if (o->k == O_ELEM && take_pos(o->use, p)) return o->slot;
    if (o->k == O_DOT) return o->slot;
    Value v = fetch(s, *o, loc);
    return v.kind == V_ERR ? IR_NONE : value_ir(s, v, t, loc);
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
static bool is_stream(const Opd *o) { return o->k == O_ELEM || o->k == O_DOT; }

/* Type that both operands of a stream operation have; elements decide, constants follow. */
static Type *common(Sema *s, const Opd *a, const Opd *b, Loc loc)
{
    if (a->t == b->t) return a->t;
    if (is_stream(a) && !is_stream(b) && can_coerce(s, &b->v, a->t)) return a->t;
    if (is_stream(b) && !is_stream(a) && can_coerce(s, &a->v, b->t)) return b->t;
    Value x = a->k == O_VAL ? a->v : v_ir(a->t, IR_NONE), y = b->k == O_VAL ? b->v : v_ir(b->t, IR_NONE);
    return peer_type(s, &x, &y, loc);
}

/* A vector operation ready to be emitted: rows of the table with operands in place. */
typedef struct Vec { int vop; Type *t; Opd a, b, c; bool has_a, has_c; } Vec;

/* Choose positions: a commutative pair is swapped where that lets both elements stay DSRs. */
static void choose(Vec *v, bool comm)
{
    if (!v->has_a || !comm) return;
    bool straight = may_pos(&v->a, POS_SRC0) && may_pos(&v->b, POS_SRC1);
    bool swapped = may_pos(&v->b, POS_SRC0) && may_pos(&v->a, POS_SRC1);
    bool prefer_swap = (v->a.k == O_ELEM && v->b.k != O_ELEM && swapped) ||               /* a lone element goes to src1 */
                       (v->b.k == O_ELEM && v->b.use->obj->kind == ST_SOCKET && v->a.k == O_ELEM &&
                        v->a.use->obj->kind != ST_SOCKET && swapped);
    if (prefer_swap || (!straight && swapped)) {
        Opd t = v->a;
        v->a = v->b;
        v->b = t;
    }
}

/* Emit a prepared operation: to slot d, or (d none) to a register. */
static IrRef vec_emit(Sema *s, Vec *v, IrRef d, int n, Loc loc)
{
    Type *ta = v->t;
    if (n != 1) {                                    /* register operands first: they are read before the operation starts */
        if (v->has_a && v->a.k == O_VAL) v->a = opd_val(v_ir(ta, value_ir(s, v->a.v, ta, loc)));
        if (v->b.k == O_VAL) v->b = opd_val(v_ir(ta, value_ir(s, v->b.v, ta, loc)));
    }
    IrRef a = IR_NONE, b, c = IR_NONE;
    if (v->has_a && !(a = opd_ref(s, &v->a, ta, POS_SRC0, loc)).i) return IR_NONE;
    if (!(b = opd_ref(s, &v->b, ta, POS_SRC1, loc)).i) return IR_NONE;
    if (v->has_c) {
        if (v->c.k == O_ELEM) v->c = opd_val(fetch(s, v->c, loc));
        if (!(c = opd_ref(s, &v->c, ta, POS_NONE, loc)).i) return IR_NONE;
    }
    return emit_vop(s, (IrVop)v->vop, d, a, b, c, n, loc);
}

/* x + y * z, x - y * z, y * z + x of floats are one multiply-add: it rounds twice, so the bits are those of two operations. */
static bool vec_fma(Sema *s, Scope *sc, AstNode *n, Type *want, Vec *out)
{
    AstOp op = n->u.bin.op;
    AstNode *l = n->u.bin.l, *r = n->u.bin.r, *mul = NULL, *add = NULL;
    if (op != OP_ADD && op != OP_SUB) return false;
    if (r->kind == AST_BINARY && r->u.bin.op == OP_MUL) mul = r, add = l;
    else if (op == OP_ADD && l->kind == AST_BINARY && l->u.bin.op == OP_MUL) mul = l, add = r;
    else return false;
    if (!touches(s, sc, mul) && !touches(s, sc, add)) return false;
    Opd x, y, z;
    if (add == l) x = st_eval(s, sc, add, want);
    y = st_eval(s, sc, mul->u.bin.l, want);
    z = st_eval(s, sc, mul->u.bin.r, want);
    if (add == r) x = st_eval(s, sc, add, want);
    *out = (Vec){.vop = -1};
    if (x.k == O_ERR || y.k == O_ERR || z.k == O_ERR) return true;
    Type *t = is_stream(&x) ? x.t : is_stream(&y) ? y.t : z.t;
    if ((t != ty_f32 && !(t == ty_f16 && op == OP_ADD)) || (x.t != t && (is_stream(&x) || !can_coerce(s, &x.v, t))) ||
        (y.t != t && (is_stream(&y) || !can_coerce(s, &y.v, t))) || (z.t != t && (is_stream(&z) || !can_coerce(s, &z.v, t)))) {
        /* not a machine multiply-add: two operations on what was read */
        Value m = binary(s, OP_MUL, fetch(s, y, mul->loc), fetch(s, z, mul->loc), mul->loc);
        Value a = fetch(s, x, add->loc);
        Value res = add == l ? binary(s, op, a, m, n->loc) : binary(s, op, m, a, n->loc);
        *out = (Vec){.vop = -2, .t = res.type, .b = opd_val(res)};
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

/* a op b as a vector operation where the machine has one (vop >= 0); vop -2: already computed, in b; -1: reported. */
static Vec vec_binary(Sema *s, Scope *sc, AstNode *n, Type *want)
{
    Vec v;
    if (vec_fma(s, sc, n, want, &v)) return v;
    Opd a = st_eval(s, sc, n->u.bin.l, want);
    if (a.k == O_VAL && a.v.kind == V_MEM) a = opd_err;
    Opd b = st_eval(s, sc, n->u.bin.r, want);
    if (a.k == O_ERR || b.k == O_ERR) return (Vec){.vop = -1};
    AstOp op = n->u.bin.op;
    Type *t = NULL;
    bool cmp = op >= OP_EQ && op <= OP_OR;
    if (!cmp) {
        t = common(s, &a, &b, n->loc);
        if (!t) return (Vec){.vop = -1};
    }
    int vop = t ? vop_of(op, t) : -1;
    if (vop < 0 || (!is_stream(&a) && !is_stream(&b))) {
        Value x = fetch(s, a, n->loc), y = fetch(s, b, n->loc);
        Value r = binary(s, op, x, y, n->loc);
        return r.kind == V_ERR ? (Vec){.vop = -1} : (Vec){.vop = -2, .t = r.type, .b = opd_val(r)};
    }
    v = (Vec){vop, t, a, b, {0}, true, false};
    choose(&v, vop_comm(op));
    return v;
}

static Opd vec_value(Sema *s, Vec *v, Loc loc)
{
    if (v->vop == -1) return opd_err;
    if (v->vop == -2) return v->b;
    IrRef r = vec_emit(s, v, IR_NONE, 1, loc);
    return r.i ? opd_val(recast(s, r, ir_vops[v->vop].d, v->t, loc)) : opd_err;
}

/* ---- ∑ ----------------------------------------------------------------------------------------------------------------- */

/* The index set of that name: inside its own ∀ the name is the index's value, but it still names the set after ∀. */
static StObj *index_obj(Sema *s, Scope *sc, const char *name, Loc loc)
{
    for (Scope *x = sc; x; x = x->up)
        for (uint32_t i = 0; i < x->n; i++) {
            StObj *o = x->e[i]->name == name && x->e[i]->kind != E_PLACE ? ext_obj(&x->e[i]->v) : NULL;
            if (o && o->kind == ST_INDEX) return o;
        }
    while (sc->up) sc = sc->up;
    Decl *d = module_find(sc->mod, name);
    if (d && d->node->kind == AST_INDEX_SET) {
        Value v = decl_value(s, d, loc);
        StObj *o = ext_obj(&v);
        if (o || v.kind == V_ERR) return o;
    }
    SEMA_ERR(s, st_index_unknown, loc, d_str(name));
    return NULL;
}

/* Extent: known in *k (>= 0), or at run time in *v (u16) with *k = -1. */
static bool index_extent(Sema *s, StObj *o, int64_t *k, Value *v, Loc loc)
{
    *v = o->extent;
    if (v->kind == V_ERR && o->node) {
        if (o->scope == NULL) return false;
        *v = eval_as(s, o->scope, o->node, ty_u16);
    }
    if (v->kind == V_ERR) return false;
    *k = -1;
    if (v->kind == V_INT) *k = (int64_t)v->u.i;
    (void)loc;
    return true;
}

/* Give every DSR operand of an operation the length of the index set; needed when the count does not fit the instruction. */
static void set_len(Sema *s, Opd *o, int64_t k, Value v, Loc loc)
{
    if (o->k != O_ELEM) return;
    StUse *u = o->use;
    if (k >= 0 && k == u->obj->total && !u->len_set) return;
    IrRef n = k >= 0 ? ir_const(fn_of(s), s->fn->cur, T_I16, k, loc) : value_ir(s, v, ty_u16, loc);
    ir_append(fn_of(s), s->fn->cur, IR_DSRLEN, T_VOID, 2, (IrRef[]){u->slot, n}, loc);
    u->len_set = true;
}

/* Own count of the instruction for k elements; 0: by the lengths, which are set here. */
static int own_count(Sema *s, Vec *v, Opd *dst, int64_t k, Value kv, Loc loc)
{
    if (k >= 1 && k <= 63 && !v->has_c) return (int)k;
    if (k == 1) return 1;
    if (v->has_a) set_len(s, &v->a, k, kv, loc);
    set_len(s, &v->b, k, kv, loc);
    if (dst) set_len(s, dst, k, kv, loc);
    return 0;
}

/* Run body(ctx) under `for each index`, as a counted loop; the value of the index is *i (u16) inside. */
typedef void LoopBody(Sema *s, void *ctx, IrRef i);
static Flow counted_loop(Sema *s, int64_t k, Value kv, Loc loc, LoopBody *body, void *ctx)
{
    IrFn *f = fn_of(s);
    if (k == 0) return FLOW_NEXT;
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
    body(s, ctx, phi);
    label_pop(s, l);
    if (!ir_terminated(f, s->fn->cur)) ir_br(f, s->fn->cur, latch, loc);
    IrRef one = ir_const(f, latch, T_I16, 1, loc);
    IrRef next = ir_bin(f, latch, IR_ADD, phi, one, loc);
    ir_condbr(f, latch, ir_icmp(f, latch, CMP_ULT, next, bound, loc), head, exit, loc);
    ir_phi_add(f, phi, pre, zero);
    ir_phi_add(f, phi, latch, next);
    s->fn->cur = exit;
    return FLOW_NEXT;
}

/* The two factors (or the one element) of a ∑ as a dot operation; false: not f32 (the generic loop takes over). */
static bool sum_vec(Sema *s, Scope *sc, AstNode *e, Vec *v)
{
    if (e->kind == AST_BINARY && e->u.bin.op == OP_MUL) {
        Opd a = st_eval(s, sc, e->u.bin.l, ty_f32), b = st_eval(s, sc, e->u.bin.r, ty_f32);
        if (a.k == O_ERR || b.k == O_ERR) {
            *v = (Vec){.vop = -1};
            return true;
        }
        if (a.k == O_VAL && can_coerce(s, &a.v, ty_f32)) a.t = ty_f32;
        if (b.k == O_VAL && can_coerce(s, &b.v, ty_f32)) b.t = ty_f32;
        *v = (Vec){IRV_DOTS, ty_f32, a, b, {0}, true, false};
        if (a.t != ty_f32 || b.t != ty_f32 || (!is_stream(&a) && !is_stream(&b))) return false;
        choose(v, true);
        return true;
    }
    Opd b = st_eval(s, sc, e, ty_f32);
    *v = (Vec){IRV_SUMS, ty_f32, {0}, b, {0}, false, false};
    if (b.k == O_ERR) v->vop = -1;
    return b.k == O_ERR || (b.t == ty_f32 && is_stream(&b));
}

/* ∑ ∀i e into the dot register d; accumulate: go on with its chain. */
static bool sum_into(Sema *s, Scope *sc, AstNode *n, IrRef d, bool accumulate)
{
    StObj *ix = index_obj(s, sc, n->u.idx.index, n->u.idx.index_loc);
    int64_t k;
    Value kv;
    if (!ix || !index_extent(s, ix, &k, &kv, n->loc)) return false;
    nest_enter(s, sc, n);
    Vec v;
    bool ok = sum_vec(s, sc, n->u.idx.e, &v);
    if (!ok) SEMA_ERR(s, st_sum_product, n->u.idx.e->loc, d_int(0));
    ok = ok && v.vop >= 0;
    if (ok && k == 0) {                              /* nothing to add: a new chain is 0 */
        if (!accumulate) emit_vop(s, IRV_SUMS, d, IR_NONE, ir_fconst(fn_of(s), s->fn->cur, T_F32, 0.0, n->loc), IR_NONE, 1, n->loc);
    } else if (ok) {
        if (accumulate) v.vop = v.vop == IRV_DOTS ? IRV_DOTAS : IRV_SUMAS;
        int cnt = own_count(s, &v, NULL, k, kv, n->loc);
        ok = vec_emit(s, &v, d, cnt, n->loc).i != 0;
    }
    nest_leave(s);
    return ok;
}

static IrRef dot_new(Sema *s, const char *name, Loc loc)
{
    IrRef d = ir_append(fn_of(s), s->fn->cur, IR_DOTSLOT, T_SLOT, 0, NULL, loc);
    ir_ins(fn_of(s), d)->name = name;
    return d;
}

/* ---- expressions ------------------------------------------------------------------------------------------------------- */

static Opd st_view(Sema *s, Scope *sc, AstNode *n, Type *t, AstNode *e)
{
    Opd o = st_eval(s, sc, e, NULL);
    if (o.k == O_ERR) return o;
    if (o.k == O_ELEM) {
        if (t->size > o.t->size && o.use->obj->kind != ST_SOCKET) {
            SEMA_ERR(s, st_move_size, n->loc, d_type(o.t), d_type(t));
            return opd_err;
        }
        o.t = t;
        return o;
    }
    Value v = fetch(s, o, n->loc);
    if (v.kind == V_ERR) return opd_err;
    if (!type_is_scalar(v.type) || v.type->size != t->size) {
        SEMA_ERR(s, st_move_size, n->loc, d_type(v.type), d_type(t));
        return opd_err;
    }
    return opd_val(recast(s, value_ir(s, v, v.type, n->loc), v.type->ir, t, n->loc));
}

static Opd st_eval(Sema *s, Scope *sc, AstNode *n, Type *want)
{
    switch (n->kind) {
    case AST_ELEM: return opd_elem(s, sc, n, false);
    case AST_VIEW: {
        Type *t = view_type(n->u.field.name);
        if (t) return st_view(s, sc, n, t, n->u.field.e);
        SEMA_ERR(s, st_view_type, n->u.field.name_loc, d_str(n->u.field.name));
        return opd_err;
    }
    case AST_CALL:
        if (is_view_call(n)) return st_view(s, sc, n, view_type(n->u.call.fn->u.name.name), n->u.call.args.v[0]);
        break;
    case AST_NAME: {
        Entry *e = scope_lookup(sc, n->u.name.name);
        StObj *o = e && e->kind != E_PLACE ? ext_obj(&e->v) : NULL;
        if (o && o->kind == ST_DOT) return (Opd){.k = O_DOT, .t = ty_f32, .slot = o->slot};
        break;
    }
    case AST_SUM: {
        IrRef d = dot_new(s, NULL, n->loc);
        return sum_into(s, sc, n, d, false) ? (Opd){.k = O_DOT, .t = ty_f32, .slot = d} : opd_err;
    }
    case AST_BINARY:
        if (n->u.bin.op < OP_EQ && touches(s, sc, n)) {
            Vec v = vec_binary(s, sc, n, want);
            return vec_value(s, &v, n->loc);
        }
        break;
    case AST_UNARY:
        if (n->u.un.op == OP_NEG && touches(s, sc, n->u.un.e)) {
            Opd o = st_eval(s, sc, n->u.un.e, want);
            if (o.k == O_ERR || o.k == O_VAL || (o.t != ty_f32 && o.t != ty_f16)) {
                Value v = fetch(s, o, n->loc);
                return v.kind == V_ERR ? opd_err : opd_val(unary(s, OP_NEG, v, n->loc));
            }
            Vec v = {o.t == ty_f32 ? IRV_FNEGS : IRV_FNEGH, o.t, {0}, o, {0}, false, false};
            return vec_value(s, &v, n->loc);
        }
        break;
    default: break;
    }
    return opd_val(eval_expr(s, sc, n, want));
}

bool sema_stream_expr(Sema *s, Scope *sc, AstNode *n, Type *want, Value *out)
{
    bool ours = n->kind == AST_ELEM || n->kind == AST_VIEW || n->kind == AST_SUM || is_view_call(n);
    if (n->kind == AST_NAME) {
        Entry *e = scope_lookup(sc, n->u.name.name);
        StObj *o = e && e->kind != E_PLACE ? ext_obj(&e->v) : NULL;
        ours = o && o->kind == ST_DOT;
    }
    if ((n->kind == AST_BINARY && n->u.bin.op < OP_EQ) || (n->kind == AST_UNARY && n->u.un.op == OP_NEG))
        ours = s->fn && s->fn->ir && sc->mod->file->mode == FE_MODE_W && touches(s, sc, n);
    if (!ours) return false;
    *out = V_NONE;
    if (!in_pe_code(s, n->loc)) return true;
    nest_enter(s, sc, n);
    *out = fetch(s, st_eval(s, sc, n, want), n->loc);
    nest_leave(s);
    return true;
}

/* ---- statements -------------------------------------------------------------------------------------------------------- */

/* The entry of a name that this very scope declared. */
static Entry *here(Scope *sc, const char *name)
{
    for (uint32_t i = 0; i < sc->n; i++)
        if (sc->e[i]->name == name) return sc->e[i];
    return NULL;
}

static void bind_dot(Sema *s, Scope *sc, AstNode *n, const char *name, AstNode *sum)
{
    Entry *e = here(sc, name);
    StObj *o = e && e->kind == E_STREAM ? ext_obj(&e->v) : NULL;
    if (o && o->kind == ST_DOT) {                    /* a new chain in the same register */
        sum_into(s, sc, sum, o->slot, false);
        return;
    }
    IrRef d = dot_new(s, name, n->loc);
    if (!sum_into(s, sc, sum, d, false)) return;
    e = scope_define(s, sc, name, n->loc);
    if (!e) return;
    o = obj_new_st(s, ST_DOT, name, ty_f32, n->loc);
    o->slot = d;
    e->kind = E_STREAM;
    e->v = v_ext(type_stream(s->prog, TY_REG, ty_f32), o);
}

/* name <- expr: the first in a block declares a register (a variable that mem2reg keeps in one). */
static void exec_bind(Sema *s, Scope *sc, AstNode *n)
{
    const char *name = n->u.assign.dst->u.name.name;
    AstNode *src = n->u.assign.src;
    if (src->kind == AST_SUM) {
        bind_dot(s, sc, n, name, src);
        return;
    }
    Entry *e = here(sc, name);
    Value v = fetch(s, st_eval(s, sc, src, e && e->kind == E_PLACE ? e->p.type : NULL), src->loc);
    if (v.kind == V_ERR) return;
    if (e && e->kind == E_PLACE) {
        place_store(s, &e->p, v, n->loc);
        return;
    }
    Type *t = v.type == ty_comptime_float ? ty_f32 : v.type == ty_comptime_int ? ty_i32 : v.type;
    if (!type_is_scalar(t)) {
        SEMA_ERR(s, st_reg_type, src->loc, d_type(v.type));
        return;
    }
    Addr a = addr_temp(s, t, n->loc);
    addr_store(s, a, t, v, n->loc);
    e = scope_define(s, sc, name, n->loc);
    if (!e) return;
    e->kind = E_PLACE;
    e->p = (Place){.kind = P_MEM, .type = t, .addr = a};
}

/* dot <+- e without ∑: one element or product more. */
static bool accum_one(Sema *s, Scope *sc, AstNode *src, IrRef d, int n, int64_t k, Value kv)
{
    Vec v;
    if (!sum_vec(s, sc, src, &v)) {                  /* a register value */
        if (v.vop == IRV_DOTS) {
            Value m = binary(s, OP_MUL, fetch(s, v.a, src->loc), fetch(s, v.b, src->loc), src->loc);
            v = (Vec){IRV_SUMS, ty_f32, {0}, opd_val(m), {0}, false, false};
        }
        if (v.b.k == O_ERR) return false;
        Value f = coerce(s, fetch(s, v.b, src->loc), ty_f32, src->loc);
        if (f.kind == V_ERR) return false;
        v.b = opd_val(f);
    }
    if (v.vop < 0) return false;
    v.vop = v.vop == IRV_DOTS ? IRV_DOTAS : IRV_SUMAS;
    if (n == 0) n = own_count(s, &v, NULL, k, kv, src->loc);
    return vec_emit(s, &v, d, n, src->loc).i != 0;
}

static void exec_accum(Sema *s, Scope *sc, AstNode *n)
{
    AstNode *dst = n->u.assign.dst, *src = n->u.assign.src;
    const char *name = dst->kind == AST_NAME ? dst->u.name.name : "this";
    Entry *e = dst->kind == AST_NAME ? scope_lookup(sc, name) : NULL;
    StObj *o = e && e->kind == E_STREAM ? ext_obj(&e->v) : NULL;
    if (o && o->kind == ST_DOT) {
        if (src->kind == AST_SUM) sum_into(s, sc, src, o->slot, true);
        else accum_one(s, sc, src, o->slot, 1, 1, V_NONE);
    } else if (e && e->kind == E_PLACE) {
        Value old = place_load(s, &e->p, dst->loc);
        Value v = fetch(s, st_eval(s, sc, src, e->p.type), src->loc);
        if (old.kind != V_ERR && v.kind != V_ERR) place_store(s, &e->p, binary(s, OP_ADD, old, v, n->loc), n->loc);
    } else {
        SEMA_ERR(s, st_no_register, dst->loc, d_str(name));
    }
}

static AstNode *skip_block(AstNode *n)
{
    while (n->kind == AST_BLOCK && n->u.block.stmts.n == 1 && !n->u.block.label) n = n->u.block.stmts.v[0];
    return n;
}

/* dst of a move: an element to be written, through a view or not. */
static Opd dest_opd(Sema *s, Scope *sc, AstNode *d)
{
    Type *t = NULL;
    if (d->kind == AST_VIEW) {
        t = view_type(d->u.field.name);
        if (!t) {
            SEMA_ERR(s, st_view_type, d->u.field.name_loc, d_str(d->u.field.name));
            return opd_err;
        }
        d = d->u.field.e;
    }
    if (d->kind != AST_ELEM) {
        SEMA_ERR(s, st_write_reg, d->loc, d_int(0));
        return opd_err;
    }
    Opd o = opd_elem(s, sc, d, true);
    if (t && o.k == O_ELEM) o.t = t;
    return o;
}

/* The operation that writes src to an element of dst: a move, or the operation itself where it may write memory. */
static bool move_vec(Sema *s, Scope *sc, AstNode *src, const Opd *dst, Vec *v)
{
    bool raw = dst->use->obj->kind == ST_SOCKET && dst->t == ty_u32;      /* wv: takes any bits */
    if (src->kind == AST_BINARY && src->u.bin.op < OP_EQ && touches(s, sc, src)) {
        *v = vec_binary(s, sc, src, raw ? NULL : dst->t);
        if (v->vop == -1) return false;
        if (v->vop == -2) *v = (Vec){mov_of(v->t), v->t, {0}, v->b, {0}, false, false};
    } else {
        Opd o = st_eval(s, sc, src, raw ? NULL : dst->t);
        if (o.k == O_ERR) return false;
        Type *t = o.t;
        if (o.k == O_VAL) {
            if (raw && (t->kind == TY_COMPTIME_FLOAT)) t = ty_f32;
            else if (raw && type_is_scalar(t) && t->size <= 4) t = o.t;
            else if (raw) t = ty_u32;
            else t = dst->t;
            o.v = coerce(s, o.v, t, src->loc);
            if (o.v.kind == V_ERR) return false;
            o.t = t;
        }
        *v = (Vec){mov_of(t), t, {0}, o, {0}, false, false};
    }
    bool ok = v->t == dst->t || (raw && v->t->size <= 4) ||
              (v->t->size == dst->t->size && v->t->kind == TY_INT && dst->t->kind == TY_INT) ||
              (v->b.k == O_ELEM && v->b.use->obj->kind == ST_SOCKET && v->t == ty_u32 && !v->has_a); /* a raw wavelet */
    if (!ok && v->b.k == O_VAL && !v->has_a && v->b.v.kind != V_ERR && can_coerce(s, &v->b.v, dst->t)) {
        v->b.v = coerce(s, v->b.v, dst->t, src->loc);
        v->t = dst->t;
        v->vop = mov_of(v->t);
        ok = true;
    }
    if (!ok) {
        SEMA_ERR(s, st_move_size, src->loc, d_type(v->t), d_type(dst->t));
        return false;
    }
    if (v->vop == IRV_MOV32 && dst->t->size == 2) v->vop = IRV_MOV16, v->t = dst->t;
    return true;
}

/* dst[] = src, one element.  There is no multiply-subtract to memory: it goes through a register, as others that need one. */
static void exec_move(Sema *s, Scope *sc, AstNode *n)
{
    AstNode *dn = n->u.assign.dst;
    if (dn->kind != AST_ELEM && dn->kind != AST_VIEW) {      /* x <- a[] where x is a variable, an array element, ... */
        Place p = eval_place(s, sc, dn);
        if (p.kind == P_ERR) return;
        Value v = fetch(s, st_eval(s, sc, n->u.assign.src, p.type), n->loc);
        if (v.kind != V_ERR) place_store(s, &p, v, n->loc);
        return;
    }
    AstNode *src = n->u.assign.src;
    AstNode bin = {.kind = AST_BINARY, .loc = n->loc, .depth = n->depth};
    if (n->kind == AST_ASSIGN && n->u.assign.op != OP_NONE) {
        bin.u.bin.op = n->u.assign.op;
        bin.u.bin.l = dn;
        bin.u.bin.r = src;
        src = &bin;
    }
    Opd dst = dest_opd(s, sc, dn);
    Vec v;
    if (dst.k == O_ERR || !move_vec(s, sc, src, &dst, &v)) return;
    if (v.has_c) {
        IrRef r = vec_emit(s, &v, IR_NONE, 1, n->loc);
        if (!r.i) return;
        v = (Vec){mov_of(v.t), v.t, {0}, opd_val(v_ir(v.t, r)), {0}, false, false};
    }
    vec_emit(s, &v, dst.slot, 1, n->loc);
}

/* May the expression stand under a vector operation: elements, names and literals, one operation (or a multiply-add)? */
static bool scalar_simple(Sema *s, Scope *sc, AstNode *n)
{
    if (touches(s, sc, n)) return false;
    return n->kind == AST_NAME || n->kind == AST_INT || n->kind == AST_FLOAT || (n->kind == AST_UNARY && scalar_simple(s, sc, n->u.un.e));
}
static bool is_elem(AstNode *n) { return n->kind == AST_ELEM || n->kind == AST_VIEW || (is_view_call(n) && is_elem(n->u.call.args.v[0])); }
static bool operand_simple(Sema *s, Scope *sc, AstNode *n) { return is_elem(n) || scalar_simple(s, sc, n); }
static Type *elem_type(Sema *s, Scope *sc, AstNode *n)
{
    if (is_view_call(n)) return view_type(n->u.call.fn->u.name.name);
    if (n->kind == AST_VIEW) return view_type(n->u.field.name);
    if (n->kind != AST_ELEM) return NULL;
    StObj *o = name_obj(s, sc, n->u.wrap.e);
    return o ? o->elem : NULL;
}
static bool vectorisable(Sema *s, Scope *sc, AstNode *n, const char *index)
{
    if ((n->kind != AST_MOVE && n->kind != AST_ASSIGN) || n->u.assign.op != OP_NONE || !is_elem(n->u.assign.dst)) return false;
    AstNode *e = n->u.assign.src;
    if (e->kind == AST_NAME && e->u.name.name == index) return false;
    if (operand_simple(s, sc, e)) return true;
    if (e->kind == AST_UNARY && e->u.un.op == OP_NEG && is_elem(e->u.un.e)) return false;
    if (e->kind != AST_BINARY) return false;
    AstNode *l = e->u.bin.l, *r = e->u.bin.r;
    if ((l->kind == AST_NAME && l->u.name.name == index) || (r->kind == AST_NAME && r->u.name.name == index)) return false;
    Type *t = is_elem(l) ? elem_type(s, sc, l) : elem_type(s, sc, r);
    if (operand_simple(s, sc, l) && operand_simple(s, sc, r)) return t && vop_of(e->u.bin.op, t) >= 0;
    /* a[] + b[] * c with c a scalar */
    if (e->u.bin.op != OP_ADD) return false;
    AstNode *m = r->kind == AST_BINARY ? r : l, *a = m == r ? l : r;
    if (m->kind != AST_BINARY || m->u.bin.op != OP_MUL || !is_elem(a)) return false;
    AstNode *x = m->u.bin.l, *y = m->u.bin.r;
    if ((x->kind == AST_NAME && x->u.name.name == index) || (y->kind == AST_NAME && y->u.name.name == index)) return false;
    t = elem_type(s, sc, a);
    return (t == ty_f32 || t == ty_f16) && ((is_elem(x) && scalar_simple(s, sc, y)) || (is_elem(y) && scalar_simple(s, sc, x)));
}

/* One vector instruction over the index set. */
static void exec_vector(Sema *s, Scope *sc, AstNode *n, int64_t k, Value kv)
{
    Opd dst = dest_opd(s, sc, n->u.assign.dst);
    Vec v;
    if (dst.k == O_ERR || !move_vec(s, sc, n->u.assign.src, &dst, &v)) return;
    if (v.has_a && v.a.k == O_ELEM && !may_pos(&v.a, POS_SRC0)) {
        SEMA_ERR(s, st_file, n->loc, d_str(v.a.use->obj->name));
        return;
    }
    if (v.b.k == O_ELEM && !may_pos(&v.b, POS_SRC1)) {
        SEMA_ERR(s, st_file, n->loc, d_str(v.b.use->obj->name));
        return;
    }
    if (k == 0) return;
    int cnt = own_count(s, &v, &dst, k, kv, n->loc);
    if (cnt == 0 && k < 0) {
        /* a run-time count of 0 would mean "no length" to the machine: skip the operation then */
        IrFn *f = fn_of(s);
        IrBlk go = ir_block_new(f, "some"), over = ir_block_new(f, "done");
        IrRef n16 = value_ir(s, kv, ty_u16, n->loc);
        IrRef z = ir_const(f, s->fn->cur, T_I16, 0, n->loc);
        ir_condbr(f, s->fn->cur, ir_icmp(f, s->fn->cur, CMP_EQ, n16, z, n->loc), over, go, n->loc);
        s->fn->cur = go;
        vec_emit(s, &v, dst.slot, 0, n->loc);
        ir_br(f, s->fn->cur, over, n->loc);
        s->fn->cur = over;
        return;
    }
    vec_emit(s, &v, dst.slot, cnt, n->loc);
}

typedef struct ForallCtx { Scope *sc; AstNode *body; const char *name; Loc loc; } ForallCtx;
static void forall_body(Sema *s, void *ctx, IrRef i)
{
    ForallCtx *c = ctx;
    Scope *in = scope_push(s, c->sc);
    Entry *e = scope_define(s, in, c->name, c->loc);
    if (e) {
        e->kind = E_VALUE;
        e->v = v_ir(ty_u16, i);
    }
    exec_stmt(s, in, c->body);
    scope_pop(s, in);
}

/* ∀i dot <+- e: one chain of the length of the index set. */
static bool forall_accum(Sema *s, Scope *sc, AstNode *b, int64_t k, Value kv)
{
    if (b->kind != AST_ACCUM || b->u.assign.dst->kind != AST_NAME || b->u.assign.src->kind == AST_SUM) return false;
    Entry *e = scope_lookup(sc, b->u.assign.dst->u.name.name);
    StObj *o = e && e->kind == E_STREAM ? ext_obj(&e->v) : NULL;
    if (!o || o->kind != ST_DOT || k < 0) return false;
    AstNode *x = b->u.assign.src;
    bool simple = is_elem(x) || (x->kind == AST_BINARY && x->u.bin.op == OP_MUL && operand_simple(s, sc, x->u.bin.l) &&
                                 operand_simple(s, sc, x->u.bin.r));
    if (!simple) return false;
    if (k > 0) accum_one(s, sc, x, o->slot, 0, k, kv);
    return true;
}

static Flow exec_forall(Sema *s, Scope *sc, AstNode *n)
{
    StObj *ix = index_obj(s, sc, n->u.idx.index, n->u.idx.index_loc);
    int64_t k;
    Value kv;
    if (!ix || !index_extent(s, ix, &k, &kv, n->loc)) return FLOW_NEXT;
    nest_enter(s, sc, n);
    AstNode *b = skip_block(n->u.idx.e);
    if (vectorisable(s, sc, b, n->u.idx.index)) exec_vector(s, sc, b, k, kv);
    else if (!forall_accum(s, sc, b, k, kv))
        counted_loop(s, k, kv, n->loc, forall_body, &(ForallCtx){sc, n->u.idx.e, n->u.idx.index, n->u.idx.index_loc});
    nest_leave(s);
    return FLOW_NEXT;
}

static Flow exec_forever(Sema *s, Scope *sc, AstNode *n)
{
    IrFn *f = fn_of(s);
    IrBlk head = ir_block_new(f, "forever"), exit = ir_block_new(f, "left");
    ir_br(f, s->fn->cur, head, n->loc);
    s->fn->cur = head;
    Label *l = label_push(s, n->u.loop.label, true, false);
    l->brk = exit;
    l->cont = head;
    exec_stmt(s, sc, n->u.loop.body);
    bool left = l->brk_used;
    label_pop(s, l);
    if (!ir_terminated(f, s->fn->cur)) ir_br(f, s->fn->cur, head, n->loc);
    s->fn->cur = exit;
    if (left) return FLOW_NEXT;
    ir_append(f, exit, IR_UNREACH, T_VOID, 0, NULL, n->loc);
    return FLOW_END;
}

typedef struct Arm { AstNode *cas; IrBlk blk; } Arm;

/* Labels of one case as switch cases; false: reported. */
static bool dispatch_labels(Sema *s, Scope *sc, AstNode *c, IrRef sw, IrBlk blk, int64_t **seen)
{
    for AST_EACH(i, c->u.cas.labels) {
        AstNode *l = c->u.cas.labels.v[i];
        int64_t lo, hi;
        bool range = l->kind == AST_RANGE;
        if (!eval_known_int(s, sc, range ? l->u.bin.l : l, "a label", INT32_MIN, UINT32_MAX, &lo)) return false;
        hi = lo;
        if (range && !eval_known_int(s, sc, l->u.bin.r, "a label", INT32_MIN, UINT32_MAX, &hi)) return false;
        if (hi < lo || hi - lo > 254) {
            SEMA_ERR(s, st_dispatch_label, l->loc, d_int(0));
            return false;
        }
        for (int64_t v = lo; v <= hi; v++) {
            for (ptrdiff_t k = 0; k < arrlen(*seen); k++)
                if ((*seen)[k] == v) {
                    SEMA_ERR(s, st_dispatch_twice, l->loc, d_int(v));
                    return false;
                }
            arrput(*seen, v);
            if (arrlen(*seen) > 250) {
                SEMA_ERR(s, st_dispatch_label, l->loc, d_int(0));
                return false;
            }
            ir_switch_add(fn_of(s), sw, v, blk);
        }
    }
    return true;
}

static Flow exec_dispatch(Sema *s, Scope *sc, AstNode *n)
{
    IrFn *f = fn_of(s);
    Value on = fetch(s, st_eval(s, sc, n->u.swtch.on, NULL), n->loc);
    if (on.kind == V_ERR) return FLOW_NEXT;
    Type *t = on.type == ty_comptime_int ? ty_i32 : on.type;
    IrRef v = value_ir(s, on, t, n->loc);
    if (!v.i) return FLOW_NEXT;
    IrBlk exit = ir_block_new(f, "dispatched"), dflt = exit;
    Arm *arms = NULL;
    for AST_EACH(i, n->u.swtch.cases) {
        Arm a = {n->u.swtch.cases.v[i], ir_block_new(f, "op")};
        if (a.cas->u.cas.labels.n == 0) dflt = a.blk;
        arrput(arms, a);
    }
    IrRef sw = ir_switch(f, s->fn->cur, v, dflt, n->loc);
    int64_t *seen = NULL;
    bool falls = dflt.i == exit.i;
    for (ptrdiff_t i = 0; i < arrlen(arms); i++) {
        if (!dispatch_labels(s, sc, arms[i].cas, sw, arms[i].blk, &seen)) ir_switch_add(f, sw, INT32_MIN - (int64_t)i - 1, arms[i].blk);
        s->fn->cur = arms[i].blk;
        exec_stmt(s, sc, arms[i].cas->u.cas.body);
        if (!ir_terminated(f, s->fn->cur)) {
            ir_br(f, s->fn->cur, exit, n->loc);
            falls = true;
        }
    }
    arrfree(arms);
    arrfree(seen);
    s->fn->cur = exit;
    if (falls) return FLOW_NEXT;
    ir_append(f, exit, IR_UNREACH, T_VOID, 0, NULL, n->loc);
    return FLOW_END;
}

/* Each statement is one vector operation on a microthread of its own; then wait for all. */
static Flow exec_parallel(Sema *s, Scope *sc, AstNode *n)
{
    AstList l = n->u.wrap.e->u.block.stmts;
    StFn *f = st_fn(s);
    if (l.n > N_UT) SEMA_ERR(s, st_parallel_many, n->loc, d_int(0));
    uint32_t mask = 0;
    nest_enter(s, sc, n);
    for (uint32_t i = 0; i < l.n && i < N_UT; i++) {
        AstNode *st = l.v[i];
        AstNode *b = st->kind == AST_FORALL ? skip_block(st->u.idx.e) : st;
        bool fits = vectorisable(s, sc, b, st->kind == AST_FORALL ? st->u.idx.index : NULL);
        if (!fits) {
            SEMA_ERR(s, st_parallel_stmt, st->loc, d_int(0));
            continue;
        }
        f->ut = (int)i;
        mask |= 1u << i;
        exec_stmt(s, sc, st);
        f->ut = -1;
    }
    nest_leave(s);
    IrRef w = ir_append(fn_of(s), s->fn->cur, IR_WAITUT, T_VOID, 0, NULL, n->loc);
    ir_ins(fn_of(s), w)->imm = mask;
    return FLOW_NEXT;
}

bool sema_stream_stmt(Sema *s, Scope *sc, AstNode *n, Flow *flow)
{
    switch (n->kind) {
    case AST_BIND: case AST_ACCUM: case AST_MOVE: case AST_FORALL: case AST_FOREVER: case AST_PARALLEL: case AST_DISPATCH: break;
    case AST_ASSIGN:
        if (n->u.assign.dst->kind != AST_ELEM && n->u.assign.dst->kind != AST_VIEW) return false;
        break;
    default: return false;
    }
    *flow = FLOW_NEXT;
    if (!in_pe_code(s, n->loc)) return true;
    switch (n->kind) {
    case AST_FORALL: *flow = exec_forall(s, sc, n); return true;
    case AST_FOREVER: *flow = exec_forever(s, sc, n); return true;
    case AST_PARALLEL: *flow = exec_parallel(s, sc, n); return true;
    case AST_DISPATCH: *flow = exec_dispatch(s, sc, n); return true;
    default: break;
    }
    nest_enter(s, sc, n);
    if (n->kind == AST_BIND) exec_bind(s, sc, n);
    else if (n->kind == AST_ACCUM) exec_accum(s, sc, n);
    else exec_move(s, sc, n);
    nest_leave(s);
    return true;
}

/* &iterator: the address of its descriptor, [*]u16, so that a program can patch base and length. */
bool sema_stream_addr(Sema *s, Scope *sc, AstNode *e, Value *out)
{
    StObj *o = name_obj(s, sc, e);
    if (!o || o->kind != ST_ITER) return false;
    PtrVal *p = ARENA_NEW(s->va, PtrVal);
    p->sym = o->desc;
    *out = (Value){.kind = V_PTR, .type = type_pointer(s->prog, ty_u16, true, false)};
    out->u.ptr = p;
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
    SEMA_ERR(s, st_context_arg, e->loc, d_str(fn));
    return IR_NONE;
}

bool sema_stream_call(Sema *s, Scope *sc, AstNode *n, Type *want, Value *out)
{
    (void)want;
    if (n->u.call.fn->kind != AST_NAME) return false;
    const char *name = n->u.call.fn->u.name.name;
    bool router = strcmp(name, "set_router") == 0, socks = strcmp(name, "set_sockets") == 0, tear = strcmp(name, "teardown") == 0;
    if (!router && !socks && !tear) return false;
    *out = v_void();
    if (!in_pe_code(s, n->loc)) return true;
    if (n->u.call.args.n != 1) {
        *out = SEMA_ERR(s, st_arity, n->loc, d_str(name), d_int(1));
        return true;
    }
    AstNode *e = n->u.call.args.v[0];
    if (tear) {
        StObj *o = name_obj(s, sc, e);
        if (!o || o->kind != ST_SOCKET || !o->out) {
            *out = SEMA_ERR(s, st_teardown_arg, e->loc, d_int(0));
            return true;
        }
        IrRef w = ir_const(fn_of(s), s->fn->cur, T_I32, CTRL_TEARDOWN, n->loc);
        IrRef r = ir_append(fn_of(s), s->fn->cur, IR_SENDCTRL, T_VOID, 1, &w, n->loc);
        ir_ins(fn_of(s), r)->imm = o->queue;
        return true;
    }
    IrRef p = context_arg(s, sc, e, name);
    if (!p.i) *out = V_NONE;
    else ir_append(fn_of(s), s->fn->cur, router ? IR_SETROUTER : IR_SETSOCKETS, T_VOID, 1, &p, n->loc);
    return true;
}
