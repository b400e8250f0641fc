/* The calls of wsrt.h outside of the command stream: what each gives.  calls FOLDER ARCH CORE
 * The program has no command stream: its PEs start from what is activated at boot, and run until nothing moves (P42).
 * A check that fails prints its line and its text, and the program exits with 1. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wsrt.h>

static Wsrt *rt;
static int bad;
#define CHECK(e) ((e) ? (void)0 : (void)(printf("%d: %s (%s)\n", __LINE__, #e, wsrt_error(rt)), bad++))

static void describe(const char *arch)
{
    unsigned dims[2], at[2];
    CHECK(wsrt_version() == WSRT_VERSION);
    CHECK(wsrt_width(rt) == 3 && wsrt_height(rt) == 2 && wsrt_pes(rt) == 6 && wsrt_starts(rt) == 1);
    CHECK(!strcmp(wsrt_arch(rt), arch));
    CHECK(wsrt_clock_hz(rt) >= 500000000 && wsrt_clock_hz(rt) <= 2000000000);
    wsrt_fabric(rt, dims, at);
    CHECK(dims[0] == 10 && dims[1] == 4 && at[0] == 4 && at[1] == 1);
    CHECK(!strcmp(wsrt_error(rt), ""));
    CHECK(wsrt_type_bytes(WSRT_F16) == 2 && wsrt_type_bytes(WSRT_U8) == 1 && wsrt_type_bytes(WSRT_RAW32) == 4 && wsrt_type_bytes(WSRT_ANY) == 0);
    CHECK(!strcmp(wsrt_end_name(WSRT_END_IDLE), "idle") && !strcmp(wsrt_end_name(WSRT_END_MAX_CYCLES), "max-cycles"));
}

static void choose(void)
{
    int reference = 0, fast = 0, n = 0;
    for (const char *e; (e = wsrt_engine_at(n)); n++) reference += !strcmp(e, "reference"), fast += !strcmp(e, "fast");
    CHECK(reference == 1 && fast == 1);
    CHECK(wsrt_set_engine(rt, "steam") == WSRT_E_NAME && strstr(wsrt_error(rt), "steam"));
    CHECK(wsrt_set_engine(rt, "reference") == WSRT_OK && !strcmp(wsrt_engine(rt), "reference"));
    int32_t hop = wsrt_arch_param(rt, "hop_cycles");
    CHECK(hop > 0 && wsrt_arch_param(rt, "no_such_thing") == -1);
    CHECK(wsrt_set_arch_param(rt, "hop_cycles", hop + 1) == WSRT_OK && wsrt_arch_param(rt, "hop_cycles") == hop + 1);
    CHECK(wsrt_set_engine(rt, "fast") == WSRT_OK && wsrt_set_check(rt) == WSRT_OK);
    CHECK(wsrt_run(rt, 1) == WSRT_END_ERROR && strstr(wsrt_error(rt), "fast engine"));      /* it cannot check */
    CHECK(wsrt_set_engine(rt, "reference") == WSRT_OK && wsrt_set_check(rt) == WSRT_OK);    /* this one can: the program has no stray access */
    CHECK(wsrt_set_arch_param(rt, "no_such_thing", 1) == WSRT_E_NAME && wsrt_set_arch_param(rt, "hop_cycles", -3) == WSRT_E_RANGE);
}

static void symbols(void)
{
    WsrtSymbol s;
    WsrtExport e;
    int n = 0, small = 0, exports = 0;
    for (; !wsrt_symbol_at(rt, (unsigned)n, &s); n++) small += !strcmp(s.name, "small") && s.exported;
    CHECK(n > 5 && small == 1 && wsrt_symbol_at(rt, (unsigned)n, &s) == WSRT_E_NAME);
    CHECK(!wsrt_symbol(rt, "small", &s) && s.type == WSRT_U16 && s.elems == 3 && s.elem_bytes == 2 && s.pes == 6 && s.w == 3 && s.h == 2 && s.set && s.uniform);
    CHECK(!wsrt_symbol(rt, "x", &s) && s.type == WSRT_PTR && wsrt_symbol(rt, "y", &s) == WSRT_E_NAME);
    const char *name = "";
    CHECK(!wsrt_pointee(rt, "fixed", 2, 1, &name) && !wsrt_symbol(rt, name, &s) && s.type == WSRT_U16 && s.elems == 2);
    for (unsigned i = 0; !wsrt_export_at(rt, i, &e); i++) {
        if (!strcmp(e.name, "x")) exports += !strcmp(e.type, "[*]f32") && e.writable;
        if (!strcmp(e.name, "fixed")) exports += !e.writable;
        if (!strcmp(e.name, "put")) exports += !strcmp(e.type, "fn(f32,u16)void");
    }
    CHECK(exports == 3);
}

