/* The assembler reads exactly what pe_print writes, for every opcode; half-precision constants round to nearest even;
 * damaged sources give reports and never more. */
#include "backend/asm.h"
#include "backend/asm_int.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static uint32_t rng_state = 777;
static uint32_t rnd(void)
{
    rng_state ^= rng_state << 13;
    rng_state ^= rng_state >> 17;
    return rng_state ^= rng_state << 5;
}

static bool random_ins(int op, uint32_t *w, PeIns *in)
{
    static const uint32_t masks[] = {0xffffff, 0xffffe0, 0xfffff0, 0xfffe00, 0xffff00, 0xffc000, 0xf80000, 0xffe000, 0xff0000, 0x3f, 0xf8001f, 0};
    for (int i = 0; i < 100000; i++) {
        *w = (uint32_t)op << 24 | (rnd() & masks[rnd() % (sizeof masks / sizeof *masks)]);
        if (i & 1) {
            uint32_t a = pe_ops[op].esz[1] == 0 ? OPD_NONE : rnd() % 53;
            *w = (uint32_t)op << 24 | (rnd() % 54) << 18 | a << 12 | (rnd() % 53) << 6 | rnd() % 53;
        }
        if (pe_decode(*w, in)) return true;
    }
    return false;
}

static void test_print_assemble(void **state)
{
    for (int op = 0; op < 256; op++) {
        if (!pe_ops[op].name) continue;
        for (int i = 0; i < 40; i++) {
            uint32_t w, w2 = 0, pc = (rnd() & 0x3fff) * 4;
            PeIns in;
            if (!random_ins(op, &w, &in)) fail_msg("%s: nothing decodes", pe_ops[op].name);
            Buf b = {0};
            pe_print(&b, &in, pc, NULL, NULL);
            if (!asm_one(b.p, pc, &w2)) fail_msg("not assembled: %s", b.p);
            if (w != w2) fail_msg("%s: %08x became %08x", b.p, w, w2);
            buf_free(&b);
        }
    }
}

static void test_f16(void **state)
{
    static const struct { double v; uint16_t h; } t[] = {
        {0, 0}, {-0.0, 0x8000}, {1, 0x3c00}, {-2, 0xc000}, {65504, 0x7bff}, {65519, 0x7bff}, {65520, 0x7c00}, {1e30, 0x7c00},
        {0x1p-14, 0x0400}, {0x1p-24, 1}, {0x1p-25, 0}, {0x1.8p-25, 1}, {0x3p-25, 2}, {0x5p-25, 2}, {2047.5, 0x6800}, {2049, 0x6800}, {2051, 0x6802},
        {0x1.ff8p-15, 0x0400 - 2 + 1}, {0x1.ffcp-15, 0x0400}, {1.0 / 3, 0x3555},
    };
    for (size_t i = 0; i < sizeof t / sizeof *t; i++)
        if (f64_to_f16(t[i].v) != t[i].h) fail_msg("%a: %04x, not %04x", t[i].v, f64_to_f16(t[i].v), t[i].h);
    assert_int_equal(f64_to_f16(NAN), 0x7e00);
    assert_int_equal(f64_to_f16(-INFINITY), 0xfc00);
}

static const char sample[] =
    ".arch wse3\n.rect 2, 1\n.class a\n.stack 64\n.equ K, 3*(4+1)\nmain: lw32 r1, 0x12345678\n.Lx: addi r1, r1, K ; note\n"
    "bne r1, r0, .Lx\nlddsr s0.1, x2, r0+v\nasync ut1, act=9\nfmacs dsr0, dsr1, dsr2, r4\ndone\n.data\nv: .dsd mem1d, f, 4, 1, save\n"
    "w: .dsd fabin, q2, endless, act=9, unb=data:3, ut=1, prio=high\nf: .float 1, -2.5, inf\n.half16f 0.5\n.byte 'x', '\\n'\ns: .string \"hi; \\\"\"\n"
    ".bss\nz: .space 8\n.global z f32\n.sym f, f32, 12\n.entry main\n.task 9, main blocked\n.iq 2, 5 lend\n.oq 1, null\n"
    ".place 0,0,2,1,a\n.route 0,0,2,1,5,west,east,ramp\n.pe z f32: 1 2 3\n.pe z f32: -4\n";

static int assemble(const char *text, size_t len, FILE *out)
{
    Arena *a = arena_new();
    Diags *d = diags_new("asm");
    WsObj *o = NULL;
    int errors = asm_file(a, d, "x.s", text, len, ARCH_WSE3, &o);
    assert_true(errors == 0 ? o != NULL : o == NULL);
    diags_print(d, out);
    if (o) assert_null(obj_check(o));
    obj_free(o);
    diags_free(d);
    arena_free(a);
    return errors;
}

static void test_damaged(void **state)
{
    FILE *null = fopen("/dev/null", "w");
    size_t n = sizeof sample - 1;
    assert_int_equal(assemble(sample, n, stderr), 0);
    for (size_t i = 0; i < n; i++) {
        char *cut = malloc(i + 1);                      /* exact size: reading past the end is found */
        memcpy(cut, sample, i);
        assemble(cut, i, null);
        free(cut);
    }
    static const char junk[] = "\0\n,:-+(\"'.rx0\xff;/";
    for (int i = 0; i < 4000; i++) {
        char *t = malloc(n);
        memcpy(t, sample, n);
        for (unsigned k = rnd() % 3 + 1; k; k--) t[rnd() % n] = junk[rnd() % (sizeof junk - 1)];
        assemble(t, n, null);
        free(t);
    }
    static const char deep[] = ".data\n.word ";
    char *t = malloc(100000);
    memset(t, '(', 100000);
    memcpy(t, deep, sizeof deep - 1);
    assert_int_equal(assemble(t, 100000, null), 1);
    free(t);
    fclose(null);
}

int main(void)
{
    const struct CMUnitTest t[] = {cmocka_unit_test(test_print_assemble), cmocka_unit_test(test_f16), cmocka_unit_test(test_damaged)};
    return cmocka_run_group_tests(t, NULL, NULL);
}
