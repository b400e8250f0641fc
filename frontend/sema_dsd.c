/* frontend/sema_dsd.c: CSL's DSD builtins: descriptors.  The header says what the other files have.
 *
 * Takes the argument trees of a builtin whose row says DSD; leaves a Value, or vector operations (IR_VOP) in WIR.
 * A descriptor is a constant (V_DSD: four words, with the symbols whose addresses go into them) as long as all its parts
 * are known, and a run-time value of type dsd from then on: the same functions build both.  A DSR is its number: a V_INT of
 * type dsr_dest, dsr_src0 or dsr_src1.  Rules P1 to P20 of CSL's semantics are the machine's (docs/machine.md): lengths are
 * not compared here, and a descriptor may walk over more than the array that it was made from. */
#include "frontend/sema_dsd.h"
#include <string.h>

/* ---- structs of fields and options -------------------------------------------------------------------------------------- */

static bool in_list(const char *const *list, const char *name)
{
    for (; *list; list++)
        if (strcmp(*list, name) == 0) return true;
    return false;
}

static const char *list_text(Sema *s, const char *const *list)
{
    Buf b = {0};
    for (int i = 0; list[i]; i++) buf_printf(&b, "%s.%s", i ? ", " : "", list[i]);
    const char *t = arena_strdup(s->arena, b.p ? b.p : "none");
    buf_free(&b);
    return t;
}

static bool cfg_name(Cfg *c, const char *of, const char *name, Loc loc, const char *const *known, const char *const *later)
{
    if (in_list(known, name)) return true;
    if (in_list(later, name)) SEMA_ERR(c->s, not_built, loc, d_str(arena_printf(c->s->arena, "the option .%s", name)));
    else SEMA_ERR(c->s, dsd_field, loc, d_str(of), d_str(name), d_str(list_text(c->s, known)));
    return false;
}

bool dsd_cfg(Cfg *c, Sema *s, Scope *sc, AstNode *n, const char *of, const char *const *known, const char *const *later)
{
    *c = (Cfg){.s = s, .sc = sc, .loc = n->loc};
    bool ok = true;
    if (n->kind == AST_INIT && !n->u.init.type && (n->u.init.named || n->u.init.items.n == 0)) {
        c->lit = n;
        for AST_EACH(i, n->u.init.items) {
            AstNode *f = n->u.init.items.v[i];
            ok &= cfg_name(c, of, f->u.field.name, f->u.field.name_loc, known, later);
            for (uint32_t k = 0; k < i; k++)
                if (n->u.init.items.v[k]->u.field.name == f->u.field.name) {
                    SEMA_ERR(s, redeclared, f->u.field.name_loc, d_str(f->u.field.name));
                    ok = false;
                }
        }
        return ok;
    }
    c->v = eval_expr(s, sc, n, NULL);
    if (c->v.kind == V_ERR) return false;
    if (c->v.kind != V_AGG || c->v.type->kind != TY_STRUCT || (c->v.type->tuple && c->v.n)) {
        SEMA_ERR(s, dsd_config, n->loc, d_str(of));
        return false;
    }
    for (uint32_t i = 0; i < c->v.n; i++) ok &= cfg_name(c, of, c->v.type->fields[i].name, n->loc, known, later);
    return ok;
}

static AstNode *cfg_node(Cfg *c, const char *name)
{
    for (uint32_t i = 0; c->lit && i < c->lit->u.init.items.n; i++)
        if (strcmp(c->lit->u.init.items.v[i]->u.field.name, name) == 0) return c->lit->u.init.items.v[i]->u.field.e;
    return NULL;
}

/* false: the field is not there.  A value that could not be computed is V_ERR. */
bool dsd_cfg_get(Cfg *c, const char *name, Type *want, Value *out, Loc *loc)
{
    AstNode *n = cfg_node(c, name);
    if (n) {
        *loc = n->loc;
        *out = eval_expr(c->s, c->sc, n, want);
        return true;
    }
    if (c->lit) return false;
    *loc = c->loc;
    for (uint32_t i = 0; i < c->v.n; i++)
        if (strcmp(c->v.type->fields[i].name, name) == 0) {
            *out = *agg_at(&c->v, i);
            return true;
        }
    return false;
}

/* The same of a field that must be known. */
static bool cfg_fixed(Cfg *c, const char *name, Type *want, Value *out, Loc *loc)
{
    AstNode *n = cfg_node(c, name);
    if (!n) return dsd_cfg_get(c, name, want, out, loc);
    *loc = n->loc;
    *out = eval_fixed(c->s, c->sc, n, want);
    return true;
}

/* The field as a known number; *out keeps its value when the field is absent. */
static bool cfg_int(Cfg *c, const char *name, Type *t, const char *what, int64_t lo, int64_t hi, int64_t *out)
{
    Value v;
    Loc loc;
    if (!cfg_fixed(c, name, t, &v, &loc)) return true;
    if (v.kind == V_ERR) return false;
    if (v.kind == V_IR || v.kind == V_MEM) {
        SEMA_ERR(c->s, dsd_option_known, loc, d_str(name));
        return false;
    }
    v = coerce(c->s, v, t, loc);
    return v.kind != V_ERR && known_int(c->s, v, what, lo, hi, loc, out);
}

bool dsd_cfg_bool(Cfg *c, const char *name, bool *out)
{
    Value v;
    Loc loc;
    if (!cfg_fixed(c, name, ty_bool, &v, &loc)) return true;
    if (v.kind == V_ERR) return false;
    if (v.kind == V_SYM) v = decide(c->s, v, loc);
    if (v.kind == V_IR || v.kind == V_MEM) {
        SEMA_ERR(c->s, dsd_option_known, loc, d_str(name));
        return false;
    }
    v = coerce(c->s, v, ty_bool, loc);
    if (v.kind != V_INT) return false;
    *out = v.u.i != 0;
    return true;
}

