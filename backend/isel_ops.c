/* Selection of scalar instructions, compares and branches.  Contract of isel_scalar: the register(s) of r that somebody
 * asked for (lo, hi) hold its value behind the code added to tmp; operands are asked for with isel_need. */
#include "backend/isel.h"
#include <assert.h>
#include <string.h>

static IrType type_of(Isel *s, IrRef r) { return ir_ins(s->f, r)->type; }
static bool fits14(int64_t v) { return v >= -8192 && v <= 8191; }
static int log2_of(int64_t v) { return v > 0 && (v & (v - 1)) == 0 ? __builtin_ctzll((uint64_t)v) : -1; }

static bool unbuilt(Isel *s, IrIns *in)
{
    const char *op = in->op == IR_VOP ? "vector operation" : ir_ops[in->op].text;
    IrType bad = T_VOID;
    if (in->type == T_I64 || in->type == T_BF16 || in->type == T_CB16) bad = in->type;
    for (int i = 0; i < in->nargs; i++) {
        if (!in->args[i].i) continue;
        IrType t = type_of(s, in->args[i]);
        if (t == T_I64 || (!bad && (t == T_BF16 || t == T_CB16))) bad = t;
    }
    if (bad == T_VOID) return false;
    if (bad != T_I64 && (in->op == IR_LOAD || in->op == IR_STORE || in->op == IR_SELECT || in->op == IR_CALL || in->op == IR_CALLR ||
                         in->op == IR_PARAM || in->op == IR_BITCAST)) return false;   /* moved as 16 bits */
    if (bad == T_I64) BE_DIAG(s->cx->d, i64_unbuilt, in->loc, d_str(op));
    else BE_DIAG(s->cx->d, type_unbuilt, in->loc, d_str(ir_type_name(bad)), d_str(op));
    s->cx->failed = true;
    return true;
}

/* ---- integer arithmetic */
static void add_sub(Isel *s, IrIns *in, Reg d)
{
    int64_t c;
    IrRef x = in->args[0], y = in->args[1];
    bool sub = in->op == IR_SUB;
    if (!sub && is_const(s->f, x, &c)) {
        x = in->args[1];
        y = in->args[0];
    }
    if (is_const(s->f, y, &c)) {
        if (sub) c = -c;
        if (in->type == T_I16 || in->type == T_PTR) c = (int16_t)c;
        if (fits14(c)) {
            isel_emit_imm(s, OP_ADDI, d, isel_need(s, x), c);
            return;
        }
        isel_emit(s, OP_ADD, d, isel_need(s, x), isel_int(s, c));
        return;
    }
    for (int k = 0; k < 2 && !sub; k++) {                /* x + address of a near global: the address is the immediate */
        IrIns *g = ir_ins(s->f, isel_resolve(s, in->args[k]));
        if (g->op != IR_GADDR) continue;
        int64_t off = s->cx->place[g->sym.i - 1].addr_off + g->imm;
        if (!isel_near(s, off)) continue;
        isel_emit_imm(s, OP_ADDI, d, isel_need(s, in->args[1 - k]), off)->symk = SY_DATA;
        return;
    }
    isel_emit(s, sub ? OP_SUB : OP_ADD, d, isel_need(s, x), isel_need(s, y));
}

static void logic(Isel *s, IrIns *in, Reg d)
{
    static const struct { int ir, rrr, rri; } row[] = {{IR_AND, OP_AND, OP_ANDI}, {IR_OR, OP_OR, OP_ORI}, {IR_XOR, OP_XOR, OP_XORI}};
    int64_t c;
    IrRef x = in->args[0], y = in->args[1];
    if (is_const(s->f, x, &c)) {
        x = y;
        y = in->args[0];
    }
    for (int i = 0; i < 3; i++) {
        if (row[i].ir != in->op) continue;
        if (is_const(s->f, y, &c)) {
            if (in->op == IR_AND && (c == 255 || c == 65535) && in->type == T_I32) {
                isel_emit(s, c == 255 ? OP_ZEXT8 : OP_ZEXT16, d, isel_need(s, x), R_NONE);
                return;
            }
            if (fits14(c)) {
                isel_emit_imm(s, row[i].rri, d, isel_need(s, x), c);
                return;
            }
        }
        isel_emit(s, row[i].rrr, d, isel_need(s, x), isel_need(s, y));
    }
}

