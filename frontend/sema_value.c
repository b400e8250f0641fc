/* frontend/sema_value.c: values: making them, comparing them, and their run-time forms: bytes of PE memory, WIR registers,
 * addresses.  An aggregate that is not in memory is a list of values, some known, some in registers; it meets memory
 * element by element.  The one rule: V_MEM is not a copy; whoever keeps one copies it (bind_const, addr_store). */
#include "frontend/sema.h"
#include <assert.h>
#include <string.h>

Value v_int(Type *t, Int i) { return (Value){.kind = V_INT, .type = t, .u.i = i}; }
Value v_flt(Type *t, double f) { return (Value){.kind = V_FLT, .type = t, .u.f = f}; }
Value v_bool(bool b) { return v_int(ty_bool, b); }
Value v_void(void) { return (Value){.kind = V_VOID, .type = ty_void}; }
Value v_type(Type *t) { return (Value){.kind = V_TYPE, .type = ty_type, .u.t = t}; }
Value v_ir(Type *t, IrRef r) { return r.i ? (Value){.kind = V_IR, .type = t, .u.ref = r} : V_NONE; }
Value v_ext(Type *t, void *ext) { return (Value){.kind = V_EXT, .type = t, .u.ext = ext}; }

Value v_str(Sema *s, const char *p, size_t len)
{
    return (Value){.kind = V_STR, .type = ty_comptime_string, .n = (uint32_t)len, .u.s = arena_strndup(s->prog->arena, p, len)};
}

Value v_agg(Sema *s, Type *t, uint32_t n)
{
    return (Value){.kind = V_AGG, .type = t, .n = n, .u.agg = sema_alloc(s, sizeof(Value) * (n ? n : 1))};
}

Value v_splat(Sema *s, Type *t, Value elem)
{
    Value v = {.kind = V_AGG, .type = t, .n = (uint32_t)t->count, .splat = true, .u.agg = sema_alloc(s, sizeof(Value))};
    v.u.agg[0] = elem;
    return v;
}

Value *agg_at(const Value *v, uint32_t i)
{
    assert(v->kind == V_AGG && i < v->n);
    return &v->u.agg[v->splat ? 0 : i];
}

void agg_expand(Sema *s, Value *v)
{
    if (v->kind != V_AGG || !v->splat) return;
    Value *n = ARENA_ARR(s->arena, Value, v->n ? v->n : 1);
    for (uint32_t i = 0; i < v->n; i++) n[i] = value_copy(s->arena, v->u.agg[0]);
    v->u.agg = n;
    v->splat = false;
}

Value value_copy(Arena *a, Value v)
{
    if (v.kind == V_PTR) {
        PtrVal *p = ARENA_NEW(a, PtrVal);
        *p = *v.u.ptr;
        v.u.ptr = p;
    } else if (v.kind == V_RANGE) {
        RangeVal *r = ARENA_NEW(a, RangeVal);
        *r = *v.u.range;
        v.u.range = r;
    }
    if (v.kind != V_AGG) return v;
    uint32_t k = v.splat ? 1 : v.n;
    Value *n = ARENA_ARR(a, Value, k ? k : 1);
    for (uint32_t i = 0; i < k; i++) n[i] = value_copy(a, v.u.agg[i]);
    v.u.agg = n;
    return v;
}

Value value_snapshot(Sema *s, Value v)
{
    if (v.kind != V_AGG) return v;
    uint32_t k = v.splat ? 1 : v.n;
    Value *n = sema_alloc(s, sizeof(Value) * (k ? k : 1));
    for (uint32_t i = 0; i < k; i++) n[i] = value_snapshot(s, v.u.agg[i]);
    v.u.agg = n;
    return v;
}

bool is_known(const Value *v)
{
    switch (v->kind) {
    case V_ERR: case V_IR: case V_MEM: case V_SYM: return false;
    case V_AGG:
        for (uint32_t i = 0; i < (v->splat ? 1 : v->n); i++)
            if (!is_known(&v->u.agg[i])) return false;
        return true;
    default: return true;
    }
}

bool is_runtime(const Value *v)
{
    if (v->kind == V_IR || v->kind == V_MEM) return true;
    if (v->kind != V_AGG) return false;
    for (uint32_t i = 0; i < (v->splat ? 1 : v->n); i++)
        if (is_runtime(&v->u.agg[i])) return true;
    return false;
}

