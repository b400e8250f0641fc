/* See ir_interp.h.  Globals lie at 0x1000 * (N + 1), frames grow down from 0xF000.  Undef is 0. */
#include "ir_interp.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

uint32_t interp_global_addr(const IrGlobal *g) { return 0x1000u * (uint32_t)(atoi(g->name + 1) + 1); }

void interp_init(Interp *s, IrModule *m, int fuel)
{
    memset(s, 0, sizeof *s);
    s->fuel = fuel;
    s->sp = 0xF000;
    for (ptrdiff_t i = 0; i < arrlen(m->globals); i++)
        if (m->globals[i].init) memcpy(s->mem + interp_global_addr(&m->globals[i]), m->globals[i].init, m->globals[i].size_bytes);
}

static int width(IrType t)
{
    switch (t) {
    case T_I1: return 1;
    case T_I8: return 8;
    case T_I16: case T_F16: case T_PTR: return 16;
    case T_I32: case T_F32: return 32;
    default: return 64;
    }
}
static uint64_t cut(IrType t, uint64_t v) { return width(t) == 64 ? v : v & ((1ull << width(t)) - 1); }
static int64_t sx(IrType t, uint64_t v)
{
    int n = 64 - width(t);
    return (int64_t)(v << n) >> n;
}

static uint64_t get(Interp *s, uint32_t a, int n)
{
    uint64_t v = 0;
    if (n > 1) a &= ~1u;
    for (int i = 0; i < n; i++) v |= (uint64_t)s->mem[(a + (uint32_t)i) & 0xffff] << (8 * i);
    return v;
}
static void put(Interp *s, uint32_t a, int n, uint64_t v)
{
    if (n > 1) a &= ~1u;
    for (int i = 0; i < n; i++) s->mem[(a + (uint32_t)i) & 0xffff] = (uint8_t)(v >> (8 * i));
}

static float f32_of(uint64_t v)
{
    uint32_t u = (uint32_t)v;
    float x;
    memcpy(&x, &u, 4);
    return x;
}
static uint64_t of_f32(float x)
{
    uint32_t u;
    memcpy(&u, &x, 4);
    return x != x ? 0x7fc00000u : u;
}
static _Float16 f16_of(uint64_t v)
{
    uint16_t u = (uint16_t)v;
    _Float16 x;
    memcpy(&x, &u, 2);
    return x;
}
static uint64_t of_f16(_Float16 x)
{
    uint16_t u;
    memcpy(&u, &x, 2);
    return x != x ? 0x7e00u : u;
}

static uint64_t float_op(IrOp op, IrType t, uint64_t a, uint64_t b)
{
    if (t == T_F16) {
        _Float16 x = f16_of(a), y = f16_of(b);
        switch (op) {
        case IR_FADD: return of_f16(x + y);
        case IR_FSUB: return of_f16(x - y);
        case IR_FMUL: return of_f16(x * y);
        case IR_FDIV: return of_f16(x / y);
        default: return x != x || y != y ? 0x7e00u : x == y ? a & b : x > y ? a : b;
        }
    }
    float x = f32_of(a), y = f32_of(b);
    switch (op) {
    case IR_FADD: return of_f32(x + y);
    case IR_FSUB: return of_f32(x - y);
    case IR_FMUL: return of_f32(x * y);
    case IR_FDIV: return of_f32(x / y);
    default: return x != x || y != y ? 0x7fc00000u : x == y ? a & b : x > y ? a : b;
    }
}

static uint64_t int_op(IrOp op, IrType t, uint64_t a, uint64_t b)
{
    unsigned w = (unsigned)width(t);
    int64_t x = sx(t, a), y = sx(t, b);
    switch (op) {
    case IR_ADD: return a + b;
    case IR_SUB: return a - b;
    case IR_MUL: return a * b;
    case IR_UDIV: return b ? a / b : ~0ull;
    case IR_UREM: return b ? a % b : a;
    case IR_SDIV: return !b ? ~0ull : y == -1 ? 0 - (uint64_t)x : (uint64_t)(x / y);
    case IR_SREM: return !b ? a : y == -1 ? 0 : (uint64_t)(x % y);
    case IR_AND: return a & b;
    case IR_OR: return a | b;
    case IR_XOR: return a ^ b;
    case IR_SHL: return b >= w ? 0 : a << b;
    case IR_LSHR: return b >= w ? 0 : a >> b;
    default: return (uint64_t)(b >= w ? x >> 63 : x >> b);
    }
}

