/* libwsrt over an object made here: symbols, rectangles, orders, types, calls, counters, and every error code. */
#include "runtime/include/wsrt.h"
#include "runtime/isa/obj.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

/* 3 x 2 PEs: class a on columns 0 and 1, class b (other addresses, no symbol `only_a`) on column 2.
 * Function put(v): x[0] = v. */
enum { X_ELEMS = 3, H_ELEMS = 2, A_X = 0x100, B_X = 0x200 };
static char path[] = "/tmp/ws-host-XXXXXX";

static uint32_t ins(PeIns i)
{
    uint32_t w;
    const char *why;
    if (!pe_encode(&i, &w, &why)) fail_msg("%s", why);
    return w;
}

static WsClass make_class(WsObj *o, const char *name, uint16_t x, bool only_a)
{
    uint32_t *text = ARENA_ARR(o->arena, uint32_t, 4);
    text[0] = ins((PeIns){.op = OP_DONE});               /* entry: nothing to do */
    text[1] = ins((PeIns){.op = OP_STW, .rd = 1, .ra = 0, .imm = x});
    text[2] = ins((PeIns){.op = OP_JR, .ra = REG_LINK});
    text[3] = ins((PeIns){.op = OP_TRAP, .imm = 0});
    WsSym *s = ARENA_ARR(o->arena, WsSym, 6);
    s[0] = (WsSym){"x", x, X_ELEMS * 4, WT_F32, true, false};
    s[1] = (WsSym){"h", (uint16_t)(x + 16), H_ELEMS * 2, WT_U16, true, false};
    s[2] = (WsSym){"put", 4, 8, WT_FUNC, true, true};
    s[3] = (WsSym){"boom", 12, 4, WT_FUNC, true, true};
    s[4] = (WsSym){only_a ? "only_a" : "inner", (uint16_t)(x + 32), 4, WT_I32, false, false};
    s[5] = (WsSym){"odd", (uint16_t)(x + 40), 7, WT_U16, false, false};
    WsBoot *b = ARENA_NEW(o->arena, WsBoot);
    *b = (WsBoot){.kind = BOOT_ENTRY, .addr = 0};
    return (WsClass){.name = name, .text = (uint8_t *)text, .text_bytes = 16, .bss_addr = x, .bss_bytes = 64, .syms = s, .nsyms = 6, .boot = b, .nboot = 1};
}

static int make_object(void **state)
{
    WsObj *o = obj_new(ARCH_WSE3);
    const char *err = NULL;
    o->w = 3, o->h = 2;
    o->nclasses = 2;
    o->classes = ARENA_ARR(o->arena, WsClass, 2);
    o->classes[0] = make_class(o, "a", A_X, true);
    o->classes[1] = make_class(o, "b", B_X, false);
    o->nplaces = 2;
    o->places = ARENA_ARR(o->arena, WsPlace, 2);
    o->places[0] = (WsPlace){0, 0, 2, 2, 0};
    o->places[1] = (WsPlace){2, 0, 1, 2, 1};
    int fd = mkstemp(path);
    if (fd < 0) return -1;
    close(fd);
    if (obj_write(o, path, &err)) fail_msg("%s", err);
    obj_free(o);
    return 0;
}

static int remove_object(void **state) { return unlink(path); }

static int open_it(void **state)
{
    char err[WSRT_ERR_BYTES];
    *state = wsrt_open(path, err);
    if (!*state) print_error("%s\n", err);
    return *state ? 0 : -1;
}

static int close_it(void **state)
{
    wsrt_close(*state);
    return 0;
}

static void test_describe(void **state)
{
    Wsrt *rt = *state;
    WsrtSymbol s;
    assert_int_equal(wsrt_version(), WSRT_VERSION);
    assert_int_equal(wsrt_width(rt), 3);
    assert_int_equal(wsrt_height(rt), 2);
    assert_int_equal(wsrt_pes(rt), 6);
    assert_string_equal(wsrt_arch(rt), "wse3");
    assert_int_equal(wsrt_clock_hz(rt), 875000000);
    assert_string_equal(wsrt_error(rt), "");
    assert_int_equal(wsrt_symbol(rt, "x", &s), WSRT_OK);
    assert_int_equal(s.elems, X_ELEMS);
    assert_int_equal(s.type, WSRT_F32);
    assert_string_equal(s.type_name, "f32");
    assert_int_equal(s.pes, 6);
    assert_int_equal(s.w, 3);
    assert_true(s.uniform && s.exported && !s.set);
    assert_int_equal(wsrt_symbol(rt, "only_a", &s), WSRT_OK);
    assert_int_equal(s.w, 2);
    assert_int_equal(wsrt_symbol(rt, "odd", &s), WSRT_OK);      /* 7 bytes of u16: bytes */
    assert_int_equal(s.type, WSRT_BYTES);
    assert_int_equal(s.elems, 7);
    assert_int_equal(wsrt_symbol(rt, "nix", &s), WSRT_E_NAME);
    assert_string_equal(wsrt_error(rt), "there is no symbol nix");
    unsigned n = 0;
    for (; wsrt_symbol_at(rt, n, &s) == WSRT_OK; n++)
        if (n == 0) assert_string_equal(s.name, "boom");       /* exported first, by name */
    assert_int_equal(n, 7);
}

