/* frontend/sema_builtin.c: the builtins of builtins.def that say CORE: types and values, arrays, structs, modules, ids. */
#include "frontend/sema_place.h"
#include <assert.h>
#include <string.h>

const BuiltinRow fe_builtins[BI_COUNT] = {
#define BUILTIN(name, owner, origin, min, max, sig, doc) [BI_##name] = {#name, BI_##owner, BI_##origin, min, max, sig, doc},
#include "frontend/builtins.def"
#undef BUILTIN
};

int builtin_by_name(const char *name)
{
    static struct { char *key; int value; } *table;
    if (!table)
        for (int i = 0; i < BI_COUNT; i++) shput(table, (char *)fe_builtins[i].name, i);
    return (int)(shgeti(table, name) < 0 ? -1 : shget(table, name));
}

static bool at_runtime(Sema *s) { return s->fn && s->fn->ir; }
#define ARG(i) (n->u.builtin.args.v[i])
#define NARGS (n->u.builtin.args.n)

/* ---- helpers */
static Type *arg_type(Sema *s, Scope *sc, AstNode *n, uint32_t i) { return eval_type(s, sc, ARG(i)); }

static bool arg_string(Sema *s, Scope *sc, AstNode *a, Value *v)
{
    *v = eval_expr(s, sc, a, NULL);
    if (v->kind == V_STR) return true;
    if (v->kind != V_ERR) SEMA_ERR(s, type_mismatch, a->loc, d_str("a string"), d_type(v->type));
    return false;
}

/* of a value or of a type */
static Type *array_type(Sema *s, Scope *sc, AstNode *a)
{
    Value v = eval_expr(s, sc, a, NULL);
    if (v.kind == V_ERR) return NULL;
    Type *t = v.kind == V_TYPE ? v.u.t : v.type;
    if (t->kind == TY_POINTER && !t->many) t = t->elem;
    if (t->kind == TY_ARRAY) return t;
    return SEMA_ERR(s, not_array, a->loc, d_type(t)), NULL;
}

static Value id_of(Sema *s, Scope *sc, AstNode *n, Type *t, int64_t lo, int64_t hi)
{
    int64_t x;
    Value v = eval_fixed(s, sc, ARG(0), NULL);
    if (v.type == t && v.kind != V_ERR) return v;
    if (v.kind == V_SYM && type_is_discrete(v.type) && v.type->kind != TY_BOOL) { /* it stays symbolic, within range */
        for (uint32_t i = 0; i < s->npes; i++)
            if (v.u.sym->v[i] < lo || v.u.sym->v[i] > hi) {
                Value bad = v_int(ty_comptime_int, v.u.sym->v[i]);
                SEMA_ERR(s, out_of_range, ARG(0)->loc, d_str(t->name), d_value(s, &bad), d_int(lo), d_int(hi));
                sym_blame(s, v, i);
                return V_NONE;
            }
        v.type = t;
        return v;
    }
    if (!known_int(s, v, t->name, lo, hi, ARG(0)->loc, &x)) return V_NONE;
    return v_int(t, x);
}

/* ---- types and conversions */
static Value bi_bitcast(Sema *s, Scope *sc, AstNode *n)
{
    Type *t = arg_type(s, sc, n, 0);
    Value v = eval_expr(s, sc, ARG(1), NULL);
    if (!t || v.kind == V_ERR) return V_NONE;
    Loc loc = n->loc;
    if (v.type == t) return v;
    if (v.type->kind == TY_COMPTIME_INT && t->size) { /* a literal takes the width that is wanted */
        Type *u = t->size == 1 ? ty_u8 : t->size == 2 ? ty_u16 : ty_u32;
        if (v.kind == V_INT && v.u.i < 0) u = t->size == 1 ? ty_i8 : t->size == 2 ? ty_i16 : ty_i32;
        v = coerce(s, v, u, ARG(1)->loc);
    }
    if (v.kind == V_ERR) return v;
    if (v.type->kind == TY_COMPTIME_FLOAT) v = coerce(s, v, t->size == 2 ? ty_f16 : ty_f32, ARG(1)->loc);
    if (!type_is_scalar(t) || !type_is_scalar(v.type) || t->size != v.type->size || t->ir == T_DSD || v.type->ir == T_DSD)
        return SEMA_ERR(s, bad_bitcast, loc, d_type(v.type), d_type(t));
    if (v.kind == V_SYM) {
        if (type_is_float(t) || v.u.sym->f) v = decide(s, v, loc);
        else return sym_convert(s, v, t, false, loc);
    }
    if (t->kind == TY_POINTER && v.type->kind != TY_POINTER && s->ir) s->ir->uses |= USES_REGS; /* it may be the address of a register */
    if (v.kind == V_INT || v.kind == V_FLT) {
        uint64_t bits = v.kind == V_FLT ? ir_float_bits(v.type->ir, v.u.f) : (uint64_t)v.u.i;
        if (type_is_float(t)) return v_flt(t, ir_float_value(t->ir, bits & (t->size == 2 ? 0xffff : 0xffffffff)));
        if (type_is_discrete(t)) return v_int(t, int_wrap((Int)bits, t));
        if (t->kind == TY_POINTER) {
            PtrVal *p = ARENA_NEW(s->arena, PtrVal);
            p->off = (int64_t)(bits & 0xffff);
            return (Value){.kind = V_PTR, .type = t, .u.ptr = p};
        }
    }
    if (v.kind == V_PTR && t->kind == TY_POINTER) {
        v.type = t;
        return v;
    }
    if (!at_runtime(s)) return SEMA_ERR(s, not_comptime, loc, d_str("the value"));
    IrRef r = value_ir(s, v, v.type, loc);
    if (!r.i) return V_NONE;
    if (t->ir == v.type->ir) return v_ir(t, r);
    if (t->ir == T_I1) return v_ir(t, ir_un(s->fn->ir, s->fn->cur, IR_TRUNC, T_I1, r, loc));
    if (v.type->ir == T_I1) return v_ir(t, ir_un(s->fn->ir, s->fn->cur, IR_ZEXT, t->ir, r, loc));
    return v_ir(t, ir_un(s->fn->ir, s->fn->cur, IR_BITCAST, t->ir, r, loc));
}

