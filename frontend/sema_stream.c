/* frontend/sema_stream.c: Tungsten's streams, iterators and index sets: their declarations (docs/language.md section 2).
 *
 * Takes the tree and sema's scopes; leaves objects (StObj) behind names, and descriptors in PE memory.  Access functions and
 * descriptors are shared with sema_dsd.c.  What is done with elements is sema_stream_vec.c, statements are sema_stream_stmt.c. */
#include "frontend/sema_stream_int.h"

bool st_in_pe_code(Sema *s, Loc loc)
{
    if (s->fn && s->fn->ir) return true;
    SEMA_ERR(s, st_outside_fn, loc, d_int(0));
    return false;
}

StFn *st_fn(Sema *s)
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

/* Where to look at an index d: `want`, or the last one if there are fewer. */
static int64_t probe(const Access *a, uint32_t d, int64_t want)
{
    const Value *x = &a->extent[d];
    int64_t last = x->kind == V_INT ? (int64_t)x->u.i - 1 : want;
    return last < 0 ? 0 : last < want ? last : want;
}

/* An index of extent 0 or 1 does not run, but a descriptor may get another length: its step is that from 0 to 1 if the
 * expression can be looked at there. */
static int64_t idle_step(Sema *s, Scope *sc, AstNode *lam, AstNode *e, uint32_t k, int64_t from)
{
    int64_t at[ACCESS_MAX_DIMS] = {0}, v;
    bool outer = s->trial;
    at[k] = 1;
    s->trial = true;
    bool ok = index_value(s, sc, lam, e, at, &v);
    s->trial = outer;
    return ok ? v - from : 0;
}

/* Coefficients of one index expression: c[0] constant, c[1 + k] of index k.  Looked at where the indices run only: the types
 * of what stands there may not hold more. */
static bool affine(Sema *s, Scope *sc, AstNode *lam, AstNode *e, const Access *a, bool fixed, int64_t *c)
{
    int64_t at[ACCESS_MAX_DIMS] = {0}, v;
    if (!index_value(s, sc, lam, e, at, &c[0])) return false;
    for (uint32_t k = 0; k < a->ndims; k++) {
        c[1 + k] = 0;
        at[k] = probe(a, k, 1);
        if (at[k] && !index_value(s, sc, lam, e, at, &v)) return false;
        if (at[k]) c[1 + k] = v - c[0];
        else if (!fixed) c[1 + k] = idle_step(s, sc, lam, e, k, c[0]);
        at[k] = 0;
    }
    for (int far = 0; far < 2; far++) {
        int64_t sum = c[0];
        for (uint32_t k = 0; k < a->ndims; k++) {
            at[k] = probe(a, k, far && a->extent[k].kind == V_INT ? INT32_MAX : (int64_t)k + 2);
            sum += c[1 + k] * at[k];
        }
        if (!index_value(s, sc, lam, e, at, &v)) return false;
        if (v == sum) continue;
        SEMA_ERR(s, st_not_affine, e->loc, d_int(0));
        return false;
    }
    return true;
}

/* The array (or what a pointer points at) under the element expression: a P_MEM place of an array, or of the first element. */
static bool access_base(Sema *s, Scope *sc, AstNode *e, Access *out, Type **array)
{
    Place p = eval_place(s, sc, e);
    if (p.kind == P_ERR) return false;
    bool many = p.type && p.type->kind == TY_POINTER && p.type->many;
    if (p.type && p.type->kind == TY_POINTER) p = ptr_deref(s, place_load(s, &p, e->loc), e->loc);
    if (p.kind == P_ERR) return false;
    if (p.kind == P_VALUE || (p.kind == P_CELL && p.is_const)) {     /* a constant array gets memory */
        Value v = place_load(s, &p, e->loc);
        if (v.kind == V_AGG && v.type->kind == TY_ARRAY && is_known(&v) && s->ir)
            p = (Place){.kind = P_MEM, .type = v.type, .is_const = true, .addr = value_addr(s, v, v.type, e->loc)};
    }
    *array = p.kind == P_MEM && p.type->kind == TY_ARRAY && !many ? p.type : NULL;
    if (p.kind != P_MEM || (!*array && !many)) {
        SEMA_ERR(s, st_lambda_body, e->loc, d_int(0));
        return false;
    }
    out->elem = *array ? p.type->elem : p.type;
    out->place = p;
    return true;
}