static void test_orders(void **state)
{
    Wsrt *rt = *state;
    float in[2 * 3 * X_ELEMS], out[2 * 3 * X_ELEMS], pe[X_ELEMS];
    enum { N = 2 * 3 * X_ELEMS };
    for (int i = 0; i < N; i++) in[i] = (float)i;
    assert_int_equal(wsrt_write(rt, "x", 0, 0, 3, 2, X_ELEMS, WSRT_F32, WSRT_ROW_MAJOR, in, N), WSRT_OK);
    assert_int_equal(wsrt_read(rt, "x", 2, 1, 1, 1, X_ELEMS, WSRT_F32, WSRT_ROW_MAJOR, pe, X_ELEMS), WSRT_OK);
    for (int e = 0; e < X_ELEMS; e++) assert_true(pe[e] == (float)((1 * 3 + 2) * X_ELEMS + e));
    assert_int_equal(wsrt_read(rt, "x", 0, 0, 3, 2, X_ELEMS, WSRT_RAW32, WSRT_COL_MAJOR, out, N), WSRT_OK);
    for (int y = 0; y < 2; y++)
        for (int x = 0; x < 3; x++)
            for (int e = 0; e < X_ELEMS; e++) assert_true(out[y + 2 * (x + 3 * e)] == in[(y * 3 + x) * X_ELEMS + e]);
    assert_int_equal(wsrt_write(rt, "x", 0, 0, 3, 2, X_ELEMS, WSRT_ANY, WSRT_COL_MAJOR, out, N), WSRT_OK);
    memset(out, 0, sizeof out);
    assert_int_equal(wsrt_read(rt, "x", 0, 0, 3, 2, X_ELEMS, WSRT_F32, WSRT_ROW_MAJOR, out, N), WSRT_OK);
    assert_memory_equal(in, out, sizeof in);
    /* the first elements only, over a part */
    assert_int_equal(wsrt_read(rt, "x", 1, 0, 2, 1, 2, WSRT_F32, WSRT_ROW_MAJOR, out, 4), WSRT_OK);
    assert_true(out[0] == in[3] && out[1] == in[4] && out[2] == in[6] && out[3] == in[7]);
    uint16_t h[H_ELEMS] = {7, 65535}, back[2 * H_ELEMS];
    assert_int_equal(wsrt_fill(rt, "h", WSRT_U16, h, H_ELEMS), WSRT_OK);
    assert_int_equal(wsrt_read(rt, "h", 1, 1, 2, 1, H_ELEMS, WSRT_RAW16, WSRT_ROW_MAJOR, back, 4), WSRT_OK);
    assert_true(back[0] == 7 && back[1] == 65535 && back[2] == 7 && back[3] == 65535);
    uint32_t word;
    assert_int_equal(wsrt_peek(rt, 2, 0, B_X + 16, &word, 4), WSRT_OK);
    assert_int_equal(word, 0xffff0007u);
    word = 5;
    assert_int_equal(wsrt_poke(rt, 2, 0, B_X + 16, &word, 4), WSRT_OK);
    assert_int_equal(wsrt_read(rt, "h", 2, 0, 1, 1, 1, WSRT_U16, WSRT_ROW_MAJOR, back, 1), WSRT_OK);
    assert_int_equal(back[0], 5);
}

static void check_error(Wsrt *rt, int code, int want, const char *text)
{
    assert_int_equal(code, want);
    if (!strstr(wsrt_error(rt), text)) fail_msg("wanted \"%s\" in \"%s\"", text, wsrt_error(rt));
}