static Value bi_ptrcast(Sema *s, Scope *sc, AstNode *n)
{
    Type *t = arg_type(s, sc, n, 0);
    Value v = eval_expr(s, sc, ARG(1), NULL);
    if (!t || v.kind == V_ERR) return V_NONE;
    if (t->kind != TY_POINTER) return SEMA_ERR(s, not_pointer, ARG(0)->loc, d_type(t));
    if (v.type->kind != TY_POINTER) return SEMA_ERR(s, not_pointer, ARG(1)->loc, d_type(v.type));
    if (v.kind == V_PTR && v.u.ptr->slot && !v.u.ptr->sym.i && v.type->elem != t->elem) {
        IrSym y;
        int64_t off;
        if (!ptr_memory(s, v.u.ptr, &y, &off, n->loc)) return V_NONE;
        PtrVal *p = ARENA_NEW(s->arena, PtrVal);
        *p = (PtrVal){.sym = y, .off = off, .is_const = true};
        v.u.ptr = p;
    }
    v.type = t;
    return v;
}

static Value bi_type_of(Sema *s, Scope *sc, AstNode *n)
{
    AstNode *a = ARG(0);
    if (a->kind == AST_NAME) { /* a variable's type needs no memory for it */
        Entry *e = scope_lookup(sc, a->u.name.name);
        if (e && e->kind == E_PLACE && e->p.kind != P_ERR) return v_type(e->p.kind == P_CELL ? e->p.slot->type : e->p.type);
        if (e && e->kind == E_VALUE && e->v.type) return v_type(e->v.type);
        Decl *d = e ? NULL : module_find(sc->mod, a->u.name.name);
        if (d && d->node->kind == AST_VAR) {
            IrModule *ir = s->ir;
            Place p = d->sym.i ? decl_place(s, d, a->loc) : (s->ir = NULL, decl_place(s, d, a->loc));
            s->ir = ir;
            return p.kind == P_ERR ? V_NONE : v_type(d->type);
        }
    }
    if (!at_runtime(s)) {
        Place p = eval_place(s, sc, a);
        return p.kind == P_ERR ? V_NONE : v_type(p.kind == P_CELL ? p.slot->type : p.type);
    }
    /* run it in a block that nobody reaches */
    IrBlk cur = s->fn->cur;
    s->fn->cur = ir_block_new(s->fn->ir, "typeof");
    Place p = eval_place(s, sc, a);
    s->fn->cur = cur;
    return p.kind == P_ERR ? V_NONE : v_type(p.kind == P_CELL ? p.slot->type : p.type);
}

static Value bi_is_comptime(Sema *s, Scope *sc, AstNode *n)
{
    IrBlk cur = {0};
    if (!NARGS) return v_bool(!at_runtime(s));               /* is this code run by the compiler? */
    if (at_runtime(s)) {
        cur = s->fn->cur;
        s->fn->cur = ir_block_new(s->fn->ir, "typeof");
    }
    Value v = eval_expr(s, sc, ARG(0), NULL);
    if (at_runtime(s)) s->fn->cur = cur;
    return v.kind == V_ERR ? v : v_bool(!is_runtime(&v));
}

/* ---- assertions and printing */
static Value bi_comptime_assert(Sema *s, Scope *sc, AstNode *n)
{
    Value msg = V_NONE;
    if (NARGS == 2 && !arg_string(s, sc, ARG(1), &msg)) return V_NONE;
    Value v = eval_as(s, sc, ARG(0), ty_bool);
    if (v.kind == V_SYM) {
        for (uint32_t i = 0; i < s->npes; i++)
            if (!v.u.sym->v[i]) {
                SEMA_ERR(s, assert_failed, n->loc, d_str(msg.kind == V_STR ? msg.u.s : "the condition is false"));
                sym_blame(s, v, i);
                return V_NONE;
            }
        return v_void();
    }
    if (v.kind == V_ERR) return v;
    if (v.kind != V_INT) return SEMA_ERR(s, not_comptime, ARG(0)->loc, d_str("the condition"));
    if (!v.u.i) return SEMA_ERR(s, assert_failed, n->loc, d_str(msg.kind == V_STR ? msg.u.s : "the condition is false"));
    return v_void();
}

static Value bi_assert(Sema *s, Scope *sc, AstNode *n)
{
    if (!at_runtime(s)) return bi_comptime_assert(s, sc, n);
    Value v = eval_as(s, sc, ARG(0), ty_bool);
    if (v.kind == V_ERR) return v;
    if (v.kind == V_INT && v.u.i) return v_void();
    IrRef c = value_ir(s, v, ty_bool, n->loc);
    if (!c.i) return V_NONE;
    IrFn *f = s->fn->ir;
    IrBlk bad = ir_block_new(f, "assert"), ok = ir_block_new(f, "ok");
    ir_condbr(f, s->fn->cur, c, ok, bad, n->loc);
    ir_append(f, bad, IR_TRAP, T_VOID, 0, NULL, n->loc);
    ir_append(f, bad, IR_UNREACH, T_VOID, 0, NULL, n->loc);
    s->fn->cur = ok;
    return v_void();
}

