/* tests/fuzz/target_host.c: an input as calls of libwsrt on a program that has everything a host can ask for. */
#include "runtime/include/wsrt.h"
#include "tests/fuzz/target.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* a layout that is its own tile code: a pointer, an array, functions with and without arguments, streams, a call that never ends */
static const char program[] =
    "const memcpy = @import_module(\"<memcpy/get_params>\", .{ .width = 2, .height = 2, .MEMCPYH2D_1 = @get_color(0), .MEMCPYD2H_1 = @get_color(1) });\n"
    "param memcpy_params = memcpy.get_params(0);\n"
    "layout {\n"
    "    @set_rectangle(2, 2);\n"
    "    for (@range(u16, 2)) |y| for (@range(u16, 2)) |x| @set_tile_code(x, y, \"host.csl\", .{ .memcpy_params = memcpy.get_params(x) });\n"
    "    @export_name(\"a\", [*]f32, true);\n"
    "    @export_name(\"h\", [*]u16, false);\n"
    "    @export_name(\"f\", fn(f32, u16)void);\n"
    "    @export_name(\"go\", fn()void);\n"
    "    @export_name(\"never\", fn()void);\n"
    "    @export_name(\"bad\", fn()void);\n"
    "}\n"
    "const sys = @import_module(\"<memcpy/memcpy>\", memcpy_params);\n"
    "var a: [4]f32 = @zeros([4]f32);\n"
    "var h: [4]u16 = @zeros([4]u16);\n"
    "var a_ptr: [*]f32 = &a;\n"
    "var h_ptr: [*]u16 = &h;\n"
    "const iq = @get_input_queue(2);\n"
    "const oq = @get_output_queue(2);\n"
    "fn f(by: f32, add: u16) void { for (@range(u16, 4)) |i| { a[i] *= by; h[i] += add; } sys.unblock_cmd_stream(); }\n"
    "fn go() void {\n"
    "    const from = @get_dsd(fabin_dsd, .{ .extent = 2, .fabric_color = @get_color(0), .input_queue = iq });\n"
    "    const to = @get_dsd(fabout_dsd, .{ .extent = 2, .fabric_color = @get_color(1), .output_queue = oq });\n"
    "    @mov32(to, from, .{ .async = true, .activate = done });\n"
    "}\n"
    "fn never() void { @print(\"{}\", h[0]); }\n"
    "fn bad() void { @assert(h[0] == 77); sys.unblock_cmd_stream(); }\n"
    "const done = @get_local_task_id(9);\n"
    "task end() void { sys.unblock_cmd_stream(); }\n"
    "comptime {\n"
    "    @bind_local_task(end, done);\n"
    "    @initialize_queue(iq, .{ .color = @get_color(0) });\n"
    "    @initialize_queue(oq, .{ .color = @get_color(1) });\n"
    "    @export_symbol(a_ptr, \"a\");\n"
    "    @export_symbol(h_ptr, \"h\");\n"
    "    @export_symbol(f); @export_symbol(go); @export_symbol(never); @export_symbol(bad);\n"
    "}\n";
static const char *const names[] = {"a", "h", "f", "go", "never", "bad", "a_ptr", "memcpy.unblocks", "nothing", ""};
enum { N_NAMES = sizeof names / sizeof *names, MAX_CALLS = 40, MAX_HOST = 4096, MAX_CYCLES = 20000 };

typedef struct { const uint8_t *p, *end; } In;
static unsigned byte(In *in) { return in->p < in->end ? *in->p++ : 0; }
/* mostly small numbers, sometimes those near the ends of the type */
static uint32_t number(In *in)
{
    unsigned b = byte(in);
    return b < 0xf0 ? b & 15 : b < 0xf8 ? UINT32_MAX - (b & 7) : b < 0xfc ? (uint32_t)1 << (b & 3) * 8 : (byte(in) | byte(in) << 8);
}
static const char *name(In *in) { return names[byte(in) % N_NAMES]; }

typedef struct { Wsrt *rt; In in; uint32_t *arrays[MAX_CALLS]; int narrays; WsrtTask task; } Host;

static WsrtRegion region(Host *h)
{
    In *in = &h->in;
    WsrtRegion r = {number(in), number(in), number(in), number(in), number(in)};
    unsigned how = byte(in);
    r.bits = how & 1 ? 16 : how & 2 ? 24 : 32;
    r.order = how & 4 ? WSRT_COL_MAJOR : WSRT_ROW_MAJOR;
    r.spread = (WsrtSpread)(how >> 3 & 3);
    if (how & 32) r.x = r.y = 0, r.w = r.h = 2, r.elems = how >> 6 | 1, r.spread = r.spread % 3;  /* one that fits */
    return r;
}

