/* Calls of the command stream that go wrong, each with its code and its line, and rules of the stream.
 *   commands FOLDER errors|rules|forget|fault|never|twice|engine */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wsrt.h>

static Wsrt *rt;
static void said(const char *what, int code) { printf("%s: %d %s\n", what, code, code ? wsrt_error(rt) : "ok"); }
#define SAY(call) said(#call, call)

static void errors(void)
{
    uint32_t a[16] = {0};
    WsrtTask t;
    WsrtRegion r = {0, 0, 2, 1, 3, 32, WSRT_ROW_MAJOR, WSRT_EACH}, q;
    WsrtArg args[9] = {{WSRT_I16, {.i = 1}}, {WSRT_U16, {.u = 2}}};
    SAY(wsrt_h2d(rt, "v", &r, a, 5, NULL));
    SAY(wsrt_h2d(rt, "nothing", &r, a, 6, NULL));
    SAY(wsrt_h2d(rt, "add", &r, a, 6, NULL));
    SAY(wsrt_h2d(rt, "fixed", &r, a, 6, NULL));
    q = r, q.bits = 16;
    SAY(wsrt_d2h(rt, "v", &q, a, 6, NULL));
    q.bits = 8;
    SAY(wsrt_d2h(rt, "v", &q, a, 6, NULL));
    q = r, q.w = 3;
    SAY(wsrt_d2h(rt, "v", &q, a, 9, NULL));
    q = r, q.x = 1, q.w = 0;
    SAY(wsrt_d2h(rt, "v", &q, a, 0, NULL));
    q = r, q.elems = 0;
    SAY(wsrt_d2h(rt, "v", &q, a, 0, NULL));
    q = r, q.spread = WSRT_ROW_BCAST;
    SAY(wsrt_d2h(rt, "v", &q, a, 3, NULL));
    SAY(wsrt_h2d(rt, "v", &q, a, 6, NULL));
    q = r, q.elems = 40000;
    static uint32_t many[80000];
    SAY(wsrt_d2h(rt, "v", &q, many, 80000, NULL));
    SAY(wsrt_stream_h2d(rt, 24, &r, a, 6, NULL));
    SAY(wsrt_stream_h2d(rt, 5, &r, a, 6, NULL));
    SAY(wsrt_stream_h2d(rt, 3, &r, a, 6, &t));
    SAY(wsrt_stream_d2h(rt, 3, &r, a, 6, NULL));
    SAY(wsrt_launch(rt, "nothing", NULL, 0, NULL));
    SAY(wsrt_launch(rt, "v", NULL, 0, NULL));
    SAY(wsrt_launch(rt, "half", NULL, 0, NULL));
    SAY(wsrt_launch(rt, "add", args, 1, NULL));
    args[1].type = WSRT_F32;
    SAY(wsrt_launch(rt, "add", args, 2, NULL));
    SAY(wsrt_launch(rt, "add", args, 9, NULL));
    args[0].type = WSRT_DSD;
    SAY(wsrt_launch(rt, "add", args, 2, NULL));
    SAY(wsrt_task_wait(rt, 99));
    SAY(wsrt_task_done(rt, 0));
    const char *name = "";
    SAY(wsrt_pointee(rt, "left", 0, 0, &name));
    SAY(wsrt_pointee(rt, "left", 2, 0, &name));
    SAY(wsrt_pointee(rt, "v", 1, 0, &name));
    printf("v points to %s\n", name);
    printf("nothing has run: cycle %llu\n", (unsigned long long)wsrt_cycles(rt));
}