Value value_zero(Sema *s, Type *t)
{
    switch (t->kind) {
    case TY_FLOAT: case TY_COMPTIME_FLOAT: return v_flt(t, 0);
    case TY_VOID: return v_void();
    case TY_ARRAY: return v_splat(s, t, value_zero(s, t->elem));
    case TY_STRUCT: {
        Value v = v_agg(s, t, t->nfields);
        for (uint32_t i = 0; i < t->nfields; i++) v.u.agg[i] = t->fields[i].dflt ? *t->fields[i].dflt : value_zero(s, t->fields[i].type);
        return v;
    }
    default: return type_is_discrete(t) ? v_int(t, 0) : (Value){.kind = V_UNDEF, .type = t};
    }
}

/* ---- text forms */
static void print_int(Buf *b, Int i)
{
    if (i < 0) {
        buf_printf(b, "-");
        i = -i;
    }
    if (i > UINT64_MAX) buf_printf(b, "%llu", (unsigned long long)(i / 10)), i %= 10;
    buf_printf(b, "%llu", (unsigned long long)i);
}

void value_key(Buf *b, const Value *v)
{
    buf_printf(b, "%u:", v->type ? v->type->id : 0);
    switch (v->kind) {
    case V_INT: print_int(b, v->u.i); break;
    case V_FLT: buf_printf(b, "%a", v->u.f); break;
    case V_STR: buf_printf(b, "%u\"", v->n); buf_add(b, v->u.s, v->n); break;
    case V_ELIT: buf_printf(b, ".%s", v->u.s); break;
    case V_TYPE: buf_printf(b, "t%u", v->u.t->id); break;
    case V_FN: buf_printf(b, "f%u/%s", v->u.decl->mod->id, v->u.decl->name); break;
    case V_MOD: buf_printf(b, "m%u", v->u.mod->id); break;
    case V_PTR: buf_printf(b, "p%u+%lld/%p", v->u.ptr->sym.i, (long long)v->u.ptr->off, (void *)v->u.ptr->slot); break;
    case V_SYM: buf_printf(b, "y%u", v->u.sym->id); break;
    case V_EXT: buf_printf(b, "x%p", v->u.ext); break;
    case V_IR: buf_printf(b, "i%u", v->u.ref.i); break;
    case V_MEM: buf_printf(b, "a%u/%u+%d", v->u.addr.sym.i, v->u.addr.base.i, v->u.addr.off); break;
    case V_DSD:
        buf_printf(b, "d%x.%x.%x.%x/%u/%u", v->u.dsd->w[0], v->u.dsd->w[1], v->u.dsd->w[2], v->u.dsd->w[3], v->u.dsd->base.i,
                   v->u.dsd->shape.i);
        break;
    case V_RANGE:
        buf_printf(b, "r");
        value_key(b, &v->u.range->start);
        value_key(b, &v->u.range->end);
        value_key(b, &v->u.range->step);
        break;
    case V_AGG:
        buf_printf(b, v->splat ? "{*%u," : "{", v->n);
        for (uint32_t i = 0; i < (v->splat ? 1 : v->n); i++) {
            value_key(b, &v->u.agg[i]);
            buf_printf(b, ",");
        }
        buf_printf(b, "}");
        break;
    default: buf_printf(b, "%d", v->kind); break;
    }
}

static const char *enum_name(const Value *v)
{
    for (uint32_t i = 0; i < v->type->nfields; i++)
        if (v->type->fields[i].value == (int64_t)v->u.i) return v->type->fields[i].name;
    return NULL;
}

void value_print(Buf *b, const Value *v)
{
    static const char *const dirs[] = {"WEST", "EAST", "SOUTH", "NORTH", "RAMP"};
    switch (v->kind) {
    case V_VOID: buf_printf(b, "{}"); break;
    case V_UNDEF: buf_printf(b, "undefined"); break;
    case V_INT:
        if (v->type->kind == TY_BOOL) buf_printf(b, v->u.i ? "true" : "false");
        else if (v->type->kind == TY_ENUM && enum_name(v)) buf_printf(b, ".%s", enum_name(v));
        else if (v->type->kind == TY_DIRECTION && v->u.i < N_DIR) buf_printf(b, "%s", dirs[v->u.i]);
        else {
            if (!type_is_int(v->type)) buf_printf(b, "%s ", v->type->name);
            print_int(b, v->u.i);
        }
        break;
    case V_FLT: buf_printf(b, "%.9g", v->u.f); break;
    case V_STR: buf_add(b, v->u.s, v->n); break;
    case V_ELIT: buf_printf(b, ".%s", v->u.s); break;
    case V_TYPE: buf_printf(b, "%s", v->u.t->name); break;
    case V_FN: buf_printf(b, "%s", v->u.decl->name); break;
    case V_MOD: buf_printf(b, "module %s", v->u.mod->stem); break;
    case V_AGG:
        buf_printf(b, ".{");
        for (uint32_t i = 0; i < v->n && b->len < 400; i++) {
            if (i) buf_printf(b, ", ");
            if (v->type->kind == TY_STRUCT && !v->type->tuple) buf_printf(b, ".%s = ", v->type->fields[i].name);
            value_print(b, agg_at(v, i));
        }
        buf_printf(b, "}");
        break;
    case V_SYM: buf_printf(b, "(differs between PEs)"); break;
    default: buf_printf(b, "(%s)", v->type ? v->type->name : "?"); break;
    }
}

