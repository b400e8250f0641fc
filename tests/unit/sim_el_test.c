/* Element bodies: fp16 against the compiler's _Float16 for every value, rounding at the edges, integers at the edges. */
#include "runtime/sim/pe_el.h"
#include "runtime/isa/isa.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static uint64_t rng = 88172645463325252u;
static uint32_t rnd(void)
{
    rng ^= rng << 13, rng ^= rng >> 7, rng ^= rng << 17;
    return (uint32_t)(rng >> 16);
}

static void test_half(void **state)
{
    for (uint32_t h = 0; h < 65536; h++) {
        uint32_t e = h >> 10 & 31, m = h & 0x3ff;
        double want = e == 31 ? (m ? NAN : INFINITY) : e ? ldexp(1024 + m, (int)e - 25) : ldexp(m, -24);
        float got = h_of(h);
        if (h >> 15) want = -want;
        if (want != want) {
            assert_true(got != got);
            assert_int_equal(of_h(got), NAN_H);
            continue;
        }
        assert_true((double)got == want);
        assert_int_equal(of_h(got), h);
    }
    /* half-way between neighbours goes to even, a bit more goes up, a bit less goes down */
    for (uint32_t h = 1; h < 0x7bff; h++) {
        double lo = (double)h_of(h), hi = (double)h_of(h + 1), mid = (lo + hi) / 2;
        assert_int_equal(of_h((float)mid), h & 1 ? h + 1 : h);
        assert_int_equal(of_h(nextafterf((float)mid, 1e9f)), h + 1);
        assert_int_equal(of_h(nextafterf((float)mid, 0)), h);
    }
    assert_int_equal(of_h(65519.996f), 0x7bff);
    assert_int_equal(of_h(65520.0f), 0x7c00);
    assert_int_equal(of_h(-1e30f), 0xfc00);
    assert_int_equal(of_h(0x1p-25f), 0);
    assert_int_equal(of_h(-0x1.8p-25f), 0x8001);
}

/* one multiply-add of fp16, exact product and sum in double, rounded once: double holds them when exponents are close */
static void test_fused_half(void **state)
{
    for (int i = 0; i < 200000; i++) {
        uint32_t a = (rnd() & 0x87ff) | 0x3000, b = (rnd() & 0x83ff) | 0x3800, c = (rnd() & 0x83ff) | 0x3000;
        double e = (double)h_of(a) + (double)h_of(b) * (double)h_of(c);
        /* to odd in fp32, then once: the reference for a single rounding */
        float f = (float)e;
        uint32_t u;
        memcpy(&u, &f, 4);
        if ((double)f != e && !(u & 1)) {
            u += (fabs(e) > fabs((double)f)) ? 1u : (uint32_t)-1;
            memcpy(&f, &u, 4);
        }
        if (of_h(f) != elf_FMACH(a, b, c, 0)) fail_msg("%04x %04x %04x", a, b, c);
    }
}

static uint32_t bits(float f) { return of_s(f); }

static void test_single(void **state)
{
    uint32_t nan = 0xffc12345u, inf = 0x7f800000u;
    assert_int_equal(el_FADDS(nan, bits(1), 0, 0), NAN_S);
    assert_int_equal(el_FSUBS(inf, inf, 0, 0), NAN_S);
    assert_int_equal(el_FMOVS(0, nan, 0, 0), nan);                      /* moves keep the bits */
    assert_int_equal(el_FNEGS(0, nan, 0, 0), nan ^ 0x80000000u);
    assert_int_equal(el_FABSS(0, bits(-2), 0, 0), bits(2));
    assert_int_equal(el_FMAXS(nan, bits(1), 0, 0), NAN_S);
    assert_int_equal(el_FMAXS(bits(-0.0f), 0, 0, 0), 0);
    assert_int_equal(el_FMAXS(0, bits(-0.0f), 0, 0), 0);
    assert_int_equal(el_FMAXH(0x8000, 0, 0, 0), 0);
    assert_int_equal(el_FMULS(1, bits(0.5f), 0, 0), 0);                 /* denormals: half the least goes to even */
    assert_int_equal(el_FMULS(3, bits(0.5f), 0, 0), 2);
    /* 1 + 2^-12 squared, minus its rounded value: 0 when rounded twice, 2^-24 when fused */
    uint32_t x = bits(1 + 0x1p-12f), sq = el_FMULS(x, x, 0, 0);
    assert_int_equal(el_FMACS(el_FNEGS(0, sq, 0, 0), x, x, 0), 0);
    assert_int_equal(elf_FMACS(el_FNEGS(0, sq, 0, 0), x, x, 0), bits(0x1p-24f));
    assert_int_equal(el_FMSS(sq, x, x, 0), 0);
    assert_int_equal(elf_FMSS(sq, x, x, 0), bits(-0x1p-24f));
    assert_int_equal(el_DOTS(bits(2), bits(3), 0, bits(1)), bits(7));
    assert_int_equal(el_DOTNS(bits(2), bits(3), 0, bits(1)), bits(-5));
    assert_int_equal(el_SUMAS(0, bits(3), 0, bits(1)), bits(4));
    assert_int_equal(el_FADDHS(0x3c00, bits(2), 0, 0), bits(3));
    assert_int_equal(el_FEQS(nan, nan, 0, 0), 0);
    assert_int_equal(el_FLES(bits(-0.0f), 0, 0, 0), 1);
    assert_int_equal(el_FDIVS(bits(1), bits(3), 0, 0), bits(1.0f / 3));
    assert_int_equal(el_FDIVS(bits(1), 0, 0, 0), inf);
}

