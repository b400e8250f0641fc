/* frontend/sema_coerce.c: implicit conversion, @as, and the common type of two values.
 * Implicitly a value only changes its type, never its meaning: known integers move between widths and signs if they fit,
 * run-time numbers may only widen, literals meet the struct, array or enum that is wanted.  @as does the rest. */
#include "frontend/sema.h"
#include <assert.h>
#include <math.h>
#include <string.h>

static bool int_like(const Type *t) { return type_is_int(t); }
static bool knownish(const Value *v) { return v->kind == V_INT || v->kind == V_SYM; }

/* every value of a is one of b */
static bool int_widens(const Type *a, const Type *b)
{
    if (a->kind != TY_INT || b->kind != TY_INT) return false;
    if (a->is_signed == b->is_signed) return a->bits <= b->bits;
    return b->is_signed && a->bits < b->bits;
}

static bool float_widens(const Type *a, const Type *b)
{
    if (a->kind == TY_COMPTIME_FLOAT) return type_is_float(b);
    if (b->kind == TY_COMPTIME_FLOAT) return true;
    return a->kind == TY_FLOAT && b->kind == TY_FLOAT && (a == b || (a->bits == 16 && !a->sub && b == ty_f32));
}

static bool pointer_ok(const Type *a, const Type *b)
{
    if (a->kind != TY_POINTER || b->kind != TY_POINTER || (a->is_const && !b->is_const)) return false;
    if (a->many == b->many && a->elem == b->elem) return true;
    return b->many && !a->many && a->elem->kind == TY_ARRAY && a->elem->elem == b->elem;
}

/* the type of a function as a value; NULL when it is generic (not reported) */
Type *fn_type(Sema *s, Decl *d)
{
    AstNode *n = d->node;
    Type *params[64];
    if (n->u.fn.args.n > 64) return NULL;
    Scope *sc = scope_push(s, NULL);
    sc->mod = d->mod;
    Type *r = NULL;
    for AST_EACH(i, n->u.fn.args) {
        AstNode *p = n->u.fn.args.v[i];
        if (p->u.arg.is_comptime || p->u.arg.type->kind == AST_T_ANYTYPE || !(params[i] = eval_type(s, sc, p->u.arg.type))) goto out;
    }
    Type *ret = n->u.fn.ret ? eval_type(s, sc, n->u.fn.ret) : ty_void;
    if (ret) r = type_fn(s->prog, n->u.fn.args.n, params, ret, n->kind == AST_TASK);
out:
    scope_pop(s, sc);
    return r;
}

/* does an aggregate literal meet the wanted array or struct? */
static bool agg_ok(Sema *s, const Value *v, Type *want)
{
    const Type *t = v->type;
    if (want->kind == TY_ARRAY) {
        if (t->kind == TY_ARRAY ? (t->rank != want->rank || memcmp(t->dims, want->dims, sizeof *t->dims * t->rank)) : !t->tuple) return false;
        if (t->kind == TY_ARRAY && t->elem == want->elem) return true;
        if (t->kind != TY_ARRAY && want->rank > 1 && v->n == (uint32_t)want->dims[0] && v->n && agg_at(v, 0)->kind == V_AGG) {
            Type *row = type_array(s->prog, want->elem, want->rank - 1, want->dims + 1);
            for (uint32_t i = 0; i < v->n; i++)
                if (!can_coerce(s, agg_at(v, i), row)) return false;
            return true;
        }
        if (v->n != want->count) return false;
        for (uint32_t i = 0; i < (v->splat ? 1 : v->n); i++)
            if (!can_coerce(s, agg_at(v, i), want->elem)) return false;
        return true;
    }
    if (t->kind != TY_STRUCT || !t->anon) return false;
    if (t->tuple && v->n) {
        if (v->n != want->nfields) return false;
        for (uint32_t i = 0; i < v->n; i++)
            if (!can_coerce(s, agg_at(v, i), want->fields[i].type)) return false;
        return true;
    }
    uint32_t met = 0;
    for (uint32_t i = 0; i < want->nfields; i++) {
        uint32_t k;
        if (type_field(t, want->fields[i].name, &k)) {
            if (!can_coerce(s, agg_at(v, k), want->fields[i].type)) return false;
            met++;
        } else if (!want->fields[i].dflt) return false;
    }
    return met == v->n;
}

