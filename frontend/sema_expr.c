/* frontend/sema_expr.c: expressions: names, literals, places (what can be stored to), fields and elements.
 * A Place is found first and loaded after, so that `a[i].f` reads one element, not the array.  Loading compile-time memory
 * copies; loading an aggregate of PE memory does not (V_MEM). */
#include "frontend/sema_stream.h"
#include <assert.h>
#include <string.h>

enum { MAX_DEPTH = 2500 }; /* of evaluations inside evaluations: stack, not syntax */

static Place p_err(void) { return (Place){.kind = P_ERR}; }
static Place p_value(Value v)
{
    if (v.kind == V_ERR) return p_err();
    if (v.kind == V_MEM) return (Place){.kind = P_MEM, .type = v.type, .addr = v.u.addr, .is_const = v.is_const};
    return (Place){.kind = P_VALUE, .type = v.type, .v = v, .is_const = true};
}

/* ---- names */
static const char *nearest(Sema *s, Scope *sc, const char *name)
{
    const char *best = NULL;
    int lim = strlen(name) < 3 ? 0 : strlen(name) < 5 ? 1 : 2, bestd = lim + 1;
    size_t n = strlen(name);
    char a[40];
    if (n >= sizeof a) return NULL;
#define TRY(cand)                                                                                                     \
    do {                                                                                                              \
        const char *c_ = (cand);                                                                                      \
        int d_ = ws_edit_distance(name, c_);                                                                          \
        if (d_ < bestd) best = c_, bestd = d_;                                                                        \
    } while (0)
    for (Scope *x = sc; x; x = x->up)
        for (uint32_t i = 0; i < x->n; i++) TRY(x->e[i]->name);
    for (ptrdiff_t i = 0; i < arrlen(sc->mod->decls); i++) TRY(sc->mod->decls[i]->name);
#undef TRY
    return best;
}

static Value unknown_name(Sema *s, Scope *sc, AstNode *n)
{
    SEMA_ERR(s, unknown_name, n->loc, d_str(n->u.name.name));
    const char *c = nearest(s, sc, n->u.name.name);
    if (c) SEMA_NOTE(s, note_did_you_mean, n->loc, d_str(c));
    return V_NONE;
}

bool sema_prelude(Sema *s, const char *name, Value *out)
{
    ptrdiff_t i = hmgeti(s->prog->prelude, name);
    if (i < 0) return false;
    *out = s->prog->prelude[i].value;
    return true;
}

static Place name_place(Sema *s, Scope *sc, AstNode *n)
{
    Entry *e = scope_lookup(sc, n->u.name.name);
    if (e) {
        if (e->kind == E_PLACE) return e->p;
        Value v = e->v;
        if (e->kind == E_STREAM || v.kind == V_EXT) {
            if (!sema_stream_expr(s, sc, n, NULL, &v)) v = e->v;
        }
        return p_value(v);
    }
    Decl *d = module_find(sc->mod, n->u.name.name);
    if (d) {
        Place p = decl_place(s, d, n->loc);
        if (p.kind == P_VALUE && p.v.kind == V_EXT) {
            Value v;
            if (sema_stream_expr(s, sc, n, NULL, &v)) return p_value(v);
        }
        return p;
    }
    Value v;
    if (sema_prelude(s, n->u.name.name, &v)) return p_value(v);
    return unknown_name(s, sc, n), p_err();
}

/* ---- places */
Value place_load(Sema *s, const Place *p, Loc loc)
{
    switch (p->kind) {
    case P_CELL: return value_snapshot(s, *p->slot);
    case P_VALUE: return p->v;
    case P_MEM:
        if (type_is_scalar(p->type) && !(s->fn && s->fn->ir)) {
            SEMA_ERR(s, not_comptime, loc, p->decl ? d_str(arena_printf(s->arena, "the value of '%s'", p->decl->name)) : d_str("PE memory"));
            if (p->decl) SEMA_NOTE(s, note_declared, p->decl->node->loc, d_str(p->decl->name));
            return V_NONE;
        }
        {
            Value v = addr_load(s, p->addr, p->type, loc);
            v.is_const = p->is_const;
            return v;
        }
    default: return V_NONE;
    }
}

