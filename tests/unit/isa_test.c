/* The instruction table: every row encodes and decodes to itself with random fields; random words are refused or
 * decode to something that encodes to the same word and prints. */
#include "runtime/isa/isa.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static uint32_t rng_state = 12345;
static uint32_t rnd(void)
{
    rng_state ^= rng_state << 13;
    rng_state ^= rng_state >> 17;
    return rng_state ^= rng_state << 5;
}

/* A random word of opcode op whose fields have a meaning: drawn until it decodes. */
static bool random_word(int op, uint32_t *word, PeIns *in)
{
    static const uint32_t masks[] = {0xffffff, 0xffffe0, 0xfffff0, 0xfffe00, 0xffff00, 0xffc000, 0xf80000, 0xffe000, 0xff0000, 0x3f, 0xf8001f, 0};
    for (int i = 0; i < 200000; i++) {
        *word = (uint32_t)op << 24 | (rnd() & masks[rnd() % (sizeof masks / sizeof *masks)]);
        if (i & 1) {    /* vector operations: mostly sound operand codes */
            uint32_t d = rnd() % 54, a = rnd() % 53, b = rnd() % 53, c = rnd() % 53;
            if (pe_ops[op].esz[1] == 0) a = OPD_NONE;
            *word = (uint32_t)op << 24 | d << 18 | a << 12 | b << 6 | c;
        }
        if (pe_decode(*word, in)) return true;
    }
    return false;
}

static void test_rows_round_trip(void **state)
{
    int n = 0;
    for (int op = 0; op < 256; op++) {
        if (!pe_ops[op].name) continue;
        n++;
        assert_int_equal(pe_opcode_by_name(pe_ops[op].name, strlen(pe_ops[op].name)), op);
        for (int i = 0; i < 200; i++) {
            uint32_t w, w2;
            PeIns in, in2;
            const char *why;
            if (!random_word(op, &w, &in)) fail_msg("%s: no word decodes", pe_ops[op].name);
            if (!pe_encode(&in, &w2, &why)) fail_msg("%s: %08x does not encode: %s", pe_ops[op].name, w, why);
            assert_int_equal(w, w2);
            assert_true(pe_decode(w2, &in2));
            assert_memory_equal(&in, &in2, sizeof in);
        }
    }
    assert_true(n > 100);
}

static void test_random_words(void **state)
{
    for (int i = 0; i < 300000; i++) {
        uint32_t w = rnd(), w2;
        PeIns in;
        if (!pe_decode(w, &in)) continue;
        assert_true(pe_encode(&in, &w2, NULL));
        assert_int_equal(w, w2);
        if (i % 16) continue;
        Buf b = {0};
        pe_print(&b, &in, 0x100, NULL, NULL);
        assert_true(b.len > 1);
        buf_free(&b);
    }
}

static void test_refused(void **state)
{
    uint32_t w;
    const char *why;
    PeIns add = {.op = OP_ADD, .rd = 32};
    assert_false(pe_encode(&add, &w, &why));
    PeIns none = {.op = 0};
    assert_false(pe_encode(&none, &w, &why));
    assert_string_equal(why, "no such opcode");
    PeIns li = {.op = OP_LI, .imm = 40000}, liu = {.op = OP_LIU, .imm = 40000};
    assert_false(pe_encode(&li, &w, &why));
    assert_true(pe_encode(&liu, &w, &why));
    PeIns fadd = {.op = OP_FADDS, .d = OPD_SAME_A, .a = 3, .b = OPD_DSR0, .c = OPD_NONE};
    assert_false(pe_encode(&fadd, &w, &why));
    fadd.a = OPD_DSR0 + 2;
    assert_true(pe_encode(&fadd, &w, &why));
    fadd.imm = 64;
    assert_false(pe_encode(&fadd, &w, &why));
    PeIns dots = {.op = OP_DOTS, .d = 5, .a = 32, .b = 33, .c = OPD_NONE};
    assert_false(pe_encode(&dots, &w, &why));
    PeIns dl = {.op = OP_LDDSR, .dsr = 48};
    assert_false(pe_encode(&dl, &w, &why));
}

static void check_text(const PeIns *in, const char *want)
{
    Buf b = {0};
    pe_print(&b, in, 0x20, NULL, NULL);
    assert_string_equal(b.p, want);
    buf_free(&b);
}

static void test_print(void **state)
{
    check_text(&(PeIns){.op = OP_FSUBS, .d = 5, .a = OPD_DSR0 + 2, .b = OPD_DSR0 + 4, .c = OPD_NONE, .imm = 1}, "fsubs r5, dsr2, dsr4, n=1");
    check_text(&(PeIns){.op = OP_FMSS1, .d = 6, .a = 7, .b = OPD_DSR0 + 3, .c = OPD_DOT0}, "fmss1 r6, r7, dsr3, dot0");
    check_text(&(PeIns){.op = OP_FMOVS, .d = OPD_DSR0, .a = OPD_NONE, .b = 7, .c = OPD_NONE}, "fmovs dsr0, r7");
    check_text(&(PeIns){.op = OP_LDDSR, .dsr = 18, .x = 1, .imm = 8}, "lddsr s0.2, x1, r0+16");
    check_text(&(PeIns){.op = OP_ASYNC, .ut = 2, .prio = 2, .act = 9, .unb = 42}, "async ut2, prio=medium, act=9, unb=data:10");
    check_text(&(PeIns){.op = OP_ASYNC, .ut = -1, .act = -1, .unb = -1}, "async");
    check_text(&(PeIns){.op = OP_BEQ, .ra = 1, .rb = 2, .imm = -1}, "beq r1, r2, 0x20");
    check_text(&(PeIns){.op = OP_ENDL, .k = 1, .imm = -2}, "endl l1, 0x1c");
    check_text(&(PeIns){.op = OP_STW, .rd = 1, .ra = 2, .imm = -4}, "stw r1, r2-4");
    check_text(&(PeIns){.op = OP_DONE}, "done");
}

static void test_arch(void **state)
{
    Arch a = arch_make(ARCH_WSE2), b = arch_make(ARCH_WSE3);
    assert_int_equal(AP(&a, hop_cycles), 1);
    assert_int_equal(AP(&b, hop_cycles), 2);
    assert_true(arch_set(&b, "hop_cycles", 7));
    assert_int_equal(AP(&b, hop_cycles), 7);
    assert_false(arch_set(&b, "hop_cycles", -1));
    assert_false(arch_set(&b, "hop", 1));
    assert_int_equal(pe_cycles(&a, 3), 3);
    assert_int_equal(pe_cycles(&a, pe_ops[OP_FDIVS].slots), 50);
    assert_int_equal(pe_cycles(&a, pe_ops[OP_LDDSR].latency), 4);
    assert_int_equal(pe_ops[OP_BEQ].slots, SLOT_BRANCH);
    assert_int_equal(pe_ops[OP_FADDS].slots, SLOT_VEC);
    assert_int_equal(pe_width(&a, VW_A), 4);
    assert_int_equal(pe_width(&b, VW_B), 4);
    assert_int_equal(arch_iq_words(&a, 7), 2);
    assert_int_equal(arch_oq_words(&a, 2), 6);
}

int main(void)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test(test_rows_round_trip), cmocka_unit_test(test_random_words),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_print), cmocka_unit_test(test_arch),
    };
    return cmocka_run_group_tests(t, NULL, NULL);
}