bool value_equal(const Value *a, const Value *b)
{
    if (a->kind == V_INT && b->kind == V_INT) return a->u.i == b->u.i;
    Buf x = {0}, y = {0};
    value_key(&x, a);
    value_key(&y, b);
    bool r = x.len == y.len && !memcmp(x.p, y.p, x.len);
    buf_free(&x);
    buf_free(&y);
    return r;
}

/* ---- bytes */
static void put_le(uint8_t *out, uint64_t v, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) out[i] = (uint8_t)(v >> 8 * i);
}

bool value_bytes(Sema *s, const Value *v, Type *t, uint8_t *out, uint32_t base, IrReloc **relocs, uint32_t pe, Loc loc)
{
    switch (v->kind) {
    case V_ERR: return false;
    case V_VOID: case V_UNDEF: return true; /* bytes are zero */
    case V_INT: put_le(out, (uint64_t)v->u.i, t->size); return true;
    case V_FLT: put_le(out, ir_float_bits(t->ir, v->u.f), t->size); return true;
    case V_SYM:
        if (v->u.sym->f) put_le(out, ir_float_bits(t->ir, v->u.sym->f[pe]), t->size);
        else put_le(out, (uint64_t)v->u.sym->v[pe], t->size);
        return true;
    case V_PTR: {
        IrSym sym;
        int64_t off;
        if (!ptr_memory(s, v->u.ptr, &sym, &off, loc)) return false;
        if (sym.i) arrput(*relocs, ((IrReloc){base, sym, (int32_t)off}));
        else put_le(out, (uint64_t)off, 2);
        return true;
    }
    case V_DSD:
        for (int i = 0; i < 4; i++) put_le(out + 2 * i, v->u.dsd->w[i], 2);
        if (v->u.dsd->base.i) {
            arrput(*relocs, ((IrReloc){base, v->u.dsd->base, v->u.dsd->w[0]}));
            put_le(out, 0, 2);
        }
        if (v->u.dsd->shape.i) {
            arrput(*relocs, ((IrReloc){base + 4, v->u.dsd->shape, v->u.dsd->w[2]}));
            put_le(out + 4, 0, 2);
        }
        return true;
    case V_AGG:
        for (uint32_t i = 0; i < v->n; i++) {
            uint32_t off = t->kind == TY_ARRAY ? i * t->elem->size : t->fields[i].off;
            if (!value_bytes(s, agg_at(v, i), t->kind == TY_ARRAY ? t->elem : t->fields[i].type, out + off, base + off, relocs, pe, loc))
                return false;
        }
        return true;
    default:
        SEMA_ERR(s, not_comptime, loc, d_str("what is stored here"));
        return false;
    }
}

/* ---- addresses */
Addr addr_add(Addr a, int32_t bytes)
{
    a.off += bytes;
    return a;
}

static bool need_fn(Sema *s, Loc loc)
{
    if (s->fn && s->fn->ir) return true;
    SEMA_ERR(s, not_comptime, loc, d_str("this"));
    return false;
}

static IrRef int_ptr(Sema *s, int64_t at, Loc loc)
{
    IrRef c = ir_const(s->fn->ir, s->fn->cur, T_I16, at & 0xffff, loc);
    return ir_un(s->fn->ir, s->fn->cur, IR_BITCAST, T_PTR, c, loc);
}

IrRef addr_ir(Sema *s, Addr a, Loc loc)
{
    if (!need_fn(s, loc)) return IR_NONE;
    if (a.sym.i) return ir_gaddr(s->fn->ir, s->fn->cur, a.sym, a.off, loc);
    if (!a.base.i) return int_ptr(s, a.off, loc);
    if (!a.off) return a.base;
    return ir_bin(s->fn->ir, s->fn->cur, IR_ADD, a.base, ir_const(s->fn->ir, s->fn->cur, T_I16, a.off & 0xffff, loc), loc);
}