bool can_coerce(Sema *s, const Value *v, Type *want)
{
    Type *t = v->type;
    if (v->kind == V_ERR || t == want || want->kind == TY_ANYTYPE) return true;
    if (v->kind == V_UNDEF) return want->kind != TY_TYPE;
    switch (want->kind) {
    case TY_COMPTIME_STRUCT: return t->kind == TY_STRUCT;
    case TY_ENUM: return v->kind == V_ELIT && type_field(want, v->u.s, NULL);
    case TY_INT: case TY_COMPTIME_INT:
        if (!int_like(t)) return false;
        if (v->kind == V_INT) return int_fits(v->u.i, want);
        return v->kind == V_SYM || int_widens(t, want);
    case TY_FLOAT: case TY_COMPTIME_FLOAT:
        if (t->kind == TY_COMPTIME_INT) return v->kind == V_SYM || (Int)flt_round((double)v->u.i, want) == v->u.i;
        return type_is_float(t) && float_widens(t, want);
    case TY_POINTER: return pointer_ok(t, want);
    case TY_ARRAY: case TY_STRUCT: return v->kind == V_AGG && agg_ok(s, v, want);
    case TY_FN: return v->kind == V_FN && fn_type(s, v->u.decl) == want;
    case TY_ITER: case TY_SOCKET: case TY_REG: return t->kind == want->kind && !want->elem;
    default: return false;
    }
}

/* ---- saying no */
static Value refuse(Sema *s, Value v, Type *want, Loc loc)
{
    Type *t = v.type;
    if (v.kind == V_INT && int_like(t) && int_like(want)) return SEMA_ERR(s, int_range, loc, d_value(s, &v), d_type(want));
    if (v.kind == V_ELIT && want->kind == TY_ENUM) {
        SEMA_ERR(s, no_enum_name, loc, d_type(want), d_str(v.u.s));
        if (want->node) SEMA_NOTE(s, note_declared, want->node->loc, d_type(want));
        return V_NONE;
    }
    if (t->kind == TY_COMPTIME_INT && type_is_float(want)) return SEMA_ERR(s, float_inexact, loc, d_value(s, &v), d_type(want));
    if ((int_like(t) || type_is_float(t)) && (int_like(want) || type_is_float(want))) return SEMA_ERR(s, lossy, loc, d_type(t), d_type(want));
    if (v.kind == V_AGG && t->anon && want->kind == TY_STRUCT && !t->tuple) {
        for (uint32_t i = 0; i < t->nfields; i++)
            if (!type_field(want, t->fields[i].name, NULL)) return SEMA_ERR(s, no_field, loc, d_type(want), d_str(t->fields[i].name));
        for (uint32_t i = 0; i < want->nfields; i++)
            if (!type_field(t, want->fields[i].name, NULL) && !want->fields[i].dflt)
                return SEMA_ERR(s, field_missing, loc, d_type(want), d_str(want->fields[i].name));
    }
    if (v.kind == V_AGG && want->kind == TY_ARRAY && t->tuple && v.n != want->count)
        return SEMA_ERR(s, element_count, loc, d_int(v.n), d_type(want));
    if (t->kind == TY_POINTER && want->kind == TY_POINTER && t->is_const && !want->is_const)
        return SEMA_ERR(s, ptr_drops_const, loc, d_type(t), d_type(want));
    return SEMA_ERR(s, type_mismatch, loc, d_type(want), v.kind == V_FN ? d_str("a function") : d_type(t));
}