/* A task: its name or an id. */
bool dsd_cfg_task(Cfg *c, const char *name, int *out)
{
    Value v;
    Loc loc;
    if (!dsd_cfg_get(c, name, NULL, &v, &loc)) return true;
    if (v.kind == V_ERR) return false;
    if (v.kind == V_IR || v.kind == V_MEM) {
        SEMA_ERR(c->s, dsd_option_known, loc, d_str(name));
        return false;
    }
    *out = task_id6(c->s, v, loc);
    return *out >= 0;
}

static bool cfg_priority(Cfg *c, int *out)
{
    static const char *const names[] = {"low", "medium", "high", NULL};
    Value v;
    Loc loc;
    if (!dsd_cfg_get(c, "priority", NULL, &v, &loc)) return true;
    if (v.kind == V_ERR) return false;
    int found = 0;
    for (uint32_t i = 0; v.kind == V_AGG && v.type->kind == TY_STRUCT && !v.type->tuple && i < v.n; i++) {
        const Value *f = agg_at(&v, i);
        const char *name = v.type->fields[i].name;
        int level = 0;
        while (names[level] && strcmp(names[level], name) != 0) level++;
        if (!names[level] || f->kind != V_INT || f->type != ty_bool) found = 4;
        else if (f->u.i && found < 4) found = found ? 4 : level + 1;
    }
    if (found == 0 || found == 4) {
        SEMA_ERR(c->s, dsd_priority, loc, d_int(0));
        return false;
    }
    *out = found;
    return true;
}

const Done dsd_done_none = {-1, -1, -1, 0};

bool dsd_cfg_done(Cfg *c, Done *o)
{
    *o = dsd_done_none;
    int64_t ut = -1;
    bool ok = dsd_cfg_task(c, "activate", &o->act);
    ok = dsd_cfg_task(c, "unblock", &o->unb) && ok;
    ok = cfg_priority(c, &o->prio) && ok;
    ok = cfg_int(c, "ut_id", ty_ut_id, "a microthread", 0, N_UT - 1, &ut) && ok;
    o->ut = (int)ut;
    if (ut >= 0 && c->s->prog->arch.id == ARCH_WSE2) {
        SEMA_ERR(c->s, dsd_ut_wse2, c->loc, d_int(0));
        return false;
    }
    return ok;
}

/* words 2 and 3 of a fabric descriptor with these defaults; only w3 of a memory one */
void dsd_done_words(const Done *o, bool fabric, uint16_t w[4])
{
    if (fabric && o->act >= 0) w[2] = (uint16_t)((w[2] & ~0x7fu) | 0x40u | (unsigned)o->act);
    if (fabric && o->unb >= 0) w[2] = (uint16_t)((w[2] & ~0x7f00u) | 0x4000u | (unsigned)o->unb << 8);
    if (o->ut >= 0) w[3] = (uint16_t)((w[3] & ~0xf0u) | DSD_UT_VALID | (unsigned)o->ut << 4);
    if (o->prio) w[3] = (uint16_t)((w[3] & ~0x300u) | (unsigned)o->prio << 8);
}

/* ---- numbers ------------------------------------------------------------------------------------------------------------ */

/* A number of 16 bits: known in *k, or (returns with *r set) at run time.  A symbolic one is decided when the code is not run
 * by a PE, or where it shapes code (must_know). */
typedef struct Num { bool known; int64_t k; Value v; } Num;
static bool number(Sema *s, Value v, const char *what, int64_t lo, int64_t hi, bool decide_sym, Loc loc, Num *out)
{
    *out = (Num){0};
    if (v.kind == V_ERR) return false;
    if (v.kind == V_SYM && (decide_sym || !in_pe_code(s))) v = decide(s, v, loc);
    if (v.kind == V_INT || v.kind == V_SYM || v.kind == V_FLT) {
        if (v.kind != V_SYM) {
            out->known = true;
            return known_int(s, v, what, lo, hi, loc, &out->k);
        }
    }
    if (!type_is_int(v.type) || v.type->bits > 16) {
        v = coerce(s, v, ty_i16, loc);               /* says what is wrong */
        if (v.kind == V_ERR) return false;
    }
    out->v = v;
    return true;
}

static IrRef num_ir(Sema *s, const Num *n, Loc loc)
{
    if (n->known) return ir_const(fn_of(s), s->fn->cur, T_I16, n->k & 0xffff, loc);
    Type *t = n->v.type->bits == 16 ? n->v.type : ty_i16;
    return value_ir(s, n->v, t, loc);
}

/* ---- descriptors -------------------------------------------------------------------------------------------------------- */

Value dsd_const(Sema *s, Type *t, DsdConst c)
{
    Value v = {.kind = V_DSD, .type = t};
    v.u.dsd = ARENA_NEW(s->arena, DsdConst);
    *v.u.dsd = c;
    return v;
}

/* The descriptor as a WIR value. */
IrRef dsd_ir(Sema *s, const Value *v, Loc loc)
{
    if (v->kind != V_DSD || v->u.dsd->base.i || v->u.dsd->shape.i) return value_ir(s, *v, v->type, loc);
    const uint16_t *w = v->u.dsd->w;
    uint64_t bits = w[0] | (uint64_t)w[1] << 16 | (uint64_t)w[2] << 32 | (uint64_t)w[3] << 48;
    return ir_const(fn_of(s), s->fn->cur, T_DSD, (int64_t)bits, loc);
}

