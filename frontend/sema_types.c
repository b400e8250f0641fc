/* frontend/sema_types.c: types.  Interned in the Program by what they are made of, so that pointers compare; a declared
 * struct or enum is known by its node and its fields' types, so that a generic that returns one yields equal types for
 * equal arguments.  Sizes are those of PE memory: natural alignment, at most 4 bytes. */
#include "frontend/sema.h"
#include <assert.h>
#include <string.h>

#define X(n) Type *ty_##n;
SEMA_TYPES(X)
#undef X

/* ---- plain types.  Static: the same in every Program. */
typedef struct { Type **to; Type t; } Plain;
#define T(n, k, ...) {&ty_##n, {.kind = TY_##k, .name = #n, __VA_ARGS__}}
#define MEM(bytes, irt, wst) .size = bytes, .align = bytes > 4 ? 4 : bytes, .ir = irt, .ws = wst
#define ID(n, k) T(n, k, MEM(2, T_I16, WT_U16), .bits = 16)
#define CT .comptime_only = true
static Plain plains[] = {
    T(void, VOID), T(bool, BOOL, MEM(1, T_I1, WT_BOOL)),
    T(i8, INT, MEM(1, T_I8, WT_I8), .bits = 8, .is_signed = true), T(i16, INT, MEM(2, T_I16, WT_I16), .bits = 16, .is_signed = true),
    T(i32, INT, MEM(4, T_I32, WT_I32), .bits = 32, .is_signed = true), T(i64, INT, MEM(8, T_I64, WT_BYTES), .bits = 64, .is_signed = true),
    T(u8, INT, MEM(1, T_I8, WT_U8), .bits = 8), T(u16, INT, MEM(2, T_I16, WT_U16), .bits = 16),
    T(u32, INT, MEM(4, T_I32, WT_U32), .bits = 32), T(u64, INT, MEM(8, T_I64, WT_BYTES), .bits = 64),
    T(f16, FLOAT, MEM(2, T_F16, WT_F16), .bits = 16), T(f32, FLOAT, MEM(4, T_F32, WT_F32), .bits = 32),
    T(bf16, FLOAT, MEM(2, T_BF16, WT_BYTES), .bits = 16, .sub = 1), T(cb16, FLOAT, MEM(2, T_CB16, WT_BYTES), .bits = 16, .sub = 2),
    T(comptime_int, COMPTIME_INT, CT), T(comptime_float, COMPTIME_FLOAT, CT), T(comptime_string, STRING, CT),
    T(comptime_struct, COMPTIME_STRUCT, CT), T(type, TYPE, CT), T(anytype, ANYTYPE, CT), T(undefined, UNDEFINED, CT),
    T(enum_lit, ENUM_LIT, CT), T(imported_module, MODULE, CT), T(range, RANGE, CT),
    ID(color, COLOR), ID(input_queue, INPUT_QUEUE), ID(output_queue, OUTPUT_QUEUE), ID(data_task_id, DATA_TASK_ID),
    ID(local_task_id, LOCAL_TASK_ID), ID(control_task_id, CONTROL_TASK_ID), ID(ut_id, UT_ID), ID(direction, DIRECTION),
    T(mem1d_dsd, DSD, MEM(8, T_DSD, WT_DSD), .sub = DSDT_MEM1D), T(mem4d_dsd, DSD, MEM(8, T_DSD, WT_DSD), .sub = DSDT_MEM4D),
    T(fabin_dsd, DSD, MEM(8, T_DSD, WT_DSD), .sub = DSDT_FABIN), T(fabout_dsd, DSD, MEM(8, T_DSD, WT_DSD), .sub = DSDT_FABOUT),
    T(fifo_dsd, DSD, MEM(8, T_DSD, WT_DSD), .sub = DSDT_FIFO), T(circbuf_dsd, DSD, MEM(8, T_DSD, WT_DSD), .sub = DSDT_CIRCBUF),
    T(dsr_dest, DSR, CT, .sub = DSRT_DEST), T(dsr_src0, DSR, CT, .sub = DSRT_SRC0), T(dsr_src1, DSR, CT, .sub = DSRT_SRC1),
    T(dsr_fifo_dest, DSR, CT, .sub = DSRT_FIFO_DEST), T(dsr_fifo_src1, DSR, CT, .sub = DSRT_FIFO_SRC1),
    T(xdsr, DSR, CT, .sub = DSRT_XDSR), T(sr, DSR, CT, .sub = DSRT_SR),
    T(index, INDEX, CT), T(view, VIEW, CT), T(function, FN, CT),
};
#undef T