static uint64_t cmp(IrIns *in, IrType t, uint64_t a, uint64_t b)
{
    if (in->op == IR_FCMP) {
        float x = t == T_F16 ? (float)f16_of(a) : f32_of(a), y = t == T_F16 ? (float)f16_of(b) : f32_of(b);
        return in->imm == CMP_EQ ? x == y : in->imm == CMP_NE ? !(x == y) : in->imm == CMP_SLT ? x < y : x <= y;
    }
    switch (in->imm) {
    case CMP_EQ: return a == b;
    case CMP_NE: return a != b;
    case CMP_SLT: return sx(t, a) < sx(t, b);
    case CMP_SLE: return sx(t, a) <= sx(t, b);
    case CMP_ULT: return a < b;
    default: return a <= b;
    }
}

static uint64_t to_int(IrOp op, IrType to, double v)
{
    double lo = op == IR_FPTOSI ? -ldexp(1, width(to) - 1) : 0, hi = ldexp(1, width(to) - (op == IR_FPTOSI)) - 1;
    if (v != v) return 0;
    v = trunc(v);
    v = v < lo ? lo : v > hi ? hi : v;
    return op == IR_FPTOSI ? (uint64_t)(int64_t)v : (uint64_t)v;
}

static uint64_t convert(IrOp op, IrType from, IrType to, uint64_t a)
{
    double v = from == T_F16 ? (double)f16_of(a) : from == T_F32 ? (double)f32_of(a) : op == IR_SITOFP ? (double)sx(from, a) : (double)a;
    switch (op) {
    case IR_TRUNC: case IR_ZEXT: case IR_BITCAST: return a;
    case IR_SEXT: return (uint64_t)sx(from, a);
    case IR_FPTOSI: case IR_FPTOUI: return to_int(op, to, v);
    default: return to == T_F16 ? of_f16((_Float16)v) : of_f32((float)v);
    }
}

/* every effect leaves three words */
static void effect(Interp *s, IrIns *in, int64_t imm, uint64_t v)
{
    arrput(s->trace, in->op);
    arrput(s->trace, (uint64_t)imm);
    arrput(s->trace, v);
}

static uint64_t scalar(Interp *s, IrFn *f, IrIns *in, const uint64_t *val)
{
    uint64_t a = in->nargs > 0 ? val[in->args[0].i] : 0, b = in->nargs > 1 ? val[in->args[1].i] : 0;
    uint64_t c = in->nargs > 2 ? val[in->args[2].i] : 0;
    IrType t = (IrType)in->type, ta = in->nargs ? (IrType)ir_ins(f, in->args[0])->type : T_VOID;
    switch (in->op) {
    case IR_CONST: case IR_FCONST: return (uint64_t)in->imm;
    case IR_UNDEF: return 0;
    case IR_GADDR: return interp_global_addr(ir_global(f->mod, in->sym)) + (uint64_t)in->imm;
    case IR_LOAD: return get(s, (uint32_t)(a + (uint64_t)in->imm) & 0xffff, t == T_I1 ? 1 : width(t) / 8);
    case IR_ADD: case IR_SUB: case IR_MUL: case IR_UDIV: case IR_SDIV: case IR_UREM: case IR_SREM:
    case IR_AND: case IR_OR: case IR_XOR: case IR_SHL: case IR_LSHR: case IR_ASHR: return int_op((IrOp)in->op, t, a, b);
    case IR_FADD: case IR_FSUB: case IR_FMUL: case IR_FDIV: case IR_FMAX: return float_op((IrOp)in->op, t, a, b);
    case IR_FNEG: return a ^ 1ull << (width(t) - 1);
    case IR_FABS: return a & ~(1ull << (width(t) - 1));
    case IR_FMA: return float_op(IR_FADD, t, a, float_op(IR_FMUL, t, b, c));
    case IR_FMS: return float_op(IR_FSUB, t, a, float_op(IR_FMUL, t, b, c));
    case IR_ICMP: case IR_FCMP: return cmp(in, ta, a, b);
    case IR_SELECT: return a ? b : c;
    case IR_TRUNC: case IR_ZEXT: case IR_SEXT: case IR_FPTOSI: case IR_FPTOUI: case IR_SITOFP: case IR_UITOFP:
    case IR_FPEXT: case IR_FPTRUNC: case IR_BITCAST: return convert((IrOp)in->op, ta, t, a);
    default: s->stuck = true; return 0;
    }
}