static Value dsd_op(Sema *s, IrOp op, Value v, IrRef x, Loc loc)
{
    if (!x.i) return V_NONE;
    IrRef d = dsd_ir(s, &v, loc);
    if (!d.i) return V_NONE;
    return v_ir(v.type, ir_append(fn_of(s), s->fn->cur, op, T_DSD, 2, (IrRef[]){d, x}, loc));
}

/* Needs run-time code; reports where there is none. */
bool dsd_runtime(Sema *s, Loc loc)
{
    if (in_pe_code(s)) return true;
    SEMA_ERR(s, dsd_outside, loc, d_int(0));
    return false;
}

Value dsd_with_base(Sema *s, Value v, Addr a, Loc loc)
{
    if (v.kind == V_DSD && !a.base.i) {
        DsdConst c = *v.u.dsd;
        c.w[0] = (uint16_t)a.off;
        c.base = a.sym;
        return dsd_const(s, v.type, c);
    }
    if (!dsd_runtime(s, loc)) return V_NONE;
    return dsd_op(s, IR_DSDBASE, v, addr_ir(s, a, loc), loc);
}

static Value with_length(Sema *s, Value v, const Num *n, Loc loc)
{
    if (n->known && v.kind == V_DSD) {
        DsdConst c = *v.u.dsd;
        c.w[1] = (uint16_t)((c.w[1] & DSD_SAVE) | (uint16_t)n->k);
        return dsd_const(s, v.type, c);
    }
    if (!dsd_runtime(s, loc)) return V_NONE;
    return dsd_op(s, IR_DSDLEN, v, num_ir(s, n, loc), loc);
}

/* Where a base_address or a new base points: a pointer, or an array by its name. */
bool dsd_base_of(Sema *s, Scope *sc, AstNode *n, Value *given, Addr *a, Type **elem, Loc loc)
{
    Value v;
    *a = (Addr){0};
    if (n) {
        Place p = eval_place(s, sc, n);
        if (p.kind == P_ERR) return false;
        if (p.kind == P_MEM && p.type->kind == TY_ARRAY) {
            *a = p.addr;
            *elem = p.type->elem;
            return true;
        }
        v = place_load(s, &p, loc);
    } else v = *given;
    if (v.kind == V_ERR) return false;
    if (v.kind == V_AGG && v.type->kind == TY_ARRAY && is_known(&v)) {   /* a constant array gets memory */
        *a = value_addr(s, v, v.type, loc);
        *elem = v.type->elem;
        return a->sym.i != 0;
    }
    if (v.type->kind != TY_POINTER) {
        SEMA_ERR(s, dsd_base, loc, d_type(v.type));
        return false;
    }
    Type *e = v.type->elem;
    *elem = e->kind == TY_ARRAY ? e->elem : e;
    if (v.kind == V_PTR) {
        int64_t off;
        if (!ptr_memory(s, v.u.ptr, &a->sym, &off, loc)) return false;
        a->off = (int32_t)off;
        return true;
    }
    if (!dsd_runtime(s, loc)) return false;
    a->base = value_ir(s, v, v.type, loc);
    return a->base.i != 0;
}

/* ---- @get_dsd ----------------------------------------------------------------------------------------------------------- */

static bool elem_ok(Sema *s, Type *t, Loc loc)
{
    if (type_is_scalar(t) && (t->size == 2 || t->size == 4)) return true;
    SEMA_ERR(s, st_elem_size, loc, d_type(t));
    return false;
}

static bool stride_ok(Sema *s, int64_t stride, int64_t lim, Loc loc)
{
    if (stride >= -lim && stride < lim) return true;
    if (lim == 128) SEMA_ERR(s, dsd_stride, loc, d_int(stride));
    else SEMA_ERR(s, st_stride_range, loc, d_int(stride), d_str("-32768 to 32767"));
    return false;
}

static bool length_ok(Sema *s, int64_t n, Loc loc)
{
    if (n >= 0 && n < LEN_ENDLESS) return true;
    SEMA_ERR(s, dsd_length, loc, d_int(n));
    return false;
}

/* Product of the extents: known in out->k, else a run-time value. */
static bool access_length(Sema *s, Access *a, AstNode *lam, Num *out)
{
    *out = (Num){.known = true, .k = 1};
    for (uint32_t d = 0; d < a->ndims; d++) {
        Loc loc = lam->u.lambda.extents.v[d]->loc;
        Num x;
        if (!number(s, a->extent[d], "an extent", 0, 65535, true, loc, &x)) return false;
        if (!x.known) {
            if (!dsd_runtime(s, loc)) return false;
            if (d > 0) {
                SEMA_ERR(s, dsd_inner_extent, loc, d_int(0));
                return false;
            }
            *out = x;
        } else {
            a->extent[d] = v_int(ty_u16, x.k);
            if (out->known) out->k *= x.k;
            else if (x.k != 1) {
                IrRef p = ir_bin(fn_of(s), s->fn->cur, IR_MUL, num_ir(s, out, loc), num_ir(s, &x, loc), loc);
                out->v = v_ir(ty_u16, p);
            }
        }
    }
    if (out->known && out->k >= LEN_ENDLESS && out->k <= 65535) { /* a shape whose length the program sets later */
        SEMA_ERR(s, dsd_length_cut, lam->loc, d_int(out->k));
        out->k = LEN_ENDLESS;
        return true;
    }
    return !out->known || length_ok(s, out->k, lam->loc);
}