static void shift(Isel *s, IrIns *in, Reg d)
{
    int bits = isel_bits(in->type);
    int64_t c;
    IrRef x = in->args[0];
    bool left = in->op == IR_SHL, arith = in->op == IR_ASHR;
    if (is_const(s->f, in->args[1], &c)) {
        uint64_t n = (uint64_t)c & (bits == 32 ? 0xffffffffu : (1u << bits) - 1);
        if (n >= (uint64_t)bits) {
            if (!arith) {
                isel_emit(s, M_COPY, d, 0, R_NONE);
                return;
            }
            n = (uint64_t)bits - 1;
        }
        Reg v = left ? isel_need(s, x) : isel_need_ext(s, x, arith ? EXT_SIGN : EXT_ZERO);
        if (n == 0) isel_emit(s, M_COPY, d, v, R_NONE);
        else isel_emit_imm(s, left ? OP_SLLI : arith ? OP_SRAI : OP_SRLI, d, v, (int64_t)n);
        return;
    }
    Reg v = left || bits == 16 ? isel_need(s, x) : isel_need_ext(s, x, arith ? EXT_SIGN : EXT_ZERO);
    Reg n = isel_need_ext(s, in->args[1], EXT_ZERO);
    if (left) isel_emit(s, OP_SLL, d, v, n);
    else if (bits == 16) isel_emit(s, arith ? OP_SRAH : OP_SRLH, d, v, n);
    else isel_emit(s, arith ? OP_SRA : OP_SRL, d, v, n);
}

/* the value behind a zero or sign extension from 16 bits or fewer: a 16-bit product gives all of it */
static bool narrow(Isel *s, IrRef r, IrOp ext, int64_t max)
{
    int64_t c;
    IrIns *in = ir_ins(s->f, r);
    if (is_const(s->f, r, &c)) return ext == IR_ZEXT ? c >= 0 && c <= max : c >= -32768 && c <= 32767;
    return in->op == ext && isel_bits(type_of(s, in->args[0])) <= 16;
}

static Reg narrow_reg(Isel *s, IrRef r) { return isel_need(s, r); }

static void mul32(Isel *s, IrIns *in, Reg d)
{
    IrRef x = in->args[0], y = in->args[1];
    bool zx = narrow(s, x, IR_ZEXT, 65535), zy = narrow(s, y, IR_ZEXT, 65535);
    Reg a = narrow_reg(s, x), b = narrow_reg(s, y);
    if ((zx && zy) || (narrow(s, x, IR_SEXT, 0) && narrow(s, y, IR_SEXT, 0))) {
        isel_emit(s, zx && zy ? OP_MULU16 : OP_MULS16, d, a, b);
        return;
    }
    /* a * b = al * bl + (ah * bl + al * bh << 16), modulo 2^32 */
    Reg cross = R_NONE;
    for (int k = 0; k < 2; k++) {
        if (k ? zy : zx) continue;
        Reg h = isel_tmp(s), p = isel_tmp(s);
        isel_emit_imm(s, OP_SRLI, h, k ? b : a, 16);
        isel_emit(s, OP_MULU16, p, h, k ? a : b);
        if (cross == R_NONE) cross = p;
        else {
            Reg t = isel_tmp(s);
            isel_emit(s, OP_ADD, t, cross, p);
            cross = t;
        }
    }
    Reg low = isel_tmp(s), up = isel_tmp(s);
    isel_emit_imm(s, OP_SLLI, up, cross, 16);
    isel_emit(s, OP_MULU16, low, a, b);
    isel_emit(s, OP_ADD, d, low, up);
}

static void mul(Isel *s, IrIns *in, Reg d)
{
    int64_t c;
    for (int k = 0; k < 2; k++) {
        if (!is_const(s->f, in->args[k], &c) || log2_of(c) < 0) continue;
        isel_emit_imm(s, OP_SLLI, d, isel_need(s, in->args[1 - k]), log2_of(c));
        return;
    }
    if (isel_bits(in->type) == 32) mul32(s, in, d);
    else isel_emit(s, OP_MULU16, d, isel_need(s, in->args[0]), isel_need(s, in->args[1]));
}