/* the base of a load or store, the offset apart */
static IrRef addr_base(Sema *s, Addr a, int32_t *off, Loc loc)
{
    *off = 0;
    if (a.sym.i || !a.base.i) return addr_ir(s, a, loc);
    *off = a.off;
    return a.base;
}

Value addr_load(Sema *s, Addr a, Type *t, Loc loc)
{
    if (t->kind == TY_VOID) return v_void();
    if (!type_is_scalar(t)) return (Value){.kind = V_MEM, .type = t, .u.addr = a};
    if (!need_fn(s, loc)) return V_NONE;
    int32_t off;
    IrRef p = addr_base(s, a, &off, loc);
    return v_ir(t, ir_load(s->fn->ir, s->fn->cur, t->ir, p, off, loc));
}

Addr addr_temp(Sema *s, Type *t, Loc loc)
{
    return (Addr){.base = ir_alloca(s->fn->ir, t->size ? t->size : 1, loc)};
}

/* for i in 0..n: body; opened and closed around the caller's instructions */
typedef struct { IrRef slot, i; IrBlk head, done; } Loop;
static Loop loop_open(Sema *s, Loc loc)
{
    IrFn *f = s->fn->ir;
    Loop l = {.slot = ir_alloca(f, 2, loc), .head = ir_block_new(f, "copy"), .done = ir_block_new(f, "copied")};
    ir_store(f, s->fn->cur, l.slot, 0, ir_const(f, s->fn->cur, T_I16, 0, loc), loc);
    ir_br(f, s->fn->cur, l.head, loc);
    s->fn->cur = l.head;
    l.i = ir_load(f, l.head, T_I16, l.slot, 0, loc);
    return l;
}

static void loop_close(Sema *s, Loop *l, uint32_t n, Loc loc)
{
    IrFn *f = s->fn->ir;
    IrRef next = ir_bin(f, s->fn->cur, IR_ADD, l->i, ir_const(f, s->fn->cur, T_I16, 1, loc), loc);
    ir_store(f, s->fn->cur, l->slot, 0, next, loc);
    IrRef more = ir_icmp(f, s->fn->cur, CMP_ULT, next, ir_const(f, s->fn->cur, T_I16, n, loc), loc);
    ir_condbr(f, s->fn->cur, more, l->head, l->done, loc);
    s->fn->cur = l->done;
}

Addr addr_index(Sema *s, Addr a, IrRef i, uint32_t size, Loc loc)
{
    IrFn *f = s->fn->ir;
    if (size != 1) i = ir_bin(f, s->fn->cur, IR_MUL, i, ir_const(f, s->fn->cur, T_I16, size & 0xffff, loc), loc);
    int32_t off = a.base.i ? a.off : 0;
    if (a.base.i) a.off = 0;
    return (Addr){.base = ir_bin(f, s->fn->cur, IR_ADD, addr_ir(s, a, loc), i, loc), .off = off};
}

static void copy_words(Sema *s, Addr to, Addr from, Type *t, Loc loc)
{
    IrFn *f = s->fn->ir;
    uint32_t w = t->align >= 4 ? 4 : t->align == 2 ? 2 : 1, n = t->size / w;
    IrType it = w == 4 ? T_I32 : w == 2 ? T_I16 : T_I8;
    int32_t o, q;
    if (n <= 8) {
        for (uint32_t i = 0; i < n; i++) {
            IrRef p = addr_base(s, addr_add(from, (int32_t)(i * w)), &o, loc);
            IrRef v = ir_load(f, s->fn->cur, it, p, o, loc);
            p = addr_base(s, addr_add(to, (int32_t)(i * w)), &q, loc);
            ir_store(f, s->fn->cur, p, q, v, loc);
        }
        return;
    }
    Loop l = loop_open(s, loc);
    Addr x = addr_index(s, from, l.i, w, loc), y = addr_index(s, to, l.i, w, loc);
    IrRef v = ir_load(f, s->fn->cur, it, x.base, x.off, loc);
    ir_store(f, s->fn->cur, y.base, y.off, v, loc);
    loop_close(s, &l, n, loc);
}

static bool same_addr(Addr a, Addr b) { return a.sym.i == b.sym.i && a.base.i == b.base.i && a.off == b.off; }

static bool any_mem(const Value *v)
{
    if (v->kind == V_MEM) return true;
    if (v->kind != V_AGG) return false;
    for (uint32_t i = 0; i < (v->splat ? 1 : v->n); i++)
        if (any_mem(&v->u.agg[i])) return true;
    return false;
}