void place_store(Sema *s, const Place *p, Value v, Loc loc)
{
    if (p->kind == P_ERR || v.kind == V_ERR) return;
    if (p->is_const || p->kind == P_VALUE) {
        SEMA_ERR(s, store_const, loc);
        if (p->decl) SEMA_NOTE(s, note_declared, p->decl->node->loc, d_str(p->decl->name));
        return;
    }
    if (p->kind == P_CELL) {
        if (p->type && p->type->kind != TY_COMPTIME_STRUCT) v = coerce(s, v, p->type, loc);
        if (v.kind == V_ERR) return;
        if (is_runtime(&v)) {
            SEMA_ERR(s, not_comptime, loc, d_str("the value"));
            return;
        }
        *p->slot = value_copy(s->arena, v);
        return;
    }
    if (!(s->fn && s->fn->ir)) {
        SEMA_ERR(s, store_comptime, loc, d_str(p->decl ? p->decl->name : "PE memory"));
        return;
    }
    addr_store(s, p->addr, p->type, v, loc);
}

Value place_ptr(Sema *s, const Place *p, Loc loc)
{
    if (p->kind == P_ERR) return V_NONE;
    PtrVal *q = sema_alloc(s, sizeof(PtrVal));
    Value r = {.kind = V_PTR, .type = type_pointer(s->prog, p->type ? p->type : p->slot->type, false, p->is_const), .u.ptr = q};
    q->is_const = p->is_const;
    q->decl = p->decl;
    switch (p->kind) {
    case P_CELL:
        q->slot = p->slot;
        q->first = p->first ? p->first : p->slot;
        q->n = p->first ? p->n : 1;
        r.type = type_pointer(s->prog, p->slot->type, false, p->is_const);
        return r;
    case P_MEM:
        if (p->addr.base.i) return v_ir(r.type, addr_ir(s, p->addr, loc));
        q->sym = p->addr.sym;
        q->off = p->addr.off;
        return r;
    default:
        if (p->v.kind == V_FN) return p->v;
        if (!is_known(&p->v)) {
            if (p->v.kind == V_AGG) { /* in registers: give it memory */
                Addr a = value_addr(s, p->v, p->type, loc);
                return v_ir(r.type, addr_ir(s, a, loc));
            }
            return SEMA_ERR(s, no_address, loc);
        }
        q->slot = ARENA_NEW(s->arena, Value);
        *q->slot = value_copy(s->arena, p->v);
        q->first = q->slot;
        q->n = 1;
        return r;
    }
}

/* the memory behind a pointer to a known constant */
bool ptr_memory(Sema *s, const PtrVal *p, IrSym *sym, int64_t *off, Loc loc)
{
    if (p->sym.i || !p->slot) {
        *sym = p->sym;
        *off = p->off;
        return true;
    }
    if (!p->is_const) {
        SEMA_ERR(s, ptr_comptime, loc);
        return false;
    }
    Type *et = p->first->type;
    if (p->n == 1) *sym = global_const(s, *p->first, et, loc);
    else {
        Type *at = type_array(s->prog, et, 1, (int64_t[]){p->n});
        *sym = global_const(s, (Value){.kind = V_AGG, .type = at, .n = p->n, .u.agg = p->first}, at, loc);
    }
    *off = (int64_t)(p->slot - p->first) * et->size;
    return sym->i != 0;
}

Place ptr_deref(Sema *s, Value v, Loc loc)
{
    if (v.kind == V_ERR) return p_err();
    if (v.type->kind != TY_POINTER) return SEMA_ERR(s, not_pointer, loc, d_type(v.type)), p_err();
    Place p = {.kind = P_MEM, .type = v.type->elem, .is_const = v.type->is_const};
    if (v.kind == V_UNDEF) return SEMA_ERR(s, not_comptime, loc, d_str("the pointer")), p_err();
    if (v.kind == V_PTR) {
        PtrVal *q = v.u.ptr;
        p.decl = q->decl;
        if (q->slot) {
            p.kind = P_CELL;
            p.slot = q->slot;
            p.first = q->first;
            p.n = q->n;
            p.is_const |= q->is_const;
        } else p.addr = (Addr){.sym = q->sym, .off = (int32_t)q->off};
        return p;
    }
    p.addr.base = value_ir(s, v, v.type, loc);
    return p.addr.base.i ? p : p_err();
}

static bool check_index(Sema *s, const Value *at, int64_t dim, const Type *t, Loc loc)
{
    if (at->kind != V_INT || (at->u.i >= 0 && at->u.i < dim)) return true;
    SEMA_ERR(s, index_range, loc, d_value(s, at), d_type((Type *)t));
    return false;
}