static Shape *shape_of(Sema *s, const Access *a)
{
    Shape *sh = ARENA_NEW(s->arena, Shape);
    sh->n = a->ndims;
    for (uint32_t k = 0; k < a->ndims; k++) {
        uint32_t d = a->ndims - 1 - k;
        sh->ext[k] = d ? (uint16_t)a->extent[d].u.i : 0;
        sh->stride[k] = (int16_t)a->stride[d];
    }
    return sh;
}

static Value memory_tensor(Sema *s, Scope *sc, AstNode *lam, Type *t)
{
    Access a;
    if (lam->kind != AST_LAMBDA) return SEMA_ERR(s, st_lambda_expected, lam->loc, d_int(0));
    if (!access_eval(s, sc, lam, false, &a)) return V_NONE;
    bool nested = t->sub == DSDT_MEM4D;
    if (!nested && a.ndims != 1) return SEMA_ERR(s, dsd_dims, lam->loc, d_type(t), d_uint(a.ndims));
    Num len;
    if (!elem_ok(s, a.elem, lam->loc) || !access_length(s, &a, lam, &len)) return V_NONE;
    for (uint32_t d = 0; d < a.ndims; d++)
        if (!stride_ok(s, a.stride[d], nested ? 32768 : 128, lam->loc)) return V_NONE;
    DsdConst c = {.elem = a.elem, .w = {0, 0, (uint16_t)(a.stride[0] & 0xff), nested ? DSD_MEMND : DSD_MEM1D}};
    if (nested) {
        c.w[2] = 0;
        if (!len.known) a.extent[0] = v_int(ty_u16, 0);
        c.shape = access_shape(s, &a, lam->loc);
        c.ext = shape_of(s, &a);
    }
    Value v = dsd_const(s, t, c);
    v = dsd_with_base(s, v, addr_add(a.place.addr, (int32_t)(a.off * (int64_t)a.elem->size)), lam->loc);
    return v.kind == V_ERR ? v : with_length(s, v, &len, lam->loc);
}

/* ---- memory by .base_address, .extent, .stride, .offset: single, or (mem4d_dsd) tuples */
static Value known_dsd(Sema *s, Type *t, Type *elem, uint16_t kind, uint16_t w2, IrSym shape, Shape *ext, Addr a, const Num *len, Loc loc)
{
    DsdConst k = {.elem = elem, .w = {0, 0, w2, kind}, .shape = shape, .ext = ext};
    Value v = dsd_with_base(s, dsd_const(s, t, k), a, loc);
    return v.kind == V_ERR ? v : with_length(s, v, len, loc);
}

/* A tuple of one stands for its element. */
static Value only(Value v)
{
    return v.kind == V_AGG && v.type->kind == TY_STRUCT && v.type->tuple && v.n == 1 ? *agg_at(&v, 0) : v;
}

static bool based_addr(Sema *s, Cfg *c, Type *t, Addr *a, Type **elem, Type **pointee, Loc *loc)
{
    Value given = V_NONE;
    AstNode *n = cfg_node(c, "base_address");
    *loc = n ? n->loc : c->loc;
    if (!n && !dsd_cfg_get(c, "base_address", NULL, &given, loc))
        return SEMA_ERR(s, dsd_missing, c->loc, d_type(t), d_str(c->lit ? "tensor_access" : "base_address")), false;
    if (n && pointee) {                                  /* what it points at says how far the memory goes */
        Place p = eval_place(s, c->sc, n);
        if (p.kind == P_ERR) return false;
        *pointee = p.type;
        if (p.type->kind == TY_POINTER) *pointee = p.type->many ? NULL : p.type->elem;
    } else if (pointee) *pointee = given.type->kind == TY_POINTER && !given.type->many ? given.type->elem : NULL;
    return dsd_base_of(s, c->sc, n, &given, a, elem, *loc) && elem_ok(s, *elem, *loc);
}

/* Strides of a mem4d_dsd as CSL gives them, innermost first: what is added when the dimension counts on and those inside it go
 * back to their start.  Ours are apart from each other. */
static bool tuple_shape(Sema *s, Cfg *c, Access *acc)
{
    Value e, st;
    Loc loc, sloc;
    if (!dsd_cfg_get(c, "extent", NULL, &e, &loc)) return SEMA_ERR(s, dsd_missing, c->loc, d_type(ty_mem4d_dsd), d_str("extent")), false;
    bool has = dsd_cfg_get(c, "stride", NULL, &st, &sloc), ok = e.kind == V_AGG && e.n >= 1 && e.n <= ACCESS_MAX_DIMS;
    if (!ok || (has && (st.kind != V_AGG || st.n != e.n))) return SEMA_ERR(s, dsd_tuples, c->loc), false;
    acc->ndims = e.n;
    int64_t back = 0;                                    /* what the inner dimensions have walked when they are at their end */
    for (uint32_t k = 0; k < e.n; k++) {                 /* innermost first; extents stand outermost first */
        int64_t n, by = 1;
        if (!known_int(s, *agg_at(&e, e.n - 1 - k), "an extent", 0, 65535, loc, &n)) return false;
        if (has && !known_int(s, *agg_at(&st, k), "a stride", -65536, 65535, sloc, &by)) return false;
        acc->extent[e.n - 1 - k] = v_int(ty_u16, n);
        acc->stride[e.n - 1 - k] = by + back;
        back += acc->stride[e.n - 1 - k] * (n - 1);
        if (!stride_ok(s, acc->stride[e.n - 1 - k], 32768, c->loc)) return false;
    }
    return true;
}