static Value bi_comptime_print(Sema *s, Scope *sc, AstNode *n)
{
    Buf b = {0};
    for (uint32_t i = 0; i < NARGS; i++) {
        Value v = eval_expr(s, sc, ARG(i), NULL);
        if (i) buf_printf(&b, " ");
        value_print(&b, &v);
    }
    uint32_t line, col;
    diags_line_col(s->d, n->loc, &line, &col);
    if (s->npes == 0 || s->errors == 0) fprintf(stderr, "%s:%u: %s\n", diags_file_name(s->d, n->loc.file), line, b.p ? b.p : "");
    buf_free(&b);
    return v_void();
}

/* kinds of HOUT */
enum { PR_STR, PR_I32, PR_U32, PR_HEX, PR_F32, PR_F16, PR_CHAR, PR_EOL };

static void print_ins(Sema *s, int kind, IrRef v, Loc loc)
{
    IrRef r = ir_append(s->fn->ir, s->fn->cur, IR_PRINT, T_VOID, v.i ? 1 : 0, &v, loc);
    ir_ins(s->fn->ir, r)->imm = kind;
}

static void print_text(Sema *s, const char *p, size_t len, Loc loc)
{
    const char *nl = len ? memchr(p, '\n', len) : NULL;
    if (nl) { /* ends a line of the host's */
        print_text(s, p, (size_t)(nl - p), loc);
        print_ins(s, PR_EOL, IR_NONE, loc);
        print_text(s, nl + 1, len - (size_t)(nl - p) - 1, loc);
        return;
    }
    if (!len) return;
    char *z = arena_strndup(s->arena, p, len);
    IrSym y = global_bytes(s, "s", z, (uint32_t)len + 1, 1, true, loc);
    print_ins(s, PR_STR, ir_gaddr(s->fn->ir, s->fn->cur, y, 0, loc), loc);
}

static void print_value(Sema *s, Value v, char form, Loc loc)
{
    if (v.kind == V_ERR) return;
    if (v.kind == V_STR) {
        print_text(s, v.u.s, v.n, loc);
        return;
    }
    if (v.type->kind == TY_COMPTIME_INT) v = coerce(s, v, v.kind == V_INT && int_fits(v.u.i, ty_i32) ? ty_i32 : ty_u32, loc);
    if (v.type && v.type->kind == TY_COMPTIME_FLOAT) v = coerce(s, v, ty_f32, loc);
    if (v.kind == V_ERR) return;
    Type *t = v.type;
    if (t == ty_bool && v.kind == V_INT) {
        print_text(s, v.u.i ? "true" : "false", v.u.i ? 4 : 5, loc);
        return;
    }
    if (!type_is_scalar(t) || t->ir == T_DSD) {
        SEMA_ERR(s, print_type, loc, d_type(t));
        return;
    }
    IrFn *f = s->fn->ir;
    IrRef r = value_ir(s, v, t, loc);
    if (!r.i) return;
    if (t == ty_bool) {
        IrRef yes = ir_gaddr(f, s->fn->cur, global_bytes(s, "s", "true", 5, 1, true, loc), 0, loc);
        IrRef no = ir_gaddr(f, s->fn->cur, global_bytes(s, "s", "false", 6, 1, true, loc), 0, loc);
        print_ins(s, PR_STR, ir_select(f, s->fn->cur, r, yes, no, loc), loc);
        return;
    }
    if (type_is_float(t)) {
        if (form == 'x') r = ir_un(f, s->fn->cur, IR_BITCAST, t->bits == 32 ? T_I32 : T_I16, r, loc);
        else {
            print_ins(s, t->bits == 32 ? PR_F32 : PR_F16, r, loc);
            return;
        }
    }
    if (t->ir == T_PTR) r = ir_un(f, s->fn->cur, IR_BITCAST, T_I16, r, loc);
    IrType have = (IrType)ir_ins(f, r)->type;
    if (ir_type_bits(have) < 32) r = ir_un(f, s->fn->cur, t->is_signed && form != 'x' ? IR_SEXT : IR_ZEXT, T_I32, r, loc);
    print_ins(s, form == 'x' || t->ir == T_PTR ? PR_HEX : form == 'c' ? PR_CHAR : t->is_signed ? PR_I32 : PR_U32, r, loc);
}

static Value bi_print(Sema *s, Scope *sc, AstNode *n, bool eol)
{
    Value f;
    if (!arg_string(s, sc, ARG(0), &f)) return V_NONE;
    if (!at_runtime(s)) return SEMA_ERR(s, run_only, n->loc, d_str(eol ? "@print" : "@write"));
    uint32_t next = 1;
    size_t from = 0;
    for (size_t i = 0; i < f.n; i++) {
        if (f.u.s[i] != '{') continue;
        size_t e = i + 1;
        while (e < f.n && f.u.s[e] != '}') e++;
        char form = e - i == 2 ? f.u.s[i + 1] : 'd';
        if (e == f.n || e - i > 2 || !strchr("dxc", form)) return SEMA_ERR(s, print_format, ARG(0)->loc);
        print_text(s, f.u.s + from, i - from, n->loc);
        if (next >= NARGS) return SEMA_ERR(s, print_count, n->loc, d_int(next), d_int(NARGS - 1));
        print_value(s, eval_expr(s, sc, ARG(next), NULL), form, ARG(next)->loc);
        next++;
        i = e;
        from = e + 1;
    }
    if (next != NARGS) return SEMA_ERR(s, print_count, n->loc, d_int(next - 1), d_int(NARGS - 1));
    print_text(s, f.u.s + from, f.n - from, n->loc);
    if (eol) print_ins(s, PR_EOL, IR_NONE, n->loc);
    return v_void();
}

static Value bi_tsc(Sema *s, Scope *sc, AstNode *n)
{
    int64_t k;
    if (!at_runtime(s)) return SEMA_ERR(s, run_only, n->loc, d_str("@tsc"));
    if (!eval_known_int(s, sc, ARG(0), "the word", 0, 2, &k)) return V_NONE;
    IrRef r = ir_append(s->fn->ir, s->fn->cur, IR_TSC, T_I16, 0, NULL, n->loc);
    ir_ins(s->fn->ir, r)->imm = k;
    return v_ir(ty_u16, r);
}