static void test_convert(void **state)
{
    assert_int_equal(el_CVTIS(bits(-2.9f), 0, 0, 0), (uint32_t)-2);
    assert_int_equal(el_CVTIS(bits(3e9f), 0, 0, 0), INT32_MAX);
    assert_int_equal(el_CVTIS(bits(-3e9f), 0, 0, 0), (uint32_t)INT32_MIN);
    assert_int_equal(el_CVTIS(NAN_S, 0, 0, 0), 0);
    assert_int_equal(el_CVTUS(bits(-1), 0, 0, 0), 0);
    assert_int_equal(el_CVTUS(bits(4e9f), 0, 0, 0), 4000000000u);
    assert_int_equal(el_CVTUS(bits(5e9f), 0, 0, 0), UINT32_MAX);
    assert_int_equal(el_CVTSU(UINT32_MAX, 0, 0, 0), bits(4294967296.0f));
    assert_int_equal(el_CVTHI((uint32_t)-2049, 0, 0, 0), 0xe800);       /* -2048: a tie, to even */
    assert_int_equal(el_CVTHU(70000, 0, 0, 0), 0x7c00);
}

static void test_integer(void **state)
{
    assert_int_equal(el_SLL(1, 32, 0, 0), 0);
    assert_int_equal(el_SRA(0x80000000u, 40, 0, 0), UINT32_MAX);
    assert_int_equal(el_SRL(0x80000000u, 31, 0, 0), 1);
    assert_int_equal(el_SRAH(0x8000, 3, 0, 0), 0xfffff000u);
    assert_int_equal(el_DIVS(0x80000000u, UINT32_MAX, 0, 0), 0x80000000u);
    assert_int_equal(el_REMS(0x80000000u, UINT32_MAX, 0, 0), 0);
    assert_int_equal(el_DIVS((uint32_t)-7, 2, 0, 0), (uint32_t)-3);
    assert_int_equal(el_REMS((uint32_t)-7, 2, 0, 0), (uint32_t)-1);
    assert_int_equal(el_DIVU(7, 0, 0, 0), UINT32_MAX);
    assert_int_equal(el_REMU(7, 0, 0, 0), 7);
    assert_int_equal(el_MULS16(0xffff, 0xffff, 0, 0), 1);
    assert_int_equal(el_MULU16(0xffff, 0xffff, 0, 0), 0xfffe0001u);
    assert_int_equal(el_INSL(0, 0x1234, 0, 0xabcd0000u), 0xabcd1234u);
    assert_int_equal(el_BLTH(0x8000, 0x17fff, 0, 0), 1);
    assert_int_equal(el_BLTUH(0x8000, 0x17fff, 0, 0), 0);
    assert_int_equal(el_SAR16(0x8000, 20, 0, 0), 0xffff);
    assert_int_equal(el_SLL16(0xffff, 4, 0, 0), 0xfff0);
    assert_int_equal(el_SLR16(0x1ffff, 4, 0, 0), 0xfff);
    assert_int_equal(el_MUL16(0x10003, 5, 0, 0), 15);
    assert_int_equal(el_LDB(0x80, 0, 0, 0), 0xffffff80u);
}

int main(void)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(test_half), cmocka_unit_test(test_fused_half), cmocka_unit_test(test_single),
                                   cmocka_unit_test(test_convert), cmocka_unit_test(test_integer)};
    return cmocka_run_group_tests(t, NULL, NULL);
}
