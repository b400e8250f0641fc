/* Random modules: any control flow, values of all widths, variables in allocas (some in pieces, some that escape), effects, calls.
 * A value is used in its block or comes from the entry block; everything else goes through variables, which mem2reg then removes. */
#include "ir_gen.h"
#include <stdlib.h>

typedef struct { IrModule *m; IrFn *f; uint64_t s; IrBlk b; IrRef *pool, *entry; IrRef vars[16]; int nvars, nfns, index; } G;
static const IrType types[] = {T_I16, T_I32, T_I16, T_I1, T_I8, T_F32, T_F16, T_I64, T_I32};
static const Loc L = {0, 0, 0};

uint64_t gen_next(uint64_t *s)
{
    uint64_t z = *s += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}
static uint32_t rnd(G *g, uint32_t n) { return (uint32_t)(gen_next(&g->s) >> 33) % n; }
static IrType any_type(G *g) { return types[rnd(g, sizeof types / sizeof *types)]; }

static uint64_t any_bits(G *g)
{
    static const uint64_t special[] = {0, 1, 2, 3, 4, 7, 8, 16, 255, 0x7f, 0x80, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000u,
                                       0xffffffffu, ~0ull, 0x3c00, 0x7c00, 0x7e01, 0x3f800000, 0x7f800000, 0x7fc00001, 0x00000001, 0x0400};
    return rnd(g, 4) ? special[rnd(g, sizeof special / sizeof *special)] : gen_next(&g->s);
}

static IrRef fresh(G *g, IrType t)
{
    IrRef r = ir_append(g->f, g->b, ir_is_float(t) ? IR_FCONST : IR_CONST, t, 0, NULL, L);
    ir_ins(g->f, r)->imm = (int64_t)ir_mask(t, any_bits(g));
    return r;
}

/* a value that no pass can know: from memory that others may have written */
static IrRef unknown(G *g, IrType t)
{
    IrType m = t == T_I1 ? T_I8 : t;
    if (t == T_PTR) return fresh(g, t);
    IrRef r = ir_load(g->f, g->b, m, ir_gaddr(g->f, g->b, ir_gsym(rnd(g, 2)), 2 * rnd(g, 12), L), 0, L);
    if (t == T_I1) r = ir_un(g->f, g->b, IR_TRUNC, T_I1, r, L);
    arrput(g->pool, r);
    return r;
}

static IrRef value(G *g, IrType t)
{
    if (rnd(g, 6) == 0) return fresh(g, t);
    for (int tries = 0; tries < 12; tries++) {
        IrRef *p = rnd(g, 3) ? g->pool : g->entry;
        uint32_t n = (uint32_t)arrlen(p);
        if (!n) continue;
        IrRef r = p[n > 3 && rnd(g, 2) ? n - 1 - rnd(g, 3) : rnd(g, n)];   /* the latest make chains */
        if (ir_ins(g->f, r)->type == t) return r;
    }
    return rnd(g, 4) ? unknown(g, t) : fresh(g, t);
}

static IrRef op(G *g, IrOp o, IrType t, int n, IrRef x, IrRef y, IrRef z) { return ir_append(g->f, g->b, o, t, n, (IrRef[]){x, y, z}, L); }

static IrRef arithmetic(G *g, IrType t)
{
    static const IrOp ints[] = {IR_ADD, IR_SUB, IR_MUL, IR_UDIV, IR_SDIV, IR_UREM, IR_SREM, IR_AND, IR_OR, IR_XOR, IR_SHL, IR_LSHR, IR_ASHR, IR_ADD, IR_XOR};
    static const IrOp floats[] = {IR_FADD, IR_FSUB, IR_FMUL, IR_FDIV, IR_FMAX};
    static const IrOp triple[] = {IR_FMA, IR_FMS};
    if (!ir_is_float(t)) return op(g, ints[rnd(g, 15)], t, 2, value(g, t), value(g, t), IR_NONE);
    if (rnd(g, 4) == 0) return op(g, rnd(g, 2) ? IR_FNEG : IR_FABS, t, 1, value(g, t), IR_NONE, IR_NONE);
    if (rnd(g, 3) == 0) return op(g, triple[rnd(g, 2)], t, 3, value(g, t), value(g, t), value(g, t));
    return op(g, floats[rnd(g, 5)], t, 2, value(g, t), value(g, t), IR_NONE);
}