/* a symbolic value: one number per PE of the class */
static Value bi_pe(Sema *s, AstNode *n, bool y)
{
    if (!s->npes) return SEMA_ERR(s, comptime_only, n->loc, d_str(n->u.builtin.name));
    uint32_t w = s->prog->pl->w;
    Value v = sym_new(s, ty_u16, false, n->loc);
    for (uint32_t i = 0; i < s->npes; i++) v.u.sym->v[i] = y ? s->pes[i] / w : s->pes[i] % w;
    return sym_settle(s, v);
}

/* ---- arrays, ranges, structs, strings */
static Value bi_constants(Sema *s, Scope *sc, AstNode *n, bool zeros)
{
    Type *t = arg_type(s, sc, n, 0);
    if (!t) return V_NONE;
    if (t->kind != TY_ARRAY) return SEMA_ERR(s, not_array, ARG(0)->loc, d_type(t));
    Value e = zeros ? value_zero(s, t->elem) : eval_as(s, sc, ARG(1), t->elem);
    return e.kind == V_ERR ? e : v_splat(s, t, e);
}

static Value bi_range(Sema *s, Scope *sc, AstNode *n)
{
    Type *t = arg_type(s, sc, n, 0);
    if (!t) return V_NONE;
    if (!type_is_int(t)) return SEMA_ERR(s, range_type, ARG(0)->loc, d_type(t));
    RangeVal *r = sema_alloc(s, sizeof *r);
    *r = (RangeVal){t, v_int(t, 0), v_int(t, 0), v_int(t, 1)};
    Value *to[] = {&r->start, &r->end, &r->step};
    for (uint32_t i = 1; i < NARGS; i++) {
        Value *p = NARGS == 2 ? &r->end : to[i - 1];
        Type *w = t;
        Value v = eval_expr(s, sc, ARG(i), w);
        if (p == &r->step && v.kind == V_INT && v.u.i < 0 && !t->is_signed && t->kind == TY_INT) *p = v; /* downwards */
        else *p = coerce(s, v, w, ARG(i)->loc);
        if (p->kind == V_ERR) return V_NONE;
    }
    if (r->step.kind == V_INT && r->step.u.i == 0) return SEMA_ERR(s, range_step, ARG(NARGS - 1)->loc);
    return (Value){.kind = V_RANGE, .type = ty_range, .u.range = r};
}

static Value bi_range_part(Sema *s, Scope *sc, AstNode *n, int bi)
{
    Value v = eval_expr(s, sc, ARG(0), NULL);
    if (v.kind == V_ERR) return v;
    if (v.kind != V_RANGE) return SEMA_ERR(s, type_mismatch, ARG(0)->loc, d_type(ty_range), d_type(v.type));
    return bi == BI_range_start ? v.u.range->start : bi == BI_range_stop ? v.u.range->end : v.u.range->step;
}

static Value bi_array_fact(Sema *s, Scope *sc, AstNode *n, int bi)
{
    Type *t = array_type(s, sc, ARG(0));
    if (!t) return V_NONE;
    if (bi == BI_element_count) return v_int(ty_u32, (Int)t->count);
    if (bi == BI_element_type) return v_type(t->elem);
    if (bi == BI_rank) return v_int(ty_u16, t->rank);
    Type *at = type_array(s->prog, ty_u32, 1, (int64_t[]){t->rank});
    Value v = v_agg(s, at, t->rank);
    for (uint32_t i = 0; i < t->rank; i++) v.u.agg[i] = v_int(ty_u32, t->dims[i]);
    return v;
}

static Value bi_field(Sema *s, Scope *sc, AstNode *n, bool ask)
{
    Value name;
    if (!arg_string(s, sc, ARG(1), &name)) return V_NONE;
    const char *k = intern(s->prog->in, name.u.s);
    if (!ask) {
        Place p = eval_place(s, sc, ARG(0));
        p = place_field(s, &p, k, n->loc);
        return place_load(s, &p, n->loc);
    }
    Value v = eval_expr(s, sc, ARG(0), NULL);
    if (v.kind == V_ERR) return v;
    if (v.kind == V_MOD) return v_bool(module_find(v.u.mod, k) != NULL);
    Type *t = v.kind == V_TYPE ? v.u.t : v.type;
    return v_bool((t->kind == TY_STRUCT && !t->tuple) || t->kind == TY_ENUM ? type_field(t, k, NULL) != NULL : false);
}

static Value bi_concat(Sema *s, Scope *sc, AstNode *n)
{
    Value a = eval_expr(s, sc, ARG(0), NULL), b = eval_expr(s, sc, ARG(1), NULL);
    if (a.kind == V_ERR || b.kind == V_ERR) return V_NONE;
    if (a.kind != V_AGG || a.type->kind != TY_STRUCT) return SEMA_ERR(s, type_mismatch, ARG(0)->loc, d_str("a struct"), d_type(a.type));
    if (b.kind != V_AGG || b.type->kind != TY_STRUCT) return SEMA_ERR(s, type_mismatch, ARG(1)->loc, d_str("a struct"), d_type(b.type));
    bool tuple = (a.type->tuple || !a.n) && (b.type->tuple || !b.n);
    Field *f = sema_alloc(s, sizeof *f * (a.n + b.n + 1));
    Value v = v_agg(s, NULL, a.n + b.n);
    for (uint32_t i = 0; i < a.n + b.n; i++) {
        const Value *x = i < a.n ? &a : &b;
        uint32_t j = i < a.n ? i : i - a.n;
        v.u.agg[i] = *agg_at(x, j);
        f[i] = (Field){.name = tuple ? NULL : x->type->fields[j].name, .type = v.u.agg[i].type};
        for (uint32_t k = 0; k < i && !tuple; k++)
            if (f[k].name == f[i].name) return SEMA_ERR(s, redeclared, n->loc, d_str(f[i].name ? f[i].name : "a field"));
    }
    v.type = type_struct(s->prog, NULL, NULL, a.n + b.n, f, tuple);
    return v;
}

