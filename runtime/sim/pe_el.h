/* runtime/sim/pe_el.h: what each instruction does, one pure body per row of pe_ops.def.
 *
 * Operands in, result out, as 32 bits each; no queue, no wait, no memory, no time.  a, b, c are the sources in the
 * order of the instruction's fields (an immediate takes the place of the last one), d is the old destination: the
 * accumulator of a chain.  16-bit operations look at the low halves and return zeros above.  Branches return the
 * condition, loads get the raw memory word and extend it.  SHELL marks rows that are all control: the engine does them.
 * A row without a body does not compile (the table in sim.c names each).
 *
 * Floating point: IEEE, round to nearest even, denormals kept, a NaN result is always the canonical one.  fp16 is
 * computed in fp32 and rounded: exact for + - * /, since 24 >= 2 * 11 + 2. */
#ifndef WS_PE_EL_H
#define WS_PE_EL_H
#include <math.h>
#include <stdint.h>
#include <string.h>

#define EL(name) static inline uint32_t el_##name(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
#define EL_FUSED(name) static inline uint32_t elf_##name(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
#define SHELL(name) EL(name) { (void)b, (void)c, (void)d; return a; }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-function"

enum { NAN_H = 0x7e00 };
#define NAN_S 0x7fc00000u
static inline float s_of(uint32_t u) { float f; memcpy(&f, &u, 4); return f; }
static inline uint32_t of_s(float f)
{
    uint32_t u;
    memcpy(&u, &f, 4);
    return f != f ? NAN_S : u;
}
static inline uint32_t low(uint32_t a) { return a & 0xffff; }
static inline int32_t sx16(uint32_t a) { return (int16_t)a; }
static inline int32_t sx8(uint32_t a) { return (int8_t)a; }
/* fp16 to fp32, exact */
static inline float h_of(uint32_t h)
{
    uint32_t sign = (h & 0x8000) << 16, e = h >> 10 & 31, m = h & 0x3ff;
    if (e == 31) return s_of(m ? NAN_S : sign | 0x7f800000u);
    if (e) return s_of(sign | (e + 112) << 23 | m << 13);
    float f = (float)m * 0x1p-24f;                       /* denormal: m units of 2^-24 */
    return sign ? -f : f;
}
/* fp32 to fp16, to nearest even */
static inline uint32_t of_h(float f)
{
    uint32_t u, sign, m;
    memcpy(&u, &f, 4);
    if (f != f) return NAN_H;
    sign = u >> 16 & 0x8000;
    u &= 0x7fffffffu;
    if (u >= 0x477ff000u) return sign | 0x7c00;          /* 65520 and more */
    if (u < 0x38800000u) {                               /* below 2^-14: units of 2^-24, the FPU rounds */
        m = (uint32_t)(int32_t)lrintf(s_of(u) * 0x1p24f);
        return sign | m;
    }
    u += 0xfffu + (u >> 13 & 1);
    return sign | ((u >> 13) - (112u << 10));
}
static inline uint32_t max_s(uint32_t a, uint32_t b)     /* +0 is above -0 */
{
    float x = s_of(a), y = s_of(b);
    if (x != x || y != y) return NAN_S;
    return x == y ? a & b : x > y ? a : b;
}
static inline uint32_t max_h(uint32_t a, uint32_t b)
{
    float x = h_of(a), y = h_of(b);
    if (x != x || y != y) return NAN_H;
    return x == y ? low(a & b) : x > y ? low(a) : low(b);
}
static inline uint32_t mul_s(uint32_t a, uint32_t b) { return of_s(s_of(a) * s_of(b)); }
static inline uint32_t add_s(uint32_t a, uint32_t b) { return of_s(s_of(a) + s_of(b)); }
static inline uint32_t sub_s(uint32_t a, uint32_t b) { return of_s(s_of(a) - s_of(b)); }
static inline int32_t cvt_i(float f)
{
    if (f != f) return 0;
    if (f >= 0x1p31f) return INT32_MAX;
    return f < -0x1p31f ? INT32_MIN : (int32_t)f;
}
static inline uint32_t cvt_u(float f)
{
    if (f != f || f <= 0) return 0;
    return f >= 0x1p32f ? UINT32_MAX : (uint32_t)f;
}

