/* Random scalar programs for the backend: expressions of all widths, ifs, dense and sparse switches, counted loops of many
 * forms (some become hardware loops, some must not), nested, with breaks; arrays; calls with more arguments than registers.
 * Everything goes through variables in allocas: mem2reg makes phis of them. */
#include "be_gen.h"
#include <stdlib.h>

enum { NVAR = 12, NFN = 3 };
typedef struct { IrModule *m; IrFn *f; uint64_t s; IrBlk b; IrRef vars[NVAR]; IrType vt[NVAR]; int index, depth, loops; bool calls; IrBlk brk; } G;
static const Loc L = {0, 0, 0};
static const IrType types[] = {T_I16, T_I32, T_I16, T_I8, T_I1, T_F32, T_F16, T_I32, T_I16};

static uint32_t rnd(G *g, uint32_t n)
{
    uint64_t z = g->s += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return (uint32_t)((z ^ z >> 31) >> 33) % n;
}

static IrRef iconst(G *g, IrType t, int64_t v) { return ir_const(g->f, g->b, t, (int64_t)ir_mask(t, (uint64_t)v), L); }

static IrRef constant(G *g, IrType t)
{
    static const int64_t special[] = {0, 1, 2, 3, 4, 5, 7, 8, 10, 15, 16, 31, 32, 100, 127, 128, 255, 256, 1000, 8191, 8192, -1, -2, -3, -8192, -8193, 32767, 32768, 65535, 65536, 0x12345678, 0x7fffffff};
    static const double f[] = {0, 1, -1, 0.5, 3.25, 1e10, -1e-3, 65504, 1e-7, 100.75};
    if (ir_is_float(t)) return ir_fconst(g->f, g->b, t, f[rnd(g, 10)], L);
    return iconst(g, t, rnd(g, 5) ? special[rnd(g, 32)] : (int64_t)rnd(g, 1u << 31) * 2 + rnd(g, 2));
}

static IrRef expr(G *g, IrType t, int d);

static IrRef variable(G *g, IrType t)
{
    for (int i = 0; i < 8; i++) {
        uint32_t k = rnd(g, NVAR);
        if (g->vt[k] == t) return ir_load(g->f, g->b, t, g->vars[k], 0, L);
    }
    return constant(g, t);
}

static IrRef op(G *g, IrOp o, IrType t, int n, IrRef x, IrRef y, IrRef z) { return ir_append(g->f, g->b, o, t, n, (IrRef[]){x, y, z}, L); }

static IrRef convert(G *g, IrType t, int d)
{
    IrType from = types[rnd(g, 9)];
    int nf = ir_type_bits(from), nt = ir_type_bits(t);
    IrRef x = expr(g, from, d - 1);
    IrOp o;
    if (from == t) return x;
    if (ir_is_float(from) && ir_is_float(t)) o = nf < nt ? IR_FPEXT : IR_FPTRUNC;
    else if (ir_is_float(from)) {
        if (t == T_I1) return x.i ? iconst(g, T_I1, 1) : x;
        o = nf == nt && rnd(g, 3) == 0 ? IR_BITCAST : rnd(g, 2) ? IR_FPTOSI : IR_FPTOUI;
    } else if (ir_is_float(t)) o = nf == nt && rnd(g, 3) == 0 ? IR_BITCAST : rnd(g, 2) ? IR_SITOFP : IR_UITOFP;
    else o = nf < nt ? (rnd(g, 2) ? IR_ZEXT : IR_SEXT) : IR_TRUNC;
    return op(g, o, t, 1, x, IR_NONE, IR_NONE);
}