static Value bi_strings(Sema *s, Scope *sc, AstNode *n, int bi)
{
    Buf b = {0};
    Value v = V_NONE;
    int64_t x;
    switch (bi) {
    case BI_strlen: return arg_string(s, sc, ARG(0), &v) ? v_int(ty_u32, v.n) : V_NONE;
    case BI_get_string_from_byte:
        if (!eval_known_int(s, sc, ARG(0), "the byte", 0, 255, &x)) return V_NONE;
        return v_str(s, (char[]){(char)x, 0}, 1);
    case BI_as_string:
        v = eval_expr(s, sc, ARG(0), NULL);
        if (v.kind == V_SYM) v = decide(s, v, n->loc);
        if (v.kind == V_ERR) return v;
        if (!is_known(&v)) return SEMA_ERR(s, not_comptime, ARG(0)->loc, d_str("the value"));
        value_print(&b, &v);
        break;
    case BI_strcat:
        for (uint32_t i = 0; i < NARGS; i++) {
            if (!arg_string(s, sc, ARG(i), &v)) return buf_free(&b), V_NONE;
            buf_add(&b, v.u.s, v.n);
        }
        break;
    default: { /* get_array */
        if (!arg_string(s, sc, ARG(0), &v)) return V_NONE;
        Value r = v_agg(s, type_array(s->prog, ty_u8, 1, (int64_t[]){v.n}), v.n);
        for (uint32_t i = 0; i < v.n; i++) r.u.agg[i] = v_int(ty_u8, (uint8_t)v.u.s[i]);
        return r;
    }
    }
    Value r = v_str(s, b.p ? b.p : "", b.len);
    buf_free(&b);
    return r;
}

/* ---- modules */
static const char *beside(Sema *s, const char *file, const char *name)
{
    const char *slash = strrchr(file, '/');
    return slash ? arena_printf(s->prog->arena, "%.*s%s", (int)(slash - file) + 1, file, name) : name;
}

/* where the file of that name is, seen from a module; NULL: a library module that is not there */
static const char *module_path(Sema *s, const AstFile *from, const char *name)
{
    size_t n = strlen(name);
    if (name[0] == '<' && n > 2 && name[n - 1] == '>') {
        for (uint32_t i = s->prog->nincdirs; i-- > 0;)
            for (int k = 0; k < 2; k++) {
                const char *p = arena_printf(s->prog->arena, "%s/%.*s%s", s->prog->incdirs[i], (int)n - 2, name + 1, k ? ".csl" : ".w");
                if (file_exists(p)) return p;
            }
        return NULL;
    }
    if (name[0] == '/') return name;
    const char *path = beside(s, from->path, name);      /* beside the importing file, beside the program's first file, along -I */
    const char *first = beside(s, s->prog->source, name);
    if (!file_exists(path) && file_exists(first)) path = first;
    for (uint32_t i = 0; i < s->prog->nincdirs && !file_exists(path); i++) {
        const char *p = arena_printf(s->prog->arena, "%s/%s", s->prog->incdirs[i], name);
        if (file_exists(p)) path = p;
    }
    return path;
}

static AstFile *find_module(Sema *s, const AstFile *from, const char *name, Loc loc)
{
    const char *path = module_path(s, from, name);
    if (!path) return SEMA_ERR(s, not_built, loc, d_str(arena_printf(s->arena, "the library module %s", name))), NULL;
    bool pedantic = s->prog->pedantic;
    s->prog->pedantic = pedantic && name[0] != '<';      /* extensions in the library are nobody's concern */
    AstFile *f = program_file(s->prog, path, loc);
    s->prog->pedantic = pedantic;
    if (!f) s->errors++;
    return f;
}

AstFile *module_file(Sema *s, const Module *from, const char *name, Loc loc) { return find_module(s, from->file, name, loc); }

/* Each import makes a copy of the module (CSL).  Where nothing could tell copies with equal params apart, there is one: a file
 * without variables and comptime blocks that imports such files; and library modules that stand for what a PE has once. */
static bool of_pe(const char *name)
{
    static const char *const once[] = {"<random>", "<time>", "<debug>", "<memcpy/stream>", "<tile_config/teardown>", NULL};
    for (int i = 0; once[i]; i++)
        if (!strcmp(once[i], name)) return true;
    return false;
}

static bool has_state(Sema *s, AstFile *f, const char *name, Loc loc);
static bool import_has_state(Sema *s, AstFile *f, AstNode *e, Loc loc)
{
    if (!e || e->kind != AST_BUILTIN || strcmp(e->u.builtin.name, "import_module")) return false;
    AstNode *file = e->u.builtin.args.n ? e->u.builtin.args.v[0] : NULL;
    if (!file || file->kind != AST_STRING) return true;          /* whatever it is: to be decided where it is run */
    const char *name = arena_strndup(s->arena, file->u.str.p, file->u.str.len);
    const char *path = module_path(s, f, name);
    AstFile *g = path && file_exists(path) ? find_module(s, f, name, loc) : NULL;   /* a missing one is reported where it is imported */
    return g && has_state(s, g, name, loc);
}