/* Extents into out; false: reported. */
static bool access_extents(Sema *s, Scope *sc, AstNode *n, bool fixed, Access *out, bool *none)
{
    *none = false;
    for (uint32_t d = 0; d < out->ndims; d++) {
        AstNode *x = n->u.lambda.extents.v[d];
        int64_t v;
        if (fixed) {
            if (!eval_known_int(s, sc, x, "an extent", 0, 65535, &v)) return false;
            out->extent[d] = v_int(ty_u16, v);
        } else {
            out->extent[d] = eval_expr(s, sc, x, ty_u16);
            if (out->extent[d].kind == V_ERR) return false;
        }
        *none |= out->extent[d].kind == V_INT && out->extent[d].u.i <= 0;
    }
    return true;
}

/* Does index k of the array stay inside? */
static bool in_bounds(Sema *s, const Access *a, const Type *array, uint32_t k, const int64_t *c, Loc loc)
{
    int64_t lo = c[0], hi = c[0];
    for (uint32_t d = 0; d < a->ndims; d++) {
        int64_t last = c[1 + d] * ((int64_t)a->extent[d].u.i - 1);
        if (last < 0) lo += last;
        else hi += last;
    }
    if (lo >= 0 && hi < array->dims[k]) return true;
    SEMA_ERR(s, index_range, loc, d_int(lo < 0 ? lo : hi), d_type((Type *)array));
    return false;
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
    out->ndims = nd;
    if (e->kind != AST_INDEX) {
        SEMA_ERR(s, st_lambda_body, e->loc, d_int(0));
        return false;
    }
    Type *array;
    if (!access_base(s, sc, e->u.index.e, out, &array)) return false;
    uint32_t rank = array ? array->rank : 1;
    if (rank != e->u.index.at.n) {
        SEMA_ERR(s, index_count, e->loc, d_type(array ? array : out->elem), d_uint(rank), d_uint(e->u.index.at.n));
        return false;
    }
    bool none;
    if (!access_extents(s, sc, n, fixed, out, &none)) return false;
    for (uint32_t k = 0; k < rank && !(fixed && none); k++) {
        int64_t c[1 + ACCESS_MAX_DIMS];
        AstNode *at = e->u.index.at.v[k];
        if (!affine(s, sc, n, at, out, fixed, c)) return false;
        if (fixed && array && !in_bounds(s, out, array, k, c, at->loc)) return false;
        int64_t scale = 1;
        for (uint32_t j = k + 1; j < rank; j++) scale *= array->dims[j];
        out->off += c[0] * scale;
        for (uint32_t d = 0; d < nd; d++) out->stride[d] += c[1 + d] * scale;
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

StObj *st_obj_new(Sema *s, StKind k, const char *name, Type *elem, Loc loc)
{
    StObj *o = ARENA_NEW(s->arena, StObj);
    *o = (StObj){.kind = k, .name = name, .elem = elem, .loc = loc, .fn = s->fn ? s->fn->ir : NULL};
    if (o->fn && st_fn(s)->nest) {
        o->nest_no = st_fn(s)->nest_no;
        o->point = st_here(s);
        o->rounds = st_fn(s)->rounds;
    }
    return o;
}

static Value index_value_of(Sema *s, Scope *sc, AstNode *e)
{
    Value v = eval_expr(s, sc, e, ty_u16);
    if (v.kind == V_INT && type_is_int(v.type) && (v.u.i < 0 || v.u.i > 65535))
        return SEMA_ERR(s, st_index_extent, e->loc, d_value(s, &v));
    return coerce(s, v, ty_u16, e->loc);
}

static Value decl_index(Sema *s, Scope *sc, AstNode *n)
{
    StObj *o = st_obj_new(s, ST_INDEX, n->u.var.name, ty_u16, n->loc);
    o->node = n->u.var.init;
    if (o->fn) {
        o->extent = index_value_of(s, sc, o->node);
        if (o->extent.kind == V_ERR) return V_NONE;
        o->node = NULL;
    } else if (sc->up || sc->n) {                    /* in a block of compile-time code */
        return SEMA_ERR(s, st_outside_fn, n->loc, d_int(0));
    }
    o->mod = sc->mod;
    return v_ext(ty_index, o);
}

static Value decl_iter(Sema *s, Scope *sc, AstNode *n)
{
    AstNode *init = n->u.var.init;
    if (init->kind != AST_LAMBDA) return SEMA_ERR(s, st_lambda_expected, init->loc, d_int(0));
    Access a;
    if (!access_eval(s, sc, init, true, &a)) return V_NONE;
    Type *t = eval_type(s, sc, n->u.var.type);
    if (!t) return V_NONE;
    if (t != a.elem && (!type_is_scalar(t) || t->size != a.elem->size))
        return SEMA_ERR(s, st_elem_type, n->u.var.type->loc, d_type(t), d_type(a.elem));
    if (!type_is_scalar(t) || (t->size != 2 && t->size != 4)) return SEMA_ERR(s, st_elem_size, n->u.var.type->loc, d_type(t));
    int64_t total = access_total(&a);
    if (total > VEC_MAX) return SEMA_ERR(s, st_extent_range, init->loc, d_int(total));
    access_merge(&a);
    bool nested = a.ndims > 1 || a.stride[0] < -128 || a.stride[0] > 127;
    for (uint32_t d = 0; d < a.ndims; d++)
        if (a.stride[d] < -32768 || a.stride[d] > 32767)
            return SEMA_ERR(s, st_stride_range, init->loc, d_int(a.stride[d]), d_str("-32768 to 32767"));
    Addr base = addr_add(a.place.addr, (int32_t)(a.off * (int64_t)a.elem->size));
    bool late = base.base.i != 0;                    /* a pointer that is known at run time: its home is written then */
    uint16_t w[4] = {late ? 0 : (uint16_t)base.off, (uint16_t)(DSD_SAVE | total), 0, nested ? DSD_MEMND : DSD_MEM1D};
    IrSym shape = {0};
    if (nested) shape = access_shape(s, &a, init->loc);
    else w[2] = (uint16_t)(a.stride[0] & 0xff);
    IrSym desc = descriptor_new(s, n->u.var.name, w, late ? (IrSym){0} : base.sym, shape, false, n->loc);
    if (late) {
        IrRef p = addr_ir(s, base, init->loc);
        ir_store(st_ir(s), s->fn->cur, ir_gaddr(st_ir(s), s->fn->cur, desc, 0, init->loc), 0, p, init->loc);
    }
    StObj *o = st_obj_new(s, ST_ITER, n->u.var.name, t, n->loc);
    o->nested = nested;
    o->total = total;
    o->is_const = a.place.is_const;
    o->desc = desc;
    return v_ext(type_stream(s->prog, TY_ITER, t), o);
}

static Value decl_socket(Sema *s, Scope *sc, AstNode *n)
{
    AstNode *ty = n->u.socket.type;
    Type *t = ty->kind == AST_NAME && strcmp(ty->u.name.name, "wv") == 0 ? ty_u32 : eval_type(s, sc, ty);
    if (!t) return V_NONE;
    if (!type_is_scalar(t) || (t->size != 2 && t->size != 4)) return SEMA_ERR(s, st_socket_type, ty->loc, d_type(t));
    int64_t q;
    if (!eval_known_int(s, sc, n->u.socket.queue, "a queue", 0, 255, &q)) return V_NONE;
    bool out = n->u.socket.dir == SOCK_OUT;
    int max = N_QUEUE - 1;
    while (out && max > 0 && arch_oq_words(&s->prog->arch, max) == 0) max--;
    if (q > max) return SEMA_ERR(s, st_queue_range, n->u.socket.queue->loc, d_int(max), d_int(q));
    uint16_t w[4] = {(uint16_t)q, LEN_ENDLESS, 0, out ? DSD_FABOUT : DSD_FABIN};
    StObj *o = st_obj_new(s, ST_SOCKET, n->u.socket.name, t, n->loc);
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

StObj *st_ext_obj(const Value *v)
{
    if (v->kind != V_EXT || !v->type) return NULL;
    switch (v->type->kind) {
    case TY_INDEX: case TY_ITER: case TY_SOCKET: case TY_REG: return v->u.ext;
    default: return NULL;
    }
}

static bool decl_name(Sema *s, Module *m, const char *name, Loc loc, Value *v)
{
    Decl *d = module_find(m, name);
    if (!d) return false;
    switch (d->node->kind) {
    case AST_ITER: case AST_SOCKET: case AST_INDEX_SET: case AST_CONST: case AST_PARAM: *v = decl_value(s, d, loc); return true;
    default: return false;
    }
}

bool st_name(Sema *s, Scope *sc, AstNode *n, Value *v)
{
    if (n->kind == AST_FIELD)                        /* of an imported module */
        return st_name(s, sc, n->u.field.e, v) && v->kind == V_MOD && decl_name(s, v->u.mod, n->u.field.name, n->loc, v);
    if (n->kind != AST_NAME) return false;
    Entry *e = scope_lookup(sc, n->u.name.name);
    if (!e) return decl_name(s, sc->mod, n->u.name.name, n->loc, v);
    *v = e->v;
    return e->kind != E_PLACE;
}

StObj *st_name_obj(Sema *s, Scope *sc, AstNode *n)
{
    Value v;
    return st_name(s, sc, n, &v) ? st_ext_obj(&v) : NULL;
}

/* The index set of that name: inside its own ∀ the name is the index's value, but it still names the set after ∀. */
StObj *st_index(Sema *s, Scope *sc, const char *name, Loc loc)
{
    for (Scope *x = sc; x; x = x->up)
        for (uint32_t i = 0; i < x->n; i++) {
            StObj *o = x->e[i]->name == name && x->e[i]->kind != E_PLACE ? st_ext_obj(&x->e[i]->v) : NULL;
            if (o && o->kind == ST_INDEX) return o;
            if (x->e[i]->name == name && x->e[i]->v.kind == V_ERR && x->e[i]->kind == E_STREAM) return NULL;
        }
    Value v;
    if (decl_name(s, sc->mod, name, loc, &v)) {
        StObj *o = st_ext_obj(&v);
        if (v.kind == V_ERR || (o && o->kind == ST_INDEX)) return o;
    }
    SEMA_ERR(s, st_index_unknown, loc, d_str(name));
    return NULL;
}

bool st_extent(Sema *s, StObj *o, Loc loc, int64_t *k, Value *v)
{
    *v = o->extent;
    if (o->node) {
        Scope *sc = scope_push(s, NULL);
        sc->mod = o->mod;
        *v = index_value_of(s, sc, o->node);
        scope_pop(s, sc);
    } else if (v->kind == V_IR && o->fn != st_ir(s)) {
        SEMA_ERR(s, not_comptime, loc, d_str("the extent of an index set of another function"));
        return false;
    }
    *k = v->kind == V_INT ? (int64_t)v->u.i : -1;
    return v->kind != V_ERR;
}

void st_len_needed(LenSpot *p)
{
    IrIns *in = ir_ins(p->fn, p->at);
    if (in->op != IR_CONST) return;
    in->op = IR_DSRLEN;
    in->type = T_VOID;
    in->imm = 0;
    ir_set_args(p->fn, p->at, 2, (IrRef[]){p->slot, p->n});
}

/* &iterator: the address of its descriptor, [*]u16, so that a program can patch base and length. */
bool sema_stream_addr(Sema *s, Scope *sc, AstNode *e, Value *out)
{
    StObj *o = st_name_obj(s, sc, e);
    if (!o || o->kind != ST_ITER) return false;
    o->patched = true;
    for (LenSpot *p = o->spots; p; p = p->of_obj) st_len_needed(p);
    PtrVal *p = ARENA_NEW(s->va, PtrVal);
    p->sym = o->desc;
    *out = (Value){.kind = V_PTR, .type = type_pointer(s->prog, ty_u16, true, false)};
    out->u.ptr = p;
    return true;
}
