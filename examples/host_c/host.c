/* A host program in C: every call of the command stream, checked against plain C.
 *
 *     host FOLDER W H N        FOLDER: what cslc left for a rectangle of W x H PEs with N elements each */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wsrt.h>

enum { TO_PE = 0, TO_HOST = 1 };
static Wsrt *rt;
static unsigned W, H, N;

static void must(int e, const char *what)
{
    if (!e) return;
    fprintf(stderr, "host: %s: %s\n%s", what, wsrt_error(rt), e == WSRT_E_STALL ? wsrt_report(rt) : "");
    exit(1);
}

static uint32_t bits(float f)
{
    uint32_t u;
    memcpy(&u, &f, 4);
    return u;
}

static void same(const char *what, const uint32_t *got, const uint32_t *want, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (got[i] == want[i]) continue;
        fprintf(stderr, "host: %s: element %zu is 0x%08x, not 0x%08x\n", what, i, (unsigned)got[i], (unsigned)want[i]);
        exit(1);
    }
    printf("%s: ok\n", what);
}

static uint32_t *array(size_t n)
{
    uint32_t *p = calloc(n, sizeof *p);
    if (!p) exit(1);
    return p;
}

/* gain of element e of PE (x, y); bias of a whole row, and of a whole column */
static float gain(unsigned x, unsigned y, unsigned e) { return 1.0f + (float)x + 10.0f * (float)y + 0.25f * (float)e; }
static int row_bias(unsigned y, unsigned e) { return (int)(7 * y + e) - 5; }
static int col_bias(unsigned x, unsigned e) { return 3 - (int)(4 * x + e); }

static WsrtRegion whole(int width, WsrtOrder order)
{
    return (WsrtRegion){.w = W, .h = H, .elems = N, .bits = width, .order = order};
}

/* result of scale(times, by) in row order */
static void expect(uint32_t *want, int times, float by, int by_row)
{
    for (unsigned y = 0; y < H; y++)
        for (unsigned x = 0; x < W; x++)
            for (unsigned e = 0; e < N; e++) {
                float product = gain(x, y, e) * by, scaled = (float)times * product;
                want[((size_t)y * W + x) * N + e] = bits(scaled + (float)(by_row ? row_bias(y, e) : col_bias(x, e)));
            }
}

static void copies_and_launches(void)
{
    size_t all = (size_t)W * H * N;
    uint32_t *g = array(all), *b = array((size_t)(W > H ? W : H) * N), *got = array(all), *want = array(all);
    WsrtRegion r = whole(32, WSRT_COL_MAJOR);
    for (unsigned y = 0; y < H; y++)
        for (unsigned x = 0; x < W; x++)
            for (unsigned e = 0; e < N; e++) g[y + H * (x + (size_t)W * e)] = bits(gain(x, y, e));
    must(wsrt_h2d(rt, "gain", &r, g, all, NULL), "gain");
    must(wsrt_d2h(rt, "gain", &r, got, all, NULL), "gain back");
    same("copies, column order", got, g, all);

    /* 16-bit data travel in 32-bit words, the low half counts */
    r = whole(16, WSRT_ROW_MAJOR);
    r.spread = WSRT_ROW_BCAST;
    for (unsigned y = 0; y < H; y++)
        for (unsigned e = 0; e < N; e++) b[(size_t)y * N + e] = (uint16_t)row_bias(y, e);
    must(wsrt_h2d(rt, "bias", &r, b, (size_t)H * N, NULL), "bias of rows");
    WsrtArg args[] = {{WSRT_I16, {.i = -3}}, {WSRT_F32, {.f = 0.5f}}};
    must(wsrt_launch(rt, "scale", args, 2, NULL), "scale");
    r = whole(32, WSRT_ROW_MAJOR);
    must(wsrt_d2h(rt, "result", &r, got, all, NULL), "result");
    expect(want, -3, 0.5f, 1);
    same("row broadcast, launch with arguments", got, want, all);

    /* commands that nobody waits for: done in order; the arrays stay as they are until the task is done */
    WsrtTask last;
    r = whole(16, WSRT_ROW_MAJOR);
    r.spread = WSRT_COL_BCAST;
    for (unsigned x = 0; x < W; x++)
        for (unsigned e = 0; e < N; e++) b[(size_t)x * N + e] = (uint16_t)col_bias(x, e);
    must(wsrt_launch(rt, "reset", NULL, 0, &last), "reset");
    must(wsrt_h2d(rt, "bias", &r, b, (size_t)W * N, &last), "bias of columns");
    args[0].v.i = 2;
    must(wsrt_launch(rt, "scale", args, 2, &last), "scale");
    r = whole(32, WSRT_ROW_MAJOR);
    must(wsrt_d2h(rt, "result", &r, got, all, &last), "result");
    must(wsrt_task_wait(rt, last), "waiting");
    expect(want, 2, 0.5f, 0);
    same("column broadcast, tasks", got, want, all);
    free(g), free(b), free(got), free(want);
}

static void streams(void)
{
    size_t all = (size_t)W * H * N;
    uint32_t *to = array(all), *from = array(all), *want = array(all);
    WsrtRegion r = whole(32, WSRT_ROW_MAJOR);
    WsrtTask sent;
    for (unsigned y = 0; y < H; y++)
        for (unsigned x = 0; x < W; x++)
            for (unsigned e = 0; e < N; e++) {
                size_t i = ((size_t)y * W + x) * N + e;
                float word = 0.5f * (float)i;
                to[i] = bits(word);
                want[i] = bits(word * gain(x, y, e));
            }
    must(wsrt_launch(rt, "forward", NULL, 0, NULL), "forward");
    must(wsrt_stream_h2d(rt, TO_PE, &r, to, all, &sent), "stream to the PEs");
    while (!wsrt_task_done(rt, sent)) { }
    must(wsrt_stream_d2h(rt, TO_HOST, &r, from, all, NULL), "stream from the PEs");
    same("streams", from, want, all);
    free(to), free(from), free(want);
}

/* the memory stays readable; one corner of the rectangle */
static void afterwards(void)
{
    uint16_t n = 0;
    WsrtSymbol s;
    must(wsrt_finish(rt), "finish");
    must(wsrt_symbol(rt, "launches", &s), "launches");
    must(wsrt_read(rt, "launches", W - 1, H - 1, 1, 1, 1, WSRT_U16, WSRT_ROW_MAJOR, &n, 1), "launches");
    if (n != 4 || s.pes != (uint64_t)W * H) {
        fprintf(stderr, "host: %u launches counted in %llu PEs\n", n, (unsigned long long)s.pes);
        exit(1);
    }
    printf("%u launches, %llu cycles\n", n, (unsigned long long)wsrt_cycles(rt));
}

int main(int argc, char **argv)
{
    char err[WSRT_ERR_BYTES];
    if (argc != 5) return fprintf(stderr, "usage: host FOLDER W H N\n"), 2;
    W = (unsigned)atoi(argv[2]), H = (unsigned)atoi(argv[3]), N = (unsigned)atoi(argv[4]);
    rt = wsrt_open(argv[1], err);
    if (!rt) return fprintf(stderr, "host: %s\n", err), 2;
    copies_and_launches();
    streams();
    afterwards();
    wsrt_close(rt);
    return 0;
}