static Value nested_based(Sema *s, Cfg *c, Type *t)
{
    Access acc = {0};
    Addr a;
    Type *elem;
    Loc loc;
    int64_t off = 0;
    if (!based_addr(s, c, t, &a, &elem, NULL, &loc) || !tuple_shape(s, c, &acc)) return V_NONE;
    if (!cfg_int(c, "offset", ty_comptime_int, "an offset", -32768, 32767, &off)) return V_NONE;
    Num len = {.known = true, .k = 1};
    for (uint32_t d = 0; d < acc.ndims; d++) len.k *= (int64_t)acc.extent[d].u.i;
    if (!length_ok(s, len.k, c->loc)) return V_NONE;
    return known_dsd(s, t, elem, DSD_MEMND, 0, access_shape(s, &acc, loc), shape_of(s, &acc), addr_add(a, (int32_t)(off * (int64_t)elem->size)), &len, loc);
}

/* a field that may be a number of run time */
static bool cfg_num(Sema *s, Cfg *c, const char *name, const char *what, int64_t dflt, Num *out, Loc *loc)
{
    Value x;
    *loc = c->loc;
    *out = (Num){.known = true, .k = dflt};
    return !dsd_cfg_get(c, name, NULL, &x, loc) || number(s, only(x), what, INT32_MIN, INT32_MAX, true, *loc, out);
}

static Value memory_based(Sema *s, Cfg *c, Type *t)
{
    if (t->sub == DSDT_MEM4D) return nested_based(s, c, t);
    Addr a;
    Type *elem;
    Loc loc, xloc, sloc, oloc;
    Num len, stride, off;
    Value x;
    if (!based_addr(s, c, t, &a, &elem, NULL, &loc)) return V_NONE;
    if (!dsd_cfg_get(c, "extent", ty_u16, &x, &xloc)) return SEMA_ERR(s, dsd_missing, c->loc, d_type(t), d_str("extent"));
    if (!number(s, only(x), "an extent", INT32_MIN, INT32_MAX, true, xloc, &len)) return V_NONE;
    if (len.known && !length_ok(s, len.k, xloc)) return V_NONE;
    if (!cfg_num(s, c, "stride", "a stride", 1, &stride, &sloc) || !cfg_num(s, c, "offset", "an offset", 0, &off, &oloc)) return V_NONE;
    if (stride.known && !stride_ok(s, stride.k, 128, c->loc)) return V_NONE;
    if (off.known && (off.k < -32768 || off.k > 32767)) return SEMA_ERR(s, dsd_offset, oloc, d_int(off.k));
    uint16_t by = (uint16_t)(stride.known ? stride.k & 0xff : 1);
    Value v = known_dsd(s, t, elem, DSD_MEM1D, by, (IrSym){0}, NULL, addr_add(a, (int32_t)((off.known ? off.k : 0) * (int64_t)elem->size)), &len, loc);
    if (v.kind == V_ERR || (stride.known && off.known)) return v;
    if (!dsd_runtime(s, c->loc)) return V_NONE;
    if (!stride.known) v = dsd_op(s, IR_DSDSTRIDE, v, num_ir(s, &stride, sloc), sloc);
    if (off.known || v.kind == V_ERR) return v;
    IrRef b = num_ir(s, &off, oloc), size = ir_const(fn_of(s), s->fn->cur, T_I16, elem->size, oloc);
    return b.i ? dsd_op(s, IR_DSDOFF, v, ir_bin(fn_of(s), s->fn->cur, IR_MUL, b, size, oloc), oloc) : V_NONE;
}

/* A circular buffer: n elements, then from the base again. */
static Value get_circular(Sema *s, Scope *sc, AstNode *n, Type *t)
{
    static const char *const known[] = {"base_address", "extent", "wraparound", NULL};
    Cfg c;
    Addr a;
    Type *elem, *pointee;
    Loc loc;
    int64_t len = -1, wrap = -1;
    if (!dsd_cfg(&c, s, sc, arg(n, 1), t->name, known, (const char *const[]){NULL})) return V_NONE;
    if (!based_addr(s, &c, t, &a, &elem, &pointee, &loc)) return V_NONE;
    if (!cfg_int(&c, "extent", ty_comptime_int, "an extent", 0, LEN_ENDLESS, &len) || !cfg_int(&c, "wraparound", ty_u16, "a wraparound", 1, 65535, &wrap)) return V_NONE;
    if (len < 0) return SEMA_ERR(s, dsd_missing, c.loc, d_type(t), d_str("extent"));
    int64_t have = pointee && pointee->kind == TY_ARRAY ? (int64_t)pointee->count : -1;
    if (wrap < 0) wrap = have;
    if (wrap < 0) return SEMA_ERR(s, dsd_missing, c.loc, d_type(t), d_str("wraparound"));
    if (have >= 0 && wrap > have) return SEMA_ERR(s, dsd_wraparound, c.loc, d_int(wrap), d_int(have));
    Access acc = {.ndims = 2, .extent = {v_int(ty_u16, 0), v_int(ty_u16, wrap)}, .stride = {0, 1}};
    Num l = {.known = true, .k = len};
    return known_dsd(s, t, elem, DSD_MEMND, 0, access_shape(s, &acc, loc), shape_of(s, &acc), a, &l, loc);
}