/* store a coerced value */
static void store_as(Sema *s, Addr a, Type *t, Value v, Loc loc)
{
    if (v.kind == V_ERR || v.kind == V_UNDEF || t->kind == TY_VOID) return;
    if (type_is_scalar(t)) {
        IrRef r = value_ir(s, v, t, loc);
        int32_t off;
        if (!r.i) return;
        IrRef p = addr_base(s, a, &off, loc);
        ir_store(s->fn->ir, s->fn->cur, p, off, r, loc);
        return;
    }
    if (v.kind == V_MEM) {
        if (!same_addr(a, v.u.addr)) copy_words(s, a, v.u.addr, t, loc);
        return;
    }
    if (v.kind != V_AGG) {
        SEMA_ERR(s, not_runtime, loc, d_type(t));
        return;
    }
    if (v.splat && v.n > 8) {
        Loop l = loop_open(s, loc);
        store_as(s, addr_index(s, a, l.i, t->elem->size, loc), t->elem, v.u.agg[0], loc);
        loop_close(s, &l, v.n, loc);
        return;
    }
    if (v.n > 8 && t->kind == TY_ARRAY && is_known(&v)) {
        copy_words(s, a, value_addr(s, v, t, loc), t, loc);
        return;
    }
    for (uint32_t i = 0; i < v.n; i++) {
        uint32_t off = t->kind == TY_ARRAY ? i * t->elem->size : t->fields[i].off;
        store_as(s, addr_add(a, (int32_t)off), t->kind == TY_ARRAY ? t->elem : t->fields[i].type, *agg_at(&v, i), loc);
    }
}

void addr_store(Sema *s, Addr a, Type *t, Value v, Loc loc)
{
    v = coerce(s, v, t, loc);
    if (v.kind == V_ERR || !need_fn(s, loc)) return;
    if (v.kind == V_AGG && any_mem(&v)) { /* x = .{ .a = x.b, .b = x.a }: read all before writing */
        Addr tmp = addr_temp(s, t, loc);
        store_as(s, tmp, t, v, loc);
        copy_words(s, a, tmp, t, loc);
        return;
    }
    store_as(s, a, t, v, loc);
}

/* ---- registers */
IrRef value_ir(Sema *s, Value v, Type *t, Loc loc)
{
    v = coerce(s, v, t, loc);
    if (v.kind == V_ERR || !need_fn(s, loc)) return IR_NONE;
    IrFn *f = s->fn->ir;
    if (!type_is_scalar(t)) return SEMA_ERR(s, not_runtime, loc, d_type(t)), IR_NONE;
    switch (v.kind) {
    case V_IR: return v.u.ref;
    case V_INT: return ir_const(f, s->fn->cur, t->ir, (int64_t)v.u.i, loc);
    case V_FLT:
        if (t->sub) return SEMA_ERR(s, not_built, loc, d_str(arena_printf(s->arena, "%s at run time", t->name))), IR_NONE;
        return ir_fconst(f, s->fn->cur, t->ir, flt_round(v.u.f, t), loc);
    case V_UNDEF: return ir_append(f, s->fn->cur, IR_UNDEF, t->ir, 0, NULL, loc);
    case V_SYM: return sym_ir(s, v, loc);
    case V_PTR: {
        IrSym sym;
        int64_t off;
        if (!ptr_memory(s, v.u.ptr, &sym, &off, loc)) return IR_NONE;
        return addr_ir(s, (Addr){.sym = sym, .off = (int32_t)off}, loc);
    }
    case V_DSD: {
        Addr a = value_addr(s, v, t, loc);
        int32_t off;
        IrRef p = addr_base(s, a, &off, loc);
        return ir_load(f, s->fn->cur, T_DSD, p, off, loc);
    }
    default: return SEMA_ERR(s, not_runtime, loc, d_type(v.type)), IR_NONE;
    }
}

Addr value_addr(Sema *s, Value v, Type *t, Loc loc)
{
    if (v.kind == V_MEM) return v.u.addr;
    v = coerce(s, v, t, loc);
    if (v.kind == V_MEM) return v.u.addr;
    if (v.kind == V_ERR) return (Addr){0};
    if (is_known(&v) && t->size && !t->comptime_only) return (Addr){.sym = global_const(s, v, t, loc)};
    if (!need_fn(s, loc)) return (Addr){0};
    Addr a = addr_temp(s, t, loc);
    store_as(s, a, t, v, loc);
    return a;
}