static void test_errors(void **state)
{
    Wsrt *rt = *state;
    float v[64] = {0};
    WsrtFault f;
    uint64_t n;
#define READ(sym, x, y, w, h, e, t, total) wsrt_read(rt, sym, x, y, w, h, e, t, WSRT_ROW_MAJOR, v, total)
    check_error(rt, READ("nix", 0, 0, 1, 1, 1, WSRT_ANY, 1), WSRT_E_NAME, "no symbol nix");
    check_error(rt, READ("x", 2, 0, 2, 1, 1, WSRT_ANY, 2), WSRT_E_RANGE, "not inside the machine of 3 x 2");
    check_error(rt, READ("x", 0, 0xffffffffu, 1, 2, 1, WSRT_ANY, 2), WSRT_E_RANGE, "not inside");
    check_error(rt, READ("x", 0, 0, 0, 1, 1, WSRT_ANY, 0), WSRT_E_RANGE, "is empty");
    check_error(rt, READ("only_a", 0, 0, 3, 1, 1, WSRT_ANY, 3), WSRT_E_RANGE, "PE (2, 0), class b, has no symbol only_a");
    check_error(rt, READ("x", 0, 0, 1, 1, 4, WSRT_ANY, 4), WSRT_E_SIZE, "has 3 elements in PE (0, 0), not 4");
    check_error(rt, READ("x", 0, 0, 1, 1, 0, WSRT_ANY, 0), WSRT_E_SIZE, "no elements");
    check_error(rt, READ("x", 0, 0, 2, 1, 3, WSRT_ANY, 5), WSRT_E_SIZE, "the array has 5 elements");
    check_error(rt, READ("x", 0, 0, 1, 1, 3, WSRT_I32, 3), WSRT_E_TYPE, "elements of type f32, not i32");
    check_error(rt, READ("x", 0, 0, 1, 1, 3, WSRT_RAW16, 3), WSRT_E_TYPE, "not 16-bit");
    check_error(rt, wsrt_fill(rt, "x", WSRT_ANY, v, 2), WSRT_E_SIZE, "has 3 elements, not 2");
    check_error(rt, wsrt_fill(rt, "x", WSRT_U32, v, 3), WSRT_E_TYPE, "not u32");
    check_error(rt, wsrt_peek(rt, 0, 0, 49150, v, 4), WSRT_E_RANGE, "not inside the 49152 bytes");
    check_error(rt, wsrt_peek(rt, 3, 0, 0, v, 4), WSRT_E_RANGE, "not inside the machine");
    check_error(rt, wsrt_set_arch_param(rt, "hop_cycles", 2), WSRT_E_STATE, "has started");
    check_error(rt, wsrt_set_engine(rt, "reference"), WSRT_E_STATE, "has started");
    check_error(rt, wsrt_fault(rt, &f), WSRT_E_STATE, "no fault");
    check_error(rt, wsrt_counter(rt, 9999, 0, 0, &n), WSRT_E_NAME, "no counter 9999");
    check_error(rt, wsrt_counter(rt, 0, 3, 0, &n), WSRT_E_RANGE, "not inside");
    check_error(rt, wsrt_call(rt, "nix", 0, 0, 1, 1, NULL, 0), WSRT_E_NAME, "no symbol nix");
    check_error(rt, wsrt_call(rt, "x", 0, 0, 1, 1, NULL, 0), WSRT_E_TYPE, "x is no function");
    check_error(rt, wsrt_call(rt, "put", 0, 0, 4, 1, NULL, 0), WSRT_E_RANGE, "not inside");
    check_error(rt, wsrt_call(rt, "put", 0, 0, 1, 1, NULL, 9), WSRT_E_SIZE, "at most 8");
}

static void test_machine(void **state)
{
    Wsrt *rt = *state;
    assert_int_equal(wsrt_arch_param(rt, "hop_cycles"), 2);
    assert_int_equal(wsrt_set_arch_param(rt, "hop_cycles", 3), WSRT_OK);
    assert_int_equal(wsrt_arch_param(rt, "hop_cycles"), 3);
    assert_int_equal(wsrt_arch_param(rt, "nix"), -1);
    check_error(rt, wsrt_set_arch_param(rt, "nix", 3), WSRT_E_NAME, "no architecture parameter nix");
    check_error(rt, wsrt_set_arch_param(rt, "hop_cycles", -1), WSRT_E_RANGE, "cannot be -1");
    check_error(rt, wsrt_set_engine(rt, "warp"), WSRT_E_NAME, "no engine warp; there is reference");
    assert_int_equal(wsrt_set_engine(rt, wsrt_engine_at(0)), WSRT_OK);
    assert_string_equal(wsrt_engine(rt), wsrt_engine_at(0));
}