/* address of an element of array global k (0 i8, 1 i16, 2 i32, 3 f32), 16 elements */
static const IrType elem[] = {T_I8, T_I16, T_I32, T_F32};
static IrRef element(G *g, uint32_t *k, int d)
{
    *k = rnd(g, 4);
    IrRef p = ir_gaddr(g->f, g->b, ir_gsym(*k), 0, L);
    if (rnd(g, 3) == 0) return op(g, IR_ADD, T_PTR, 2, p, iconst(g, T_I16, (int64_t)rnd(g, 16) * ir_type_bytes(elem[*k])), IR_NONE);
    IrRef i = op(g, IR_AND, T_I16, 2, expr(g, T_I16, d - 1), iconst(g, T_I16, 15), IR_NONE);
    int n = ir_type_bytes(elem[*k]);
    if (n > 1) i = rnd(g, 2) ? op(g, IR_SHL, T_I16, 2, i, iconst(g, T_I16, n == 2 ? 1 : 2), IR_NONE)
                             : op(g, IR_MUL, T_I16, 2, i, iconst(g, T_I16, n), IR_NONE);
    return op(g, IR_ADD, T_PTR, 2, p, i, IR_NONE);
}

static IrRef compare(G *g, int d)
{
    IrType t = types[rnd(g, 9)];
    IrRef x = expr(g, t, d - 1), y = expr(g, t, d - 1);
    return ir_is_float(t) ? ir_fcmp(g->f, g->b, (IrCmp)rnd(g, 4), x, y, L) : ir_icmp(g->f, g->b, (IrCmp)rnd(g, 6), x, y, L);
}

static IrRef call(G *g, int d)
{
    uint32_t k = (uint32_t)g->index + 1 + rnd(g, (uint32_t)(NFN - g->index - 1));
    IrFn *f = g->m->fns[k];
    IrRef a[16];
    for (ptrdiff_t i = 0; i < arrlen(f->params); i++) a[i] = expr(g, f->params[i], d - 1);
    return ir_call(g->f, g->b, ir_fsym(k), f->ret, (int)arrlen(f->params), a, L);
}

static IrRef expr(G *g, IrType t, int d)
{
    static const IrOp ints[] = {IR_ADD, IR_SUB, IR_MUL, IR_AND, IR_OR, IR_XOR, IR_SHL, IR_LSHR, IR_ASHR, IR_ADD, IR_SUB, IR_UDIV, IR_SDIV, IR_UREM, IR_SREM};
    static const IrOp floats[] = {IR_FADD, IR_FSUB, IR_FMUL, IR_FDIV, IR_FMAX};
    if (d <= 0) return rnd(g, 3) ? variable(g, t) : constant(g, t);
    switch (rnd(g, 12)) {
    case 0: return variable(g, t);
    case 1: return constant(g, t);
    case 2: case 3: return convert(g, t, d);
    case 4: {
        IrRef c = expr(g, T_I1, d - 1), x = expr(g, t, d - 1), y = expr(g, t, d - 1);
        return ir_select(g->f, g->b, c, x, y, L);
    }
    case 5: {
        uint32_t k;
        IrRef p = element(g, &k, d);
        IrRef v = ir_load(g->f, g->b, elem[k], p, 0, L);
        if (elem[k] == t) return v;
        if (t == T_I32 && ir_is_int(elem[k])) return op(g, rnd(g, 2) ? IR_ZEXT : IR_SEXT, t, 1, v, IR_NONE, IR_NONE);
        if (t == T_F32 && ir_is_int(elem[k])) return op(g, IR_SITOFP, t, 1, v, IR_NONE, IR_NONE);
        return variable(g, t);
    }
    case 6:
        if (g->calls && g->index + 1 < NFN && rnd(g, 3) == 0) {
            IrRef v = call(g, d > 1 ? 1 : d);
            if (ir_ins(g->f, v)->type == t) return v;
        }
        break;
    default: break;
    }
    if (t == T_I1) return rnd(g, 4) ? compare(g, d) : op(g, (IrOp[]){IR_AND, IR_OR, IR_XOR}[rnd(g, 3)], t, 2, expr(g, t, d - 1), expr(g, t, d - 1), IR_NONE);
    if (ir_is_float(t)) {
        if (rnd(g, 5) == 0) return op(g, rnd(g, 2) ? IR_FNEG : IR_FABS, t, 1, expr(g, t, d - 1), IR_NONE, IR_NONE);
        if (rnd(g, 5) == 0) return op(g, rnd(g, 2) ? IR_FMA : IR_FMS, t, 3, expr(g, t, d - 1), expr(g, t, d - 1), expr(g, t, d - 1));
        return op(g, floats[rnd(g, 5)], t, 2, expr(g, t, d - 1), expr(g, t, d - 1), IR_NONE);
    }
    IrOp o = ints[rnd(g, 15)];
    IrRef x = expr(g, t, d - 1), y = expr(g, t, d - 1);
    if ((o == IR_SHL || o == IR_LSHR || o == IR_ASHR) && rnd(g, 3)) y = iconst(g, t, rnd(g, 18));
    return op(g, o, t, 2, x, y, IR_NONE);
}

