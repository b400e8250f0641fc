/* frontend/sema_dsd.c: CSL's DSD builtins: descriptors, data-structure registers, vector operations, @map.
 *
 * Takes the argument trees of a builtin whose row says DSD; leaves a Value, or vector operations (IR_VOP) in WIR.
 * A descriptor is a constant (V_DSD: four words, with the symbols whose addresses go into them) as long as all its parts
 * are known, and a run-time value of type dsd from then on: the same functions build both.  A DSR is its number: a V_INT of
 * type dsr_dest, dsr_src0 or dsr_src1.  Rules P1 to P20 of CSL's semantics are the machine's (docs/machine.md): lengths are
 * not compared here, and a descriptor may walk over more than the array that it was made from. */
#include "frontend/sema_stream.h"
#include <string.h>

/* Shape of a nested walk, kept with the constant for @map. */
typedef struct Shape { uint32_t n; uint16_t ext[ACCESS_MAX_DIMS]; int16_t stride[ACCESS_MAX_DIMS]; } Shape;   /* innermost first */

static IrFn *fn_of(Sema *s) { return s->fn->ir; }
static bool in_pe_code(Sema *s) { return s->fn && s->fn->ir; }
static Loc arg_loc(AstNode *n, uint32_t i) { return i < n->u.builtin.args.n ? n->u.builtin.args.v[i]->loc : n->loc; }
static AstNode *arg(AstNode *n, uint32_t i) { return n->u.builtin.args.v[i]; }
static bool is_dsd(const Value *v) { return v->type && v->type->kind == TY_DSD; }
static bool is_fabric(const Type *t) { return t->sub == DSDT_FABIN || t->sub == DSDT_FABOUT; }

/* ---- structs of fields and options -------------------------------------------------------------------------------------- */

/* A literal is read field by field, so that a field may hold an access function; anything else is a known struct. */
typedef struct Cfg { Sema *s; Scope *sc; AstNode *lit; Value v; Loc loc; } Cfg;

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

static bool cfg_open(Cfg *c, Sema *s, Scope *sc, AstNode *n, const char *of, const char *const *known, const char *const *later)
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
static bool cfg_get(Cfg *c, const char *name, Type *want, Value *out, Loc *loc)
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

/* The field as a known number; *out keeps its value when the field is absent. */
static bool cfg_int(Cfg *c, const char *name, Type *t, const char *what, int64_t lo, int64_t hi, int64_t *out)
{
    Value v;
    Loc loc;
    if (!cfg_get(c, name, t, &v, &loc)) return true;
    if (v.kind == V_ERR) return false;
    if (v.kind == V_IR || v.kind == V_MEM) {
        SEMA_ERR(c->s, dsd_option_known, loc, d_str(name));
        return false;
    }
    v = coerce(c->s, v, t, loc);
    return v.kind != V_ERR && known_int(c->s, v, what, lo, hi, loc, out);
}