static void run_ins(Interp *s, IrFn *f, uint32_t r, uint64_t *val, const uint64_t *args, uint32_t *frame)
{
    IrIns *in = ir_ins(f, (IrRef){r});
    uint64_t a = in->nargs > 0 ? val[in->args[0].i] : 0, av[16];
    switch (in->op) {
    case IR_PARAM: val[r] = args[in->imm]; return;
    case IR_ALLOCA:
        *frame += (uint32_t)(in->imm + 3) & ~3u;
        val[r] = s->sp - *frame;
        return;
    case IR_STORE: {
        IrType t = (IrType)ir_ins(f, in->args[1])->type;
        put(s, (uint32_t)(a + (uint64_t)in->imm) & 0xffff, t == T_I1 ? 1 : width(t) / 8, val[in->args[1].i]);
        return;
    }
    case IR_CALL:
        for (int k = 0; k < in->nargs && k < 16; k++) av[k] = val[in->args[k].i];
        s->sp -= *frame;
        a = interp_call(s, ir_fn(f->mod, in->sym), av);
        s->sp += *frame;
        if (in->type != T_VOID) val[r] = a;
        return;
    case IR_ACTIVATE: case IR_BLOCK: case IR_UNBLOCK: effect(s, in, 0, in->nargs ? a & 63 : (uint64_t)in->imm); return;
    case IR_PRINT: case IR_SENDCTRL: case IR_TRAP: effect(s, in, in->imm, a); return;
    default: val[r] = cut((IrType)in->type, scalar(s, f, in, val));
    }
}

static IrBlk target(IrFn *f, IrIns *t, const uint64_t *val)
{
    if (t->op == IR_CONDBR) return t->blocks[val[t->args[0].i] ? 0 : 1];
    for (int k = 1; t->op == IR_SWITCH && k < t->nblocks; k++)
        if ((uint64_t)t->cases[k - 1] == val[t->args[0].i]) return t->blocks[k];
    return t->blocks[0];
}

static void run_phis(IrFn *f, uint32_t b, uint32_t from, uint64_t *val)
{
    uint64_t *tmp = NULL;
    for (int pass = 0, at; pass < 2; pass++)             /* all read before any is written */
        for (at = 0; at < arrlen(f->blks[b].ins); at++) {
            IrIns *in = ir_ins(f, f->blks[b].ins[at]);
            if (in->op != IR_PHI) break;
            if (pass) val[f->blks[b].ins[at].i] = tmp[at];
            for (int k = 0; !pass && k < in->nargs; k++)
                if (in->blocks[k].i == from) arrput(tmp, val[in->args[k].i]);
        }
    arrfree(tmp);
}

uint64_t interp_call(Interp *s, IrFn *f, const uint64_t *args)
{
    uint64_t *val = ws_xmalloc(sizeof *val * (size_t)arrlen(f->ins)), ret = 0;
    uint32_t b = 1, frame = 0;
    bool done = ++s->depth > 40;
    if (done) s->fuel = -1;
    while (!done && !s->stuck) {
        uint32_t next = 0;
        for (ptrdiff_t i = 0; i < arrlen(f->blks[b].ins) && !next && !done; i++) {
            IrIns *in = ir_ins(f, f->blks[b].ins[i]);
            if (s->fuel < 0 || --s->fuel < 0) done = true;
            else if (in->op == IR_PHI) continue;
            else if (in->op == IR_RET) ret = in->nargs ? val[in->args[0].i] : 0, done = true;
            else if (in->op == IR_UNREACH) s->stuck = done = true;
            else if (ir_ops[in->op].flags & I_TERM) next = target(f, in, val).i;
            else run_ins(s, f, f->blks[b].ins[i].i, val, args, &frame);
        }
        if (!next) break;
        run_phis(f, next, b, val);
        b = next;
    }
    s->depth--;
    free(val);
    return ret;
}
