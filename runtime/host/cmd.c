/* libwsrt: the command stream: one command after the other, each waiting for the one before (docs/host.md).
 *
 * Commands are kept in a queue and done when somebody waits.  Doing one: start it; run the machine in slices until it is
 * ready; then let the machine come to rest, or run host_latency cycles more, so that what is still on its way arrives before
 * the next command looks.  A copy is ready at once.  An interrupted command stays at the head, and goes on at the next wait. */
#include "runtime/host/cmd.h"
#include <stdlib.h>
#include <string.h>

enum { FIRST_SLICE = WS_LIMIT(256, 1), LAST_SLICE = WS_LIMIT(65536, 64), FINISH_LATENCIES = 1000 };

static const char *kind_name(const Cmd *c)
{
    static const char *const names[] = {"copy to", "copy from", "stream to color", "stream from color", "launch of"};
    return names[c->kind];
}

/* "launch of f", "stream to color 3" */
static void cmd_text(const Cmd *c, Buf *out)
{
    if (c->name) buf_printf(out, "%s %s", kind_name(c), c->name);
    else buf_printf(out, "%s %u", kind_name(c), c->color);
}

/* the stream takes no more commands, and says why to each that comes */
static int broken(Wsrt *rt, int code)
{
    rt->broken = code;
    rt->broken_text.len = 0;
    buf_printf(&rt->broken_text, "%s", wsrt_error(rt));
    return code;
}

/* a stop of the machine that no command survives, or that is none of this */
static int stopped(Wsrt *rt, SimStop s)
{
    WsrtFault f;
    if (s == SIM_INTERRUPTED) {
        atomic_store(&rt->interrupt, false);
        rt->end = WSRT_END_INTERRUPTED;
        return rt_fail(rt, WSRT_E_INTERRUPTED, "interrupted at cycle %llu", (unsigned long long)sim_cycle(rt->sim));
    }
    if (s != SIM_FAULT) return WSRT_OK;
    rt->faulted = true;
    rt->end = WSRT_END_FAULT;
    wsrt_fault(rt, &f);
    rt_fail(rt, WSRT_E_FAULT, "%s %s (%s): %s; cycle %llu, PE (%u, %u)", f.kind, f.id, f.name, f.text,
            (unsigned long long)f.cycle, f.x, f.y);
    if (f.file && f.thread >= 0) buf_printf(&rt->err, ", %s:%u", f.file, f.line);
    return broken(rt, WSRT_E_FAULT);
}

static bool at_rest(SimStop s) { return s == SIM_IDLE || s == SIM_STALLED; }

static int settle(Wsrt *rt)
{
    return stopped(rt, sim_run(rt->sim, sim_cycle(rt->sim) + (uint64_t)AP(&rt->arch, host_latency)));
}

static int stuck(Wsrt *rt, const Cmd *c)
{
    Buf b = {0};
    cmd_text(c, &b);
    buf_printf(&b, " does not end: ");
    cmd_missing(rt, c, &b);
    buf_printf(&b, "; nothing moves since cycle %llu", (unsigned long long)sim_cycle(rt->sim));
    rt->end = WSRT_END_STALL;
    rt_fail(rt, WSRT_E_STALL, "%s", b.p);
    buf_free(&b);
    return broken(rt, WSRT_E_STALL);
}

static int until_ready(Wsrt *rt, const Cmd *c, bool (*ready)(const Wsrt *, const Cmd *))
{
    for (uint64_t slice = FIRST_SLICE; !ready(rt, c); slice = slice < LAST_SLICE ? slice * 2 : slice) {
        SimStop s = sim_run(rt->sim, sim_cycle(rt->sim) + slice);
        int e = stopped(rt, s);
        if (e) return e;
        if (at_rest(s) && !ready(rt, c)) return stuck(rt, c);
    }
    return WSRT_OK;
}

/* a PE takes one call at a time */
static bool no_call_left(const Wsrt *rt, const Cmd *c)
{
    for (unsigned y = 0; y < rt->obj->h; y++)
        for (unsigned x = 0; x < rt->obj->w; x++)
            if (sim_call_pending(rt->sim, x, y)) return false;
    return true;
}

static void drop_first(Wsrt *rt)
{
    free(rt->cmds[0].name);
    arrdel(rt->cmds, 0);
}