/* ---- scalar integer */
EL(ADD) { return a + b; }
EL(SUB) { return a - b; }
EL(AND) { return a & b; }
EL(OR) { return a | b; }
EL(XOR) { return a ^ b; }
EL(SLL) { return b < 32 ? a << b : 0; }
EL(SRL) { return b < 32 ? a >> b : 0; }
EL(SRA) { return (uint32_t)((int32_t)a >> (b < 32 ? b : 31)); }
EL(SRLH) { return b < 32 ? low(a) >> b : 0; }
EL(SRAH) { return (uint32_t)(sx16(a) >> (b < 32 ? b : 31)); }
EL(SLT) { return (int32_t)a < (int32_t)b; }
EL(SLTU) { return a < b; }
EL(SLTH) { return sx16(a) < sx16(b); }
EL(SLTUH) { return low(a) < low(b); }
EL(SEQ) { return a == b; }
EL(SEQH) { return low(a) == low(b); }
EL(MULU16) { return low(a) * low(b); }
EL(MULS16) { return (uint32_t)(sx16(a) * sx16(b)); }
EL(DIVU) { return b ? a / b : UINT32_MAX; }
EL(DIVS)
{
    if (!b) return UINT32_MAX;
    if (a == 0x80000000u && b == UINT32_MAX) return a;
    return (uint32_t)((int32_t)a / (int32_t)b);
}
EL(REMU) { return b ? a % b : a; }
EL(REMS)
{
    if (!b) return a;
    if (a == 0x80000000u && b == UINT32_MAX) return 0;
    return (uint32_t)((int32_t)a % (int32_t)b);
}
EL(SEXT8) { return (uint32_t)sx8(a); }
EL(SEXT16) { return (uint32_t)sx16(a); }
EL(ZEXT8) { return a & 0xff; }
EL(ZEXT16) { return low(a); }
EL(SEL) { return a ? b : c; }
EL(ADDI) { return a + b; }
EL(ANDI) { return a & b; }
EL(ORI) { return a | b; }
EL(XORI) { return a ^ b; }
EL(SLLI) { return b < 32 ? a << b : 0; }
EL(SRLI) { return b < 32 ? a >> b : 0; }
EL(SRAI) { return (uint32_t)((int32_t)a >> (b < 32 ? b : 31)); }
EL(SLTI) { return (int32_t)a < (int32_t)b; }
EL(SEQI) { return a == b; }
EL(LI) { return (uint32_t)sx16(b); }
EL(LIU) { return low(b); }
EL(LUI) { return b << 16; }
EL(INSL) { return (d & 0xffff0000u) | low(b); }
/* ---- memory: a is the raw word */
EL(LDB) { return (uint32_t)sx8(a); }
EL(LDBU) { return a & 0xff; }
EL(LDH) { return (uint32_t)sx16(a); }
EL(LDHU) { return low(a); }
EL(LDW) { return a; }
SHELL(STB) SHELL(STH) SHELL(STW)
/* ---- control flow: the condition */
EL(BEQ) { return a == b; }
EL(BNE) { return a != b; }
EL(BLT) { return (int32_t)a < (int32_t)b; }
EL(BGE) { return (int32_t)a >= (int32_t)b; }
EL(BLTU) { return a < b; }
EL(BGEU) { return a >= b; }
EL(BEQH) { return low(a) == low(b); }
EL(BNEH) { return low(a) != low(b); }
EL(BLTH) { return sx16(a) < sx16(b); }
EL(BGEH) { return sx16(a) >= sx16(b); }
EL(BLTUH) { return low(a) < low(b); }
EL(BGEUH) { return low(a) >= low(b); }
SHELL(JMP) SHELL(CALL) SHELL(JR) SHELL(CALLR) SHELL(LOOP) SHELL(ENDL)
SHELL(DONE) SHELL(ACT) SHELL(BLK) SHELL(UNB) SHELL(ACTR) SHELL(BLKR) SHELL(UNBR) SHELL(TSC) SHELL(TRAP) SHELL(HOUT) SHELL(VLEFT) SHELL(DSRX)
SHELL(LDDSR) SHELL(LDDSRR) SHELL(DSRB) SHELL(DSRL) SHELL(ASYNC) SHELL(WAITUT) SHELL(SETRTR) SHELL(SETSOCK) SHELL(SENDC)
/* ---- fp32 */
EL(FADDS) { return add_s(a, b); }
EL(FSUBS) { return sub_s(a, b); }
EL(FMULS) { return mul_s(a, b); }
EL(FMAXS) { return max_s(a, b); }
EL(FMOVS) { return b; }
EL(FNEGS) { return b ^ 0x80000000u; }
EL(FABSS) { return b & 0x7fffffffu; }
EL(FMACS) { return add_s(a, mul_s(b, c)); }
EL(FMACS1) { return add_s(a, mul_s(b, c)); }
EL(FMSS) { return sub_s(a, mul_s(b, c)); }
EL(FMSS1) { return sub_s(a, mul_s(b, c)); }
EL(DOTS) { return add_s(d, mul_s(a, b)); }
EL(DOTAS) { return add_s(d, mul_s(a, b)); }
EL(DOTNS) { return sub_s(d, mul_s(a, b)); }
EL(SUMS) { return add_s(d, b); }
EL(SUMAS) { return add_s(d, b); }
/* the same with fmac_rounding = 1 */
EL_FUSED(FMACS) { return of_s(fmaf(s_of(b), s_of(c), s_of(a))); }
EL_FUSED(FMACS1) { return of_s(fmaf(s_of(b), s_of(c), s_of(a))); }
EL_FUSED(FMSS) { return of_s(fmaf(-s_of(b), s_of(c), s_of(a))); }
EL_FUSED(FMSS1) { return of_s(fmaf(-s_of(b), s_of(c), s_of(a))); }
EL_FUSED(DOTS) { return of_s(fmaf(s_of(a), s_of(b), s_of(d))); }
EL_FUSED(DOTAS) { return of_s(fmaf(s_of(a), s_of(b), s_of(d))); }
EL_FUSED(DOTNS) { return of_s(fmaf(-s_of(a), s_of(b), s_of(d))); }
/* ---- fp16 and mixed */
EL(FADDH) { return of_h(h_of(a) + h_of(b)); }
EL(FSUBH) { return of_h(h_of(a) - h_of(b)); }
EL(FMULH) { return of_h(h_of(a) * h_of(b)); }
EL(FMAXH) { return max_h(a, b); }
EL(FMOVH) { return low(b); }
EL(FNEGH) { return low(b ^ 0x8000); }
EL(FABSH) { return b & 0x7fff; }
EL(FMACH) { return of_h(h_of(a) + h_of(of_h(h_of(b) * h_of(c)))); }
EL(FMACH1) { return of_h(h_of(a) + h_of(of_h(h_of(b) * h_of(c)))); }
/* the product of two fp16 is exact in fp32; the sum is rounded once if it goes to fp16 by way of round-to-odd */
static inline uint32_t fused_h(float a, float p)
{
    float s = a + p, t = s - a, err = (a - (s - t)) + (p - t);        /* two-sum: s + err is exact */
    uint32_t u;
    memcpy(&u, &s, 4);
    if (s - s == 0 && err != 0 && !(u & 1)) {                         /* inexact and even: one ulp towards err, now odd */
        u += (err > 0) == (s > 0) ? 1u : (uint32_t)-1;
        memcpy(&s, &u, 4);
    }
    return of_h(s);
}
EL_FUSED(FMACH) { return fused_h(h_of(a), h_of(b) * h_of(c)); }
EL_FUSED(FMACH1) { return fused_h(h_of(a), h_of(b) * h_of(c)); }
EL(FADDHS) { return of_s(h_of(a) + s_of(b)); }
EL(FH2S) { return of_s(h_of(b)); }
EL(FS2H) { return of_h(s_of(b)); }
/* ---- vector integer */
EL(ADD16) { return low(a + b); }
EL(SUB16) { return low(a - b); }
EL(AND16) { return low(a & b); }
EL(OR16) { return low(a | b); }
EL(XOR16) { return low(a ^ b); }
EL(MOV16) { return low(b); }
EL(SLL16) { return low(b) < 16 ? low(a << low(b)) : 0; }
EL(SLR16) { return low(b) < 16 ? low(a) >> low(b) : 0; }
EL(SAR16) { return low((uint32_t)(sx16(a) >> (low(b) < 16 ? low(b) : 15))); }
EL(ADD32) { return a + b; }
EL(SUB32) { return a - b; }
EL(MOV32) { return b; }
EL(MUL16) { return low(low(a) * low(b)); }
/* ---- scalar floating point */
EL(FDIVS) { return of_s(s_of(a) / s_of(b)); }
EL(FEQS) { return s_of(a) == s_of(b); }
EL(FLTS) { return s_of(a) < s_of(b); }
EL(FLES) { return s_of(a) <= s_of(b); }
EL(FDIVH) { return of_h(h_of(a) / h_of(b)); }
EL(FEQH) { return h_of(a) == h_of(b); }
EL(FLTH) { return h_of(a) < h_of(b); }
EL(FLEH) { return h_of(a) <= h_of(b); }
EL(CVTSI) { return of_s((float)(int32_t)a); }
EL(CVTSU) { return of_s((float)a); }
EL(CVTIS) { return (uint32_t)cvt_i(s_of(a)); }
EL(CVTUS) { return cvt_u(s_of(a)); }
EL(CVTHI) { return of_h((float)(int32_t)a); }        /* exact below 2^24; beyond it is infinite anyway */
EL(CVTHU) { return of_h((float)a); }
#pragma GCC diagnostic pop
#endif