void types_init(Program *p)
{
    for (size_t i = 0; i < sizeof plains / sizeof *plains; i++) {
        *plains[i].to = &plains[i].t;
        plains[i].t.id = (uint32_t)i + 1;
    }
    ty_enum_lit->name = "enum literal";
    p->ntypes = sizeof plains / sizeof *plains;
}

/* ---- interning */
static uint64_t mix(uint64_t h, uint64_t v) { return (h ^ v) * 0x9e3779b97f4a7c15u ^ (h >> 29); }
static uint64_t str_hash(const char *s) { return s ? stbds_hash_string((char *)s, 11) : 0; }

static uint64_t hash_of(const Type *t)
{
    uint64_t h = mix(t->kind, (uint64_t)(t->many | t->is_const << 1 | t->is_task << 2 | t->tuple << 3 | t->anon << 4));
    h = mix(h, t->elem ? t->elem->id : 0);
    for (uint32_t i = 0; i < t->rank; i++) h = mix(h, (uint64_t)t->dims[i]);
    for (uint32_t i = 0; i < t->nparams; i++) h = mix(h, t->params[i]->id);
    if (t->ret) h = mix(h, t->ret->id);
    if (t->node) h = mix(mix(h, (uint64_t)t->node->loc.file << 32 | t->node->loc.off), t->node->loc.len);
    for (uint32_t i = 0; i < t->nfields; i++)
        h = mix(mix(h, str_hash(t->fields[i].name)), (t->fields[i].type ? t->fields[i].type->id : 0) + (uint64_t)t->fields[i].value);
    return h;
}

static bool same(const Type *a, const Type *b)
{
    if (a->kind != b->kind || a->many != b->many || a->is_const != b->is_const || a->is_task != b->is_task || a->tuple != b->tuple ||
        a->anon != b->anon || a->elem != b->elem || a->rank != b->rank || a->nparams != b->nparams || a->ret != b->ret ||
        a->node != b->node || a->nfields != b->nfields)
        return false;
    for (uint32_t i = 0; i < a->rank; i++)
        if (a->dims[i] != b->dims[i]) return false;
    for (uint32_t i = 0; i < a->nparams; i++)
        if (a->params[i] != b->params[i]) return false;
    for (uint32_t i = 0; i < a->nfields; i++)
        if (a->fields[i].name != b->fields[i].name || a->fields[i].type != b->fields[i].type || a->fields[i].value != b->fields[i].value)
            return false;
    return true;
}

static Type *find(Program *p, const Type *t, uint64_t *h)
{
    *h = hash_of(t);
    Type *c = hmget(p->types, *h);
    while (c && !same(c, t)) c = c->chain;
    return c;
}

static Type *add(Program *p, Type t, uint64_t h)
{
    Type *n = ARENA_NEW(p->arena, Type);
    *n = t;
    n->id = ++p->ntypes;
    n->chain = hmget(p->types, h);
    hmput(p->types, h, n);
    return n;
}

Type *type_array(Program *p, Type *elem, uint32_t rank, const int64_t *dims)
{
    Type t = {.kind = TY_ARRAY, .elem = elem, .rank = rank, .dims = (int64_t *)dims};
    uint64_t h;
    Type *c = find(p, &t, &h);
    if (c) return c;
    t.dims = ARENA_ARR(p->arena, int64_t, rank);
    memcpy(t.dims, dims, sizeof *dims * rank);
    t.count = 1;
    Buf b = {0};
    for (uint32_t i = 0; i < rank; i++) {
        t.count *= (uint64_t)dims[i];
        buf_printf(&b, "%s%lld", i ? ", " : "[", (long long)dims[i]);
    }
    buf_printf(&b, "]%s", elem->name);
    t.name = arena_strdup(p->arena, b.p);
    buf_free(&b);
    t.comptime_only = elem->comptime_only;
    uint64_t bytes = t.count * elem->size;
    t.size = bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
    t.align = elem->align;
    t.ws = elem->ws;
    return add(p, t, h);
}