static void divide(Isel *s, IrIns *in, Reg d)
{
    bool sgn = in->op == IR_SDIV || in->op == IR_SREM, rem = in->op == IR_UREM || in->op == IR_SREM;
    int ext = sgn ? EXT_SIGN : EXT_ZERO;
    int64_t c;
    Reg a = isel_need_ext(s, in->args[0], ext);
    if (!sgn && is_const(s->f, in->args[1], &c)) {
        if (isel_bits(in->type) < 32) c &= (1 << isel_bits(in->type)) - 1;
        int k = log2_of(c);
        if (k >= 0 && !rem) {
            isel_emit_imm(s, k ? OP_SRLI : OP_ADDI, d, a, k);
            return;
        }
        if (k >= 0 && c - 1 <= 8191) {
            isel_emit_imm(s, OP_ANDI, d, a, c - 1);
            return;
        }
    }
    isel_emit(s, sgn ? (rem ? OP_REMS : OP_DIVS) : (rem ? OP_REMU : OP_DIVU), d, a, isel_need_ext(s, in->args[1], ext));
}

/* ---- compares */
static bool half_type(IrType t) { return t == T_I16 || t == T_PTR; }

/* d = x cmp y as 0 or 1; returns true if d holds the opposite (one instruction saved) */
static bool compare(Isel *s, Reg d, IrCmp cmp, IrRef x, IrRef y)
{
    IrType t = type_of(s, x);
    int bits = isel_bits(t);
    int64_t c;
    bool flip = cmp == CMP_NE;
    if ((cmp == CMP_EQ || cmp == CMP_NE) && is_const(s->f, x, &c)) {
        IrRef q = x;
        x = y;
        y = q;
    }
    if (cmp == CMP_SLE || cmp == CMP_ULE) {              /* x <= y is not y < x */
        IrRef q = x;
        x = y;
        y = q;
        flip = true;
        cmp = cmp == CMP_SLE ? CMP_SLT : CMP_ULT;
    }
    if (t == T_I1 && cmp == CMP_SLT) {                   /* true is -1 */
        IrRef q = x;
        x = y;
        y = q;
        cmp = CMP_ULT;
    }
    int ext = cmp == CMP_SLT ? EXT_SIGN : EXT_ZERO;
    bool half = half_type(t);
    if (cmp != CMP_ULT && is_const(s->f, y, &c) && fits14(c) && (bits == 32 || bits == 1 || bits == 8)) {
        if (cmp != CMP_SLT) ext = c >= 0 ? EXT_ZERO : EXT_SIGN;
        isel_emit_imm(s, cmp == CMP_SLT ? OP_SLTI : OP_SEQI, d, isel_need_ext(s, x, ext), c);
        return flip;
    }
    Reg a = half ? isel_need(s, x) : isel_need_ext(s, x, ext), b = half ? isel_need(s, y) : isel_need_ext(s, y, ext);
    int op = cmp == CMP_SLT ? (half ? OP_SLTH : OP_SLT) : cmp == CMP_ULT ? (half ? OP_SLTUH : OP_SLTU) : (half ? OP_SEQH : OP_SEQ);
    isel_emit(s, op, d, a, b);
    return flip;
}

static bool fcompare(Isel *s, Reg d, IrCmp cmp, IrRef x, IrRef y)
{
    bool h = type_of(s, x) == T_F16;
    int op = cmp == CMP_SLT ? (h ? OP_FLTH : OP_FLTS) : cmp == CMP_SLE ? (h ? OP_FLEH : OP_FLES) : (h ? OP_FEQH : OP_FEQS);
    isel_emit(s, op, d, isel_need(s, x), isel_need(s, y));
    return cmp == CMP_NE;
}