static bool has_state(Sema *s, AstFile *f, const char *name, Loc loc)
{
    if (of_pe(name)) return false;
    ptrdiff_t at = hmgeti(s->stateful, f);
    if (at >= 0) return s->stateful[at].value;
    bool yes = false;
    hmput(s->stateful, f, false);                                /* files that import each other */
    for AST_EACH(i, f->decls) {
        AstNode *n = f->decls.v[i];
        yes |= n->kind == AST_COMPTIME || (n->kind == AST_VAR && !(n->u.var.flags & DECL_COMPTIME));
        if (n->kind == AST_CONST) yes |= import_has_state(s, f, n->u.var.init, loc);
    }
    hmput(s->stateful, f, yes);
    return yes;
}

static Value import_file(Sema *s, AstFile *f, const char *name, Value params, Loc loc)
{
    Buf k = {0};
    buf_printf(&k, "%u|", f->file);
    if (params.kind == V_AGG) value_key(&k, &params);
    ptrdiff_t i = has_state(s, f, name, loc) ? -1 : shgeti(s->imports, k.p);
    Module *m;
    if (i >= 0) m = s->imports[i].value;
    else {
        if (arrlen(s->mods) > 4000) {
            buf_free(&k);
            return SEMA_ERR(s, too_many_modules, loc);
        }
        TmpMark t = tmp_begin(s, false);
        s->import_loc = loc;
        m = module_new(s, f, value_copy(s->arena, params), false);
        shput(s->imports, arena_strdup(s->arena, k.p), m);
        tmp_end(s, t);
    }
    buf_free(&k);
    return (Value){.kind = V_MOD, .type = ty_imported_module, .u.mod = m};
}

Module *import_library(Sema *s, const char *name, Loc loc)
{
    AstFile *f = find_module(s, s->root->file, name, loc);
    Value v = f ? import_file(s, f, name, V_NONE, loc) : V_NONE;
    return v.kind == V_MOD ? v.u.mod : NULL;
}

Value library_fn(Sema *s, const char *module, const char *name, Loc loc)
{
    Module *m = import_library(s, module, loc);
    Decl *d = m ? module_find(m, intern(s->prog->in, name)) : NULL;
    if (!d) return V_NONE;
    Place p = decl_place(s, d, loc);
    return place_load(s, &p, loc);
}

static Value bi_import(Sema *s, Scope *sc, AstNode *n)
{
    Value name, params = V_NONE;
    if (!arg_string(s, sc, ARG(0), &name)) return V_NONE;
    if (NARGS == 2) {
        params = eval_expr(s, sc, ARG(1), NULL);
        if (params.kind == V_ERR) return V_NONE;
        if (params.kind == V_VOID) params = V_NONE;
        else if (params.kind != V_AGG || params.type->kind != TY_STRUCT) return SEMA_ERR(s, type_mismatch, ARG(1)->loc, d_str("a struct"), d_type(params.type));
    }
    if (is_runtime(&params)) return SEMA_ERR(s, not_comptime, ARG(1)->loc, d_str("the params of a module"));
    AstFile *f = find_module(s, sc->mod->file, name.u.s, ARG(0)->loc);
    if (!f) return V_NONE;
    return import_file(s, f, name.u.s, params, n->loc);
}

/* ---- tasks and queues */
static bool in_setup(Sema *s, AstNode *n)
{
    if (s->in_comptime && !at_runtime(s)) return true;
    SEMA_ERR(s, comptime_only, n->loc, d_str(n->u.builtin.name));
    return false;
}

static Value bi_bind(Sema *s, Scope *sc, AstNode *n, int bi)
{
    if (!in_setup(s, n)) return V_NONE;
    if (!s->ir) return v_void();
    Value t = eval_expr(s, sc, ARG(0), NULL), id = eval_expr(s, sc, ARG(1), NULL);
    if (t.kind == V_ERR || id.kind == V_ERR) return V_NONE;
    if (t.kind != V_FN) return SEMA_ERR(s, type_mismatch, ARG(0)->loc, d_str("a task"), d_type(t.type));
    bool control = bi == BI_bind_control_task;
    Type *want = control ? ty_control_task_id : bi == BI_bind_local_task ? ty_local_task_id : ty_data_task_id;
    if (id.type != want) return SEMA_ERR(s, type_mismatch, ARG(1)->loc, d_type(want), d_type(id.type));
    int64_t c = 0;
    int x = -1;
    if (!control) x = task_id6(s, id, ARG(1)->loc);
    else if (known_int(s, id, "the control task id", 0, N_CONTROL - 1, ARG(1)->loc, &c) && c == CTRL_NO_TASK) SEMA_ERR(s, control_task_none, ARG(1)->loc, d_int(c));
    else x = TASK_CONTROL_ID + (int)c;
    if (x >= 0) task_bind(s, t.u.decl, control ? FN_TASK_CONTROL : bi == BI_bind_local_task ? FN_TASK_LOCAL : FN_TASK_DATA, x, n->loc);
    return v_void();
}

/* .ctrl_table_id of an input queue (wse3); .priority (wse2) of what runs on its microthread */
static bool queue_table(Sema *s, const Value *o, int q, bool in, Loc loc)
{
    Value t = opt_field(s, o, "ctrl_table_id"), p = opt_field(s, o, "priority");
    bool w3 = s->prog->arch.id == ARCH_WSE3;
    int64_t k;
    if (p.kind != V_ERR && (w3 || !in)) return SEMA_ERR(s, no_field, loc, d_str("@initialize_queue"), d_str("priority")), false;
    if (p.kind != V_ERR) return SEMA_ERR(s, not_built, loc, d_str("the option .priority of @initialize_queue")), false;
    if (t.kind == V_ERR) return true;
    if (!w3 || !in) return SEMA_ERR(s, no_field, loc, d_str("@initialize_queue"), d_str("ctrl_table_id")), false;
    if (!known_int(s, t, "ctrl_table_id", 0, N_CONTROL - 1, loc, &k)) return false;
    s->iq_table[q] = (int)k;
    return true;
}

