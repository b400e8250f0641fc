/* runtime/sim/fast_kern.h: elements of vector operations in bulk, for fast_hot.c and fast_run.c. */
#ifndef WS_SIM_FAST_KERN_H
#define WS_SIM_FAST_KERN_H
#include "runtime/sim/fast.h"
#include "runtime/sim/pe_el.h"
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "PE memory is read as the host's words");
enum { CHUNK = 64 };
typedef struct { const uint8_t *m; int32_t step; } Src;            /* values from m on, step bytes apart */

static inline uint32_t get4(const uint8_t *m)
{
    uint32_t v;
    memcpy(&v, m, 4);
    return v;
}
static inline uint32_t get2(const uint8_t *m)
{
    uint16_t v;
    memcpy(&v, m, 2);
    return v;
}

/* the n elements from addr on lie in the memory, and the addresses do not wrap */
static inline bool inside(const Fast *s, uint16_t addr, int32_t step, uint32_t n, uint32_t esz)
{
    int32_t z = addr + step * (int32_t)(n - 1), most = (int32_t)(s->mem_bytes - esz);
    return z >= 0 && z <= most && addr <= most && !(addr & 1);
}

static inline bool overlap(uint16_t a, int32_t sa, uint32_t ea, uint16_t d, int32_t sd, uint32_t ed, uint32_t n)
{
    int32_t az = a + sa * (int32_t)(n - 1), dz = d + sd * (int32_t)(n - 1);
    int32_t alo = a < az ? a : az, ahi = (a < az ? az : a) + (int32_t)ea, dlo = d < dz ? d : dz, dhi = (d < dz ? dz : d) + (int32_t)ed;
    return alo < dhi && dlo < ahi && !(a == d && sa == sd && ea == ed && sa);
}

/* What an operation computes.  plain: fn is the body of pe_el.h with multiply-adds rounded twice. */
typedef struct { ElFn *fn; uint8_t op, ea, eb; bool plain; } Kern;
static inline Kern kern_of(const FDec *d) { return (Kern){d->fn, d->in.op, d->op->esz[1], d->op->esz[2], d->fn == d->plain}; }

/* sources of a size, results into r (or the last one only, chains); a step of 0 repeats the value */
#define LOOP(LA, LB, EXPR)                                                                                                    \
    for (uint32_t i = 0; i < n; i++, a.m += a.step, b.m += b.step) {                                                          \
        uint32_t x = LA, y = LB;                                                                                              \
        (void)x, (void)y;                                                                                                     \
        EXPR;                                                                                                                 \
    }
/* A NaN stays one through additions and multiplications, so it is made canonical once, at the end. */
static inline uint32_t chain(Kern k, uint32_t acc, Src a, Src b, uint32_t n)
{
    if (k.plain && k.ea == 4) {
        float f = s_of(acc);
        if (k.op == OP_DOTNS) LOOP(get4(a.m), get4(b.m), f = f - s_of(x) * s_of(y))
        else LOOP(get4(a.m), get4(b.m), f = f + s_of(x) * s_of(y))
        return of_s(f);
    }
    if (k.ea == 4) LOOP(get4(a.m), get4(b.m), acc = k.fn(x, y, 0, acc))
    else LOOP(0, get4(b.m), acc = k.fn(0, y, 0, acc))
    return acc;
}

/* words next to each other, or one value: loops that the compiler makes vectors of */
#define ROW(NAME, XI, YI) for (uint32_t i = 0; i < n; i++) r[i] = el_##NAME(get4(a.m + XI), get4(b.m + YI), c, 0);
#define ROWS(NAME)                                                                                                            \
    case OP_##NAME:                                                                                                           \
        if (a.step == 4 && b.step == 4) ROW(NAME, 4 * i, 4 * i)                                                               \
        else if (a.step == 4 && b.step == 0) ROW(NAME, 4 * i, 0)                                                              \
        else if (a.step == 0 && b.step == 4) ROW(NAME, 0, 4 * i)                                                              \
        else LOOP(get4(a.m), get4(b.m), r[i] = el_##NAME(x, y, c, 0))                                                         \
        return;
static inline void compute(Kern k, uint32_t *r, Src a, Src b, uint32_t c, uint32_t n)
{
    if (k.plain) switch (k.op) {
        case OP_FMOVS: case OP_MOV32:
            if (b.step == 4) memcpy(r, b.m, (size_t)4 * n);
            else LOOP(0, get4(b.m), r[i] = y)
            return;
        ROWS(FADDS) ROWS(FSUBS) ROWS(FMULS) ROWS(FMACS) ROWS(FMSS)
    default: break;
    }
    ElFn *fn = k.fn;
    if (k.ea == 4 && k.eb == 4) LOOP(get4(a.m), get4(b.m), r[i] = fn(x, y, c, 0))
    else if (k.ea == 2 && k.eb == 2) LOOP(get2(a.m), get2(b.m), r[i] = fn(x, y, c, 0))
    else LOOP(k.ea == 4 ? get4(a.m) : k.ea ? get2(a.m) : 0, k.eb == 4 ? get4(b.m) : k.eb ? get2(b.m) : 0, r[i] = fn(x, y, c, 0))
}
#undef ROWS
#undef ROW
#endif