/* A condition as a register, negated or not; a compare with one user is made here. */
static Reg condition(Isel *s, IrRef c, bool *negated)
{
    for (;;) {
        c = isel_resolve(s, c);
        IrIns *in = ir_ins(s->f, c);
        int64_t k;
        if (in->type == T_I1 && in->op == IR_XOR && is_const(s->f, in->args[1], &k) && k) {
            *negated = !*negated;
            c = in->args[0];
        } else if (in->op == IR_ICMP && type_of(s, in->args[0]) == T_I1 && is_const(s->f, in->args[1], &k) && (in->imm == CMP_EQ || in->imm == CMP_NE)) {
            if ((in->imm == CMP_EQ) == (k == 0)) *negated = !*negated;
            c = in->args[0];
        } else break;
    }
    IrIns *in = ir_ins(s->f, c);
    if ((in->op != IR_ICMP && in->op != IR_FCMP) || s->uses[c.i] > 1 || s->lo[c.i] != R_NONE) return isel_need(s, c);
    int64_t k;
    if (in->op == IR_ICMP && (in->imm == CMP_NE || in->imm == CMP_EQ) && isel_bits(type_of(s, in->args[0])) == 32 &&
        is_const(s->f, in->args[1], &k) && k == 0) {
        if (in->imm == CMP_EQ) *negated = !*negated;
        return isel_need(s, in->args[0]);
    }
    Reg d = isel_tmp(s);
    bool flip = in->op == IR_ICMP ? compare(s, d, (IrCmp)in->imm, in->args[0], in->args[1])
                                  : fcompare(s, d, (IrCmp)in->imm, in->args[0], in->args[1]);
    if (flip) *negated = !*negated;
    return d;
}

/* go to tgt if cond (or if not cond) */
void isel_branch(Isel *s, IrRef cond, bool negated, uint32_t tgt)
{
    IrRef c = isel_resolve(s, cond);
    IrIns *in = ir_ins(s->f, c);
    if (in->op != IR_ICMP || type_of(s, in->args[0]) == T_I1 || type_of(s, in->args[0]) == T_I64) {
        Reg r = condition(s, c, &negated);
        isel_emit(s, negated ? OP_BEQ : OP_BNE, R_NONE, r, 0)->tgt = tgt;
        return;
    }
    static const struct { int yes, no; } w[2][3] = {{{OP_BEQ, OP_BNE}, {OP_BLT, OP_BGE}, {OP_BLTU, OP_BGEU}},
                                                    {{OP_BEQH, OP_BNEH}, {OP_BLTH, OP_BGEH}, {OP_BLTUH, OP_BGEUH}}};
    IrRef x = in->args[0], y = in->args[1];
    IrCmp cmp = (IrCmp)in->imm;
    if (cmp == CMP_NE || cmp == CMP_SLE || cmp == CMP_ULE) negated = !negated;
    if (cmp == CMP_SLE || cmp == CMP_ULE) {
        x = in->args[1];
        y = in->args[0];
    }
    int kind = cmp == CMP_EQ || cmp == CMP_NE ? 0 : cmp == CMP_SLT || cmp == CMP_SLE ? 1 : 2;
    IrType t = type_of(s, x);
    bool half = half_type(t);
    int ext = kind == 1 ? EXT_SIGN : EXT_ZERO;
    Reg a = half ? isel_need(s, x) : isel_need_ext(s, x, ext), b = half ? isel_need(s, y) : isel_need_ext(s, y, ext);
    isel_emit(s, negated ? w[half][kind].no : w[half][kind].yes, R_NONE, a, b)->tgt = tgt;
}

static void select_op(Isel *s, IrIns *in, Reg d, Reg dh)
{
    bool neg = false;
    Reg c = condition(s, in->args[0], &neg);
    IrRef x = in->args[neg ? 2 : 1], y = in->args[neg ? 1 : 2];
    if (d != R_NONE) {
        Reg a = isel_need(s, x), b = isel_need(s, y);
        isel_emit(s, OP_SEL, d, c, a)->c = b;
    }
    if (dh != R_NONE) {
        Reg a = isel_need_hi(s, x), b = isel_need_hi(s, y);
        isel_emit(s, OP_SEL, dh, c, a)->c = b;
    }
}

bool isel_switch_table(IrFn *f, IrIns *in, int64_t *min, int64_t *range)
{
    int n = in->nblocks - 1, bits = isel_bits(ir_ins(f, in->args[0])->type);
    if (n < 4 || bits < 8 || bits > 32) return false;
    int64_t lo = INT64_MAX, hi = INT64_MIN;
    for (int i = 0; i < n; i++) {
        int64_t c = bits == 32 ? (int32_t)in->cases[i] : bits == 16 ? (int16_t)in->cases[i] : (int8_t)in->cases[i];
        if (c < lo) lo = c;
        if (c > hi) hi = c;
    }
    if (lo > 0 && lo <= 4) lo = 0;                       /* a few entries more save the subtraction */
    *min = lo;
    *range = hi - lo + 1;
    return *range <= 4 * n;
}