static void memory(void)
{
    uint16_t v[18], one[3] = {4, 5, 6};
    CHECK(!wsrt_fill(rt, "small", WSRT_U16, one, 3) && wsrt_fill(rt, "small", WSRT_U16, one, 2) == WSRT_E_SIZE);
    for (int i = 0; i < 18; i++) v[i] = (uint16_t)(100 + i);
    CHECK(!wsrt_write(rt, "small", 1, 0, 2, 2, 3, WSRT_U16, WSRT_COL_MAJOR, v, 12));
    CHECK(wsrt_write(rt, "small", 1, 0, 2, 2, 3, WSRT_F32, WSRT_COL_MAJOR, v, 12) == WSRT_E_TYPE);
    CHECK(!wsrt_read(rt, "small", 0, 0, 3, 2, 3, WSRT_ANY, WSRT_ROW_MAJOR, v, 18));
    /* PE (0, y) has what was filled in; column order of 2 x 2 PEs: host[y + 2 (x + 2 e)] */
    for (unsigned y = 0; y < 2; y++)
        for (unsigned x = 0; x < 3; x++)
            for (unsigned e = 0; e < 3; e++) CHECK(v[(y * 3 + x) * 3 + e] == (x ? 100 + y + 2 * (x - 1 + 2 * e) : 4 + e));
    uint8_t bytes[4] = {1, 2, 3, 4}, back[4] = {0};
    CHECK(!wsrt_poke(rt, 2, 1, 0xb000, bytes, 4) && !wsrt_peek(rt, 2, 1, 0xb001, back, 3) && back[0] == 2 && back[2] == 4);
    CHECK(!wsrt_peek(rt, 1, 1, 0xb001, back, 3) && !back[0] && wsrt_peek(rt, 3, 0, 0, back, 1) == WSRT_E_RANGE);
    CHECK(wsrt_poke(rt, 0, 0, 0xfffffff0u, bytes, 4) == WSRT_E_RANGE);
}

static int lines, ticks;
static void line(void *user, unsigned x, unsigned y, uint64_t cycle, const char *text)
{
    lines += user == &lines && cycle > 0 && x < 2 && y == 1 && !strcmp(text, "k = 5");
}
static void tick(void *user, uint64_t cycle)
{
    ticks++;
    if (user && cycle > 3000) wsrt_interrupt(rt);
}

static uint32_t bits(float f)
{
    uint32_t u;
    memcpy(&u, &f, 4);
    return u;
}

static void run(void)
{
    uint32_t args[2] = {bits(2.5f), 1}, five = 5, many = 3000;
    float x[12] = {0};
    WsrtSymbol s;
    wsrt_on_print(rt, line, &lines);
    CHECK(!wsrt_call(rt, "put", 1, 0, 2, 1, args, 2));
    CHECK(!wsrt_call(rt, "say", 0, 1, 2, 1, &five, 1));
    CHECK(wsrt_call(rt, "nothing", 0, 0, 1, 1, NULL, 0) == WSRT_E_NAME);
    CHECK(wsrt_run(rt, 0) == WSRT_END_IDLE && wsrt_cycles(rt) > 0 && lines == 2);
    const char *name = NULL;
    CHECK(!wsrt_pointee(rt, "x", 1, 0, &name) && !wsrt_symbol(rt, name, &s) && s.elems == 2);
    char kept[64];
    snprintf(kept, sizeof kept, "%s", name);
    CHECK(!wsrt_read(rt, kept, 0, 0, 3, 2, 2, WSRT_F32, WSRT_ROW_MAJOR, x, 12));
    CHECK(x[0] == 0 && x[3] == 2.5f && x[5] == 2.5f && x[9] == 0);
    CHECK(wsrt_set_engine(rt, "fast") == WSRT_E_STATE);

    /* a limit, an interrupt from the progress function, and on to the end */
    uint64_t before = wsrt_cycles(rt);
    wsrt_on_progress(rt, 100, tick, NULL);
    CHECK(!wsrt_call(rt, "spin", 0, 0, 3, 2, &many, 1));
    CHECK(wsrt_run(rt, before + 500) == WSRT_END_MAX_CYCLES && wsrt_cycles(rt) == before + 500 && ticks >= 3);
    CHECK(strlen(wsrt_report(rt)) > 0);
    wsrt_on_progress(rt, 100, tick, &ticks);
    CHECK(wsrt_run(rt, 0) == WSRT_END_INTERRUPTED && wsrt_cycles(rt) > 3000);
    wsrt_on_progress(rt, 0, NULL, NULL);
    CHECK(wsrt_run(rt, 0) == WSRT_END_IDLE);
    uint32_t rounds = 0;
    CHECK(!wsrt_read(rt, "rounds", 2, 1, 1, 1, 1, WSRT_U32, WSRT_ROW_MAJOR, &rounds, 1) && rounds == 3000);
}