static Value bi_queue(Sema *s, Scope *sc, AstNode *n)
{
    if (!in_setup(s, n)) return V_NONE;
    if (!s->ir) return v_void();
    Value q = eval_expr(s, sc, ARG(0), NULL), o = NARGS == 2 ? eval_expr(s, sc, ARG(1), NULL) : v_void();
    if (q.kind == V_ERR || o.kind == V_ERR) return V_NONE;
    if (q.type != ty_input_queue && q.type != ty_output_queue) return SEMA_ERR(s, type_mismatch, ARG(0)->loc, d_str("a queue"), d_type(q.type));
    int64_t k, c = COLOR_NULL;
    if (!known_int(s, q, "the queue", 0, N_QUEUE - 1, ARG(0)->loc, &k)) return V_NONE;
    if (NARGS == 2) {
        Value col = opt_field(s, &o, "color");
        if (col.kind == V_ERR && o.kind == V_AGG && !o.n) return v_void();   /* nothing to bind: output queues of wse2 */
        if (col.kind == V_ERR) return SEMA_ERR(s, field_missing, ARG(1)->loc, d_type(o.type), d_str("color"));
        if (col.type != ty_color) return SEMA_ERR(s, type_mismatch, ARG(1)->loc, d_type(ty_color), d_type(col.type));
        if (!known_int(s, col, "the color", 0, COLOR_NULL, ARG(1)->loc, &c)) return V_NONE;
        Value lend = opt_field(s, &o, "lend"); /* extension: the words of queue + 4 */
        int64_t on = 0;
        if (lend.kind != V_ERR && !known_int(s, lend, "lend", 0, 1, ARG(1)->loc, &on)) return V_NONE;
        if (on && q.type == ty_input_queue) queue_lend(s, (int)k, n->loc);
        if (!queue_table(s, &o, (int)k, q.type == ty_input_queue, ARG(1)->loc)) return V_NONE;
        for (uint32_t i = 0; i < o.type->nfields; i++)
            if (strcmp(o.type->fields[i].name, "color") && strcmp(o.type->fields[i].name, "lend") && strcmp(o.type->fields[i].name, "ctrl_table_id") &&
                strcmp(o.type->fields[i].name, "priority")) return SEMA_ERR(s, no_field, ARG(1)->loc, d_str("@initialize_queue"), d_str(o.type->fields[i].name));
    }
    queue_bind(s, (int)k, q.type == ty_output_queue, (int)c, n->loc);
    return v_void();
}

static Value bi_data_id(Sema *s, Scope *sc, AstNode *n)
{
    Value v = eval_expr(s, sc, ARG(0), NULL);
    if (v.kind == V_ERR) return v;
    bool w3 = s->prog->arch.id == ARCH_WSE3;
    Type *want = w3 ? ty_input_queue : ty_color;
    if (v.type != want && !(v.type->kind == TY_COMPTIME_INT)) {
        SEMA_ERR(s, type_mismatch, ARG(0)->loc, d_type(want), d_type(v.type));
        return V_NONE;
    }
    if (v.kind == V_SYM) v = decide(s, v, ARG(0)->loc);
    int64_t x;
    if (!known_int(s, v, "the data task id", 0, AP(&s->prog->arch, data_ids) - 1, ARG(0)->loc, &x)) return V_NONE;
    return v_int(ty_data_task_id, x);
}

static Value bi_get_int(Sema *s, Scope *sc, AstNode *n)
{
    Value v = eval_expr(s, sc, ARG(0), NULL);
    if (v.kind == V_ERR) return v;
    if (v.type->kind == TY_DSR) return v_int(ty_u16, v.u.i);
    if (!type_is_discrete(v.type)) return SEMA_ERR(s, type_mismatch, ARG(0)->loc, d_str("a color, queue, id or enum"), d_type(v.type));
    if (type_is_int(v.type)) return v;
    return convert(s, v, v.type->kind == TY_ENUM ? v.type->elem : ty_u16, n->loc);
}

static Value bi_export(Sema *s, Scope *sc, AstNode *n)
{
    if (!in_setup(s, n)) return V_NONE;
    if (!s->ir) return v_void();
    Value name = V_NONE;
    if (NARGS == 2 && !arg_string(s, sc, ARG(1), &name)) return V_NONE;
    Place p = eval_place(s, sc, ARG(0));
    export_symbol(s, &p, name.kind == V_STR ? intern(s->prog->in, name.u.s) : NULL, n->loc);
    return v_void();
}

