/* A number rounded to a float format of up to 32 bits: sign, exponent with the usual bias, fraction. */
#include "base.h"
#include <math.h>

uint64_t ws_float_bits(int e, int m, double v)
{
    uint64_t top = (((uint64_t)1 << e) - 1) << m;        /* infinity */
    if (isnan(v)) return top | (uint64_t)1 << (m - 1);
    uint64_t sign = signbit(v) ? (uint64_t)1 << (e + m) : 0;
    v = fabs(v);
    if (isinf(v)) return sign | top;
    if (v == 0) return sign;
    int ex, bias = (1 << (e - 1)) - 1;
    frexp(v, &ex);                                       /* 2^(ex-1) <= v < 2^ex */
    int q = ex - 1 < 1 - bias ? 1 - bias : ex - 1;       /* exponent of the leading digit, or that of denormals */
    double s = ldexp(v, m - q), f = floor(s), r = s - f; /* exact: s < 2^(m+1) */
    uint64_t n = (uint64_t)f;
    n += r > 0.5 || (r == 0.5 && (n & 1));
    /* n has the hidden digit at m when normal; a carry out of the mantissa moves into the exponent by itself */
    uint64_t bits = ((uint64_t)(q + bias - 1) << m) + n;
    return sign | (bits >= top ? top : bits);
}
