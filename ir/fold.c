/* Numbers as the machine has them: widths, rounding, and one instruction on constants.
 * Floats are IEEE, rounded to nearest even, denormals kept, a NaN result canonical.  f16, bf16 and cb16 compute in double and round
 * once: double has more than twice their digits, so that is exact rounding for + - * /. */
#include "ir.h"
#include <math.h>
#include <string.h>

bool ir_is_int(IrType t) { return t >= T_I1 && t <= T_I64; }
bool ir_is_float(IrType t) { return t >= T_F16 && t <= T_F32; }

uint64_t ir_mask(IrType t, uint64_t v)
{
    int n = ir_type_bits(t);
    return n >= 64 ? v : v & (((uint64_t)1 << n) - 1);
}

int64_t ir_signed(IrType t, uint64_t v)
{
    int n = ir_type_bits(t);
    if (n == 0 || n >= 64) return (int64_t)v;
    return (int64_t)(v << (64 - n)) >> (64 - n);
}

/* exponent bits, mantissa bits; the bias is the usual one */
static bool small_format(IrType t, int *e, int *m)
{
    switch (t) {
    case T_F16: *e = 5, *m = 10; return true;
    case T_BF16: *e = 8, *m = 7; return true;
    case T_CB16: *e = 6, *m = 9; return true;
    default: return false;
    }
}

uint64_t ir_float_bits(IrType t, double v)
{
    int e, m;
    if (!small_format(t, &e, &m)) {
        float x = isnan(v) ? NAN : (float)v;
        uint32_t u;
        memcpy(&u, &x, 4);
        return isnan(v) ? 0x7fc00000u : u;
    }
    return ws_float_bits(e, m, v);
}

double ir_float_value(IrType t, uint64_t bits)
{
    int e, m;
    if (!small_format(t, &e, &m)) {
        uint32_t u = (uint32_t)bits;
        float x;
        memcpy(&x, &u, 4);
        return x;
    }
    int bias = (1 << (e - 1)) - 1, ex = (int)(bits >> m & ((1u << e) - 1));
    double man = (double)(bits & (((uint64_t)1 << m) - 1)), v;
    if (ex == (1 << e) - 1) v = man != 0 ? NAN : INFINITY;
    else if (ex == 0) v = ldexp(man, 1 - bias - m);
    else v = ldexp(man + ldexp(1, m), ex - bias - m);
    return bits >> (e + m) & 1 ? -v : v;
}
static uint64_t round_to(IrType t, double v) { return ir_float_bits(t, v); }

/* f32 arithmetic is done in float: one rounding, the right one */
static uint64_t float_op(IrOp op, IrType t, double a, double b)
{
    if (t == T_F32) {
        float x = (float)a, y = (float)b;
        switch (op) {
        case IR_FADD: return round_to(t, x + y);
        case IR_FSUB: return round_to(t, x - y);
        case IR_FMUL: return round_to(t, x * y);
        default: return round_to(t, x / y);
        }
    }
    switch (op) {
    case IR_FADD: return round_to(t, a + b);
    case IR_FSUB: return round_to(t, a - b);
    case IR_FMUL: return round_to(t, a * b);
    default: return round_to(t, a / b);
    }
}

static bool compare(IrCmp c, IrType t, uint64_t x, uint64_t y)
{
    int64_t sx = ir_signed(t, x), sy = ir_signed(t, y);
    switch (c) {
    case CMP_EQ: return x == y;
    case CMP_NE: return x != y;
    case CMP_SLT: return sx < sy;
    case CMP_SLE: return sx <= sy;
    case CMP_ULT: return x < y;
    default: return x <= y;
    }
}

static bool fcompare(IrCmp c, double x, double y)
{
    switch (c) {
    case CMP_EQ: return x == y;
    case CMP_NE: return !(x == y);
    case CMP_SLT: return x < y;
    default: return x <= y;
    }
}

static uint64_t divide(IrOp op, IrType t, uint64_t a, uint64_t b)
{
    int64_t sa = ir_signed(t, a), sb = ir_signed(t, b);
    bool over = sb == -1;                                /* a / -1 = -a, which wraps; a rem -1 = 0 */
    switch (op) {
    case IR_UDIV: return b ? a / b : UINT64_MAX;
    case IR_UREM: return b ? a % b : a;
    case IR_SDIV: return !b ? UINT64_MAX : over ? 0 - a : (uint64_t)(sa / sb);
    default: return !b ? a : over ? 0 : (uint64_t)(sa % sb);
    }
}

static uint64_t shift(IrOp op, IrType t, uint64_t a, uint64_t b)
{
    bool far = b >= (uint64_t)ir_type_bits(t);
    switch (op) {
    case IR_SHL: return far ? 0 : a << b;
    case IR_LSHR: return far ? 0 : a >> b;
    default: return (uint64_t)(ir_signed(t, a) >> (far ? 63 : b));
    }
}