static int do_first(Wsrt *rt)
{
    Cmd *c = &rt->cmds[0];
    int e = WSRT_OK;
    if (!rt->booted && (e = settle(rt))) return e;
    rt->booted = true;
    if (!c->started) {
        if (c->kind == CMD_LAUNCH && (e = until_ready(rt, c, no_call_left))) return e;
        if ((e = cmd_start(rt, c))) {                    /* it did nothing: the next one may come */
            drop_first(rt);
            return e;
        }
        c->started = true;
    }
    bool copy = c->kind == CMD_H2D || c->kind == CMD_D2H;
    if (!copy && ((e = until_ready(rt, c, cmd_ready)) || (e = settle(rt)))) return e;
    cmd_end(rt, c);
    drop_first(rt);
    return WSRT_OK;
}

static bool is_done(const Wsrt *rt, WsrtTask task) { return !arrlen(rt->cmds) || rt->cmds[0].task > task; }

static int usable(Wsrt *rt)
{
    if (rt->broken) return rt_fail(rt, (WsrtError)rt->broken, "%s", rt->broken_text.p);
    if (rt->faulted) return rt_fail(rt, WSRT_E_STATE, "a fault has ended the run");
    return rt_start(rt);
}

static int known_task(Wsrt *rt, WsrtTask task)
{
    if (task > 0 && task <= rt->last_task) return WSRT_OK;
    return rt_fail(rt, WSRT_E_NAME, "there is no task %llu", (unsigned long long)task);
}

int wsrt_task_wait(Wsrt *rt, WsrtTask task)
{
    int e = known_task(rt, task);
    while (!e && !is_done(rt, task))
        if (!(e = usable(rt))) e = do_first(rt);
    return e;
}

int wsrt_task_done(Wsrt *rt, WsrtTask task)
{
    int e = known_task(rt, task);
    if (e) return e;
    if (is_done(rt, task)) return 1;
    if (!(e = usable(rt))) e = do_first(rt);
    return e ? e : is_done(rt, task);
}

int wsrt_finish(Wsrt *rt)
{
    int e = usable(rt);
    if (!e && rt->last_task) e = wsrt_task_wait(rt, rt->last_task);
    if (e) return e;
    SimStop s = sim_run(rt->sim, sim_cycle(rt->sim) + FINISH_LATENCIES * (uint64_t)AP(&rt->arch, host_latency));
    rt->booted = true;
    if ((e = stopped(rt, s))) return e;
    sim_flush_prints(rt->sim);
    /* what waits for the host still is no fault of a command */
    rt->end = s == SIM_IDLE ? WSRT_END_IDLE : s == SIM_STALLED ? WSRT_END_STALL : WSRT_END_MAX_CYCLES;
    return WSRT_OK;
}

/* into the queue; and with no task wanted, done at once */
static int give(Wsrt *rt, Cmd c, WsrtTask *task)
{
    c.task = ++rt->last_task;
    arrput(rt->cmds, c);
    if (task) *task = c.task;
    return task ? WSRT_OK : wsrt_task_wait(rt, c.task);
}

static int copy(Wsrt *rt, CmdKind kind, const char *symbol, const WsrtRegion *at, uint32_t *host, size_t total, WsrtTask *task)
{
    bool to_pe = kind == CMD_H2D;
    int e = usable(rt);
    if (e || (e = cmd_check_region(rt, at, total, to_pe, symbol)) || (e = cmd_check_symbol(rt, symbol, at, to_pe))) return e;
    return give(rt, (Cmd){.kind = kind, .name = strdup(symbol), .at = *at, .host = host}, task);
}

int wsrt_h2d(Wsrt *rt, const char *symbol, const WsrtRegion *at, const uint32_t *host, size_t total, WsrtTask *task)
{
    return copy(rt, CMD_H2D, symbol, at, (uint32_t *)(uintptr_t)host, total, task);
}

int wsrt_d2h(Wsrt *rt, const char *symbol, const WsrtRegion *at, uint32_t *host, size_t total, WsrtTask *task)
{
    return copy(rt, CMD_D2H, symbol, at, host, total, task);
}

static int stream(Wsrt *rt, CmdKind kind, unsigned color, const WsrtRegion *at, uint32_t *host, size_t total, WsrtTask *task)
{
    bool to_pe = kind == CMD_STREAM_H2D;
    const char *why;
    char what[32];
    snprintf(what, sizeof what, "color %u", color);
    int e = usable(rt);
    if (e || (e = cmd_check_region(rt, at, total, to_pe, what))) return e;
    if (color >= N_COLOR) return rt_fail(rt, WSRT_E_RANGE, "there is no color %u to stream on", color);
    for (unsigned y = at->y; y < at->y + at->h; y++)
        for (unsigned x = at->x; x < at->x + at->w; x++)
            if (!sim_channel_open(rt->sim, x, y, (int)color, to_pe, &why))
                return rt_fail(rt, WSRT_E_STATE, "PE (%u, %u) has no stream %s the host on color %u: %s", x, y,
                               to_pe ? "from" : "to", color, why);
    return give(rt, (Cmd){.kind = kind, .color = (uint8_t)color, .at = *at, .host = host}, task);
}