static void counted(void)
{
    WsrtCounter sum;
    WsrtMemory m;
    uint64_t one = 0, all = 0, v;
    unsigned n = 0, slots = 0;
    for (; wsrt_counter_name(n); n++) {
        CHECK(wsrt_counter_unit(n) && *wsrt_counter_doc(n));
        if (!strcmp(wsrt_counter_name(n), "slots")) slots = n;
    }
    CHECK(n > 10 && !wsrt_counter_unit(n) && !wsrt_counter_doc(n));
    CHECK(!wsrt_counter(rt, slots, 1, 0, &one) && one > 3000 && wsrt_counter(rt, n, 0, 0, &v) == WSRT_E_NAME);
    for (unsigned y = 0; y < 2; y++)
        for (unsigned x = 0; x < 3; x++) all += !wsrt_counter(rt, slots, x, y, &v) ? v : 0;
    CHECK(!wsrt_counter_sum(rt, slots, &sum) && sum.total == all && sum.min <= one && one <= sum.max && sum.max_x < 3 && sum.max_y < 2);
    uint64_t slow = 1;
    CHECK(!wsrt_slow(rt, 1000, &slow) && slow == 0);
    CHECK(!wsrt_slow(rt, 0, &slow) == !!strcmp(wsrt_engine(rt), "fast"));
    CHECK(!wsrt_memory(rt, &m) && m.state_bytes > 0 && m.touched_bytes > 0);
}

/* the same machine again: what was written down is there, and an equal run has an equal state */
static void again(const char *folder, const char *core)
{
    char err[WSRT_ERR_BYTES];
    uint16_t small[3] = {0};
    CHECK(!wsrt_core_write(rt, core));
    uint16_t want[3];
    CHECK(!wsrt_read(rt, "small", 1, 1, 1, 1, 3, WSRT_U16, WSRT_ROW_MAJOR, want, 3));
    Wsrt *two = wsrt_open(folder, err), *run1 = rt;
    CHECK(two && !wsrt_core_read(two, core));
    CHECK(!wsrt_read(two, "small", 1, 1, 1, 1, 3, WSRT_U16, WSRT_ROW_MAJOR, small, 3) && !memcmp(small, want, 6) && want[0] == 111);
    wsrt_close(two);
    uint64_t hash[3];
    uint32_t k = 40;
    for (int i = 0; i < 3; i++) {
        rt = wsrt_open(folder, err);
        if (i == 2) k = 41;
        CHECK(!wsrt_call(rt, "spin", 0, 0, 1, 1, &k, 1) && wsrt_run(rt, 0) == WSRT_END_IDLE);
        hash[i] = wsrt_state_hash(rt);
        wsrt_close(rt);
    }
    CHECK(hash[0] == hash[1] && hash[0] != hash[2]);
    rt = run1;
    WsrtFault f;
    uint32_t nine = 9;
    CHECK(wsrt_fault(rt, &f) == WSRT_E_STATE);
    CHECK(!wsrt_call(rt, "fail", 2, 0, 1, 1, &nine, 1) && wsrt_run(rt, 0) == WSRT_END_FAULT);
    CHECK(!wsrt_fault(rt, &f) && !strcmp(f.name, "assert_failed") && f.x == 2 && f.y == 0 && f.line == 10 && strstr(f.file, "calls_pe.csl") && !strcmp(f.function, "fail"));
    CHECK(wsrt_run(rt, 0) == WSRT_END_FAULT);
}

int main(int argc, char **argv)
{
    char err[WSRT_ERR_BYTES];
    if (argc != 4 || !(rt = wsrt_open(argv[1], err))) return printf("open: %s\n", argc == 4 ? err : "usage"), 1;
    describe(argv[2]);
    choose();
    symbols();
    memory();
    run();
    counted();
    again(argv[1], argv[3]);
    wsrt_close(rt);
    wsrt_close(NULL);
    printf(bad ? "%d checks failed\n" : "calls: ok\n", bad);
    return bad != 0;
}