/* ---- floating point: vector operations of one element on registers */
static MIns *vec1(Isel *s, int op, Reg d, Reg a, Reg b)
{
    MIns *in = isel_emit(s, op, d, a, b);
    in->imm = 1;
    return in;
}

static void float_op(Isel *s, IrIns *in, Reg d)
{
    static const struct { int ir, f32, f16; } row[] = {
        {IR_FADD, OP_FADDS, OP_FADDH}, {IR_FSUB, OP_FSUBS, OP_FSUBH}, {IR_FMUL, OP_FMULS, OP_FMULH}, {IR_FMAX, OP_FMAXS, OP_FMAXH},
        {IR_FNEG, OP_FNEGS, OP_FNEGH}, {IR_FABS, OP_FABSS, OP_FABSH}, {IR_FDIV, OP_FDIVS, OP_FDIVH}};
    bool h = in->type == T_F16;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        if (row[i].ir != in->op) continue;
        int op = h ? row[i].f16 : row[i].f32;
        Reg x = isel_need(s, in->args[0]);
        if (in->nargs == 1) vec1(s, op, d, R_NONE, x);
        else if (in->op == IR_FDIV) isel_emit(s, op, d, x, isel_need(s, in->args[1]));
        else vec1(s, op, d, x, isel_need(s, in->args[1]));
        return;
    }
    Reg a = isel_need(s, in->args[0]), b = isel_need(s, in->args[1]), c = isel_need(s, in->args[2]);
    if (h && in->op == IR_FMS) {                         /* rounded twice, so two operations are the same */
        Reg t = isel_tmp(s);
        vec1(s, OP_FMULH, t, b, c);
        vec1(s, OP_FSUBH, d, a, t);
        return;
    }
    isel_emit(s, h ? OP_FMACH1 : in->op == IR_FMA ? OP_FMACS1 : OP_FMSS1, d, a, b)->c = c;
}

/* x clamped to [lo, hi], signed or unsigned 32 bits */
static Reg clamp(Isel *s, Reg x, int64_t lo, int64_t hi, bool sgn)
{
    for (int k = sgn ? 0 : 1; k < 2; k++) {
        Reg lim = isel_int(s, k ? hi : lo), p = isel_tmp(s), r = isel_tmp(s);
        isel_emit(s, sgn ? OP_SLT : OP_SLTU, p, k ? x : lim, k ? lim : x);
        isel_emit(s, OP_SEL, r, p, x)->c = lim;
        x = r;
    }
    return x;
}

static void convert(Isel *s, IrIns *in, Reg d)
{
    IrRef x = in->args[0];
    bool sgn = in->op == IR_FPTOSI || in->op == IR_SITOFP;
    if (in->op == IR_SITOFP || in->op == IR_UITOFP) {
        Reg v = isel_need_ext(s, x, sgn ? EXT_SIGN : EXT_ZERO);
        if (type_of(s, x) == T_I1 && sgn) {
            Reg t = isel_tmp(s);
            isel_emit(s, OP_SUB, t, 0, v);
            v = t;
        }
        isel_emit(s, in->type == T_F16 ? (sgn ? OP_CVTHI : OP_CVTHU) : (sgn ? OP_CVTSI : OP_CVTSU), d, v, R_NONE);
        return;
    }
    Reg v = isel_need(s, x);
    if (type_of(s, x) == T_F16) {
        Reg t = isel_tmp(s);
        vec1(s, OP_FH2S, t, R_NONE, v);
        v = t;
    }
    int bits = isel_bits(in->type);
    Reg t = bits < 32 ? isel_tmp(s) : d;
    isel_emit(s, sgn ? OP_CVTIS : OP_CVTUS, t, v, R_NONE);
    if (bits == 32) return;
    int64_t hi = sgn ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
    isel_emit(s, M_COPY, d, clamp(s, t, -hi - 1, hi, sgn), R_NONE);
}

/* ---- memory */
static void load(Isel *s, IrRef r, IrIns *in, Reg d, Reg dh)
{
    static const int op[2][3] = {{OP_LDBU, OP_LDHU, OP_LDW}, {OP_LDB, OP_LDH, OP_LDW}};
    if (in->type == T_DSD) {
        if (d != R_NONE) isel_mem(s, OP_LDW, d, isel_addr(s, in->args[0], in->imm, 4));
        if (dh != R_NONE) isel_mem(s, OP_LDW, dh, isel_addr(s, in->args[0], in->imm + 4, 4));
        return;
    }
    int n = ir_type_bytes(in->type);
    Addr a = isel_addr(s, in->args[0], in->imm, n);
    isel_mem(s, op[s->ext[r.i] == EXT_SIGN][n == 1 ? 0 : n == 2 ? 1 : 2], d, a);
}