static IrRef index_ir(Sema *s, Value at, Loc loc) /* as i16: addresses wrap */
{
    if (at.kind == V_INT) return ir_const(s->fn->ir, s->fn->cur, T_I16, (int64_t)at.u.i & 0xffff, loc);
    IrRef r = value_ir(s, at, at.type, loc);
    if (!r.i) return r;
    int bits = ir_type_bits(at.type->ir);
    if (bits > 16) r = ir_un(s->fn->ir, s->fn->cur, IR_TRUNC, T_I16, r, loc);
    if (bits < 16) r = ir_un(s->fn->ir, s->fn->cur, at.type->is_signed ? IR_SEXT : IR_ZEXT, T_I16, r, loc);
    return r;
}

/* indices of one array, as one: known, or in a register */
static bool linear_index(Sema *s, const Type *t, const Value *at, bool known, int64_t *lin, IrRef *reg, Loc loc)
{
    *lin = 0;
    *reg = IR_NONE;
    for (uint32_t i = 0; i < t->rank; i++) {
        if (known) {
            *lin = *lin * t->dims[i] + (int64_t)at[i].u.i;
            continue;
        }
        IrRef x = index_ir(s, at[i], loc);
        if (!x.i) return false;
        if (reg->i) {
            IrRef d = ir_const(s->fn->ir, s->fn->cur, T_I16, t->dims[i] & 0xffff, loc);
            x = ir_bin(s->fn->ir, s->fn->cur, IR_ADD, ir_bin(s->fn->ir, s->fn->cur, IR_MUL, *reg, d, loc), x, loc);
        }
        *reg = x;
    }
    return true;
}

static Place index_array(Sema *s, const Place *p, uint32_t n, const Value *at, Loc loc);

/* compile-time code: indices that differ between the PEs part them */
static Place index_decided(Sema *s, const Place *p, uint32_t n, const Value *at, Loc loc)
{
    Value known[8];
    assert(n <= 8);
    for (uint32_t i = 0; i < n; i++) {
        known[i] = decide(s, at[i], loc);
        if (known[i].kind != V_INT) return SEMA_ERR(s, not_comptime, loc, d_str("the index")), p_err();
    }
    return index_array(s, p, n, known, loc);
}

static Place index_array(Sema *s, const Place *p, uint32_t n, const Value *at, Loc loc)
{
    Type *t = p->type;
    if (n != t->rank) return SEMA_ERR(s, index_count, loc, d_type(t), d_int(t->rank), d_int(n)), p_err();
    bool known = true;
    for (uint32_t i = 0; i < n; i++) {
        if (!check_index(s, &at[i], t->dims[i], t, loc)) return p_err();
        known &= at[i].kind == V_INT;
    }
    Place r = {.kind = p->kind, .type = t->elem, .is_const = p->is_const, .decl = p->decl};
    int64_t lin;
    IrRef reg;
    if (!known && p->kind != P_MEM) {
        if (n == 1 && at[0].kind == V_SYM && p->kind == P_VALUE && is_known(&p->v) && type_is_discrete(t->elem))
            return p_value(sym_gather(s, p->v, at[0], loc));
        if (!(s->fn && s->fn->ir)) return index_decided(s, p, n, at, loc);
        Value v = p->kind == P_CELL ? *p->slot : p->v;
        Place m = {.kind = P_MEM, .type = t, .is_const = true, .addr = value_addr(s, v, t, loc)};
        if (!m.addr.sym.i && !m.addr.base.i) return p_err();
        return index_array(s, &m, n, at, loc);
    }
    if (!known && !(s->fn && s->fn->ir)) return SEMA_ERR(s, not_comptime, loc, d_str("the index")), p_err();
    if (!linear_index(s, t, at, known, &lin, &reg, loc)) return p_err();
    switch (p->kind) {
    case P_CELL:
        agg_expand(s, p->slot);
        if (p->slot->kind != V_AGG) return SEMA_ERR(s, not_comptime, loc, d_str("the array")), p_err();
        r.slot = &p->slot->u.agg[lin];
        r.first = p->slot->u.agg;
        r.n = p->slot->n;
        return r;
    case P_VALUE:
        if (p->v.kind != V_AGG) return p_value((Value){.kind = V_UNDEF, .type = t->elem});
        return p_value(*agg_at(&p->v, (uint32_t)lin));
    default:
        r.addr = known ? addr_add(p->addr, (int32_t)(lin * t->elem->size)) : addr_index(s, p->addr, reg, t->elem->size, loc);
        return r;
    }
}