static void statements(G *g, int n);

static void if_else(G *g)
{
    bool has_else = rnd(g, 2);
    IrRef c = expr(g, T_I1, 2);
    IrBlk t = ir_block_new(g->f, NULL), j = ir_block_new(g->f, NULL), e = has_else ? ir_block_new(g->f, NULL) : j;
    ir_condbr(g->f, g->b, c, t, e, L);
    g->b = t;
    statements(g, 1 + (int)rnd(g, 3));
    if (!ir_terminated(g->f, g->b)) ir_br(g->f, g->b, j, L);
    if (has_else) {
        g->b = e;
        statements(g, 1 + (int)rnd(g, 3));
        if (!ir_terminated(g->f, g->b)) ir_br(g->f, g->b, j, L);
    }
    g->b = j;
}

static void switch_case(G *g)
{
    IrType t = (IrType[]){T_I16, T_I32, T_I8}[rnd(g, 3)];
    IrRef v = expr(g, t, 2);
    if (rnd(g, 3)) v = op(g, IR_AND, t, 2, v, iconst(g, t, 7), IR_NONE);
    IrBlk j = ir_block_new(g->f, NULL), d = rnd(g, 2) ? j : ir_block_new(g->f, NULL), from = g->b;
    IrRef sw = ir_switch(g->f, from, v, d, L);
    int64_t base = (int64_t[]){0, 1, 3, -2, 100}[rnd(g, 5)], step = rnd(g, 4) ? 1 : 37;
    for (uint32_t i = 0, n = 1 + rnd(g, 7); i < n; i++) {
        IrBlk c = ir_block_new(g->f, NULL);
        ir_switch_add(g->f, sw, (int64_t)ir_mask(t, (uint64_t)(base + (int64_t)i * step)), c);
        g->b = c;
        statements(g, 1);
        if (!ir_terminated(g->f, g->b)) ir_br(g->f, g->b, j, L);
    }
    if (d.i != j.i) {
        g->b = d;
        statements(g, 1);
        if (!ir_terminated(g->f, g->b)) ir_br(g->f, g->b, j, L);
    }
    g->b = j;
}