static IrRef conversion(G *g, IrType t)
{
    IrType from = any_type(g);
    int nf = ir_type_bits(from), nt = ir_type_bits(t);
    IrRef x = value(g, from);
    IrOp o;
    if (ir_is_float(from) && ir_is_float(t)) o = nf < nt ? IR_FPEXT : nf > nt ? IR_FPTRUNC : IR_BITCAST;
    else if (nf == nt && (from != t) && rnd(g, 2)) o = IR_BITCAST;
    else if (ir_is_float(from)) {
        if (t == T_I1 || t == T_I64 || t == T_I8) return fresh(g, t);
        o = rnd(g, 2) ? IR_FPTOSI : IR_FPTOUI;
    } else if (ir_is_float(t)) {
        if (from == T_I64) return fresh(g, t);
        o = rnd(g, 2) ? IR_SITOFP : IR_UITOFP;
    } else o = nf < nt ? (rnd(g, 2) ? IR_ZEXT : IR_SEXT) : nf > nt ? IR_TRUNC : IR_BITCAST;
    return op(g, o, t, 1, x, IR_NONE, IR_NONE);
}

static IrRef comparison(G *g)
{
    IrType t = any_type(g);
    IrRef x = value(g, t), y = value(g, t);
    if (ir_is_float(t)) return ir_fcmp(g->f, g->b, (IrCmp)rnd(g, 4), x, y, L);
    return ir_icmp(g->f, g->b, (IrCmp)rnd(g, 6), x, y, L);
}

/* Chains that rules look for: the same cast on both sides, an operation on the result of the same operation. */
static IrRef chain(G *g)
{
    static const IrType up[] = {T_I8, T_I16, T_I32, T_I64};
    uint32_t k = 1 + rnd(g, 3);
    IrType wide = up[k], narrow = up[rnd(g, k)];
    IrOp ext = rnd(g, 2) ? IR_ZEXT : IR_SEXT, ext2 = rnd(g, 4) ? ext : IR_TRUNC;
    IrRef x = op(g, ext, wide, 1, value(g, narrow), IR_NONE, IR_NONE), y;
    if (rnd(g, 3) == 0) y = fresh(g, wide);
    else if (ext2 == IR_TRUNC) y = value(g, wide);
    else y = op(g, ext2, wide, 1, value(g, narrow), IR_NONE, IR_NONE);
    switch (rnd(g, 5)) {
    case 0: return ir_icmp(g->f, g->b, (IrCmp)rnd(g, 6), rnd(g, 2) ? x : y, y, L);
    case 1: return ir_icmp(g->f, g->b, (IrCmp)rnd(g, 6), x, y, L);
    case 2: return op(g, IR_TRUNC, up[rnd(g, k)], 1, rnd(g, 2) ? x : y, IR_NONE, IR_NONE);
    case 3: return k < 3 ? op(g, rnd(g, 2) ? IR_ZEXT : IR_SEXT, up[k + 1], 1, x, IR_NONE, IR_NONE) : x;
    default: {
        static const IrOp ops[] = {IR_ADD, IR_SUB, IR_MUL, IR_AND, IR_OR, IR_XOR, IR_SHL, IR_LSHR, IR_ASHR, IR_UDIV, IR_SDIV, IR_UREM, IR_SREM};
        IrOp o = ops[rnd(g, 13)];
        IrRef c = fresh(g, wide), d = fresh(g, wide);
        if (rnd(g, 2)) ir_ins(g->f, d)->imm = (int64_t)1 << rnd(g, (uint32_t)ir_type_bits(wide) - 1);
        if (o >= IR_SHL && o <= IR_ASHR) ir_ins(g->f, c)->imm &= 31, ir_ins(g->f, d)->imm = rnd(g, 40);
        return op(g, rnd(g, 5) ? o : IR_ADD, wide, 2, op(g, o, wide, 2, x, c, IR_NONE), d, IR_NONE);
    }
    }
}

/* Variables: 0..4 whole, one type each; 5 a struct { i16 i16 i32 f32 }; 6 escapes into calls, 7 is accessed
 * at any place and width. */