/* p[i] of [*]T */
static Place index_many(Sema *s, Value v, const Value *at, Loc loc)
{
    Place p = ptr_deref(s, v, loc);
    if (p.kind == P_CELL) {
        if (at->kind != V_INT) return SEMA_ERR(s, not_comptime, loc, d_str("the index")), p_err();
        Int i = p.slot - p.first + at->u.i;
        if (i < 0 || i >= p.n) return SEMA_ERR(s, index_range, loc, d_value(s, at), d_type(v.type)), p_err();
        p.slot = p.first + i;
        return p;
    }
    if (p.kind != P_MEM) return p;
    if (at->kind == V_INT) p.addr = addr_add(p.addr, (int32_t)((int64_t)at->u.i * p.type->size));
    else {
        if (!(s->fn && s->fn->ir)) return SEMA_ERR(s, not_comptime, loc, d_str("the index")), p_err();
        IrRef i = index_ir(s, *at, loc);
        if (!i.i) return p_err();
        p.addr = addr_index(s, p.addr, i, p.type->size, loc);
    }
    return p;
}

Place place_index(Sema *s, const Place *p, uint32_t n, const Value *at, Loc loc)
{
    if (p->kind == P_ERR) return *p;
    for (uint32_t i = 0; i < n; i++) {
        if (at[i].kind == V_ERR) return p_err();
        if (!type_is_int(at[i].type)) return SEMA_ERR(s, index_type, loc, d_type(at[i].type)), p_err();
    }
    Type *t = p->kind == P_CELL ? p->slot->type : p->type;
    Place q = *p;
    q.type = t;
    switch (t->kind) {
    case TY_ARRAY: return index_array(s, &q, n, at, loc);
    case TY_POINTER: {
        Value v = place_load(s, p, loc);
        if (t->many) {
            if (n != 1) return SEMA_ERR(s, index_count, loc, d_type(t), d_int(1), d_int(n)), p_err();
            return index_many(s, v, at, loc);
        }
        if (t->elem->kind != TY_ARRAY) break;
        q = ptr_deref(s, v, loc);
        return q.kind == P_ERR ? q : index_array(s, &q, n, at, loc);
    }
    case TY_STRUCT:
        if (!t->tuple || n != 1) break;
        if (at->kind != V_INT) return SEMA_ERR(s, not_comptime, loc, d_str("the index of a tuple")), p_err();
        if (at->u.i < 0 || at->u.i >= t->nfields) return SEMA_ERR(s, index_range, loc, d_value(s, at), d_type(t)), p_err();
        if (p->kind == P_CELL) {
            q.slot = &p->slot->u.agg[at->u.i];
            q.type = t->fields[at->u.i].type;
            q.first = NULL;
            return q;
        }
        if (p->kind == P_VALUE) return p_value(*agg_at(&p->v, (uint32_t)at->u.i));
        q.addr = addr_add(p->addr, (int32_t)t->fields[at->u.i].off);
        q.type = t->fields[at->u.i].type;
        return q;
    case TY_STRING:
        if (p->kind != P_VALUE || n != 1 || at->kind != V_INT) break;
        if (at->u.i < 0 || at->u.i >= p->v.n) return SEMA_ERR(s, index_range, loc, d_value(s, at), d_type(t)), p_err();
        return p_value(v_int(ty_u8, (uint8_t)p->v.u.s[at->u.i]));
    default: break;
    }
    return SEMA_ERR(s, not_array, loc, d_type(t)), p_err();
}

static Place module_member(Sema *s, Module *m, const char *name, Loc loc)
{
    Decl *d = module_find(m, name);
    if (d) return decl_place(s, d, loc);
    SEMA_ERR(s, no_member, loc, d_str(m->stem), d_str(name));
    return p_err();
}