static void store(Isel *s, IrIns *in)
{
    IrRef v = in->args[1];
    if (type_of(s, v) == T_DSD) {
        Reg lo = isel_need(s, v), hi = isel_need_hi(s, v);
        isel_mem(s, OP_STW, lo, isel_addr(s, in->args[0], in->imm, 4));
        isel_mem(s, OP_STW, hi, isel_addr(s, in->args[0], in->imm + 4, 4));
        return;
    }
    int n = ir_type_bytes(type_of(s, v));
    Reg r = isel_need(s, v);
    isel_mem(s, n == 1 ? OP_STB : n == 2 ? OP_STH : OP_STW, r, isel_addr(s, in->args[0], in->imm, n));
}

/* ---- calls and parameters */
static void call(Isel *s, IrIns *in, Reg d, Reg dh)
{
    int first = in->op == IR_CALLR;
    Reg target = first ? isel_need(s, in->args[0]) : R_NONE;
    struct { Reg r; int at; } *moves = NULL;
    int at = 0;
    for (int i = first; i < in->nargs; i++) {
        bool pair = type_of(s, in->args[i]) == T_DSD;
        if (pair && at < ABI_NARGS && at + 2 > ABI_NARGS) at = ABI_NARGS;     /* a pair is not torn apart */
        for (int k = 0; k < 1 + pair; k++, at++) {
            arrput(moves, ((__typeof__(*moves)){k ? isel_need_hi(s, in->args[i]) : isel_need(s, in->args[i]), at}));
        }
    }
    uint32_t mask = 0;
    for (ptrdiff_t i = 0; i < arrlen(moves); i++) {
        if (moves[i].at < ABI_NARGS) continue;
        MIns *st = isel_emit_imm(s, OP_STW, moves[i].r, REG_SP, (moves[i].at - ABI_NARGS) * 4);
        st->fi = FI_ARG_OUT;
        st->wr = (MemRef){MK_FRAME, UINT32_MAX, st->imm, 4};
        if ((uint32_t)st->imm + 4 > s->mf->out_bytes) s->mf->out_bytes = (uint32_t)st->imm + 4;
    }
    for (ptrdiff_t i = 0; i < arrlen(moves); i++) {
        if (moves[i].at >= ABI_NARGS) continue;
        isel_emit(s, M_COPY, ABI_ARG0 + moves[i].at, moves[i].r, R_NONE);
        mask |= 1u << (ABI_ARG0 + moves[i].at);
    }
    arrfree(moves);
    MIns *c = isel_emit(s, first ? M_CALLR : M_CALL, R_NONE, target, R_NONE);
    c->mask = mask;
    if (!first) {
        c->sym = in->sym.i & 0x7fffffff;
        IrFn *f = s->m->fns[c->sym];
        if (f->decl_only) {
            BE_DIAG(s->cx->d, no_body, in->loc, d_str(f->name));
            s->cx->failed = true;
        }
    }
    if (d != R_NONE) isel_emit(s, M_COPY, d, ABI_ARG0, R_NONE);
    if (dh != R_NONE) isel_emit(s, M_COPY, dh, ABI_ARG0 + 1, R_NONE);
}