static bool to_int(IrOp op, IrType t, double v, uint64_t *out)
{
    int n = ir_type_bits(t);
    if (n > 32) return false;
    double lo = op == IR_FPTOSI ? -ldexp(1, n - 1) : 0, hi = ldexp(1, op == IR_FPTOSI ? n - 1 : n) - 1;
    v = isnan(v) ? 0 : trunc(v);
    if ((v < lo || v > hi) && n < 32) return false;      /* where a narrow type saturates is the machine's affair */
    v = v < lo ? lo : v > hi ? hi : v;
    *out = op == IR_FPTOSI ? (uint64_t)(int64_t)v : (uint64_t)v;
    return true;
}

static uint64_t descriptor(IrOp op, uint64_t d, uint64_t v)
{
    switch (op) {                                        /* words: base, length, stride in the low byte, kind (isa.h) */
    case IR_DSDBASE: return (d & ~0xffffull) | (v & 0xffff);
    case IR_DSDLEN: return (d & ~0x7fff0000ull) | (v & 0x7fff) << 16;
    case IR_DSDOFF: return (d & ~0xffffull) | ((d + v) & 0xffff);
    default: return (d & ~0xff00000000ull) | (v & 0xff) << 32;
    }
}

static bool eval_float(IrOp op, IrType type, int64_t imm, IrType from, const uint64_t *in, uint64_t *out, int nargs)
{
    double v[3] = {0};
    for (int i = 0; i < nargs; i++) v[i] = ir_float_value(from, in[i]);
    uint64_t sign = (uint64_t)1 << (ir_type_bits(from) - 1);
    switch (op) {
    case IR_FADD: case IR_FSUB: case IR_FMUL: case IR_FDIV: *out = float_op(op, type, v[0], v[1]); return true;
    case IR_FMAX:
        if (v[0] == v[1]) *out = in[0] & in[1];          /* +0 is above -0 */
        else *out = round_to(type, isnan(v[0]) || isnan(v[1]) ? NAN : v[0] > v[1] ? v[0] : v[1]);
        return true;
    case IR_FNEG: *out = in[0] ^ sign; return true;
    case IR_FABS: *out = in[0] & ~sign; return true;
    case IR_FMA: case IR_FMS: {
        double p = ir_float_value(type, float_op(IR_FMUL, type, v[1], v[2]));
        *out = float_op(op == IR_FMA ? IR_FADD : IR_FSUB, type, v[0], p);
        return true;
    }
    case IR_FCMP: *out = fcompare((IrCmp)imm, v[0], v[1]); return true;
    case IR_FPEXT: case IR_FPTRUNC: *out = round_to(type, v[0]); return true;
    default: return to_int(op, type, v[0], out);
    }
}

static bool eval_int(IrOp op, IrType type, int64_t imm, IrType from, const uint64_t *in, uint64_t *out)
{
    uint64_t a = in[0], b = in[1];
    switch (op) {
    case IR_ADD: *out = a + b; return true;
    case IR_SUB: *out = a - b; return true;
    case IR_MUL: *out = a * b; return true;
    case IR_UDIV: case IR_SDIV: case IR_UREM: case IR_SREM: *out = divide(op, type, a, b); return true;
    case IR_AND: *out = a & b; return true;
    case IR_OR: *out = a | b; return true;
    case IR_XOR: *out = a ^ b; return true;
    case IR_SHL: case IR_LSHR: case IR_ASHR: *out = shift(op, type, a, b); return true;
    case IR_ICMP: *out = compare((IrCmp)imm, from, a, b); return true;
    case IR_TRUNC: case IR_ZEXT: case IR_BITCAST: *out = a; return true;
    case IR_SEXT: *out = (uint64_t)ir_signed(from, a); return true;
    case IR_SITOFP: case IR_UITOFP:
        if (ir_type_bits(from) > 32) return false;       /* past 53 digits it would round twice */
        *out = round_to(type, op == IR_SITOFP ? (double)ir_signed(from, a) : (double)a);
        return true;
    case IR_DSDBASE: case IR_DSDLEN: case IR_DSDOFF: case IR_DSDSTRIDE: *out = descriptor(op, a, b); return true;
    default: return false;
    }
}

bool ir_eval(IrOp op, IrType type, int64_t imm, int nargs, const IrType *from, const uint64_t *in, uint64_t *out)
{
    if (nargs < 1 || nargs > 3) return false;
    uint64_t v[3] = {0};
    for (int i = 0; i < nargs; i++) v[i] = ir_mask(from[i], in[i]);
    bool ok;
    if (op == IR_SELECT) *out = v[0] ? v[1] : v[2], ok = true;
    else if (op != IR_BITCAST && ir_is_float(from[0])) ok = eval_float(op, type, imm, from[0], v, out, nargs);
    else ok = eval_int(op, type, imm, from[0], v, out);
    if (ok) *out = ir_mask(type, *out);
    return ok;
}