static Value memory_of(Sema *s, Scope *sc, AstNode *n, Type *t, Cfg *c)
{
    static const char *const others[] = {"base_address", "extent", "stride", "offset", NULL};
    AstNode *lam = cfg_node(c, "tensor_access");
    Value x;
    Loc loc;
    if (!lam && !dsd_cfg_get(c, "tensor_access", NULL, &x, &loc)) return memory_based(s, c, t);
    for (int i = 0; c->lit && others[i]; i++)
        if (cfg_node(c, others[i])) return SEMA_ERR(s, dsd_both, arg_loc(n, 1), d_str(others[i]));
    if (lam && lam->kind == AST_LAMBDA) return memory_tensor(s, sc, lam, t);
    Cfg in = {.s = s, .sc = sc, .loc = arg_loc(n, 1)};   /* an access as a struct of its parts */
    if (lam && !dsd_cfg(&in, s, sc, lam, ".tensor_access", others, (const char *const[]){NULL})) return V_NONE;
    if (!lam) in.v = x;
    return memory_based(s, &in, t);
}

static Value get_memory(Sema *s, Scope *sc, AstNode *n, Type *t)
{
    static const char *const known[] = {"tensor_access", "base_address", "extent", "stride", "offset", "wavelet_index_offset", NULL};
    static const char *const later[] = {NULL};
    Cfg c;
    bool indexed = false;
    if (!dsd_cfg(&c, s, sc, arg(n, 1), t->name, known, later) || !dsd_cfg_bool(&c, "wavelet_index_offset", &indexed)) return V_NONE;
    Value v = memory_of(s, sc, n, t, &c);
    if (!indexed || v.kind == V_ERR) return v;
    if (v.kind != V_DSD) return SEMA_ERR(s, not_comptime, n->loc, d_str("a descriptor with .wavelet_index_offset"));
    DsdConst k = *v.u.dsd;
    k.indexed = true;
    return dsd_const(s, t, k);
}

/* An access function as a value: the struct of its parts, as CSL has it. */
Value dsd_lambda(Sema *s, Scope *sc, AstNode *lam)
{
    Access a;
    Num len;
    if (!access_eval(s, sc, lam, false, &a) || !elem_ok(s, a.elem, lam->loc) || !access_length(s, &a, lam, &len)) return V_NONE;
    if (!len.known || a.place.kind != P_MEM || a.place.addr.base.i) return SEMA_ERR(s, not_comptime, lam->loc, d_str("an access function as a value"));
    Value st[ACCESS_MAX_DIMS], ex[ACCESS_MAX_DIMS];
    Field f[ACCESS_MAX_DIMS] = {{0}}, all[4] = {{0}};
    int64_t back = 0;
    for (uint32_t k = 0; k < a.ndims; k++) {             /* strides innermost first, each as the step from the end of those inside */
        uint32_t d = a.ndims - 1 - k;
        st[k] = v_int(ty_comptime_int, a.stride[d] - back);
        ex[d] = v_int(ty_u16, (int64_t)a.extent[d].u.i);
        back += a.stride[d] * ((int64_t)a.extent[d].u.i - 1);
        f[k].type = ty_comptime_int;
    }
    Value strides = v_agg(s, type_struct(s->prog, NULL, NULL, a.ndims, f, true), a.ndims);
    for (uint32_t k = 0; k < a.ndims; k++) f[k].type = ty_u16;
    Value extents = v_agg(s, type_struct(s->prog, NULL, NULL, a.ndims, f, true), a.ndims);
    for (uint32_t k = 0; k < a.ndims; k++) strides.u.agg[k] = st[k], extents.u.agg[k] = ex[k];
    Value parts[4] = {place_ptr(s, &a.place, lam->loc), v_int(ty_i16, a.off), strides, extents};
    static const char *const names[4] = {"base_address", "offset", "stride", "extent"};
    for (int k = 0; k < 4; k++) all[k] = (Field){.name = intern(s->prog->in, names[k]), .type = parts[k].type};
    Value v = v_agg(s, type_struct(s->prog, NULL, NULL, 4, all, false), 4);
    for (int k = 0; k < 4; k++) v.u.agg[k] = parts[k];
    return parts[0].kind == V_ERR ? parts[0] : v;
}

/* .on_control = .{ .terminate = true } or .{ .activate = task }: a control wavelet ends the operation, and activates the task */
bool dsd_cfg_on_control(Cfg *c, unsigned *bits)
{
    static const char *const known[] = {"activate", "terminate", NULL}, *const later[] = {"unblock", NULL};
    Value v = V_NONE;
    Loc loc = c->loc;
    AstNode *n = cfg_node(c, "on_control");
    if (!n && !dsd_cfg_get(c, "on_control", NULL, &v, &loc)) return true;
    Cfg in = {.s = c->s, .sc = c->sc, .loc = loc, .v = v};
    if (n && !dsd_cfg(&in, c->s, c->sc, n, ".on_control", known, later)) return false;
    int act = -1;
    bool end = false;
    if (!dsd_cfg_task(&in, "activate", &act) || !dsd_cfg_bool(&in, "terminate", &end)) return false;
    *bits = (act >= 0 ? ON_CONTROL_ACT | (unsigned)act << 8 : 0) | (end || act >= 0 ? ON_CONTROL_END : 0);
    if (*bits) c->s->ir->uses |= USES_CONTROL;
    return true;
}

/* .simd_mode: several 16-bit elements in a word.  Not here: it is checked, and a warning says so. */
static bool cfg_simd(Cfg *c)
{
    static const char *const known[] = {"simd_16", "simd_32", "simd_64", "simd_32_or_64", NULL}, *const later[] = {NULL};
    Value v = V_NONE;
    Loc loc = c->loc;
    AstNode *n = cfg_node(c, "simd_mode");
    bool on = false;
    if (!n && !dsd_cfg_get(c, "simd_mode", NULL, &v, &loc)) return true;
    Cfg in = {.s = c->s, .sc = c->sc, .loc = loc, .v = v};
    if (n && !dsd_cfg(&in, c->s, c->sc, n, ".simd_mode", known, later)) return false;
    for (int i = 0; known[i]; i++)
        if (!dsd_cfg_bool(&in, known[i], &on)) return false;
    SEMA_ERR(c->s, dsd_simd, n ? n->loc : loc, d_int(0));
    return true;
}