static Value coerce_agg(Sema *s, Value v, Type *want, Loc loc)
{
    if (want->kind == TY_ARRAY) {
        bool rows = v.type->kind != TY_ARRAY && v.n != want->count;
        if (v.splat) return v_splat(s, want, coerce(s, v.u.agg[0], want->elem, loc));
        Value r = v_agg(s, want, (uint32_t)want->count);
        if (!rows && (v.type->kind == TY_ARRAY || want->rank == 1 || v.n == want->count)) {
            if (v.type->kind != TY_ARRAY && want->rank > 1 && v.n && agg_at(&v, 0)->kind == V_AGG) rows = true;
            else for (uint32_t i = 0; i < v.n; i++) r.u.agg[i] = coerce(s, v.u.agg[i], want->elem, loc);
        }
        if (rows) {
            Type *row = type_array(s->prog, want->elem, want->rank - 1, want->dims + 1);
            for (uint32_t i = 0; i < v.n; i++) {
                Value x = coerce(s, v.u.agg[i], row, loc);
                for (uint32_t j = 0; x.kind == V_AGG && j < x.n; j++) r.u.agg[i * x.n + j] = *agg_at(&x, j);
            }
        }
        return r;
    }
    Value r = v_agg(s, want, want->nfields);
    for (uint32_t i = 0; i < want->nfields; i++) {
        uint32_t k = i;
        if (v.type->tuple && v.n) r.u.agg[i] = coerce(s, v.u.agg[i], want->fields[i].type, loc);
        else if (type_field(v.type, want->fields[i].name, &k)) r.u.agg[i] = coerce(s, v.u.agg[k], want->fields[i].type, loc);
        else r.u.agg[i] = *want->fields[i].dflt;
    }
    return r;
}

static Value coerce_ptr(Sema *s, Value v, Type *want)
{
    if (v.kind == V_PTR && v.u.ptr->slot && v.u.ptr->slot->kind == V_AGG && want->many && !v.type->many) {
        PtrVal *p = sema_alloc(s, sizeof(PtrVal));
        *p = *v.u.ptr;
        agg_expand(s, p->slot);
        p->n = p->slot->n;
        p->first = p->slot->u.agg;
        p->slot = p->first;
        v.u.ptr = p;
    }
    v.type = want;
    return v;
}

Value coerce(Sema *s, Value v, Type *want, Loc loc)
{
    if (v.kind == V_ERR || v.type == want || want->kind == TY_ANYTYPE) return v;
    if (!can_coerce(s, &v, want)) return refuse(s, v, want, loc);
    if (v.kind == V_UNDEF) {
        v.type = want;
        return v;
    }
    switch (want->kind) {
    case TY_COMPTIME_STRUCT: return v;
    case TY_ENUM: return v_int(want, type_field(want, v.u.s, NULL)->value);
    case TY_INT: case TY_COMPTIME_INT:
        if (v.kind == V_INT) return v_int(want, v.u.i);
        if (v.kind == V_SYM) return sym_convert(s, v, want, true, loc);
        return v_ir(want, ir_un(s->fn->ir, s->fn->cur, v.type->is_signed ? IR_SEXT : IR_ZEXT, want->ir, v.u.ref, loc));
    case TY_FLOAT: case TY_COMPTIME_FLOAT:
        if (v.kind == V_SYM) return sym_convert(s, v, want, true, loc);
        if (v.kind == V_INT) return v_flt(want, (double)v.u.i);
        if (v.kind == V_FLT) {
            double r = flt_round(v.u.f, want);
            if (isinf(r) && !isinf(v.u.f)) return SEMA_ERR(s, int_range, loc, d_value(s, &v), d_type(want));
            return v_flt(want, r);
        }
        return v_ir(want, ir_un(s->fn->ir, s->fn->cur, IR_FPEXT, want->ir, v.u.ref, loc));
    case TY_POINTER: return coerce_ptr(s, v, want);
    case TY_ARRAY: case TY_STRUCT: return coerce_agg(s, v, want, loc);
    default:
        v.type = want;
        return v;
    }
}

/* ---- @as */
Int int_wrap(Int v, const Type *t)
{
    if (t->kind == TY_BOOL) return v != 0;
    int bits = t->bits ? t->bits : 64;
    uint64_t u = (uint64_t)v;
    if (bits < 64) u &= ((uint64_t)1 << bits) - 1;
    if (t->is_signed && bits < 64 && u >> (bits - 1) & 1) return (Int)u - ((Int)1 << bits);
    return t->is_signed ? (Int)(int64_t)u : (Int)u;
}