Place place_field(Sema *s, const Place *p, const char *name, Loc loc)
{
    if (p->kind == P_ERR) return *p;
    Type *t = p->kind == P_CELL ? p->slot->type : p->type;
    Place q = *p;
    q.type = t;
    if (t->kind == TY_MODULE && p->kind == P_VALUE && p->v.kind == V_MOD) return module_member(s, p->v.u.mod, name, loc);
    if (t->kind == TY_MODULE && p->kind == P_CELL && p->slot->kind == V_MOD) return module_member(s, p->slot->u.mod, name, loc);
    if (t->kind == TY_TYPE && p->kind == P_VALUE && p->v.kind == V_TYPE && p->v.u.t->kind == TY_ENUM) {
        Value e = {.kind = V_ELIT, .type = ty_enum_lit, .u.s = name};
        return p_value(coerce(s, e, p->v.u.t, loc));
    }
    if (t->kind == TY_POINTER && !t->many && t->elem->kind == TY_STRUCT) {
        q = ptr_deref(s, place_load(s, p, loc), loc);
        if (q.kind == P_ERR) return q;
        t = q.kind == P_CELL ? q.slot->type : q.type;
    }
    uint32_t k;
    const Field *f = t->kind == TY_STRUCT && !t->tuple ? type_field(t, name, &k) : NULL;
    if (!f) {
        if (t->kind == TY_STRUCT) {
            SEMA_ERR(s, no_field, loc, d_type(t), d_str(name));
            if (t->node) SEMA_NOTE(s, note_declared, t->node->loc, d_type(t));
        } else SEMA_ERR(s, not_struct, loc, d_type(t), d_str(name));
        return p_err();
    }
    switch (q.kind) {
    case P_CELL:
        if (q.slot->kind != V_AGG) return SEMA_ERR(s, not_comptime, loc, d_str("the struct")), p_err();
        q.slot = &q.slot->u.agg[k];
        q.first = NULL;
        q.type = f->type;
        return q;
    case P_VALUE:
        if (q.v.kind != V_AGG) return p_value((Value){.kind = V_UNDEF, .type = f->type});
        return p_value(*agg_at(&q.v, k));
    default:
        q.addr = addr_add(q.addr, (int32_t)f->off);
        q.type = f->type;
        return q;
    }
}

static bool enter(Sema *s, AstNode *n)
{
    if (s->depth++ < MAX_DEPTH) return true;
    SEMA_ERR(s, eval_depth, n->loc);
    return false;
}

static Place place_of(Sema *s, Scope *sc, AstNode *n)
{
    switch (n->kind) {
    case AST_NAME: return name_place(s, sc, n);
    case AST_FIELD: {
        Place p = eval_place(s, sc, n->u.field.e);
        return place_field(s, &p, n->u.field.name, n->u.field.name_loc.file ? n->u.field.name_loc : n->loc);
    }
    case AST_INDEX: {
        Place p = eval_place(s, sc, n->u.index.e);
        Value at[8];
        if (n->u.index.at.n > 8) return SEMA_ERR(s, array_rank, n->loc, d_int(8)), p_err();
        for AST_EACH(i, n->u.index.at) at[i] = eval_expr(s, sc, n->u.index.at.v[i], NULL);
        return place_index(s, &p, n->u.index.at.n, at, n->u.index.at.v[0]->loc);
    }
    case AST_DEREF: return ptr_deref(s, eval_expr(s, sc, n->u.wrap.e, NULL), n->loc);
    default: return p_value(eval_expr(s, sc, n, NULL));
    }
}

Place eval_place(Sema *s, Scope *sc, AstNode *n)
{
    Place p = p_err();
    if (enter(s, n)) p = place_of(s, sc, n);
    s->depth--;
    return p;
}

/* ---- literals */
static Value init_fields(Sema *s, Scope *sc, AstNode *n, Type *want)
{
    uint32_t k = n->u.init.items.n;
    Field small[24], *f = k <= 24 ? small : sema_alloc(s, sizeof(Field) * k);
    Value v = v_agg(s, NULL, k);
    bool bad = false;
    for (uint32_t i = 0; i < k; i++) {
        AstNode *it = n->u.init.items.v[i];
        f[i] = (Field){.name = it->u.field.name};
        for (uint32_t j = 0; j < i; j++)
            if (f[j].name == f[i].name) SEMA_ERR(s, redeclared, it->loc, d_str(f[i].name)), bad = true;
        const Field *w = want && want->kind == TY_STRUCT ? type_field(want, f[i].name, NULL) : NULL;
        v.u.agg[i] = eval_expr(s, sc, it->u.field.e, w ? w->type : NULL);
        if (v.u.agg[i].kind == V_ERR) bad = true;
        else f[i].type = v.u.agg[i].type;
    }
    if (bad) return V_NONE;
    v.type = type_struct(s->prog, NULL, NULL, k, f, false);
    return v;
}