int wsrt_stream_h2d(Wsrt *rt, unsigned color, const WsrtRegion *at, const uint32_t *host, size_t total, WsrtTask *task)
{
    return stream(rt, CMD_STREAM_H2D, color, at, (uint32_t *)(uintptr_t)host, total, task);
}

int wsrt_stream_d2h(Wsrt *rt, unsigned color, const WsrtRegion *at, uint32_t *host, size_t total, WsrtTask *task)
{
    return stream(rt, CMD_STREAM_D2H, color, at, host, total, task);
}

void rt_free_commands(Wsrt *rt)
{
    for (ptrdiff_t i = 0; i < arrlen(rt->cmds); i++) free(rt->cmds[i].name);
    arrfree(rt->cmds);
    buf_free(&rt->broken_text);
}

/* ---- launching */
static const struct { const char *name; WsrtType type; } arg_types[] = {
    {"i8", WSRT_I8}, {"u8", WSRT_U8}, {"i16", WSRT_I16}, {"u16", WSRT_U16}, {"i32", WSRT_I32}, {"u32", WSRT_U32}, {"f16", WSRT_F16},
    {"f32", WSRT_F32}, {"bool", WSRT_BOOL}};
enum { N_ARG_TYPES = sizeof arg_types / sizeof *arg_types };

static const char *arg_name(WsrtType t)
{
    for (int i = 0; i < N_ARG_TYPES; i++)
        if (arg_types[i].type == t) return arg_types[i].name;
    return NULL;
}

/* arguments against "fn(i16,f32)void" */
static int check_args(Wsrt *rt, const char *f, const char *type, const WsrtArg *args, unsigned nargs)
{
    unsigned n = 0;
    if (strncmp(type, "fn(", 3)) return rt_fail(rt, WSRT_E_TYPE, "%s is no function: it is declared as %s", f, type);
    for (const char *s = type + 3; *s && *s != ')'; n++) {
        size_t len = strcspn(s, ",)");
        if (n < nargs && (strlen(arg_name(args[n].type)) != len || strncmp(s, arg_name(args[n].type), len)))
            return rt_fail(rt, WSRT_E_TYPE, "%s: argument %u is of type %.*s, not %s", f, n, (int)len, s, arg_name(args[n].type));
        s += len + (s[len] == ',');
    }
    if (n != nargs)
        return rt_fail(rt, WSRT_E_SIZE, "%s takes %u argument%s, not %u: it is %s", f, n, n == 1 ? "" : "s", nargs, type);
    return WSRT_OK;
}

static uint32_t arg_word(const WsrtArg *a)
{
    switch (a->type) {
    case WSRT_I8: return (uint32_t)(int32_t)(int8_t)a->v.i;
    case WSRT_I16: return (uint32_t)(int32_t)(int16_t)a->v.i;
    case WSRT_U8: return (uint8_t)a->v.u;
    case WSRT_U16: case WSRT_F16: return (uint16_t)a->v.u;
    case WSRT_BOOL: return a->v.u != 0;
    default: return a->v.u;
    }
}

int wsrt_launch(Wsrt *rt, const char *function, const WsrtArg *args, unsigned nargs, WsrtTask *task)
{
    int e = usable(rt);
    WsrtSymbol any;
    const WsrtExport *x = rt_export(rt, function);
    Cmd c = {.kind = CMD_LAUNCH, .nargs = (int)nargs};
    if (e || (e = wsrt_symbol(rt, function, &any))) return e;
    if (any.type != WSRT_FUNC) return rt_fail(rt, WSRT_E_TYPE, "%s is no function", function);
    if (nargs > 8) return rt_fail(rt, WSRT_E_SIZE, "a launch has at most 8 arguments, not %u", nargs);
    for (unsigned i = 0; i < nargs; i++)
        if (!arg_name(args[i].type))
            return rt_fail(rt, WSRT_E_TYPE, "%s: argument %u is of a type that no function takes", function, i);
    if (x && (e = check_args(rt, function, x->type, args, nargs))) return e;
    if (any.pes != wsrt_pes(rt))
        return rt_fail(rt, WSRT_E_RANGE, "%s is launched in all PEs, and only %llu of %llu have it", function,
                       (unsigned long long)any.pes, (unsigned long long)wsrt_pes(rt));
    for (unsigned i = 0; i < nargs; i++) c.args[i] = arg_word(&args[i]);
    c.name = strdup(function);
    return give(rt, c, task);
}