static const IrType whole[] = {T_I16, T_I32, T_F32, T_I1, T_F16};
static void place(G *g, IrRef *p, int64_t *off, IrType *t)
{
    uint32_t k = rnd(g, 14);
    *off = 0;
    if (k < 5) *p = g->vars[k], *t = whole[k];
    else if (k == 5) {
        static const struct { IrType t; int off; } fields[] = {{T_I16, 0}, {T_I16, 2}, {T_I32, 4}, {T_F32, 8}};
        uint32_t i = rnd(g, 4);
        *p = g->vars[5], *t = fields[i].t, *off = fields[i].off;
    } else if (k == 6) *p = g->vars[6], *t = rnd(g, 2) ? T_I16 : T_F16, *off = 2 * (int)rnd(g, 4);
    else if (k == 9) {
        *p = g->vars[7], *t = any_type(g);
        if (*t == T_I1) *t = T_I8;
        *off = rnd(g, 9 - (uint32_t)ir_type_bytes(*t));
    } else if (k == 7) {                                 /* a global, sometimes by steps */
        *t = rnd(g, 2) ? T_I16 : T_I32, *off = 4 * (int)rnd(g, 4) - 8;
        *p = ir_gaddr(g->f, g->b, ir_gsym(rnd(g, 2)), 8 + 4 * rnd(g, 2), L);
        if (rnd(g, 2)) *p = op(g, IR_ADD, T_PTR, 2, *p, ir_const(g->f, g->b, T_I16, 4, L), IR_NONE);
    } else if (k >= 10) {                                /* a private global, or shared if its address gets out; an index, too */
        *t = (IrType[]){T_I16, T_I16, T_F32, T_I32, T_I8}[rnd(g, 5)], *off = 4 * (int)rnd(g, 2);
        *p = ir_gaddr(g->f, g->b, ir_gsym(3 + rnd(g, 3)), 4 * rnd(g, 2) + (rnd(g, 8) == 0), L);
        if (rnd(g, 3) == 0) {
            IrRef i = op(g, IR_AND, T_I16, 2, value(g, T_I16), ir_const(g->f, g->b, T_I16, 14, L), IR_NONE);
            *p = op(g, IR_ADD, T_PTR, 2, *p, i, IR_NONE);
        }
    } else {
        *t = T_I16;
        *p = value(g, T_PTR);
        if (ir_ins(g->f, *p)->op == IR_CONST) *p = g->vars[6];
    }
}

static IrRef load_const_global(G *g)
{
    IrRef p = ir_gaddr(g->f, g->b, ir_gsym(2), 2 * rnd(g, 4), L);
    return ir_load(g->f, g->b, T_I16, p, 0, L);
}

static IrRef call(G *g)
{
    if (g->index + 1 >= g->nfns) return fresh(g, T_I16);
    uint32_t k = (uint32_t)g->index + 1 + rnd(g, (uint32_t)(g->nfns - g->index - 1));
    IrFn *f = g->m->fns[k];
    IrRef args[4];
    for (ptrdiff_t i = 0; i < arrlen(f->params); i++) {
        if (f->params[i] != T_PTR) args[i] = value(g, f->params[i]);
        else args[i] = rnd(g, 3) ? g->vars[6] : ir_gaddr(g->f, g->b, ir_gsym(5), 2 * rnd(g, 3), L);
    }
    return ir_call(g->f, g->b, ir_fsym(k), f->ret, (int)arrlen(f->params), args, L);
}

static void statement(G *g)
{
    IrRef p, r = IR_NONE;
    int64_t off;
    IrType t;
    switch (rnd(g, 20)) {
    case 0: case 1: case 2: r = arithmetic(g, any_type(g)); break;
    case 3: case 4: r = conversion(g, any_type(g)); break;
    case 5: r = comparison(g); break;
    case 6: t = any_type(g); r = op(g, IR_SELECT, t, 3, value(g, T_I1), value(g, t), value(g, t)); break;
    case 7: case 8: place(g, &p, &off, &t); r = ir_load(g->f, g->b, t, p, off, L); break;
    case 9: case 10: case 11: place(g, &p, &off, &t); ir_store(g->f, g->b, p, off, value(g, t), L); return;
    case 12: case 17: {
        IrRef v = arrlen(g->pool) ? g->pool[rnd(g, (uint32_t)arrlen(g->pool))] : value(g, T_I32);
        ir_ins(g->f, ir_append(g->f, g->b, IR_PRINT, T_VOID, 1, &v, L))->imm = 1;
        return;
    }
    case 13: {
        IrRef v = value(g, T_I16);
        ir_append(g->f, g->b, IR_ACTIVATE, T_VOID, 1, &v, L);
        return;
    }
    case 14: r = load_const_global(g); break;
    case 15: case 16: r = chain(g); break;
    case 18: case 19: r = chain(g); ir_ins(g->f, ir_append(g->f, g->b, IR_PRINT, T_VOID, 1, &r, L))->imm = 1; break;
    default: r = call(g); if (ir_ins(g->f, r)->type == T_VOID) return;
    }
    if (rnd(g, 4) == 0) ir_ins(g->f, r)->name = "v";
    arrput(g->pool, r);
}