static Value core(Sema *s, Scope *sc, AstNode *n, int bi, Type *want)
{
    Type *t, *u;
    Value v;
    const Arch *a = &s->prog->arch;
    bool w2 = a->id == ARCH_WSE2;
    switch (bi) {
    case BI_as:
        if (!(t = arg_type(s, sc, n, 0))) return V_NONE;
        v = eval_expr(s, sc, ARG(1), t);
        return convert(s, v, t, n->loc);
    case BI_bitcast: return bi_bitcast(s, sc, n);
    case BI_ptrcast: return bi_ptrcast(s, sc, n);
    case BI_type_of: return bi_type_of(s, sc, n);
    case BI_is_same_type:
        t = arg_type(s, sc, n, 0);
        u = arg_type(s, sc, n, 1);
        return t && u ? v_bool(t == u) : V_NONE;
    case BI_is_comptime: return bi_is_comptime(s, sc, n);
    case BI_is_arch:
        if (!arg_string(s, sc, ARG(0), &v)) return V_NONE;
        if (strcmp(v.u.s, "wse2") && strcmp(v.u.s, "wse3") && strcmp(v.u.s, "wse1")) return SEMA_ERR(s, unknown_arch, ARG(0)->loc, d_str(v.u.s));
        return v_bool(!strcmp(v.u.s, w2 ? "wse2" : "wse3"));
    case BI_comptime_assert: return bi_comptime_assert(s, sc, n);
    case BI_comptime_print: return bi_comptime_print(s, sc, n);
    case BI_assert: return bi_assert(s, sc, n);
    case BI_print: case BI_write: return bi_print(s, sc, n, bi == BI_print);
    case BI_tsc: return bi_tsc(s, sc, n);
    case BI_byte_size: case BI_byte_align:
        if (!(t = arg_type(s, sc, n, 0))) return V_NONE;
        if (t->comptime_only) return SEMA_ERR(s, not_runtime, ARG(0)->loc, d_type(t));
        return v_int(ty_u32, bi == BI_byte_size ? t->size : t->align);
    case BI_pe_x: case BI_pe_y: return bi_pe(s, n, bi == BI_pe_y);
    case BI_strlen: case BI_strcat: case BI_get_array: case BI_get_string_from_byte: case BI_as_string: return bi_strings(s, sc, n, bi);
    case BI_dimensions: case BI_element_count: case BI_element_type: case BI_rank: return bi_array_fact(s, sc, n, bi);
    case BI_zeros: return bi_constants(s, sc, n, true);
    case BI_constants: return bi_constants(s, sc, n, false);
    case BI_range: return bi_range(s, sc, n);
    case BI_range_start: case BI_range_stop: case BI_range_step: return bi_range_part(s, sc, n, bi);
    case BI_field: return bi_field(s, sc, n, false);
    case BI_has_field: return bi_field(s, sc, n, true);
    case BI_concat_structs: return bi_concat(s, sc, n);
    case BI_get_int: return bi_get_int(s, sc, n);
    case BI_import_module: return bi_import(s, sc, n);
    case BI_get_color:
        v = eval_expr(s, sc, ARG(0), NULL);
        if (v.kind == V_INT && v.type == ty_color) return v;
        if (v.kind == V_INT && type_is_int(v.type) && v.u.i == COLOR_NULL) return v_int(ty_color, COLOR_NULL);
        return id_of(s, sc, n, ty_color, 0, N_COLOR - 1);
    case BI_get_input_queue: return id_of(s, sc, n, ty_input_queue, 0, N_QUEUE - 1);
    case BI_get_output_queue: return id_of(s, sc, n, ty_output_queue, 0, arch_oq_words(a, N_QUEUE - 1) ? N_QUEUE - 1 : 5);
    case BI_get_local_task_id: return id_of(s, sc, n, ty_local_task_id, AP(a, local_id_min), AP(a, local_id_max));
    case BI_get_control_task_id: return id_of(s, sc, n, ty_control_task_id, 0, 63);
    case BI_get_ut_id: return id_of(s, sc, n, ty_ut_id, 0, N_UT - 1);
    case BI_get_data_task_id: return bi_data_id(s, sc, n);
    case BI_bind_local_task: case BI_bind_data_task: case BI_bind_control_task: return bi_bind(s, sc, n, bi);
    case BI_activate: case BI_block: case BI_unblock:
        if (!at_runtime(s) && !in_setup(s, n)) return V_NONE;
        v = eval_expr(s, sc, ARG(0), NULL);
        if (bi != BI_activate && v.type == ty_ut_id) microthread_state(s, bi == BI_block, v, n->loc);
        else task_state(s, bi, v, n->loc);
        return v_void();
    case BI_set_control_task_table: return control_task_table(s, sc, n);
    case BI_random16: return call_fn(s, library_fn(s, "<random>", "random16", n->loc), 0, NULL, n->loc);
    case BI_rpc: return rpc_color(s, sc, n);
    case BI_bind_rotating_tasks: return bind_rotating(s, sc, n);
    case BI_get_config: case BI_set_config: case BI_get_config_unchecked: case BI_set_config_unchecked: return config_builtin(s, sc, n, bi);
    case BI_get_filter_id: return filter_id(s, sc, n);
    case BI_fp16: return v_type(ty_f16);
    case BI_initialize_queue: return bi_queue(s, sc, n);
    case BI_set_teardown_handler: case BI_set_empty_queue_handler: return handler_builtin(s, sc, n, bi);
    case BI_queue_flush: return queue_flush(s, sc, n);
    case BI_export_symbol: return bi_export(s, sc, n);
    default: return layout_builtin(s, sc, n, bi);
    }
}

static Value unknown_builtin(Sema *s, AstNode *n)
{
    SEMA_ERR(s, unknown_builtin, n->loc, d_str(n->u.builtin.name));
    const char *best = NULL;
    int d = 3;
    for (int i = 0; i < BI_COUNT; i++) {
        int e = ws_edit_distance(n->u.builtin.name, fe_builtins[i].name);
        if (e < d) best = fe_builtins[i].name, d = e;
    }
    if (best) SEMA_NOTE(s, note_did_you_mean, n->loc, d_str(arena_printf(s->arena, "@%s", best)));
    return V_NONE;
}

Value eval_builtin(Sema *s, Scope *sc, AstNode *n, Type *want)
{
    int bi = builtin_by_name(n->u.builtin.name);
    if (bi < 0) return unknown_builtin(s, n);
    const BuiltinRow *r = &fe_builtins[bi];
    if (r->owner == BI_LATER) return SEMA_ERR(s, builtin_not_built, n->loc, d_str(r->name));
    if (r->owner == BI_DSD) {
        Value v = V_NONE;
        if (!sema_dsd_builtin(s, sc, n, bi, want, &v)) return SEMA_ERR(s, builtin_not_built, n->loc, d_str(r->name));
        return v;
    }
    if ((int)NARGS < r->min || (int)NARGS > r->max) return SEMA_ERR(s, builtin_args, n->loc, d_str(r->sig), d_int(NARGS));
    return core(s, sc, n, bi, want);
}