static bool is_number(const Type *t) { return type_is_discrete(t) || type_is_float(t); }

static bool as_allowed(const Type *from, const Type *to)
{
    if (!is_number(from)) return false;
    switch (to->kind) {
    case TY_INT: case TY_COMPTIME_INT: case TY_BOOL: return true;
    case TY_FLOAT: case TY_COMPTIME_FLOAT: return type_is_float(from) || int_like(from) || from->kind == TY_BOOL;
    case TY_ENUM: return int_like(from);
    default: return false;
    }
}

static Value as_known(Sema *s, Value v, Type *want, Loc loc)
{
    if (type_is_float(want)) return v_flt(want, flt_round(v.kind == V_FLT ? v.u.f : (double)v.u.i, want));
    if (v.kind == V_FLT) {
        if (want->kind == TY_BOOL) return v_bool(v.u.f != 0);
        double f = trunc(v.u.f);
        if (!(fabs(f) < 1.8e19) || !int_fits((Int)f, want)) return SEMA_ERR(s, int_range, loc, d_value(s, &v), d_type(want));
        return v_int(want, (Int)f);
    }
    if (want->kind == TY_COMPTIME_INT) return v_int(want, v.u.i);
    Int i = int_wrap(v.u.i, want);
    if (want->kind == TY_ENUM) {
        bool named = false;
        for (uint32_t k = 0; k < want->nfields; k++) named |= want->fields[k].value == (int64_t)i;
        if (!named) return SEMA_ERR(s, enum_value, loc, d_value(s, &v), d_type(want));
    }
    return v_int(want, i);
}

static Value as_runtime(Sema *s, Value v, Type *want, Loc loc);
/* 64 bits from or to floating point: f16 goes by f32, which holds more than its range */
static Value as_wide(Sema *s, Value v, Type *want, Loc loc)
{
    if (type_is_float(v.type)) {
        if (v.type != ty_f32) v = as_runtime(s, v, ty_f32, loc);
        return call_fn(s, library_fn(s, "<int64>", want->is_signed ? "from_f32" : "from_f32_unsigned", loc), 1, &v, loc);
    }
    Value f = call_fn(s, library_fn(s, "<int64>", v.type->is_signed ? "to_f32" : "to_f32_unsigned", loc), 1, &v, loc);
    return want == ty_f32 || f.kind == V_ERR ? f : as_runtime(s, f, want, loc);
}

static Value as_runtime(Sema *s, Value v, Type *want, Loc loc)
{
    IrFn *f = s->fn->ir;
    IrBlk b = s->fn->cur;
    Type *t = v.type;
    IrRef r = v.u.ref;
    if (want->comptime_only) return SEMA_ERR(s, not_comptime, loc, d_str("the value"));
    bool sg = t->is_signed;
    if ((t->ir == T_I64 && type_is_float(want)) || (want->ir == T_I64 && type_is_float(t))) return as_wide(s, v, want, loc);
    if (type_is_float(t)) {
        if (type_is_float(want)) return v_ir(want, ir_un(f, b, want->bits > t->bits ? IR_FPEXT : IR_FPTRUNC, want->ir, r, loc));
        if (want->kind == TY_BOOL) return v_ir(want, ir_fcmp(f, b, CMP_NE, r, ir_fconst(f, b, t->ir, 0, loc), loc));
        /* the machine converts to whole words: narrower types are cut from an i32 */
        IrRef w = ir_un(f, b, want->is_signed ? IR_FPTOSI : IR_FPTOUI, want->bits == 32 ? want->ir : T_I32, r, loc);
        return v_ir(want, want->bits == 32 ? w : ir_un(f, b, IR_TRUNC, want->ir, w, loc));
    }
    if (type_is_float(want)) {
        if (ir_type_bits(t->ir) < 32) r = ir_un(f, b, sg ? IR_SEXT : IR_ZEXT, T_I32, r, loc);
        return v_ir(want, ir_un(f, b, sg ? IR_SITOFP : IR_UITOFP, want->ir, r, loc));
    }
    if (want->kind == TY_BOOL) return v_ir(want, ir_icmp(f, b, CMP_NE, r, ir_const(f, b, t->ir, 0, loc), loc));
    int have = ir_type_bits(t->ir), need = ir_type_bits(want->ir);
    if (need > have) r = ir_un(f, b, sg ? IR_SEXT : IR_ZEXT, want->ir, r, loc);
    else if (need < have) r = ir_un(f, b, IR_TRUNC, want->ir, r, loc);
    return v_ir(want, r);
}