static void rules(void)
{
    uint32_t v[6], h[4], seen[8];
    WsrtTask t[4];
    WsrtRegion r = {0, 0, 2, 1, 3, 32, WSRT_ROW_MAJOR, WSRT_EACH}, hr = {0, 0, 2, 1, 2, 16, WSRT_ROW_MAJOR, WSRT_EACH};
    WsrtRegion s = {0, 0, 2, 1, 4, 32, WSRT_ROW_MAJOR, WSRT_EACH};
    WsrtArg args[2] = {{WSRT_I16, {.i = -4}}, {WSRT_U16, {.u = 65535}}};
    SAY(wsrt_launch(rt, "add", args, 2, NULL));
    SAY(wsrt_d2h(rt, "h", &hr, h, 4, NULL));
    SAY(wsrt_d2h(rt, "v", &r, v, 6, NULL));
    printf("h %04x %04x v %u\n", (unsigned)h[0], (unsigned)h[3], (unsigned)v[3]);
    /* the launch is over when a task says so; the copy after it waits for that */
    SAY(wsrt_launch(rt, "later", NULL, 0, &t[0]));
    SAY(wsrt_d2h(rt, "v", &r, v, 6, &t[1]));
    printf("later: %u\n", (unsigned)v[2]);
    SAY(wsrt_task_wait(rt, t[1]));
    printf("later: %u, done %d %d\n", (unsigned)v[2], wsrt_task_done(rt, t[0]), wsrt_task_done(rt, t[1]));
    /* words wait in queues until the program takes them, and at the PE until the host does */
    for (uint32_t i = 0; i < 8; i++) seen[i] = 100 + i;
    SAY(wsrt_stream_h2d(rt, 3, &s, seen, 8, NULL));
    SAY(wsrt_launch(rt, "echo", NULL, 0, NULL));
    memset(seen, 0, sizeof seen);
    s.bits = 16, s.order = WSRT_COL_MAJOR;
    SAY(wsrt_stream_d2h(rt, 4, &s, seen, 8, &t[2]));
    SAY(wsrt_finish(rt));                                 /* does what is left */
    printf("echo %u %u %u\n", (unsigned)seen[0], (unsigned)seen[1], (unsigned)seen[7]);
}

int main(int argc, char **argv)
{
    char err[WSRT_ERR_BYTES];
    uint32_t a[6] = {0};
    WsrtRegion r = {0, 0, 2, 1, 3, 32, WSRT_ROW_MAJOR, WSRT_EACH};
    WsrtArg three = {WSRT_U16, {.u = 3}};
    const char *what = argc == 3 ? argv[2] : "";
    rt = argc == 3 ? wsrt_open(argv[1], err) : NULL;
    if (!rt) return printf("open: %s\n", err), 1;
    if (!strcmp(what, "errors")) errors();
    if (!strcmp(what, "rules")) rules();
    if (!strcmp(what, "forget")) {
        SAY(wsrt_launch(rt, "forget", NULL, 0, NULL));
        SAY(wsrt_d2h(rt, "v", &r, a, 6, NULL));
        printf("%s", wsrt_report(rt));
    }
    if (!strcmp(what, "fault")) {
        WsrtFault f;
        SAY(wsrt_launch(rt, "trap", &three, 1, NULL));
        int e = wsrt_fault(rt, &f);
        printf("%d at line %u\n", e, f.line);
        SAY(wsrt_finish(rt));
    }
    if (!strcmp(what, "never")) {
        r.elems = 2;
        SAY(wsrt_stream_d2h(rt, 4, &r, a, 4, NULL));
    }
    if (!strcmp(what, "full")) {
        static uint32_t many[200];
        r.elems = 100;
        SAY(wsrt_stream_h2d(rt, 3, &r, many, 200, NULL));
    }
    if (!strcmp(what, "clock")) {                         /* a word a cycle to the ramp, readable ramp_down later */
        SAY(wsrt_set_arch_param(rt, "ramp_down", 7));
        SAY(wsrt_set_arch_param(rt, "ramp_up", 9));
        SAY(wsrt_stream_h2d(rt, 3, &r, a, 6, NULL));
        printf("cycle %llu\n", (unsigned long long)wsrt_cycles(rt));
        r.elems = 4, r.w = 1;
        SAY(wsrt_launch(rt, "echo", NULL, 0, NULL));      /* takes 4: one more is missing */
        r.elems = 1;
        SAY(wsrt_stream_h2d(rt, 3, &r, a, 1, NULL));
        uint64_t before = wsrt_cycles(rt);
        r.elems = 4;
        SAY(wsrt_stream_d2h(rt, 4, &r, a, 4, NULL));      /* the last entered its queue fab_op after its slot, and goes ramp_up later */
        printf("%llu cycles\n", (unsigned long long)(wsrt_cycles(rt) - before));
    }
    if (!strcmp(what, "engine")) {
        SAY(wsrt_set_engine(rt, "fast"));
        SAY(wsrt_launch(rt, "later", NULL, 0, NULL));
        SAY(wsrt_stream_h2d(rt, 3, &r, a, 5, NULL));
        SAY(wsrt_stream_h2d(rt, 3, &r, a, 6, NULL));
    }
    wsrt_close(rt);
    return 0;
}