static IrBlk any_block(G *g) { return (IrBlk){2 + rnd(g, (uint32_t)arrlen(g->f->blks) - 2)}; }

static void terminator(G *g, bool last)
{
    uint32_t k = last ? 0 : rnd(g, 8);
    if (k == 0) ir_ret(g->f, g->b, g->f->ret == T_VOID ? IR_NONE : value(g, g->f->ret), L);
    else if (k < 3) ir_br(g->f, g->b, any_block(g), L);
    else if (k < 6) {
        IrRef c = rnd(g, 5) ? comparison(g) : value(g, T_I1);
        IrBlk t = any_block(g), e = any_block(g);
        ir_condbr(g->f, g->b, c, t, e, L);
    } else {
        IrRef v = value(g, T_I16);
        IrRef sw = ir_switch(g->f, g->b, v, any_block(g), L);
        for (uint32_t i = 0, n = rnd(g, 4); i < n; i++) {
            IrBlk to = any_block(g);
            ir_switch_add(g->f, sw, i, to);
        }
    }
}

static void body(G *g)
{
    IrFn *f = g->f;
    static const uint32_t sizes[] = {2, 4, 4, 1, 2, 12, 8, 8};
    g->b = (IrBlk){1};
    for (ptrdiff_t i = 0; i < arrlen(f->params); i++) {
        IrRef r = ir_append(f, g->b, IR_PARAM, f->params[i], 0, NULL, L);
        ir_ins(f, r)->imm = i;
        arrput(g->entry, r);
    }
    for (int i = 0; i < 8; i++) g->vars[i] = ir_alloca(f, sizes[i], L);
    for (int i = 0; i < 5; i++) ir_store(f, g->b, g->vars[i], 0, fresh(g, whole[i]), L);
    ir_store(f, g->b, g->vars[5], 0, fresh(g, T_I16), L);
    ir_store(f, g->b, g->vars[5], 2, fresh(g, T_I16), L);
    ir_store(f, g->b, g->vars[5], 4, fresh(g, T_I32), L);
    ir_store(f, g->b, g->vars[5], 8, fresh(g, T_F32), L);
    for (int i = 0; i < 8; i++) ir_store(f, g->b, g->vars[6 + i / 4], 2 * (i & 3), fresh(g, T_I16), L);
    uint32_t n = 1 + rnd(g, 8);
    for (uint32_t i = 0; i < n; i++) ir_block_new(f, NULL);
    for (uint32_t b = 1; b <= n + 1; b++) {
        g->b = (IrBlk){b};
        arrsetlen(g->pool, 0);
        for (uint32_t i = 0, k = rnd(g, 3) ? rnd(g, 9) : 0; i < k; i++) statement(g);
        terminator(g, b == n + 1);
        for (ptrdiff_t i = 0; b == 1 && i < arrlen(g->pool); i++) arrput(g->entry, g->pool[i]);
    }
}

IrModule *gen_module(Arena *a, uint64_t seed)
{
    G g = {.m = ir_module_new(a, "random"), .s = seed};
    for (int i = 0; i < 6; i++) {                        /* g0, g1 of the host, g2 constant, g3, g4 private, g5 passed to calls */
        IrSym s = ir_global_new(g.m, (const char *[]){"g0", "g1", "g2", "g3", "g4", "g5"}[i], 32, 4);
        IrGlobal *gl = ir_global(g.m, s);
        gl->init = arena_alloc(a, 32);
        for (int k = 0; k < 32; k++) gl->init[k] = (uint8_t)rnd(&g, 256);
        gl->is_const = i == 2;
        gl->exported = i < 2;
    }
    g.nfns = 1 + (int)rnd(&g, 4);
    for (int i = 0; i < g.nfns; i++) {
        IrFn *f = ir_fn_new(g.m, arena_printf(a, "f%d", i), FN_PLAIN, i ? (IrType[]){T_I16, T_VOID, T_F32, T_I32}[rnd(&g, 4)] : T_I32, NULL);
        ir_fn_param(f, T_I16);
        ir_fn_param(f, T_F32);
        if (i) ir_fn_param(f, T_PTR);
        f->exported = i == 0;
        f->inl = (IrInline[]){INLINE_AUTO, INLINE_AUTO, INLINE_ALWAYS, INLINE_NEVER}[rnd(&g, 4)];
    }
    for (int i = 0; i < g.nfns; i++) {
        g.f = g.m->fns[i];
        g.index = i;
        arrsetlen(g.pool, 0);
        arrsetlen(g.entry, 0);
        body(&g);
    }
    arrfree(g.pool);
    arrfree(g.entry);
    return g.m;
}