static void test_run(void **state)
{
    Wsrt *rt = *state;
    uint32_t arg = 0x40490fdb;
    float x[6 * X_ELEMS];
    WsrtCounter c;
    uint64_t v;
    assert_int_equal(wsrt_cycles(rt), 0);
    assert_int_equal(wsrt_run(rt, 0), WSRT_END_IDLE);
    uint64_t first = wsrt_cycles(rt), hash = wsrt_state_hash(rt);
    assert_true(first > 0);
    assert_int_equal(wsrt_call(rt, "put", 1, 0, 2, 2, &arg, 1), WSRT_OK);
    check_error(rt, wsrt_call(rt, "put", 1, 0, 1, 1, &arg, 1), WSRT_E_STATE, "pending in PE (1, 0)");
    assert_int_equal(wsrt_run(rt, 0), WSRT_END_IDLE);
    assert_true(wsrt_cycles(rt) > first);
    assert_true(wsrt_state_hash(rt) != hash);
    assert_int_equal(wsrt_read(rt, "x", 0, 0, 3, 2, X_ELEMS, WSRT_F32, WSRT_ROW_MAJOR, x, 6 * X_ELEMS), WSRT_OK);
    for (int i = 0; i < 6; i++) assert_true(x[i * X_ELEMS] == (i % 3 == 0 ? 0.0f : 3.14159274f));
    unsigned tasks = 0;
    while (strcmp(wsrt_counter_name(tasks), "tasks")) tasks++;
    assert_string_equal(wsrt_counter_unit(tasks), "tasks");
    assert_non_null(wsrt_counter_doc(tasks));
    assert_int_equal(wsrt_counter_sum(rt, tasks, &c), WSRT_OK);
    assert_int_equal(c.min, 1);
    assert_int_equal(c.max, 2);
    assert_int_equal(c.max_x, 1);
    assert_int_equal(c.max_y, 0);
    assert_int_equal(c.total, 6 + 4);
    assert_int_equal(wsrt_counter(rt, tasks, 2, 1, &v), WSRT_OK);
    assert_int_equal(v, 2);
}

static void test_stops(void **state)
{
    Wsrt *rt = *state;
    WsrtFault f;
    wsrt_interrupt(rt);
    assert_int_equal(wsrt_run(rt, 0), WSRT_END_INTERRUPTED);
    assert_int_equal(wsrt_run(rt, 1), WSRT_END_MAX_CYCLES);
    assert_int_equal(wsrt_cycles(rt), 1);
    assert_non_null(strstr(wsrt_report(rt), "at cycle 1: 6 of 6 PEs have something to do"));
    assert_int_equal(wsrt_run(rt, 0), WSRT_END_IDLE);
    assert_int_equal(wsrt_call(rt, "boom", 2, 1, 1, 1, NULL, 0), WSRT_OK);
    assert_int_equal(wsrt_run(rt, 0), WSRT_END_FAULT);
    assert_int_equal(wsrt_fault(rt, &f), WSRT_OK);
    assert_string_equal(f.name, "assert_failed");
    assert_string_equal(f.kind, "program fault");
    assert_string_equal(f.function, "boom");
    assert_null(f.file);
    assert_int_equal(f.x, 2);
    assert_int_equal(f.y, 1);
    assert_int_equal(f.pc, 12);
    assert_int_equal(wsrt_run(rt, 0), WSRT_END_FAULT);
    check_error(rt, wsrt_call(rt, "put", 0, 0, 1, 1, NULL, 0), WSRT_E_STATE, "a fault has ended the run");
    assert_string_equal(wsrt_end_name(WSRT_END_MAX_CYCLES), "max-cycles");
}

static void test_bad_files(void **state)
{
    char err[WSRT_ERR_BYTES] = "";
    assert_null(wsrt_open("/tmp/no/such.img", err));
    assert_non_null(strstr(err, "/tmp/no/such.img"));
    assert_null(wsrt_open("/etc/passwd", err));
    assert_non_null(strstr(err, "/etc/passwd"));
    wsrt_close(NULL);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, open_it, close_it)
    const struct CMUnitTest tests[] = {
        T(test_describe), T(test_orders), T(test_errors), T(test_machine), T(test_run), T(test_stops), cmocka_unit_test(test_bad_files),
    };
    return cmocka_run_group_tests(tests, make_object, remove_object);
}