static Value init_tuple(Sema *s, Scope *sc, AstNode *n, Type *want)
{
    uint32_t k = n->u.init.items.n;
    Field small[24], *f = k <= 24 ? small : sema_alloc(s, sizeof(Field) * k);
    Value v = v_agg(s, NULL, k);
    bool bad = false;
    Type *elem = want && want->kind == TY_ARRAY ? want->elem : NULL;
    for (uint32_t i = 0; i < k; i++) {
        Type *w = elem ? elem : want && want->kind == TY_STRUCT && i < want->nfields ? want->fields[i].type : NULL;
        v.u.agg[i] = eval_expr(s, sc, n->u.init.items.v[i], w);
        f[i] = (Field){.type = v.u.agg[i].type};
        if (v.u.agg[i].kind == V_ERR) bad = true;
        else if (elem && v.u.agg[i].kind != V_AGG) { /* report at the element, not at the list */
            v.u.agg[i] = coerce(s, v.u.agg[i], elem, n->u.init.items.v[i]->loc);
            bad |= v.u.agg[i].kind == V_ERR;
        }
    }
    if (bad) return V_NONE;
    if (elem && k == want->count && k && v.u.agg[0].kind != V_AGG) { /* the common case: no tuple type per table */
        v.type = want;
        return v;
    }
    v.type = type_struct(s->prog, NULL, NULL, k, f, true);
    return v;
}

static Value eval_init(Sema *s, Scope *sc, AstNode *n, Type *want)
{
    if (n->u.init.type) {
        want = eval_type(s, sc, n->u.init.type);
        if (!want) return V_NONE;
        if (want->kind != TY_ARRAY && want->kind != TY_STRUCT) return SEMA_ERR(s, bad_init, n->loc, d_type(want));
    }
    Value v = n->u.init.named ? init_fields(s, sc, n, want) : init_tuple(s, sc, n, want);
    if (want && v.kind != V_ERR && (want->kind == TY_ARRAY || (want->kind == TY_STRUCT && !want->anon)) &&
        (n->u.init.type || can_coerce(s, &v, want)))
        return coerce(s, v, want, n->loc);
    return v;
}

/* ---- and, or */
/* may the right side be evaluated although the left decides?  Then it needs no branch. */
static bool harmless(const AstNode *n)
{
    switch (n->kind) {
    case AST_INT: case AST_BOOL: case AST_NAME: case AST_ENUM_LIT: return true;
    case AST_FIELD: return harmless(n->u.field.e);
    case AST_UNARY: return n->u.un.op == OP_NOT && harmless(n->u.un.e);
    case AST_BINARY:
        return (n->u.bin.op == OP_AND || n->u.bin.op == OP_OR || (n->u.bin.op >= OP_EQ && n->u.bin.op <= OP_GE)) && harmless(n->u.bin.l) &&
               harmless(n->u.bin.r);
    default: return false;
    }
}

static Value logic_runtime(Sema *s, Scope *sc, AstNode *n, Value l, bool is_and)
{
    IrFn *f = s->fn->ir;
    IrRef c = value_ir(s, l, ty_bool, n->u.bin.l->loc);
    if (!c.i) return V_NONE;
    IrBlk from = s->fn->cur, rhs = ir_block_new(f, is_and ? "and" : "or"), join = ir_block_new(f, "logic");
    IrRef k = ir_const(f, from, T_I1, !is_and, n->loc);
    ir_condbr(f, from, c, is_and ? rhs : join, is_and ? join : rhs, n->loc);
    s->fn->cur = rhs;
    Value r = eval_as(s, sc, n->u.bin.r, ty_bool);
    IrRef x = r.kind == V_ERR ? ir_append(f, s->fn->cur, IR_UNDEF, T_I1, 0, NULL, n->loc) : value_ir(s, r, ty_bool, n->u.bin.r->loc);
    IrBlk end = s->fn->cur;
    ir_br(f, end, join, n->loc);
    s->fn->cur = join;
    IrRef phi = ir_phi(f, join, T_I1, n->loc);
    ir_phi_add(f, phi, from, k);
    ir_phi_add(f, phi, end, x.i ? x : k);
    return r.kind == V_ERR || !x.i ? V_NONE : v_ir(ty_bool, phi);
}