Value convert(Sema *s, Value v, Type *want, Loc loc)
{
    if (v.kind == V_ERR) return v;
    if (can_coerce(s, &v, want)) return coerce(s, v, want, loc);
    if (v.kind == V_AGG && want->kind == TY_ARRAY && v.type->kind == TY_ARRAY && v.type->rank == want->rank &&
        !memcmp(v.type->dims, want->dims, sizeof *want->dims * want->rank)) {
        if (v.splat) return v_splat(s, want, convert(s, v.u.agg[0], want->elem, loc));
        Value r = v_agg(s, want, v.n);
        for (uint32_t i = 0; i < v.n; i++) r.u.agg[i] = convert(s, v.u.agg[i], want->elem, loc);
        return r;
    }
    if (!as_allowed(v.type, want)) return SEMA_ERR(s, bad_as, loc, d_type(v.type), d_type(want));
    if (want->ir == T_BF16 || want->ir == T_CB16 || v.type->ir == T_BF16 || v.type->ir == T_CB16)
        if (v.kind == V_IR) return SEMA_ERR(s, not_built, loc, d_str("bf16 and cb16 at run time"));
    if (v.kind == V_SYM) return sym_convert(s, v, want, false, loc);
    if (v.kind == V_IR) return as_runtime(s, v, want, loc);
    return as_known(s, v, want, loc);
}

/* ---- the common type of two operands */
static Type *peer_int(const Value *a, const Value *b)
{
    Type *x = a->type, *y = b->type;
    if (x->kind == TY_COMPTIME_INT) return y;
    if (y->kind == TY_COMPTIME_INT) return x;
    if (int_widens(x, y)) return y;
    if (int_widens(y, x)) return x;
    bool ka = knownish(a), kb = knownish(b);
    if (ka && !kb) return y; /* neither holds the other: the known value must fit */
    if (kb && !ka) return x;
    if (!ka) return NULL;
    return y->bits > x->bits ? y : x; /* both known: the values decide whether they fit */
}

Type *peer_type(Sema *s, const Value *a, const Value *b, Loc loc)
{
    Type *x = a->type, *y = b->type, *r = NULL;
    if (a->kind == V_ERR || b->kind == V_ERR) return NULL;
    if (x == y) return x;
    if (a->kind == V_UNDEF) return y;
    if (b->kind == V_UNDEF) return x;
    if (type_is_int(x) && type_is_int(y)) r = peer_int(a, b);
    else if (type_is_float(x) && (type_is_float(y) || y->kind == TY_COMPTIME_INT))
        r = y->kind == TY_COMPTIME_INT || y->kind == TY_COMPTIME_FLOAT || float_widens(y, x) ? x : float_widens(x, y) ? y : NULL;
    else if (x->kind == TY_COMPTIME_INT && type_is_float(y)) r = y;
    else if (can_coerce(s, a, y)) r = y;
    else if (can_coerce(s, b, x)) r = x;
    else if (x->kind == TY_POINTER && y->kind == TY_POINTER) {
        Type *e = x->elem->kind == TY_ARRAY && (x->many || y->many || x->elem != y->elem) ? x->elem->elem : x->elem;
        Type *p = type_pointer(s->prog, e, x->many || y->many || x->elem != y->elem, x->is_const || y->is_const);
        if (pointer_ok(x, p) && pointer_ok(y, p)) r = p;
    }
    if (r == ty_comptime_float && x->kind == TY_COMPTIME_FLOAT && y->kind == TY_FLOAT) r = y;
    if (r == ty_comptime_float && y->kind == TY_COMPTIME_FLOAT && x->kind == TY_FLOAT) r = x;
    if (!r) SEMA_ERR(s, no_common_type, loc, d_type(x), d_type(y));
    return r;
}
