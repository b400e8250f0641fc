/* Half precision from a decimal constant: one rounding, to nearest even. */
#include "link.h"
#include <math.h>

uint16_t f64_to_f16(double v)
{
    if (isnan(v)) return 0x7e00;
    uint16_t sign = signbit(v) ? 0x8000 : 0;
    double m = fabs(v);
    int e;
    if (isinf(m) || m >= 65520.0) return sign | 0x7c00;
    frexp(m, &e);                                   /* m = f * 2^e, f in [0.5, 1) */
    int shift = e - 11 > -24 ? e - 11 : -24;        /* weight of the last bit: 11 bits, denormals down to 2^-24 */
    double q = nearbyint(ldexp(m, -shift));         /* exact scaling; default mode: nearest even */
    if (q >= 2048) q /= 2, shift++;
    unsigned u = (unsigned)q;
    if (u < 1024) return (uint16_t)(sign | u);      /* zero or denormal: shift is -24 */
    return (uint16_t)(sign | (unsigned)(shift + 25) << 10 | (u & 1023));
}