static void loop(G *g)
{
    IrType t = (IrType[]){T_I16, T_I16, T_I32, T_I8}[rnd(g, 4)];
    bool bottom = rnd(g, 3) == 0;
    IrBlk body = ir_block_new(g->f, NULL), latch = ir_block_new(g->f, NULL), out = ir_block_new(g->f, NULL);
    IrBlk head = bottom ? latch : ir_block_new(g->f, NULL);
    IrRef i = ir_alloca(g->f, 4, L);
    int64_t step = (int64_t[]){1, 1, 1, 1, -1, -1, 2, -2, 3}[rnd(g, 9)];
    int64_t start = (int64_t[]){0, 0, 0, 1, 5, -3}[rnd(g, 6)];
    IrRef init = iconst(g, t, start), bound;
    if (rnd(g, 3) == 0) init = op(g, IR_AND, t, 2, expr(g, t, 1), iconst(g, t, 7), IR_NONE);
    if (rnd(g, 2)) bound = iconst(g, t, start + step * (int64_t)rnd(g, 8));
    else {
        bound = op(g, IR_AND, t, 2, expr(g, t, 2), iconst(g, t, 7), IR_NONE);
        if (step < 0) bound = op(g, IR_SUB, t, 2, init, bound, IR_NONE);
        else if (rnd(g, 2)) bound = op(g, IR_ADD, t, 2, init, bound, IR_NONE);
    }
    IrRef first = init;
    if (step < 0 && rnd(g, 2)) first = bound, bound = init;
    ir_store(g->f, g->b, i, 0, first, L);
    bool guard = bottom && rnd(g, 2);
    if (!guard) ir_br(g->f, g->b, bottom ? body : head, L);
    IrBlk pre = g->b;
    static const IrCmp up[] = {CMP_SLT, CMP_ULT, CMP_NE, CMP_SLE, CMP_ULE};
    IrCmp c = up[rnd(g, 5)];
    bool swap = step < 0 && c != CMP_NE, neg = rnd(g, 4) == 0;
    if (guard && start == 0 && step == 1 && rnd(g, 3) == 0)
        ir_condbr(g->f, pre, ir_icmp(g->f, pre, CMP_EQ, bound, iconst(g, t, 0), L), out, body, L);
    else if (guard) {
        IrRef q = ir_icmp(g->f, pre, neg && c == CMP_NE ? CMP_EQ : c, neg && c != CMP_NE ? (swap ? first : bound) : swap ? bound : first,
                          neg && c != CMP_NE ? (swap ? bound : first) : swap ? first : bound, L);
        ir_condbr(g->f, pre, q, neg ? out : body, neg ? body : out, L);
    }
    IrBlk save = g->brk;
    g->brk = out;
    g->loops++;
    g->b = body;
    statements(g, 1 + (int)rnd(g, 3));
    if (!ir_terminated(g->f, g->b)) ir_br(g->f, g->b, latch, L);
    g->b = latch;
    IrRef old = ir_load(g->f, g->b, t, i, 0, L);
    IrRef next = rnd(g, 3) ? op(g, IR_ADD, t, 2, old, iconst(g, t, step), IR_NONE) : op(g, IR_SUB, t, 2, old, iconst(g, t, -step), IR_NONE);
    ir_store(g->f, g->b, i, 0, next, L);
    IrBlk test = bottom ? latch : head;
    if (!bottom) ir_br(g->f, g->b, head, L);
    g->b = test;
    IrRef v = bottom && rnd(g, 3) == 0 ? old : ir_load(g->f, g->b, t, i, 0, L);
    IrRef cond = neg ? ir_icmp(g->f, g->b, c == CMP_NE ? CMP_EQ : c, swap ? v : bound, swap ? bound : v, L)
                     : ir_icmp(g->f, g->b, c, swap ? bound : v, swap ? v : bound, L);
    /* negated: leave while not (bound < v) */
    ir_condbr(g->f, g->b, cond, neg ? out : body, neg ? body : out, L);
    g->loops--;
    g->brk = save;
    g->b = out;
    if (rnd(g, 3) == 0)                                  /* the counter is seen behind the loop */
        for (uint32_t k = 0; k < NVAR; k++)
            if (g->vt[k] == t) {
                ir_store(g->f, g->b, g->vars[k], 0, ir_load(g->f, g->b, t, i, 0, L), L);
                break;
            }
}