static void param(Isel *s, IrIns *in, Reg d, Reg dh)
{
    MIns *keep = s->tmp;
    s->tmp = NULL;
    int at = 0;
    bool task = s->f->kind == FN_TASK_DATA || s->f->kind == FN_TASK_CONTROL;
    for (int i = 0; i < in->imm; i++) {
        bool pair = s->f->params[i] == T_DSD;
        if (pair && at < ABI_NARGS && at + 2 > ABI_NARGS) at = ABI_NARGS;
        at += 1 + pair;
    }
    bool pair = s->f->params[in->imm] == T_DSD;
    if (pair && at < ABI_NARGS && at + 2 > ABI_NARGS) at = ABI_NARGS;
    for (int k = 0; k < 1 + pair; k++, at++) {
        Reg r = k ? dh : d;
        if (r == R_NONE) continue;
        if (task && at == 1) isel_emit_imm(s, OP_SRLI, r, ABI_ARG0, 16);      /* second half of the wavelet */
        else if (at < ABI_NARGS) isel_emit(s, M_COPY, r, ABI_ARG0 + at, R_NONE);
        else {
            MIns *ld = isel_emit_imm(s, OP_LDW, r, REG_SP, (at - ABI_NARGS) * 4);
            ld->fi = FI_ARG_IN;
            ld->rd[0] = (MemRef){MK_FRAME, UINT32_MAX - 1, ld->imm, 4};
        }
    }
    for (ptrdiff_t i = 0; i < arrlen(s->tmp); i++) arrput(s->params, s->tmp[i]);
    arrfree(s->tmp);
    s->tmp = keep;
}

/* ---- descriptors as values.  lo: base | length << 16, hi: stride | kind << 16 */
static void dsd_op(Isel *s, IrIns *in, Reg d, Reg dh)
{
    IrRef x = in->args[0], y = in->args[1];
    if (dh != R_NONE && in->op != IR_DSDSTRIDE) isel_emit(s, M_COPY, dh, isel_need_hi(s, x), R_NONE);
    if (d != R_NONE && in->op == IR_DSDSTRIDE) isel_emit(s, M_COPY, d, isel_need(s, x), R_NONE);
    Reg t = isel_tmp(s), u = isel_tmp(s), v = isel_tmp(s), w = isel_tmp(s);
    if (in->op == IR_DSDSTRIDE && dh != R_NONE) {        /* old ^ low8(old ^ new) */
        Reg h = isel_need_hi(s, x);
        isel_emit(s, OP_XOR, t, h, isel_need(s, y));
        isel_emit(s, OP_ZEXT8, u, t, R_NONE);
        isel_emit(s, OP_XOR, dh, h, u);
    } else if (in->op == IR_DSDLEN && d != R_NONE) {
        Reg l = isel_need(s, x);
        isel_emit_imm(s, OP_SRLI, t, l, 16);
        isel_emit(s, OP_XOR, u, t, isel_need(s, y));
        isel_emit_imm(s, OP_SLLI, v, u, 17);
        isel_emit_imm(s, OP_SRLI, w, v, 1);
        isel_emit(s, OP_XOR, d, l, w);
    } else if (d != R_NONE && in->op != IR_DSDSTRIDE) {
        Reg l = isel_need(s, x), b = isel_need(s, y);
        if (in->op == IR_DSDOFF) isel_emit(s, OP_ADD, t, l, b), b = t;
        isel_emit(s, OP_XOR, u, l, b);
        isel_emit(s, OP_ZEXT16, v, u, R_NONE);
        isel_emit(s, OP_XOR, d, l, v);
    }
}

/* ---- tasks, router, time */
static void task_op(Isel *s, IrIns *in, int imm_op, int reg_op)
{
    if (in->nargs) isel_emit(s, reg_op, R_NONE, isel_need(s, in->args[0]), R_NONE);
    else isel_emit_imm(s, imm_op, R_NONE, R_NONE, in->imm);
}

static void trunc_ext(Isel *s, IrIns *in, Reg d)
{
    IrRef x = in->args[0];
    if (in->op == IR_TRUNC) {                            /* to i1: others are resolved away */
        isel_emit_imm(s, OP_ANDI, d, isel_need(s, x), 1);
    } else if (type_of(s, x) == T_I1) {
        if (in->op == IR_SEXT) isel_emit(s, OP_SUB, d, 0, isel_need(s, x));
        else isel_emit(s, M_COPY, d, isel_need(s, x), R_NONE);
    } else {
        static const int op[2][2] = {{OP_ZEXT8, OP_ZEXT16}, {OP_SEXT8, OP_SEXT16}};
        Reg v = isel_need(s, x);
        isel_emit(s, op[in->op == IR_SEXT][isel_bits(type_of(s, x)) == 16], d, v, R_NONE);
    }
}