static Value get_fabric(Sema *s, Scope *sc, AstNode *n, Type *t)
{
    static const char *const in[] = {"extent", "fabric_color", "input_queue", "activate", "unblock", "ut_id", "priority", "simd_mode", NULL};
    static const char *const out[] = {"extent", "fabric_color", "output_queue", "control", "advance_switch", "wavelet_index_offset",
                                      "activate", "unblock", "ut_id", "priority", "simd_mode", NULL};
    static const char *const later[] = {"control_transform", "zero", NULL};
    bool is_out = t->sub == DSDT_FABOUT, control = false, advance = false, index = false;
    const char *qname = is_out ? "output_queue" : "input_queue";
    Cfg c;
    if (!dsd_cfg(&c, s, sc, arg(n, 1), t->name, is_out ? out : in, later)) return V_NONE;
    Value x;
    Loc loc;
    Num len;
    Done done;
    int64_t q = -1, color = -1;
    if (!dsd_cfg_get(&c, "extent", ty_u16, &x, &loc)) return SEMA_ERR(s, dsd_missing, c.loc, d_type(t), d_str("extent"));
    if (!number(s, x, "an extent", INT32_MIN, INT32_MAX, true, loc, &len)) return V_NONE;
    if (len.known && len.k != LEN_ENDLESS && !length_ok(s, len.k, loc)) return V_NONE;
    if (!cfg_int(&c, qname, is_out ? ty_output_queue : ty_input_queue, "a queue", 0, N_QUEUE - 1, &q)) return V_NONE;
    const Arch *ar = &s->prog->arch;
    if (!cfg_int(&c, "fabric_color", ty_color, "a color", 0, COLOR_NULL, &color)) return V_NONE;
    if (q < 0 && color >= 0 && ar->id == ARCH_WSE2) {                /* any that is free */
        q = queue_pick(s, is_out, (int)color, c.loc);
        if (q < 0) return V_NONE;
    }
    if (q < 0) return SEMA_ERR(s, dsd_missing, c.loc, d_type(t), d_str(qname));
    if (is_out && (!dsd_cfg_bool(&c, "control", &control) || !dsd_cfg_bool(&c, "advance_switch", &advance) ||
                   !dsd_cfg_bool(&c, "wavelet_index_offset", &index))) return V_NONE;
    if (!dsd_cfg_done(&c, &done) || !cfg_simd(&c)) return V_NONE;
    s->ir->uses |= advance ? USES_DSD : 0;
    int named = (int)q;
    if (color >= 0 && ar->id == ARCH_WSE2) q = queue_bind(s, (int)q, is_out, (int)color, c.loc);   /* wse3: the queue's own (P20) */
    if (q != named) done.ut = named;       /* one operation of the named queue after the other */
    DsdConst k = {.w = {(uint16_t)q, 0, 0, (uint16_t)((is_out ? DSD_FABOUT : DSD_FABIN) | (control ? DSD_CONTROL : 0) | (advance ? DSD_ADVANCE : 0))}};
    dsd_done_words(&done, true, k.w);
    return with_length(s, dsd_const(s, t, k), &len, loc);
}

static Value get_dsd(Sema *s, Scope *sc, AstNode *n)
{
    Type *t = eval_type(s, sc, arg(n, 0));
    if (!t) return V_NONE;
    if (t->kind != TY_DSD) return SEMA_ERR(s, dsd_kind, arg_loc(n, 0), d_type(t));
    if (!s->ir) return SEMA_ERR(s, dsd_outside, n->loc, d_int(0));
    switch (t->sub) {
    case DSDT_MEM1D: case DSDT_MEM4D: return get_memory(s, sc, n, t);
    case DSDT_FABIN: case DSDT_FABOUT: return get_fabric(s, sc, n, t);
    case DSDT_CIRCBUF: return get_circular(s, sc, n, t);
    default: return SEMA_ERR(s, not_built, arg_loc(n, 0), d_str(t->name));
    }
}

/* ---- the descriptor with another base, length, stride, offset ------------------------------------------------------------ */

/* The first argument: a descriptor of one of the kinds in mask (bit DsdTypeKind). */
static bool dsd_arg(Sema *s, Scope *sc, AstNode *n, unsigned mask, const char *takes, Value *out)
{
    *out = eval_expr(s, sc, arg(n, 0), NULL);
    if (out->kind == V_ERR) return false;
    if (is_dsd(out) && mask >> out->type->sub & 1) return true;
    SEMA_ERR(s, dsd_not_dsd, arg_loc(n, 0), d_str(n->u.builtin.name), d_str(takes), d_type(out->type));
    return false;
}

enum { MEM1 = 1 << DSDT_MEM1D, MEM4 = 1 << DSDT_MEM4D, FABRIC = 1 << DSDT_FABIN | 1 << DSDT_FABOUT };

static Value set_base(Sema *s, Scope *sc, AstNode *n)
{
    Value v;
    Addr a;
    Type *elem;
    if (!dsd_arg(s, sc, n, MEM1 | MEM4, "descriptor of memory", &v)) return V_NONE;
    if (!dsd_base_of(s, sc, arg(n, 1), NULL, &a, &elem, arg_loc(n, 1))) return V_NONE;
    return dsd_with_base(s, v, a, n->loc);
}