/* an array of what the region asks for, or of a size near it; it lives as long as the machine */
static uint32_t *array(Host *h, const WsrtRegion *r, size_t *total)
{
    uint64_t pes = r->spread == WSRT_ROW_BCAST ? r->h : r->spread == WSRT_COL_BCAST ? r->w : (uint64_t)r->w * r->h, want = 0;
    if (pes <= MAX_HOST && r->elems <= MAX_HOST && pes * r->elems <= MAX_HOST) want = pes * r->elems;
    unsigned b = byte(&h->in);
    *total = b < 0xf0 ? (size_t)want : (size_t)(want + (b & 3));
    uint32_t *p = calloc(*total ? *total : 1, sizeof *p);
    h->arrays[h->narrays++] = p;
    return p;
}

static void command(Host *h, unsigned op)
{
    In *in = &h->in;
    unsigned how = byte(in);
    WsrtTask *task = how & 1 ? &h->task : NULL;
    const char *what = name(in);
    if (op == 4) {
        WsrtArg args[9] = {0};
        unsigned n = how >> 1 & 7;
        for (unsigned i = 0; i < n; i++) args[i] = (WsrtArg){(WsrtType)(byte(in) % 19), {.u = number(in)}};
        if (how >> 4 == 15) args[0].type = WSRT_F32, args[1].type = WSRT_U16, n = 2;
        wsrt_launch(h->rt, what, args, n, task);
        return;
    }
    size_t total;
    unsigned color = how >> 1 & 31;
    WsrtRegion r = region(h);
    uint32_t *host = array(h, &r, &total);
    if (op == 0) wsrt_h2d(h->rt, what, &r, host, total, task);
    if (op == 1) wsrt_d2h(h->rt, what, &r, host, total, task);
    if (op == 2) wsrt_stream_h2d(h->rt, color, &r, host, total, task);
    if (op == 3) wsrt_stream_d2h(h->rt, color, &r, host, total, task);
}

/* the plain way: copies, calls, runs */
static void plain(Host *h, unsigned op)
{
    In *in = &h->in;
    const char *what = name(in), *found;
    uint8_t bytes[64] = {0};
    uint32_t args[10] = {number(in)};
    WsrtSymbol s;
    WsrtRegion r = {number(in), number(in), number(in), number(in), number(in)};
    WsrtType type = (WsrtType)(byte(in) % 19);
    WsrtOrder order = byte(in) & 1 ? WSRT_COL_MAJOR : WSRT_ROW_MAJOR;
    uint64_t total = (uint64_t)r.w * r.h * r.elems;
    bool small = r.w < 16 && r.h < 16 && r.elems < 16;
    uint8_t *data = calloc(small && total ? (size_t)total : 1, 8);
    switch (op) {
    case 0: if (small) wsrt_write(h->rt, what, r.x, r.y, r.w, r.h, r.elems, type, order, data, (size_t)total); break;
    case 1: if (small) wsrt_read(h->rt, what, r.x, r.y, r.w, r.h, r.elems, type, order, data, (size_t)total); break;
    case 2: wsrt_peek(h->rt, r.x, r.y, number(in), bytes, r.elems & 63); break;
    case 3: wsrt_poke(h->rt, r.x, r.y, number(in), bytes, r.elems & 63); break;
    case 4: wsrt_call(h->rt, what, r.x, r.y, r.w, r.h, args, (int)byte(in) % 10); break;
    case 5: wsrt_run(h->rt, wsrt_cycles(h->rt) + 1 + r.elems % MAX_CYCLES); break;
    case 6: wsrt_pointee(h->rt, what, r.x, r.y, &found); break;
    case 7: wsrt_set_engine(h->rt, byte(in) & 1 ? "fast" : "reference"); break;
    case 8: wsrt_interrupt(h->rt); break;
    case 9: wsrt_symbol(h->rt, what, &s); break;
    }
    free(data);
}

static void other(Host *h, unsigned op)
{
    WsrtFault f;
    char path[512];
    switch (op) {
    case 0: wsrt_task_wait(h->rt, h->task + number(&h->in) % 3); break;
    case 1: wsrt_task_done(h->rt, h->task); break;
    case 2: wsrt_finish(h->rt); break;
    case 3: wsrt_report(h->rt); break;
    case 4: wsrt_fault(h->rt, &f); break;
    case 5: wsrt_core_write(h->rt, fuzz_path(path, "host.core")); break;
    case 6: wsrt_core_read(h->rt, fuzz_path(path, "host.core")); break;
    }
}

void fuzz_host(const uint8_t *data, size_t size)
{
    static const char *object;
    char err[WSRT_ERR_BYTES];
    if (!object) object = fuzz_fixed_object("host.csl", "", program);
    Host h = {.rt = wsrt_open(object, err), .in = {data, data + size}};
    assert(h.rt);
    for (int i = 0; i < MAX_CALLS && h.in.p < h.in.end; i++) {
        unsigned op = byte(&h.in) % 22;
        if (op < 5) command(&h, op);
        else if (op < 15) plain(&h, op - 5);
        else other(&h, op - 15);
    }
    wsrt_close(h.rt);
    while (h.narrays) free(h.arrays[--h.narrays]);
}