static void statement(G *g)
{
    uint32_t k = rnd(g, 20);
    if (k < 11) {
        uint32_t v = rnd(g, NVAR);
        IrRef x = expr(g, g->vt[v], 3);
        ir_store(g->f, g->b, g->vars[v], 0, x, L);
    } else if (k < 14) {
        uint32_t e;
        IrRef p = element(g, &e, 2);
        IrRef x = expr(g, elem[e], 2);
        ir_store(g->f, g->b, p, 0, x, L);
    } else if (k == 14 && g->brk.i && rnd(g, 2)) {       /* break, sometimes */
        IrBlk next = ir_block_new(g->f, NULL);
        ir_condbr(g->f, g->b, expr(g, T_I1, 2), g->brk, next, L);
        g->b = next;
    } else if (g->depth < 3) {
        g->depth++;
        if (k < 17) if_else(g);
        else if (k == 17) switch_case(g);
        else if (g->loops < 3) loop(g);
        g->depth--;
    }
}

static void statements(G *g, int n)
{
    for (int i = 0; i < n && !ir_terminated(g->f, g->b); i++) statement(g);
}

IrModule *be_gen_module(Arena *a, uint64_t seed)
{
    G g = {.m = ir_module_new(a, "fuzz"), .s = seed};
    for (int i = 0; i < 4; i++) {
        uint32_t size = 16 * (uint32_t)ir_type_bytes(elem[i]);
        IrSym s = ir_global_new(g.m, arena_printf(a, "g%d", i), size, 4);
        IrGlobal *gl = ir_global(g.m, s);
        if (i != 1 || rnd(&g, 2)) {
            gl->init = arena_alloc(a, size);
            for (uint32_t k = 0; k < size; k++) gl->init[k] = (uint8_t)rnd(&g, 256);
        }
        gl->exported = true;
    }
    if (rnd(&g, 3) == 0) {                               /* something large: the others may be far away */
        IrSym s = ir_global_new(g.m, "g9", 12000, 4);
        IrGlobal *gl = ir_global(g.m, s);
        gl->exported = true;
        if (rnd(&g, 2)) gl->init = arena_alloc(a, 12000);
    }
    if (rnd(&g, 3) == 0)                                 /* many of the same size: g2 and g3 end up far away */
        for (int i = 0; i < 150; i++) ir_global_new(g.m, arena_printf(a, "g%d", 10 + i), 60, 4);
    g.calls = rnd(&g, 2);
    for (int i = 0; i < NFN; i++) {
        IrFn *f = ir_fn_new(g.m, arena_printf(a, "f%d", i), FN_PLAIN, i ? types[rnd(&g, 9)] : T_I32, NULL);
        int np = i ? (int)rnd(&g, 12) : 4;
        for (int k = 0; k < np; k++) ir_fn_param(f, i ? types[rnd(&g, 9)] : (IrType[]){T_I32, T_I16, T_F32, T_I32}[k]);
        f->exported = i == 0;
    }
    for (int i = 0; i < NFN; i++) {
        g.f = g.m->fns[i];
        g.index = i;
        g.b = (IrBlk){1};
        g.depth = i ? 2 : 0;
        IrRef *params = NULL;
        for (ptrdiff_t k = 0; k < arrlen(g.f->params); k++) {
            IrRef r = ir_append(g.f, g.b, IR_PARAM, g.f->params[k], 0, NULL, L);
            ir_ins(g.f, r)->imm = k;
            arrput(params, r);
        }
        for (int k = 0; k < NVAR; k++) {
            g.vt[k] = k < 9 ? types[k] : types[rnd(&g, 9)];
            g.vars[k] = ir_alloca(g.f, 4, L);
            IrRef v = IR_NONE;
            for (ptrdiff_t p = k % 5; p < arrlen(params) && !v.i; p++)
                if (g.f->params[p] == g.vt[k]) v = params[p];
            ir_store(g.f, g.b, g.vars[k], 0, v.i ? v : constant(&g, g.vt[k]), L);
        }
        arrfree(params);
        IrBlk start = ir_block_new(g.f, NULL);
        ir_br(g.f, g.b, start, L);
        g.b = start;
        statements(&g, i ? 3 : 4 + (int)rnd(&g, 8));
        ir_ret(g.f, g.b, expr(&g, g.f->ret, 2), L);
    }
    return g.m;
}