static bool cfg_bool(Cfg *c, const char *name, bool *out)
{
    Value v;
    Loc loc;
    if (!cfg_get(c, name, ty_bool, &v, &loc)) return true;
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
static bool cfg_task(Cfg *c, const char *name, int *out)
{
    Value v;
    Loc loc;
    if (!cfg_get(c, name, NULL, &v, &loc)) return true;
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
    if (!cfg_get(c, "priority", NULL, &v, &loc)) return true;
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

/* What completes an operation, and where it runs. */
typedef struct Done { int act, unb, ut, prio; } Done;
static const Done done_none = {-1, -1, -1, 0};

static bool cfg_done(Cfg *c, Done *o)
{
    *o = done_none;
    int64_t ut = -1;
    bool ok = cfg_task(c, "activate", &o->act);
    ok = cfg_task(c, "unblock", &o->unb) && ok;
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
static void done_words(const Done *o, bool fabric, uint16_t w[4])
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

static Value dsd_const(Sema *s, Type *t, DsdConst c)
{
    Value v = {.kind = V_DSD, .type = t};
    v.u.dsd = ARENA_NEW(s->arena, DsdConst);
    *v.u.dsd = c;
    return v;
}

/* The descriptor as a WIR value. */
static IrRef dsd_ir(Sema *s, const Value *v, Loc loc)
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
static bool runtime_here(Sema *s, Loc loc)
{
    if (in_pe_code(s)) return true;
    SEMA_ERR(s, dsd_outside, loc, d_int(0));
    return false;
}

static Value with_base(Sema *s, Value v, Addr a, Loc loc)
{
    if (v.kind == V_DSD && !a.base.i) {
        DsdConst c = *v.u.dsd;
        c.w[0] = (uint16_t)a.off;
        c.base = a.sym;
        return dsd_const(s, v.type, c);
    }
    if (!runtime_here(s, loc)) return V_NONE;
    return dsd_op(s, IR_DSDBASE, v, addr_ir(s, a, loc), loc);
}

static Value with_length(Sema *s, Value v, const Num *n, Loc loc)
{
    if (n->known && v.kind == V_DSD) {
        DsdConst c = *v.u.dsd;
        c.w[1] = (uint16_t)((c.w[1] & DSD_SAVE) | (uint16_t)n->k);
        return dsd_const(s, v.type, c);
    }
    if (!runtime_here(s, loc)) return V_NONE;
    return dsd_op(s, IR_DSDLEN, v, num_ir(s, n, loc), loc);
}

/* Where a base_address or a new base points: a pointer, or an array by its name. */
static bool base_of(Sema *s, Scope *sc, AstNode *n, Value *given, Addr *a, Type **elem, Loc loc)
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
    if (!runtime_here(s, loc)) return false;
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
            if (!runtime_here(s, loc)) return false;
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
    return !out->known || length_ok(s, out->k, lam->loc);
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
        Shape *sh = ARENA_NEW(s->arena, Shape);
        sh->n = a.ndims;
        for (uint32_t k = 0; k < a.ndims; k++) {
            uint32_t d = a.ndims - 1 - k;
            sh->ext[k] = d ? (uint16_t)a.extent[d].u.i : 0;
            sh->stride[k] = (int16_t)a.stride[d];
        }
        c.ext = sh;
    }
    Value v = dsd_const(s, t, c);
    v = with_base(s, v, addr_add(a.place.addr, (int32_t)(a.off * (int64_t)a.elem->size)), lam->loc);
    return v.kind == V_ERR ? v : with_length(s, v, &len, lam->loc);
}

static Value memory_based(Sema *s, Cfg *c, Type *t)
{
    Value given = V_NONE, x;
    Loc loc = c->loc, xloc;
    Addr a;
    Type *elem = NULL;
    AstNode *n = cfg_node(c, "base_address");
    if (n) loc = n->loc;
    else if (!cfg_get(c, "base_address", NULL, &given, &loc)) return SEMA_ERR(s, dsd_missing, c->loc, d_type(t), d_str("tensor_access"));
    if (t->sub == DSDT_MEM4D) return SEMA_ERR(s, dsd_missing, c->loc, d_type(t), d_str("tensor_access"));
    if (!base_of(s, c->sc, n, &given, &a, &elem, loc) || !elem_ok(s, elem, loc)) return V_NONE;
    Num len;
    if (!cfg_get(c, "extent", ty_u16, &x, &xloc)) return SEMA_ERR(s, dsd_missing, c->loc, d_type(t), d_str("extent"));
    if (!number(s, x, "an extent", INT32_MIN, INT32_MAX, true, xloc, &len)) return V_NONE;
    if (len.known && !length_ok(s, len.k, xloc)) return V_NONE;
    int64_t stride = 1, off = 0;
    if (!cfg_int(c, "stride", ty_comptime_int, "a stride", INT32_MIN, INT32_MAX, &stride) || !stride_ok(s, stride, 128, c->loc)) return V_NONE;
    if (!cfg_int(c, "offset", ty_comptime_int, "an offset", -32768, 32767, &off)) return V_NONE;
    DsdConst k = {.elem = elem, .w = {0, 0, (uint16_t)(stride & 0xff), DSD_MEM1D}};
    Value v = with_base(s, dsd_const(s, t, k), addr_add(a, (int32_t)(off * (int64_t)elem->size)), loc);
    return v.kind == V_ERR ? v : with_length(s, v, &len, xloc);
}

static Value get_memory(Sema *s, Scope *sc, AstNode *n, Type *t)
{
    static const char *const known[] = {"tensor_access", "base_address", "extent", "stride", "offset", NULL};
    static const char *const later[] = {"wavelet_index_offset", NULL};
    Cfg c;
    if (!cfg_open(&c, s, sc, arg(n, 1), t->name, known, later)) return V_NONE;
    AstNode *lam = cfg_node(&c, "tensor_access");
    if (!lam) return memory_based(s, &c, t);
    static const char *const others[] = {"base_address", "extent", "stride", "offset", NULL};
    for (int i = 0; others[i]; i++)
        if (cfg_node(&c, others[i])) return SEMA_ERR(s, dsd_both, arg_loc(n, 1), d_str(others[i]));
    return memory_tensor(s, sc, lam, t);
}

static Value get_fabric(Sema *s, Scope *sc, AstNode *n, Type *t)
{
    static const char *const in[] = {"extent", "fabric_color", "input_queue", "activate", "unblock", "ut_id", "priority", NULL};
    static const char *const out[] = {"extent", "fabric_color", "output_queue", "control", "activate", "unblock", "ut_id", "priority", NULL};
    static const char *const later[] = {"wavelet_index_offset", "simd_mode", "advance_switch", "control_transform", "zero", "on_control", NULL};
    bool is_out = t->sub == DSDT_FABOUT, control = false;
    const char *qname = is_out ? "output_queue" : "input_queue";
    Cfg c;
    if (!cfg_open(&c, s, sc, arg(n, 1), t->name, is_out ? out : in, later)) return V_NONE;
    Value x;
    Loc loc;
    Num len;
    Done done;
    int64_t q = -1, color = -1;
    if (!cfg_get(&c, "extent", ty_u16, &x, &loc)) return SEMA_ERR(s, dsd_missing, c.loc, d_type(t), d_str("extent"));
    if (!number(s, x, "an extent", INT32_MIN, INT32_MAX, true, loc, &len)) return V_NONE;
    if (len.known && len.k != LEN_ENDLESS && !length_ok(s, len.k, loc)) return V_NONE;
    if (!cfg_int(&c, qname, is_out ? ty_output_queue : ty_input_queue, "a queue", 0, N_QUEUE - 1, &q)) return V_NONE;
    if (q < 0) return SEMA_ERR(s, dsd_missing, c.loc, d_type(t), d_str(qname));
    const Arch *ar = &s->prog->arch;
    if (!cfg_int(&c, "fabric_color", ty_color, "a color", 0, COLOR_NULL, &color)) return V_NONE;
    if ((is_out && !cfg_bool(&c, "control", &control)) || !cfg_done(&c, &done)) return V_NONE;
    if (color >= 0 && ar->id == ARCH_WSE2) queue_bind(s, (int)q, is_out, (int)color, c.loc);   /* wse3: the queue's own (P20) */
    DsdConst k = {.w = {(uint16_t)q, 0, 0, (uint16_t)((is_out ? DSD_FABOUT : DSD_FABIN) | (control ? DSD_CONTROL : 0))}};
    done_words(&done, true, k.w);
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
    if (!base_of(s, sc, arg(n, 1), NULL, &a, &elem, arg_loc(n, 1))) return V_NONE;
    return with_base(s, v, a, n->loc);
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
    return runtime_here(s, n->loc) ? dsd_op(s, IR_DSDSTRIDE, v, num_ir(s, &by, n->loc), n->loc) : V_NONE;
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
    if (!runtime_here(s, n->loc)) return V_NONE;
    IrFn *f = fn_of(s);
    IrRef b;
    if (by.known) b = ir_const(f, s->fn->cur, T_I16, by.k * (int64_t)t->size & 0xffff, n->loc);
    else {
        b = num_ir(s, &by, n->loc);
        if (b.i && t->size > 1) b = ir_bin(f, s->fn->cur, IR_MUL, b, ir_const(f, s->fn->cur, T_I16, t->size, n->loc), n->loc);
    }
    return dsd_op(s, IR_DSDOFF, v, b, n->loc);
}

/* ---- operands of vector operations ---------------------------------------------------------------------------------------- */

/* One operand as it is written.  DSD: v, or (home) its global variable, loaded from there.  PTR: addr of one scalar, t its
 * type.  VAL: v, and where it was read from.  DSR: file and number. */
typedef struct Opnd {
    enum { O_NONE, O_VAL, O_PTR, O_DSD, O_DSR } k;
    Type *t;
    Value v;
    bool home, has_place, is_const;
    Addr addr;
    int file, num;
    IrRef ref;               /* slot or value, once made */
    Loc loc;
} Opnd;

static bool same_addr(Addr a, Addr b) { return a.sym.i == b.sym.i && a.base.i == b.base.i && a.off == b.off; }
static bool is_lvalue(const AstNode *n)
{
    return n->kind == AST_NAME || n->kind == AST_FIELD || n->kind == AST_INDEX || n->kind == AST_DEREF;
}

static bool opnd_value(Sema *s, Opnd *o, Value v)
{
    o->v = v;
    o->t = v.type;
    if (v.kind == V_ERR) return false;
    if (is_dsd(&v)) o->k = O_DSD;
    else if (v.type->kind == TY_DSR) {
        o->k = O_DSR;
        o->file = v.type->sub;
        o->num = (int)v.u.i;
    } else if (v.type->kind == TY_POINTER) {
        o->k = O_PTR;
        o->t = v.type->elem;
        o->is_const = v.type->is_const;
        if (v.kind == V_PTR) {
            int64_t off;
            if (!ptr_memory(s, v.u.ptr, &o->addr.sym, &off, o->loc)) return false;
            o->addr.off = (int32_t)off;
            return true;
        }
        o->addr.base = value_ir(s, v, v.type, o->loc);
        return o->addr.base.i != 0;
    } else o->k = O_VAL;
    return true;
}

static bool opnd_eval(Sema *s, Scope *sc, AstNode *n, Type *want, Opnd *o)
{
    *o = (Opnd){.loc = n->loc};
    if (n->kind == AST_UNARY && n->u.un.op == OP_ADDR) {
        Place p = eval_place(s, sc, n->u.un.e);
        if (p.kind == P_ERR) return false;
        if (p.kind == P_MEM && type_is_scalar(p.type)) {
            *o = (Opnd){.k = O_PTR, .t = p.type, .addr = p.addr, .is_const = p.is_const, .loc = n->loc};
            return true;
        }
        return opnd_value(s, o, place_ptr(s, &p, n->loc));
    }
    if (!is_lvalue(n)) return opnd_value(s, o, eval_expr(s, sc, n, want));
    Place p = eval_place(s, sc, n);
    if (p.kind == P_ERR) return false;
    if (p.kind == P_MEM && p.type->kind == TY_DSD && p.addr.sym.i) {
        *o = (Opnd){.k = O_DSD, .t = p.type, .home = true, .addr = p.addr, .loc = n->loc};
        o->v.type = p.type;
        return true;
    }
    if (!opnd_value(s, o, place_load(s, &p, n->loc))) return false;
    if (p.kind == P_MEM && o->k == O_VAL) {
        o->has_place = true;
        o->addr = p.addr;
    }
    return true;
}

static const char *opnd_text(const Opnd *o)
{
    if (o->k == O_PTR) return "a pointer";
    return o->t ? o->t->name : "nothing";
}

/* The same descriptor, memory or register: the destination then works in place. */
static bool opnd_same(const Opnd *a, const Opnd *b)
{
    if (a->k == O_PTR && b->k == O_VAL) return b->has_place && same_addr(a->addr, b->addr) && a->t == b->t;
    if (a->k != b->k) return false;
    if (a->k == O_PTR) return same_addr(a->addr, b->addr) && a->t->size == b->t->size;
    if (a->k == O_DSR) return b->file == DSRT_SRC0 && b->num == a->num && a->file == DSRT_SRC0;
    if (a->k != O_DSD || a->home != b->home) return false;
    if (a->home) return same_addr(a->addr, b->addr);
    if (a->v.kind != b->v.kind) return false;
    if (a->v.kind == V_IR) return a->v.u.ref.i == b->v.u.ref.i;
    const DsdConst *x = a->v.u.dsd, *y = b->v.u.dsd;
    return memcmp(x->w, y->w, sizeof x->w) == 0 && x->base.i == y->base.i && x->shape.i == y->shape.i;
}

static IrRef slot_new(Sema *s, int64_t imm, Loc loc)
{
    IrRef r = ir_append(fn_of(s), s->fn->cur, IR_DSRSLOT, T_SLOT, 0, NULL, loc);
    ir_ins(fn_of(s), r)->imm = imm;
    return r;
}

/* Load a slot from a descriptor: from memory where it stands there, else from the value. */
static bool slot_load(Sema *s, IrRef slot, const Opnd *o)
{
    IrFn *f = fn_of(s);
    Addr a = o->addr;
    bool mem = o->home;
    if (!mem && o->v.kind == V_DSD) {
        a = value_addr(s, o->v, o->v.type, o->loc);
        mem = true;
    }
    if (mem) {
        if (!a.sym.i) return false;
        IrRef p = ir_gaddr(f, s->fn->cur, a.sym, a.off, o->loc);
        ir_append(f, s->fn->cur, IR_DSRLOAD, T_VOID, 2, (IrRef[]){slot, p}, o->loc);
        return true;
    }
    IrRef v = dsd_ir(s, &o->v, o->loc);
    if (!v.i) return false;
    ir_append(f, s->fn->cur, IR_DSRLOADV, T_VOID, 2, (IrRef[]){slot, v}, o->loc);
    return true;
}

/* The slot of a DSR that the program named.  WIR knows a pinned slot by its number alone, in whichever files it is used; so each
 * DSR of the class gets a number of its own, its own one unless another file has it. */
typedef struct Pins { uint8_t of[3][N_DSR]; uint32_t taken; } Pins;   /* of: number + 1, 0: none yet */
static IrRef pinned_slot(Sema *s, int file, int num, Loc loc)
{
    if (!s->dsd) s->dsd = ARENA_NEW(s->arena, Pins);
    Pins *p = s->dsd;
    if (!p->of[file][num]) {
        int k = num;
        if (p->taken >> k & 1)
            for (k = 0; k < N_DSR && p->taken >> k & 1;) k++;
        if (k == N_DSR) return SEMA_ERR(s, not_built, loc, d_str("more than 16 DSRs of one's own")), IR_NONE;
        p->taken |= 1u << k;
        p->of[file][num] = (uint8_t)(k + 1);
    }
    return slot_new(s, 1 + p->of[file][num], loc);
}

/* Make the operand's slot; a pointer is memory of one element with stride 0 and no length of its own (P1, P4). */
static bool opnd_slot(Sema *s, Opnd *o)
{
    if (o->k == O_DSR) {
        o->ref = pinned_slot(s, o->file, o->num, o->loc);
        return o->ref.i != 0;
    }
    Opnd d = *o;
    if (o->k == O_PTR) {
        DsdConst c = {.w = {0, 0, 0, DSD_MEM1D}, .elem = o->t};
        d = (Opnd){.k = O_DSD, .loc = o->loc, .v = with_base(s, dsd_const(s, ty_mem1d_dsd, c), o->addr, o->loc)};
        if (d.v.kind == V_ERR) return false;
    }
    o->ref = slot_new(s, o->k == O_DSD && o->t->sub == DSDT_MEM4D, o->loc);
    return slot_load(s, o->ref, &d);
}

/* The type of a number in this position of the operation; NULL: it does not fit there. */
static Type *scalar_type(Sema *s, const Value *v, IrType t, bool move)
{
    switch (t) {
    case T_F32: return can_coerce(s, v, ty_f32) ? ty_f32 : NULL;
    case T_F16: return can_coerce(s, v, ty_f16) ? ty_f16 : NULL;
    default: break;
    }
    Type *sg = t == T_I16 ? ty_i16 : ty_i32, *un = t == T_I16 ? ty_u16 : ty_u32;
    if (move && type_is_scalar(v->type) && v->type->size == sg->size) return v->type;      /* the bits, of whatever they are */
    if (!type_is_int(v->type)) return NULL;
    if (v->type->size == sg->size) return v->type;
    return can_coerce(s, v, sg) ? sg : can_coerce(s, v, un) ? un : NULL;
}

static int type_bytes(IrType t) { return t == T_F32 || t == T_I32 ? 4 : 2; }

/* ---- vector operations ---------------------------------------------------------------------------------------------------- */

typedef struct Opts { bool async; Done done; } Opts;

static const char *const op_known[] = {"async", "activate", "unblock", "ut_id", "priority", NULL};
static const char *const op_later[] = {"index", "advance_switch", "on_control", "control_transform", "simd_mode", NULL};

static bool op_options(Sema *s, Scope *sc, AstNode *n, Opts *o)
{
    Cfg c;
    if (!cfg_open(&c, s, sc, n, "a vector operation", op_known, op_later)) return false;
    if (!cfg_bool(&c, "async", &o->async) || !cfg_done(&c, &o->done)) return false;
    if (o->async) return true;
    const char *first = o->done.act >= 0 ? "activate" : o->done.unb >= 0 ? "unblock" : o->done.ut >= 0 ? "ut_id" : NULL;
    if (!first) return true;
    SEMA_ERR(s, dsd_not_async, n->loc, d_str(first));
    return false;
}

/* positions of an operation: d, a, b, c */
static const char *const pos_names[4] = {"the destination", "the first source", "the second source", "the factor"};

static bool bad_operand(Sema *s, AstNode *n, const Opnd *o, int pos, const char *takes)
{
    SEMA_ERR(s, dsd_operand, o->loc, d_str(n->u.builtin.name), d_str(pos_names[pos]), d_str(takes), d_str(opnd_text(o)));
    return false;
}

/* Equal constants share their memory: nobody may write to it. */
static bool of_constant(Sema *s, const Opnd *o)
{
    IrSym b = !o->home && o->v.kind == V_DSD ? o->v.u.dsd->base : (IrSym){0};
    return b.i && !ir_sym_is_fn(b) && ir_global(s->ir, b)->is_const;
}

/* Does the operand fit its position of the row? */
static bool opnd_check(Sema *s, AstNode *n, Opnd *o, int pos, IrType et, bool move)
{
    static const uint8_t file_of[4] = {DSRT_DEST, DSRT_SRC0, DSRT_SRC1, 0};
    switch (o->k) {
    case O_DSD:
        if (pos == 3) return bad_operand(s, n, o, pos, "a number");
        if (o->t->sub == DSDT_FABOUT && pos) SEMA_ERR(s, dsd_direction, o->loc, d_type(o->t), d_str("read"));
        else if (o->t->sub == DSDT_FABIN && !pos) SEMA_ERR(s, dsd_direction, o->loc, d_type(o->t), d_str("written"));
        else if (!pos && of_constant(s, o)) SEMA_ERR(s, dsd_const_dest, o->loc, d_int(0));
        else return true;
        return false;
    case O_DSR:
        if (pos == 3) return bad_operand(s, n, o, pos, "a number");
        if (o->file == file_of[pos] || (pos == 0 && o->file == DSRT_SRC0)) return true;
        SEMA_ERR(s, dsd_dsr_file, o->loc, d_type(o->t), d_str(pos_names[pos]));
        return false;
    case O_PTR:
        if (pos == 3) return bad_operand(s, n, o, pos, "a number");
        if (!type_is_scalar(o->t) || (int)o->t->size != type_bytes(et))
            return bad_operand(s, n, o, pos, type_bytes(et) == 4 ? "a pointer to 32 bits" : "a pointer to 16 bits");
        if (!pos && o->is_const) return bad_operand(s, n, o, pos, "a pointer that may be written through");
        return true;
    case O_VAL:
        if (pos == 0) return bad_operand(s, n, o, pos, "a DSD, a DSR or the address of a variable");
        if (o->v.kind == V_AGG || o->v.kind == V_MEM || !(o->t = scalar_type(s, &o->v, et, move))) {
            o->t = o->v.type;
            return bad_operand(s, n, o, pos, pos == 3 ? "a number" : "a DSD, a DSR, a number or a pointer");
        }
        return true;
    default: return false;
    }
}

/* A DSR that stands in the wrong place beside a number changes places with it where the operation commutes. */
static bool wrong_file(const Opnd *o, int file) { return o->k == O_DSR && o->file != file; }
static bool commutes(int vop)
{
    switch (vop) {
    case IRV_FADDS: case IRV_FMULS: case IRV_FMAXS: case IRV_FADDH: case IRV_FMULH: case IRV_FMAXH: case IRV_ADD16: case IRV_AND16:
    case IRV_OR16: case IRV_XOR16: case IRV_MUL16: case IRV_ADD32: return true;
    default: return false;
    }
}

static bool is_move(int vop) { return vop == IRV_MOV16 || vop == IRV_MOV32; }

/* No operand is a descriptor: one element, through a register. */
static void scalar_op(Sema *s, int vop, Opnd o[4], Loc loc)
{
    IrRef r[4] = {IR_NONE, IR_NONE, IR_NONE, IR_NONE};
    for (int i = 1; i < 4; i++) {
        if (o[i].k == O_NONE) continue;
        Value v = o[i].k == O_PTR ? addr_load(s, o[i].addr, o[i].t, o[i].loc) : o[i].v;
        r[i] = value_ir(s, v, o[i].t, o[i].loc);
        if (!r[i].i) return;
    }
    IrRef x = ir_vop(fn_of(s), s->fn->cur, (IrVop)vop, IR_NONE, r[1], r[2], r[3], 1, loc);
    IrType xt = ir_vops[vop].d;
    if (o[0].t->ir != xt) x = ir_un(fn_of(s), s->fn->cur, IR_BITCAST, o[0].t->ir, x, loc);
    addr_store(s, o[0].addr, o[0].t, v_ir(o[0].t, x), loc);
}

/* The microthread of an asynchronous operation: -1 leaves it to the machine, which asks the first fabric descriptor. */
static bool pick_ut(Sema *s, const Opnd o[4], Opts *op, Loc loc)
{
    if (op->done.ut >= 0) return true;
    for (int i = 0; i < 3; i++)
        if (o[i].k == O_DSR || (o[i].k == O_DSD && is_fabric(o[i].t))) return true;
    SEMA_ERR(s, dsd_no_ut, loc, d_int(0));
    return false;
}

static void vector_op(Sema *s, int vop, Opnd o[4], const Opts *op, Loc loc)
{
    bool shared[4] = {false};
    for (int i = 1; i < 4; i++)                      /* numbers first: they are read before the operation starts */
        if (o[i].k == O_VAL) {
            shared[i] = i == 1 && opnd_same(&o[0], &o[1]);
            if (shared[i]) continue;
            if (i == 2 && opnd_same(&o[0], &o[2])) { /* read again for each element (P4) */
                o[2] = (Opnd){.k = O_PTR, .t = o[0].t, .addr = o[0].addr, .loc = o[2].loc};
                continue;
            }
            o[i].ref = value_ir(s, o[i].v, o[i].t, o[i].loc);
            if (!o[i].ref.i) return;
        }
    if (o[1].k != O_NONE && o[1].k != O_VAL) shared[1] = opnd_same(&o[0], &o[1]);
    if (!opnd_slot(s, &o[0])) return;
    for (int i = 1; i < 3; i++) {
        if (o[i].k == O_NONE || o[i].ref.i) continue;
        if (shared[i]) o[i].ref = o[0].ref;
        else if (!opnd_slot(s, &o[i])) return;
    }
    IrRef r = ir_vop(fn_of(s), s->fn->cur, (IrVop)vop, o[0].ref, o[1].ref, o[2].ref, o[3].ref, 0, loc);
    if (op->async)
        ir_ins(fn_of(s), r)->async = (IrAsync){.on = true, .ut = (int8_t)op->done.ut, .act = (int8_t)op->done.act,
                                               .unb = (int8_t)op->done.unb, .prio = (uint8_t)op->done.prio};
}

static Value operation(Sema *s, Scope *sc, AstNode *n, int vop)
{
    const IrVopRow *row = &ir_vops[vop];
    const IrType et[4] = {row->d, row->a, row->b, row->c};
    uint32_t nops = 0, have = n->u.builtin.args.n;
    for (int i = 0; i < 4; i++) nops += et[i] != T_VOID;
    if (have != nops && have != nops + 1) return SEMA_ERR(s, dsd_arity, n->loc, d_str(n->u.builtin.name), d_uint(nops), d_uint(have));
    if (!runtime_here(s, n->loc)) return V_NONE;
    Opnd o[4] = {{0}};
    Opts op = {.done = done_none};
    bool ok = true, stream = false;
    for (uint32_t i = 0, k = 0; k < 4; k++) {
        if (et[k] == T_VOID) continue;
        AstNode *a = arg(n, i++);
        Type *want = et[k] == T_F32 ? ty_f32 : et[k] == T_F16 ? ty_f16 : NULL;
        ok = opnd_eval(s, sc, a, want, &o[k]) && ok;
        stream |= o[k].k == O_DSD || o[k].k == O_DSR;
    }
    if (ok && commutes(vop) && (wrong_file(&o[1], DSRT_SRC0) || wrong_file(&o[2], DSRT_SRC1)) && !wrong_file(&o[2], DSRT_SRC0) &&
        !wrong_file(&o[1], DSRT_SRC1) && (o[1].k == O_VAL || o[2].k == O_VAL)) {
        Opnd t = o[1];
        o[1] = o[2];
        o[2] = t;
    }
    for (int k = 0; ok && k < 4; k++) ok = et[k] == T_VOID || opnd_check(s, n, &o[k], k, et[k], is_move(vop));
    if (have > nops) ok = op_options(s, sc, arg(n, nops), &op) && ok;
    if (!ok || (op.async && !pick_ut(s, o, &op, n->loc))) return V_NONE;
    if (o[0].k == O_DSR && o[0].file == DSRT_SRC0 && !opnd_same(&o[0], &o[1]))
        return SEMA_ERR(s, dsd_dsr_file, o[0].loc, d_type(o[0].t), d_str("the destination, unless it is the first source too"));
    if (stream || op.async) vector_op(s, vop, o, &op, n->loc);
    else scalar_op(s, vop, o, n->loc);
    return v_void();
}

/* ---- data-structure registers ---------------------------------------------------------------------------------------------- */

static Value get_dsr(Sema *s, Scope *sc, AstNode *n)
{
    Type *t = eval_type(s, sc, arg(n, 0));
    int64_t k;
    if (!t) return V_NONE;
    if (t->kind != TY_DSR) return SEMA_ERR(s, dsd_dsr_kind, arg_loc(n, 0), d_type(t));
    if (n->u.builtin.args.n < 2) return SEMA_ERR(s, not_built, n->loc, d_str("@get_dsr without a number"));
    if (!eval_known_int(s, sc, arg(n, 1), "a DSR", 0, N_DSR - 1, &k)) return V_NONE;
    return v_int(t, k);
}

/* A run-time descriptor with words changed: through memory. */
static bool patched_load(Sema *s, IrRef slot, const Opnd *o, const Done *done, bool save)
{
    IrFn *f = fn_of(s);
    IrBlk *cur = &s->fn->cur;
    Value v = o->home ? addr_load(s, o->addr, o->t, o->loc) : o->v;
    IrRef d = dsd_ir(s, &v, o->loc);
    if (!d.i) return false;
    IrRef m = ir_alloca(f, 8, o->loc);
    ir_store(f, *cur, m, 0, d, o->loc);
    uint16_t none[4] = {0, 0, 0, 0}, all[4] = {0xffff, 0xffff, 0xffff, 0xffff};   /* what stays set, what gets set */
    if (save) none[1] = DSD_SAVE, all[1] = 0xffff;
    done_words(done, is_fabric(o->t), none);
    done_words(done, is_fabric(o->t), all);
    for (int k = 1; k < 4; k++) {
        if (none[k] == 0 && all[k] == 0xffff) continue;
        IrRef w = ir_load(f, *cur, T_I16, m, 2 * k, o->loc);
        if (all[k] != 0xffff) w = ir_bin(f, *cur, IR_AND, w, ir_const(f, *cur, T_I16, all[k], o->loc), o->loc);
        if (none[k]) w = ir_bin(f, *cur, IR_OR, w, ir_const(f, *cur, T_I16, none[k], o->loc), o->loc);
        ir_store(f, *cur, m, 2 * k, w, o->loc);
    }
    ir_append(f, *cur, IR_DSRLOAD, T_VOID, 2, (IrRef[]){slot, m}, o->loc);
    return true;
}

static Value load_to_dsr(Sema *s, Scope *sc, AstNode *n)
{
    static const char *const known[] = {"save_address", "async", "activate", "unblock", "ut_id", "priority", NULL};
    if (!runtime_here(s, n->loc)) return V_NONE;
    Opnd r, d;
    if (!opnd_eval(s, sc, arg(n, 0), NULL, &r)) return V_NONE;
    if (r.k != O_DSR) return SEMA_ERR(s, dsd_not_dsd, arg_loc(n, 0), d_str("load_to_dsr"), d_str("DSR"), d_str(opnd_text(&r)));
    if (!opnd_eval(s, sc, arg(n, 1), NULL, &d)) return V_NONE;
    if (d.k != O_DSD) return SEMA_ERR(s, dsd_not_dsd, arg_loc(n, 1), d_str("load_to_dsr"), d_str("DSD"), d_str(opnd_text(&d)));
    if (d.t->sub == DSDT_MEM4D) return SEMA_ERR(s, not_built, arg_loc(n, 1), d_str("a mem4d_dsd in a DSR of one's own"));
    if (r.file == DSRT_DEST ? d.t->sub == DSDT_FABIN : d.t->sub == DSDT_FABOUT)
        return SEMA_ERR(s, dsd_dsr_dir, arg_loc(n, 1), d_type(d.t), d_type(r.t));
    Done done = done_none;
    bool save = false, async = false;
    if (n->u.builtin.args.n > 2) {
        Cfg c;
        if (!cfg_open(&c, s, sc, arg(n, 2), "@load_to_dsr", known, op_later)) return V_NONE;
        if (!cfg_bool(&c, "save_address", &save) || !cfg_bool(&c, "async", &async) || !cfg_done(&c, &done)) return V_NONE;
        if (!is_fabric(d.t) && (done.act >= 0 || done.unb >= 0))
            return SEMA_ERR(s, dsd_mem_done, c.loc, d_str(done.act >= 0 ? "activate" : "unblock"));
    }
    IrRef slot = pinned_slot(s, r.file, r.num, n->loc);
    if (!slot.i) return V_NONE;
    bool change = save || done.act >= 0 || done.unb >= 0 || done.ut >= 0 || done.prio;
    if (change && d.v.kind == V_DSD) {
        DsdConst c = *d.v.u.dsd;
        if (save) c.w[1] |= DSD_SAVE;
        done_words(&done, is_fabric(d.t), c.w);
        d.v = dsd_const(s, d.t, c);
        change = false;
    }
    bool ok = change ? patched_load(s, slot, &d, &done, save) : slot_load(s, slot, &d);
    return ok ? v_void() : V_NONE;
}

/* ---- @map ------------------------------------------------------------------------------------------------------------------ */

/* A walk over memory in @map: the address of the element, and counters, in variables. */
typedef struct Walk { Opnd o; Type *t; bool fabric; IrRef at; uint32_t n; IrRef ext[ACCESS_MAX_DIMS], step[ACCESS_MAX_DIMS], cnt[ACCESS_MAX_DIMS]; IrRef len; } Walk;

static IrRef c16(Sema *s, int64_t v, Loc loc) { return ir_const(fn_of(s), s->fn->cur, T_I16, v & 0xffff, loc); }
static IrRef bin(Sema *s, IrOp op, IrRef a, IrRef b, Loc loc) { return ir_bin(fn_of(s), s->fn->cur, op, a, b, loc); }
static IrRef to_bytes(Sema *s, IrRef elems, const Type *t, Loc loc) { return bin(s, IR_MUL, elems, c16(s, t->size, loc), loc); }

static IrRef walk_var(Sema *s, IrRef init, Loc loc)
{
    IrRef v = ir_alloca(fn_of(s), 2, loc);
    ir_store(fn_of(s), s->fn->cur, v, 0, init, loc);
    return v;
}

static bool walk_known(Sema *s, Walk *w)
{
    const DsdConst *c = w->o.v.u.dsd;
    Loc loc = w->o.loc;
    const Shape *sh = c->shape.i ? c->ext : NULL;
    w->len = c16(s, c->w[1] & LEN_ENDLESS, loc);
    w->n = sh ? sh->n : 1;
    for (uint32_t k = 0; k < w->n; k++) {
        w->ext[k] = c16(s, sh ? sh->ext[k] : 0, loc);
        w->step[k] = to_bytes(s, c16(s, sh ? sh->stride[k] : (int8_t)(c->w[2] & 0xff), loc), w->t, loc);
    }
    IrRef p = addr_ir(s, (Addr){.sym = c->base, .off = c->base.i ? (int16_t)c->w[0] : c->w[0]}, loc);
    w->at = walk_var(s, p, loc);
    return true;
}

/* All parts from the eight bytes of the descriptor, and of its shape. */
static bool walk_runtime(Sema *s, Walk *w)
{
    IrFn *f = fn_of(s);
    Loc loc = w->o.loc;
    IrRef m;
    if (w->o.home) m = ir_gaddr(f, s->fn->cur, w->o.addr.sym, w->o.addr.off, loc);
    else {
        IrRef d = dsd_ir(s, &w->o.v, loc);
        if (!d.i) return false;
        m = ir_alloca(f, 8, loc);
        ir_store(f, s->fn->cur, m, 0, d, loc);
    }
    IrRef len = ir_load(f, s->fn->cur, T_I16, m, 2, loc);
    w->len = bin(s, IR_AND, len, c16(s, LEN_ENDLESS, loc), loc);
    if (w->fabric) return true;
    w->at = walk_var(s, ir_load(f, s->fn->cur, T_PTR, m, 0, loc), loc);
    if (w->o.t->sub == DSDT_MEM1D) {
        IrRef st = ir_un(f, s->fn->cur, IR_SEXT, T_I16, ir_load(f, s->fn->cur, T_I8, m, 4, loc), loc);
        w->n = 1;
        w->ext[0] = c16(s, 0, loc);
        w->step[0] = to_bytes(s, st, w->t, loc);
        return true;
    }
    IrRef sh = ir_load(f, s->fn->cur, T_PTR, m, 4, loc);
    w->n = ACCESS_MAX_DIMS;
    for (uint32_t k = 0; k < w->n; k++) {
        w->ext[k] = ir_load(f, s->fn->cur, T_I16, sh, 4 * k, loc);
        w->step[k] = to_bytes(s, ir_load(f, s->fn->cur, T_I16, sh, 4 * k + 2, loc), w->t, loc);
    }
    return true;
}

static bool walk_open(Sema *s, Walk *w)
{
    Loc loc = w->o.loc;
    if (!type_is_scalar(w->t) || (w->t->size != 2 && w->t->size != 4)) {
        SEMA_ERR(s, st_elem_size, loc, d_type(w->t));
        return false;
    }
    w->fabric = is_fabric(w->o.t);
    bool known = !w->o.home && w->o.v.kind == V_DSD;
    if (w->fabric && known) {
        w->len = c16(s, w->o.v.u.dsd->w[1] & LEN_ENDLESS, loc);
        return true;
    }
    bool ok = known ? walk_known(s, w) : walk_runtime(s, w);
    for (uint32_t k = 0; ok && !w->fabric && k + 1 < w->n; k++) w->cnt[k] = walk_var(s, c16(s, 0, loc), loc);
    return ok;
}

/* One step: at += step[0]; where a dimension is full, back to its start and on in the next one. */
static void walk_step(Sema *s, Walk *w)
{
    IrFn *f = fn_of(s);
    Loc loc = w->o.loc;
    if (w->fabric) return;
    IrBlk end = w->n > 1 ? ir_block_new(f, "stepped") : (IrBlk){0};
    for (uint32_t k = 0; k < w->n; k++) {
        IrRef p = ir_load(f, s->fn->cur, T_PTR, w->at, 0, loc);
        p = bin(s, IR_ADD, p, w->step[k], loc);
        ir_store(f, s->fn->cur, w->at, 0, p, loc);
        if (k + 1 == w->n) break;
        IrRef c = bin(s, IR_ADD, ir_load(f, s->fn->cur, T_I16, w->cnt[k], 0, loc), c16(s, 1, loc), loc);
        ir_store(f, s->fn->cur, w->cnt[k], 0, c, loc);
        IrBlk full = ir_block_new(f, "full");
        ir_condbr(f, s->fn->cur, ir_icmp(f, s->fn->cur, CMP_EQ, c, w->ext[k], loc), full, end, loc);
        s->fn->cur = full;
        ir_store(f, full, w->cnt[k], 0, c16(s, 0, loc), loc);
        IrRef back = bin(s, IR_MUL, w->ext[k], w->step[k], loc);
        p = ir_load(f, full, T_PTR, w->at, 0, loc);
        ir_store(f, full, w->at, 0, bin(s, IR_SUB, p, back, loc), loc);
    }
    if (w->n == 1) return;
    ir_br(f, s->fn->cur, end, loc);
    s->fn->cur = end;
}

static IrVop move_of(const Type *t) { return t->size == 4 ? IRV_MOV32 : IRV_MOV16; }

/* The element: from memory, or one word of the stream. */
static Value walk_read(Sema *s, Walk *w)
{
    IrFn *f = fn_of(s);
    Loc loc = w->o.loc;
    if (!w->fabric) return addr_load(s, (Addr){.base = ir_load(f, s->fn->cur, T_PTR, w->at, 0, loc)}, w->t, loc);
    Opnd o = w->o;
    if (!opnd_slot(s, &o)) return V_NONE;
    IrVop mv = move_of(w->t);
    IrRef r = ir_vop(f, s->fn->cur, mv, IR_NONE, IR_NONE, o.ref, IR_NONE, 1, loc);
    if (w->t->ir != ir_vops[mv].d) r = ir_un(f, s->fn->cur, IR_BITCAST, w->t->ir, r, loc);
    return v_ir(w->t, r);
}

static void walk_write(Sema *s, Walk *w, Value v)
{
    IrFn *f = fn_of(s);
    Loc loc = w->o.loc;
    if (!w->fabric) {
        addr_store(s, (Addr){.base = ir_load(f, s->fn->cur, T_PTR, w->at, 0, loc)}, w->t, v, loc);
        return;
    }
    IrRef r = value_ir(s, v, w->t, loc);
    Opnd o = w->o;
    if (!r.i || !opnd_slot(s, &o)) return;
    ir_vop(f, s->fn->cur, move_of(w->t), o.ref, IR_NONE, r, IR_NONE, 1, loc);
}

enum { MAP_MAX = 16 };
typedef struct Map { Value fn; uint32_t nin; Opnd in[MAP_MAX]; Walk walk[MAP_MAX]; bool walks[MAP_MAX]; bool has_out; Opnd out; Walk wout; Type *ret; } Map;

/* Length by P1: the first descriptor in order whose length is not 0; none: 1. */
static IrRef map_length(Sema *s, Map *m, Loc loc)
{
    IrRef n = c16(s, 1, loc);
    for (int i = (int)m->nin; i >= 0; i--) {
        bool out = i == (int)m->nin;
        if (out ? !m->has_out || m->out.k != O_DSD : !m->walks[i]) continue;
        IrRef len = out ? m->wout.len : m->walk[i].len;
        n = ir_select(fn_of(s), s->fn->cur, ir_icmp(fn_of(s), s->fn->cur, CMP_EQ, len, c16(s, 0, loc), loc), n, len, loc);
    }
    return n;
}

static void map_body(Sema *s, Map *m, Loc loc)
{
    Value args[MAP_MAX];
    for (uint32_t i = 0; i < m->nin; i++) {
        args[i] = m->walks[i] ? walk_read(s, &m->walk[i]) : m->in[i].v;
        if (args[i].kind == V_ERR) return;
    }
    Value r = call_fn(s, m->fn, m->nin, args, loc);
    if (m->has_out && r.kind != V_ERR) {
        if (m->out.k == O_DSD) walk_write(s, &m->wout, r);
        else addr_store(s, m->out.addr, m->out.t, r, loc);
    }
    for (uint32_t i = 0; i < m->nin; i++)
        if (m->walks[i]) walk_step(s, &m->walk[i]);
    if (m->has_out && m->out.k == O_DSD) walk_step(s, &m->wout);
}

static void map_loop(Sema *s, Map *m, Loc loc)
{
    IrFn *f = fn_of(s);
    IrRef bound = map_length(s, m, loc), zero = c16(s, 0, loc);
    IrBlk pre = s->fn->cur, head = ir_block_new(f, "map"), done = ir_block_new(f, "mapped");
    ir_br(f, pre, head, loc);
    s->fn->cur = head;
    IrRef i = ir_phi(f, head, T_I16, loc);
    map_body(s, m, loc);
    IrRef next = bin(s, IR_ADD, i, c16(s, 1, loc), loc);
    ir_condbr(f, s->fn->cur, ir_icmp(f, s->fn->cur, CMP_ULT, next, bound, loc), head, done, loc);
    ir_phi_add(f, i, pre, zero);
    ir_phi_add(f, i, s->fn->cur, next);
    s->fn->cur = done;
}

/* The callback's parameter i as a type; of a generic callback the element that the descriptor was made from. */
static Type *map_param(Sema *s, const Map *m, uint32_t i)
{
    AstNode *p = m->fn.u.decl->node->u.fn.args.v[i];
    if (p->u.arg.type && p->u.arg.type->kind != AST_T_ANYTYPE) {
        Scope *sc = scope_push(s, NULL);
        sc->mod = m->fn.u.decl->mod;
        Type *t = eval_type(s, sc, p->u.arg.type);
        scope_pop(s, sc);
        return t;
    }
    const Opnd *o = &m->in[i];
    if (!o->home && o->v.kind == V_DSD && o->v.u.dsd->elem) return o->v.u.dsd->elem;
    SEMA_ERR(s, dsd_map_type, o->loc, d_int(i + 1));
    return NULL;
}

static Type *map_ret(Sema *s, const Map *m)
{
    AstNode *r = m->fn.u.decl->node->u.fn.ret;
    if (!r) return ty_void;
    Scope *sc = scope_push(s, NULL);
    sc->mod = m->fn.u.decl->mod;
    Type *t = eval_type(s, sc, r);
    scope_pop(s, sc);
    return t;
}

static bool map_in(Sema *s, Scope *sc, AstNode *n, Map *m, uint32_t i)
{
    Opnd *o = &m->in[i];
    if (!opnd_eval(s, sc, arg(n, 1 + i), NULL, o)) return false;
    if (o->k == O_DSR) {
        SEMA_ERR(s, not_built, o->loc, d_str("a DSR as an operand of @map"));
        return false;
    }
    if (o->k == O_PTR && o->v.kind == V_ERR) {       /* &x of memory: as the pointer that it is */
        Place p = {.kind = P_MEM, .type = o->t, .addr = o->addr, .is_const = o->is_const};
        o->v = place_ptr(s, &p, o->loc);
    }
    if (o->k != O_DSD) return o->v.kind != V_ERR;
    if (o->t->sub == DSDT_FABOUT) {
        SEMA_ERR(s, dsd_direction, o->loc, d_type(o->t), d_str("read"));
        return false;
    }
    m->walks[i] = true;
    m->walk[i] = (Walk){.o = *o, .t = map_param(s, m, i)};
    return m->walk[i].t && walk_open(s, &m->walk[i]);
}

static bool map_out(Sema *s, Scope *sc, AstNode *n, Map *m)
{
    Opnd *o = &m->out;
    if (!opnd_eval(s, sc, arg(n, 1 + m->nin), NULL, o)) return false;
    if (o->k != O_DSD && o->k != O_PTR) {
        SEMA_ERR(s, dsd_operand, o->loc, d_str("map"), d_str("the destination"), d_str("a DSD or the address of a variable"), d_str(opnd_text(o)));
        return false;
    }
    if (o->k == O_DSD && o->t->sub == DSDT_FABIN) {
        SEMA_ERR(s, dsd_direction, o->loc, d_type(o->t), d_str("written"));
        return false;
    }
    if (o->k == O_DSD && of_constant(s, o)) {
        SEMA_ERR(s, dsd_const_dest, o->loc, d_int(0));
        return false;
    }
    m->wout = (Walk){.o = *o, .t = m->ret};
    return o->k == O_PTR || walk_open(s, &m->wout);
}

static Value map_builtin(Sema *s, Scope *sc, AstNode *n)
{
    Map m = {.fn = eval_expr(s, sc, arg(n, 0), NULL)};
    if (m.fn.kind == V_ERR || !runtime_here(s, n->loc)) return V_NONE;
    if (m.fn.kind != V_FN || m.fn.u.decl->node->kind != AST_FN)
        return SEMA_ERR(s, dsd_map_fn, arg_loc(n, 0), d_type(m.fn.type));
    AstNode *last = arg(n, n->u.builtin.args.n - 1);
    if (last->kind == AST_INIT && !last->u.init.type) return SEMA_ERR(s, not_built, last->loc, d_str("an option of @map"));
    m.ret = map_ret(s, &m);
    if (!m.ret) return V_NONE;
    m.has_out = m.ret->kind != TY_VOID;
    m.nin = m.fn.u.decl->node->u.fn.args.n;
    uint32_t have = n->u.builtin.args.n - 1;
    if (have != m.nin + m.has_out || m.nin >= MAP_MAX)
        return SEMA_ERR(s, dsd_map_arity, n->loc, d_uint(m.nin), d_str(m.has_out ? "a destination" : "no destination"), d_uint(have));
    bool any = false;
    for (uint32_t i = 0; i < m.nin; i++) {
        if (!map_in(s, sc, n, &m, i)) return V_NONE;
        any |= m.walks[i];
    }
    if (m.has_out && !map_out(s, sc, n, &m)) return V_NONE;
    if (!any && !(m.has_out && m.out.k == O_DSD)) return SEMA_ERR(s, dsd_map_length, n->loc, d_int(0));
    map_loop(s, &m, n->loc);
    return v_void();
}

/* ---- all of them ------------------------------------------------------------------------------------------------------------ */

bool sema_dsd_builtin(Sema *s, Scope *sc, AstNode *n, int bi, Type *want, Value *out)
{
    (void)want;
    const BuiltinRow *r = &fe_builtins[bi];
    int vop = r->owner == BI_DSD ? ir_vop_by_name(r->name) : -1;
    if (vop >= 0) {
        *out = operation(s, sc, n, vop);
        return true;
    }
    int have = (int)n->u.builtin.args.n;
    if (r->owner == BI_DSD && (have < r->min || have > r->max)) {
        *out = SEMA_ERR(s, builtin_args, n->loc, d_str(r->sig), d_int(have));
        return true;
    }
    switch (bi) {
    case BI_get_dsd: *out = get_dsd(s, sc, n); return true;
    case BI_get_dsr: *out = get_dsr(s, sc, n); return true;
    case BI_load_to_dsr: *out = load_to_dsr(s, sc, n); return true;
    case BI_set_dsd_base_addr: *out = set_base(s, sc, n); return true;
    case BI_set_dsd_length: *out = set_length(s, sc, n); return true;
    case BI_set_dsd_stride: *out = set_stride(s, sc, n); return true;
    case BI_increment_dsd_offset: *out = move_offset(s, sc, n); return true;
    case BI_map: *out = map_builtin(s, sc, n); return true;
    default: return false;
    }
}