static Value eval_logic(Sema *s, Scope *sc, AstNode *n)
{
    bool is_and = n->u.bin.op == OP_AND;
    Value l = eval_as(s, sc, n->u.bin.l, ty_bool);
    if (l.kind == V_ERR) return l;
    if (l.kind == V_SYM) {
        if (harmless(n->u.bin.r)) {
            Value r = eval_as(s, sc, n->u.bin.r, ty_bool);
            if (r.kind == V_ERR) return r;
            if (r.kind == V_INT) return !!r.u.i == is_and ? l : r;
            if (r.kind == V_SYM) return sym_binary(s, n->u.bin.op, l, r, ty_bool, n->loc);
            return logic_runtime(s, sc, n, l, is_and);
        }
        l = decide(s, l, n->u.bin.l->loc);
    }
    if (l.kind == V_INT) return !!l.u.i == is_and ? eval_as(s, sc, n->u.bin.r, ty_bool) : l;
    if (l.kind != V_IR) return SEMA_ERR(s, type_mismatch, n->u.bin.l->loc, d_type(ty_bool), d_type(l.type));
    return logic_runtime(s, sc, n, l, is_and);
}

static Value eval_binary(Sema *s, Scope *sc, AstNode *n, Type *want)
{
    AstOp op = n->u.bin.op;
    if (op == OP_AND || op == OP_OR) return eval_logic(s, sc, n);
    bool cmp = op >= OP_EQ && op <= OP_GE;
    Value l = eval_expr(s, sc, n->u.bin.l, cmp ? NULL : want);
    Value r = eval_expr(s, sc, n->u.bin.r, cmp ? (l.kind == V_ERR ? NULL : l.type) : want);
    return binary(s, op, l, r, n->loc);
}

/* ---- comptime e */
static Value eval_comptime(Sema *s, Scope *sc, AstNode *n, Type *want)
{
    FnState ct = {.up = s->fn, .name = "comptime"};
    s->fn = &ct;
    Value v = eval_expr(s, sc, n->u.wrap.e, want);
    s->fn = ct.up;
    if (v.kind != V_ERR && is_runtime(&v)) return SEMA_ERR(s, not_comptime, n->loc, d_str("the value"));
    return v;
}

static void find_call(void *found, AstNode *n)
{
    if (n->kind == AST_CALL) *(bool *)found = true;
    else if (!*(bool *)found) ast_each_child(n, find_call, found);
}

/* Where only a known value will do, as for a comptime argument, functions are run by the compiler. */
Value eval_fixed(Sema *s, Scope *sc, AstNode *n, Type *want)
{
    bool call = false;
    if (s->fn && s->fn->ir) find_call(&call, n);
    if (!call) return eval_expr(s, sc, n, want);
    FnState ct = {.up = s->fn, .name = "comptime"};
    s->fn = &ct;
    Value v = eval_expr(s, sc, n, want);
    s->fn = ct.up;
    return v;
}

/* a jump where a value is expected: `const x = if (c) 1 else return;` */
static Value eval_jump(Sema *s, Scope *sc, AstNode *n)
{
    Flow f = exec_stmt(s, sc, n);
    if (!s->fn) return V_NONE;
    s->fn->flow = f;
    if (f == FLOW_RETURN) s->fn->ret_val = value_copy(s->arena, s->fn->ret_val);
    if (s->fn->ir && f == FLOW_END) s->fn->cur = ir_block_new(s->fn->ir, "dead");
    return (Value){.kind = V_UNDEF, .type = ty_undefined};
}