void isel_scalar(Isel *s, IrRef r)
{
    IrIns *in = ir_ins(s->f, r);
    Reg d = s->lo[r.i], dh = s->hi[r.i];
    if (unbuilt(s, in)) return;
    switch (in->op) {
    case IR_PARAM: param(s, in, d, dh); return;
    case IR_ALLOCA: isel_emit_imm(s, M_FRAME, d, R_NONE, 0)->fi = s->fo[r.i]; return;
    case IR_LOAD: load(s, r, in, d, dh); return;
    case IR_STORE: store(s, in); return;
    case IR_ADD: case IR_SUB:
        add_sub(s, in, d);
        if (in->type == T_I1) {
            Reg t = isel_tmp(s);
            s->tmp[arrlen(s->tmp) - 1].d = t;
            isel_emit_imm(s, OP_ANDI, d, t, 1);
        }
        return;
    case IR_MUL: if (in->type == T_I1) isel_emit(s, OP_AND, d, isel_need(s, in->args[0]), isel_need(s, in->args[1])); else mul(s, in, d); return;
    case IR_UDIV: case IR_SDIV: case IR_UREM: case IR_SREM: divide(s, in, d); return;
    case IR_AND: case IR_OR: case IR_XOR: logic(s, in, d); return;
    case IR_SHL: case IR_LSHR: case IR_ASHR: shift(s, in, d); return;
    case IR_ICMP: case IR_FCMP: {
        bool fp = in->op == IR_FCMP;
        Reg t = d;
        bool neg = in->imm == CMP_NE || (!fp && (in->imm == CMP_SLE || in->imm == CMP_ULE));
        if (neg) t = isel_tmp(s);
        bool flip = fp ? fcompare(s, t, (IrCmp)in->imm, in->args[0], in->args[1]) : compare(s, t, (IrCmp)in->imm, in->args[0], in->args[1]);
        assert(flip == neg);
        if (flip) isel_emit_imm(s, OP_XORI, d, t, 1);
        return;
    }
    case IR_FADD: case IR_FSUB: case IR_FMUL: case IR_FDIV: case IR_FMAX: case IR_FNEG: case IR_FABS: case IR_FMA: case IR_FMS:
        float_op(s, in, d);
        return;
    case IR_TRUNC: case IR_ZEXT: case IR_SEXT: trunc_ext(s, in, d); return;
    case IR_FPTOSI: case IR_FPTOUI: case IR_SITOFP: case IR_UITOFP: convert(s, in, d); return;
    case IR_FPEXT: vec1(s, OP_FH2S, d, R_NONE, isel_need(s, in->args[0])); return;
    case IR_FPTRUNC: vec1(s, OP_FS2H, d, R_NONE, isel_need(s, in->args[0])); return;
    case IR_SELECT: select_op(s, in, d, dh); return;
    case IR_CALL: case IR_CALLR: call(s, in, d, dh); return;
    case IR_ACTIVATE: task_op(s, in, OP_ACT, OP_ACTR); return;
    case IR_BLOCK: task_op(s, in, OP_BLK, OP_BLKR); return;
    case IR_UNBLOCK: task_op(s, in, OP_UNB, OP_UNBR); return;
    case IR_WAITUT: isel_emit_imm(s, OP_WAITUT, R_NONE, R_NONE, in->imm); return;
    case IR_TSC: isel_emit_imm(s, OP_TSC, d == R_NONE ? isel_tmp(s) : d, R_NONE, in->imm); return;
    case IR_VLEFT: isel_emit_imm(s, OP_VLEFT, d == R_NONE ? isel_tmp(s) : d, R_NONE, 0); return;
    case IR_PRINT: isel_emit_imm(s, OP_HOUT, in->nargs ? isel_need(s, in->args[0]) : 0, R_NONE, in->imm); return;
    case IR_TRAP: isel_emit_imm(s, OP_TRAP, R_NONE, R_NONE, in->imm); return;
    case IR_SETROUTER: isel_emit(s, OP_SETRTR, R_NONE, isel_need(s, in->args[0]), R_NONE); return;
    case IR_SETSOCKETS: isel_emit(s, OP_SETSOCK, R_NONE, isel_need(s, in->args[0]), R_NONE); return;
    case IR_SENDCTRL: isel_emit(s, OP_SENDC, R_NONE, isel_need(s, in->args[0]), R_NONE)->k = (uint8_t)in->imm; return;
    case IR_DSDBASE: case IR_DSDLEN: case IR_DSDOFF: case IR_DSDSTRIDE: dsd_op(s, in, d, dh); return;
    default: return;                                     /* slots have no code */
    }
}