Type *type_pointer(Program *p, Type *elem, bool many, bool is_const)
{
    Type t = {.kind = TY_POINTER, .elem = elem, .many = many, .is_const = is_const, MEM(2, T_PTR, WT_PTR)};
    uint64_t h;
    Type *c = find(p, &t, &h);
    if (c) return c;
    t.name = arena_printf(p->arena, "%s%s%s", many ? "[*]" : "*", is_const ? "const " : "", elem->name);
    return add(p, t, h);
}

Type *type_fn(Program *p, uint32_t n, Type **params, Type *ret, bool is_task)
{
    Type t = {.kind = TY_FN, .params = params, .nparams = n, .ret = ret, .is_task = is_task, .comptime_only = true};
    uint64_t h;
    Type *c = find(p, &t, &h);
    if (c) return c;
    t.params = ARENA_ARR(p->arena, Type *, n);
    if (n) memcpy(t.params, params, sizeof *params * n);
    Buf b = {0};
    buf_printf(&b, is_task ? "task (" : "fn (");
    for (uint32_t i = 0; i < n; i++) buf_printf(&b, "%s%s", i ? ", " : "", params[i]->name);
    buf_printf(&b, ") %s", ret->name);
    t.name = arena_strdup(p->arena, b.p);
    buf_free(&b);
    return add(p, t, h);
}

/* offsets, size, alignment, and whether the values live at compile time only */
static void lay_out(Type *t)
{
    uint32_t off = 0, align = 1;
    for (uint32_t i = 0; i < t->nfields; i++) {
        Type *f = t->fields[i].type;
        if (f->comptime_only || f->kind == TY_VOID) {
            t->comptime_only |= f->comptime_only;
            continue;
        }
        off = (off + f->align - 1) / f->align * f->align;
        t->fields[i].off = off;
        off += f->size;
        if (f->align > align) align = f->align;
    }
    t->align = align;
    t->size = (off + align - 1) / align * align;
    t->ws = WT_BYTES;
}

Type *type_struct(Program *p, AstNode *node, const char *name, uint32_t n, const Field *f, bool tuple)
{
    Type t = {.kind = TY_STRUCT, .node = node, .anon = !node, .tuple = tuple, .fields = (Field *)f, .nfields = n};
    uint64_t h;
    Type *c = find(p, &t, &h);
    if (c) return c;
    t.fields = ARENA_ARR(p->arena, Field, n);
    if (n) memcpy(t.fields, f, sizeof *f * n);
    lay_out(&t);
    if (node) t.name = name ? name : "struct";
    else {
        Buf b = {0};
        buf_printf(&b, "struct{");
        for (uint32_t i = 0; i < n; i++)
            buf_printf(&b, tuple ? "%s%.0s%s" : "%s%s: %s", i ? ", " : "", tuple ? "" : f[i].name, f[i].type->name);
        buf_printf(&b, "}");
        t.name = b.len > 80 ? "struct{...}" : arena_strdup(p->arena, b.p);
        buf_free(&b);
    }
    return add(p, t, h);
}

Type *type_stream(Program *p, TypeKind kind, Type *elem)
{
    Type t = {.kind = (uint8_t)kind, .elem = elem, .comptime_only = true};
    uint64_t h;
    Type *c = find(p, &t, &h);
    if (c) return c;
    const char *word = kind == TY_ITER ? "iter" : kind == TY_SOCKET ? "socket" : "register";
    t.name = elem ? arena_printf(p->arena, "%s of %s", word, elem->name) : word;
    return add(p, t, h);
}