static Value set_length(Sema *s, Scope *sc, AstNode *n)
{
    Value v;
    Num len;
    if (!dsd_arg(s, sc, n, MEM1 | FABRIC, "mem1d_dsd, fabin_dsd or fabout_dsd", &v)) return V_NONE;
    Value x = eval_expr(s, sc, arg(n, 1), ty_u16);
    if (!number(s, x, "a length", INT32_MIN, INT32_MAX, false, arg_loc(n, 1), &len)) return V_NONE;
    bool endless = len.known && len.k == LEN_ENDLESS && is_fabric(v.type);
    if (len.known && !endless && !length_ok(s, len.k, arg_loc(n, 1))) return V_NONE;
    return with_length(s, v, &len, n->loc);
}

static Value set_stride(Sema *s, Scope *sc, AstNode *n)
{
    Value v;
    Num by;
    if (!dsd_arg(s, sc, n, MEM1, "mem1d_dsd", &v)) return V_NONE;
    Value x = eval_expr(s, sc, arg(n, 1), ty_i16);
    if (!number(s, x, "a stride", INT32_MIN, INT32_MAX, false, arg_loc(n, 1), &by)) return V_NONE;
    if (by.known && !stride_ok(s, by.k, 128, arg_loc(n, 1))) return V_NONE;
    if (by.known && v.kind == V_DSD) {
        DsdConst c = *v.u.dsd;
        c.w[2] = (uint16_t)(by.k & 0xff);
        return dsd_const(s, v.type, c);
    }
    return dsd_runtime(s, n->loc) ? dsd_op(s, IR_DSDSTRIDE, v, num_ir(s, &by, n->loc), n->loc) : V_NONE;
}

static Value move_offset(Sema *s, Scope *sc, AstNode *n)
{
    Value v;
    Num by;
    if (!dsd_arg(s, sc, n, MEM1 | MEM4, "descriptor of memory", &v)) return V_NONE;
    Value x = eval_expr(s, sc, arg(n, 1), ty_i16);
    Type *t = eval_type(s, sc, arg(n, 2));
    if (!t || !number(s, x, "an offset", -65535, 65535, false, arg_loc(n, 1), &by)) return V_NONE;
    if (!type_is_scalar(t) || !t->size) return SEMA_ERR(s, st_elem_size, arg_loc(n, 2), d_type(t));
    if (by.known && v.kind == V_DSD) {
        DsdConst c = *v.u.dsd;
        c.w[0] = (uint16_t)(c.w[0] + by.k * (int64_t)t->size);
        return dsd_const(s, v.type, c);
    }
    if (!dsd_runtime(s, n->loc)) return V_NONE;
    IrFn *f = fn_of(s);
    IrRef b;
    if (by.known) b = ir_const(f, s->fn->cur, T_I16, by.k * (int64_t)t->size & 0xffff, n->loc);
    else {
        b = num_ir(s, &by, n->loc);
        if (b.i && t->size > 1) b = ir_bin(f, s->fn->cur, IR_MUL, b, ir_const(f, s->fn->cur, T_I16, t->size, n->loc), n->loc);
    }
    return dsd_op(s, IR_DSDOFF, v, b, n->loc);
}

/* ---- all of them ------------------------------------------------------------------------------------------------------------ */

bool sema_dsd_builtin(Sema *s, Scope *sc, AstNode *n, int bi, Type *want, Value *out)
{
    (void)want;
    const BuiltinRow *r = &fe_builtins[bi];
    int vop = r->owner == BI_DSD ? ir_vop_by_name(r->name) : -1;
    if (vop >= 0) {
        *out = dsd_operation(s, sc, n, vop);
        return true;
    }
    int have = (int)n->u.builtin.args.n;
    if (r->owner == BI_DSD && (have < r->min || have > r->max)) {
        *out = SEMA_ERR(s, builtin_args, n->loc, d_str(r->sig), d_int(have));
        return true;
    }
    switch (bi) {
    case BI_get_dsd: *out = get_dsd(s, sc, n); return true;
    case BI_get_dsr: *out = dsd_get_dsr(s, sc, n); return true;
    case BI_get_xdsr: case BI_get_sr: *out = dsd_get_xdsr(s, sc, n, bi == BI_get_sr); return true;
    case BI_load_to_dsr: *out = dsd_load_to_dsr(s, sc, n); return true;
    case BI_load_to_dsr_xdsr: *out = dsd_load_xdsr(s, sc, n); return true;
    case BI_load_to_dsr_xdsr_sr: *out = dsd_load_xdsr_sr(s, sc, n); return true;
    case BI_set_dsr_length: case BI_set_dsr_base_addr: *out = dsd_set_dsr(s, sc, n, bi == BI_set_dsr_base_addr); return true;
    case BI_set_fifo_read_length: case BI_set_fifo_write_length: *out = dsd_fifo_length(s, sc, n, bi == BI_set_fifo_write_length); return true;
    case BI_set_dsd_base_addr: *out = set_base(s, sc, n); return true;
    case BI_set_dsd_length: *out = set_length(s, sc, n); return true;
    case BI_set_dsd_stride: *out = set_stride(s, sc, n); return true;
    case BI_increment_dsd_offset: *out = move_offset(s, sc, n); return true;
    case BI_allocate_fifo: *out = dsd_allocate_fifo(s, sc, n); return true;
    case BI_map: *out = dsd_map(s, sc, n); return true;
    case BI_popcnt: *out = dsd_bits(s, sc, n, "popcnt16"); return true;
    case BI_clz: *out = dsd_bits(s, sc, n, "clz16"); return true;
    case BI_ctz: *out = dsd_bits(s, sc, n, "ctz16"); return true;
    default: return false;
    }
}