static Value eval(Sema *s, Scope *sc, AstNode *n, Type *want)
{
    Value v;
    switch (n->kind) {
    case AST_INT:
        if (n->u.num.overflow) return SEMA_ERR(s, int_literal, n->loc, d_str(n->u.num.text));
        return v_int(ty_comptime_int, n->u.num.value);
    case AST_FLOAT: return v_flt(ty_comptime_float, n->u.flt.value);
    case AST_BOOL: return v_bool(n->u.num.value != 0);
    case AST_STRING: return (Value){.kind = V_STR, .type = ty_comptime_string, .n = (uint32_t)n->u.str.len, .u.s = n->u.str.p};
    case AST_UNDEFINED: return (Value){.kind = V_UNDEF, .type = ty_undefined};
    case AST_VOID: return v_void();
    case AST_ENUM_LIT:
        v = (Value){.kind = V_ELIT, .type = ty_enum_lit, .u.s = n->u.name.name};
        return want && want->kind == TY_ENUM ? coerce(s, v, want, n->loc) : v;
    case AST_NAME: case AST_FIELD: case AST_INDEX: case AST_DEREF: {
        Place p = place_of(s, sc, n);
        return place_load(s, &p, n->loc);
    }
    case AST_UNARY:
        if (n->u.un.op == OP_ADDR) {
            if (s->ir && sc->mod->file->mode == FE_MODE_W && sema_stream_addr(s, sc, n->u.un.e, &v)) return v;
            Place p = eval_place(s, sc, n->u.un.e);
            return place_ptr(s, &p, n->loc);
        }
        return unary(s, n->u.un.op, eval_expr(s, sc, n->u.un.e, want), n->loc);
    case AST_BINARY: return eval_binary(s, sc, n, want);
    case AST_CALL: return eval_call(s, sc, n, want);
    case AST_BUILTIN: return eval_builtin(s, sc, n, want);
    case AST_INIT: return eval_init(s, sc, n, want);
    case AST_IF: return eval_if(s, sc, n, want);
    case AST_SWITCH: return eval_switch(s, sc, n, want);
    case AST_BLOCK: return eval_block(s, sc, n, want);
    case AST_COMPTIME: return eval_comptime(s, sc, n, want);
    case AST_RETURN: case AST_BREAK: case AST_CONTINUE: return eval_jump(s, sc, n);
    case AST_LAMBDA: return dsd_lambda(s, sc, n);
    case AST_SUM: case AST_ELEM: case AST_VIEW:
        if (sema_stream_expr(s, sc, n, want, &v)) return v;
        return SEMA_ERR(s, not_built, n->loc, d_str(ast_kind_name((AstKind)n->kind)));
    case AST_T_ARRAY: case AST_T_POINTER: case AST_T_FN: case AST_T_ANYTYPE: case AST_T_STRUCT: case AST_T_UNION: case AST_T_ENUM: {
        Type *t = eval_type(s, sc, n);
        return t ? v_type(t) : V_NONE;
    }
    default: return SEMA_ERR(s, not_built, n->loc, d_str(ast_kind_name((AstKind)n->kind)));
    }
}

Value eval_expr(Sema *s, Scope *sc, AstNode *n, Type *want)
{
    Value v = V_NONE;
    if (enter(s, n)) v = eval(s, sc, n, want);
    s->depth--;
    return v;
}

Value eval_as(Sema *s, Scope *sc, AstNode *n, Type *want) { return coerce(s, eval_expr(s, sc, n, want), want, n->loc); }

/* ---- known numbers */
bool known_int(Sema *s, Value v, const char *what, int64_t lo, int64_t hi, Loc loc, int64_t *out)
{
    if (v.kind == V_SYM) v = decide(s, v, loc);
    if (v.kind == V_ERR) return false;
    if (v.kind != V_UNDEF && !type_is_discrete(v.type)) return SEMA_ERR(s, type_mismatch, loc, d_str("an integer"), d_type(v.type)), false;
    if (v.kind != V_INT) return SEMA_ERR(s, not_comptime, loc, d_str(what)), false;
    if (v.u.i < lo || v.u.i > hi) return SEMA_ERR(s, out_of_range, loc, d_str(what), d_value(s, &v), d_int(lo), d_int(hi)), false;
    *out = (int64_t)v.u.i;
    return true;
}

bool eval_known_int(Sema *s, Scope *sc, AstNode *n, const char *what, int64_t lo, int64_t hi, int64_t *out)
{
    Value v = eval_fixed(s, sc, n, NULL);
    if (v.kind != V_ERR && v.type->kind == TY_BOOL) return SEMA_ERR(s, type_mismatch, n->loc, d_str("an integer"), d_type(v.type)), false;
    return known_int(s, v, what, lo, hi, n->loc, out);
}

bool eval_known_bool(Sema *s, Scope *sc, AstNode *n, bool *out)
{
    Value v = coerce(s, eval_fixed(s, sc, n, ty_bool), ty_bool, n->loc);
    if (v.kind == V_SYM) v = decide(s, v, n->loc);
    if (v.kind == V_ERR) return false;
    if (v.kind != V_INT) return SEMA_ERR(s, not_comptime, n->loc, d_str("the condition")), false;
    *out = v.u.i != 0;
    return true;
}

Value opt_field(Sema *s, const Value *opts, const char *name)
{
    uint32_t k;
    if (opts->kind != V_AGG || opts->type->kind != TY_STRUCT || !type_field(opts->type, name, &k)) return V_NONE;
    return *agg_at(opts, k);
}