const Field *type_field(const Type *t, const char *name, uint32_t *index)
{
    for (uint32_t i = 0; i < t->nfields; i++)
        if (t->fields[i].name == name || (t->fields[i].name && !strcmp(t->fields[i].name, name))) {
            if (index) *index = i;
            return &t->fields[i];
        }
    return NULL;
}

/* ---- questions */
bool type_is_int(const Type *t) { return t->kind == TY_INT || t->kind == TY_COMPTIME_INT; }
bool type_is_float(const Type *t) { return t->kind == TY_FLOAT || t->kind == TY_COMPTIME_FLOAT; }
bool type_is_scalar(const Type *t) { return t->ir != T_VOID; }

bool type_is_discrete(const Type *t)
{
    switch (t->kind) {
    case TY_BOOL: case TY_INT: case TY_COMPTIME_INT: case TY_COLOR: case TY_INPUT_QUEUE: case TY_OUTPUT_QUEUE: case TY_DATA_TASK_ID:
    case TY_LOCAL_TASK_ID: case TY_CONTROL_TASK_ID: case TY_UT_ID: case TY_DIRECTION: case TY_ENUM: return true;
    default: return false;
    }
}

bool int_fits(Int v, const Type *t)
{
    if (t->kind == TY_BOOL) return v == 0 || v == 1;
    if (t->kind != TY_INT) return v >= -((Int)1 << 64) && v <= (Int)1 << 64; /* comptime_int: see Int */
    if (t->is_signed) return v >= -((Int)1 << (t->bits - 1)) && v < (Int)1 << (t->bits - 1);
    return v >= 0 && v < (Int)1 << t->bits;
}

double flt_round(double v, const Type *t) { return t->kind == TY_FLOAT ? ir_float_value(t->ir, ir_float_bits(t->ir, v)) : v; }

/* ---- from the tree */
static Type *eval_array(Sema *s, Scope *sc, AstNode *n)
{
    int64_t dims[8];
    if (n->u.tarray.dims.n > 8) return SEMA_ERR(s, array_rank, n->loc, d_int(8)), NULL;
    for AST_EACH(i, n->u.tarray.dims)
        if (!eval_known_int(s, sc, n->u.tarray.dims.v[i], "the size of an array", 0, INT32_MAX, &dims[i])) return NULL;
    Type *elem = eval_type(s, sc, n->u.tarray.elem);
    if (!elem) return NULL;
    if (elem->kind == TY_VOID || elem->kind == TY_ANYTYPE) return SEMA_ERR(s, bad_elem_type, n->u.tarray.elem->loc, d_type(elem)), NULL;
    uint64_t count = 1;
    for AST_EACH(i, n->u.tarray.dims) {
        count *= (uint64_t)dims[i];
        if (count * (elem->size ? elem->size : 1) > INT32_MAX) return SEMA_ERR(s, array_too_large, n->loc, d_int(AP(&s->prog->arch, mem_bytes))), NULL;
    }
    return type_array(s->prog, elem, n->u.tarray.dims.n, dims);
}

static Type *eval_fn_type(Sema *s, Scope *sc, AstNode *n)
{
    Type *params[64];
    if (n->u.tfn.args.n > 64) return SEMA_ERR(s, too_many_args, n->loc, d_int(64)), NULL;
    for AST_EACH(i, n->u.tfn.args)
        if (!(params[i] = eval_type(s, sc, n->u.tfn.args.v[i]))) return NULL;
    Type *ret = n->u.tfn.ret ? eval_type(s, sc, n->u.tfn.ret) : ty_void;
    return ret ? type_fn(s->prog, n->u.tfn.args.n, params, ret, n->u.tfn.is_task) : NULL;
}

static Type *eval_struct(Sema *s, Scope *sc, AstNode *n, const char *name)
{
    if (n->u.tcont.layout == LAYOUT_PACKED) return SEMA_ERR(s, not_built, n->loc, d_str("a packed struct")), NULL;
    uint32_t k = n->u.tcont.members.n;
    Field *f = ARENA_ARR(s->prog->arena, Field, k);
    for (uint32_t i = 0; i < k; i++) {
        AstNode *m = n->u.tcont.members.v[i];
        f[i].name = m->u.member.name;
        f[i].loc = m->loc;
        for (uint32_t j = 0; j < i; j++)
            if (f[j].name == f[i].name) {
                SEMA_ERR(s, redeclared, m->loc, d_str(f[i].name));
                SEMA_NOTE(s, note_first, f[j].loc, d_str(f[i].name));
                return NULL;
            }
        if (!(f[i].type = eval_type(s, sc, m->u.member.type))) return NULL;
        if (m->u.member.value) {
            Value v = eval_as(s, sc, m->u.member.value, f[i].type);
            if (v.kind == V_ERR) return NULL;
            f[i].dflt = ARENA_NEW(s->prog->arena, Value);
            *f[i].dflt = value_copy(s->prog->arena, v);
        }
    }
    return type_struct(s->prog, n, name, k, f, false);
}

static Type *eval_enum(Sema *s, Scope *sc, AstNode *n, const char *name)
{
    Type *tag = n->u.tcont.tag ? eval_type(s, sc, n->u.tcont.tag) : ty_u16;
    if (!tag) return NULL;
    if (tag->kind != TY_INT) return SEMA_ERR(s, enum_tag, n->u.tcont.tag->loc, d_type(tag)), NULL;
    uint32_t k = n->u.tcont.members.n;
    Field *f = ARENA_ARR(s->prog->arena, Field, k);
    int64_t next = 0;
    for (uint32_t i = 0; i < k; i++) {
        AstNode *m = n->u.tcont.members.v[i];
        if (m->u.member.value) {
            Value v = eval_as(s, sc, m->u.member.value, tag);
            int64_t x;
            if (!known_int(s, v, "the value of an enum name", INT64_MIN, INT64_MAX, m->u.member.value->loc, &x)) return NULL;
            next = x;
        }
        if (!int_fits(next, tag)) return SEMA_ERR(s, int_range, m->loc, d_int(next), d_type(tag)), NULL;
        f[i] = (Field){.name = m->u.member.name, .value = next++, .loc = m->loc};
        for (uint32_t j = 0; j < i; j++)
            if (f[j].name == f[i].name || f[j].value == f[i].value) {
                SEMA_ERR(s, enum_twice, m->loc, d_str(f[i].name), d_int(f[i].value));
                SEMA_NOTE(s, note_first, f[j].loc, d_str(f[j].name));
                return NULL;
            }
    }
    Type t = {.kind = TY_ENUM, .node = n, .elem = tag, .fields = f, .nfields = k, .size = tag->size, .align = tag->align,
              .ir = tag->ir, .ws = tag->ws, .bits = tag->bits, .is_signed = tag->is_signed, .name = name ? name : "enum"};
    uint64_t h;
    Type *c = find(s->prog, &t, &h);
    return c ? c : add(s->prog, t, h);
}

Type *eval_container(Sema *s, Scope *sc, AstNode *n, const char *name)
{
    switch (n->kind) {
    case AST_T_STRUCT: return eval_struct(s, sc, n, name);
    case AST_T_ENUM: return eval_enum(s, sc, n, name);
    default: SEMA_ERR(s, not_built, n->loc, d_str("a union")); return NULL;
    }
}

Type *eval_type(Sema *s, Scope *sc, AstNode *n)
{
    switch (n->kind) {
    case AST_T_ARRAY: return eval_array(s, sc, n);
    case AST_T_POINTER: {
        Type *e = eval_type(s, sc, n->u.tptr.elem);
        return e ? type_pointer(s->prog, e, n->u.tptr.many, n->u.tptr.is_const) : NULL;
    }
    case AST_T_FN: return eval_fn_type(s, sc, n);
    case AST_T_ANYTYPE: return ty_anytype;
    case AST_T_STRUCT: case AST_T_UNION: case AST_T_ENUM: return eval_container(s, sc, n, NULL);
    default: break;
    }
    Value v = eval_expr(s, sc, n, ty_type);
    if (v.kind == V_ERR) return NULL;
    if (v.kind == V_TYPE) return v.u.t;
    SEMA_ERR(s, not_a_type, n->loc, d_type(v.type));
    return NULL;
}
