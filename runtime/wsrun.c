/* wsrun: run an object or image and read results back.  Thin over libwsrt (wsrt.h); docs/tools.md is its page.
 *
 * Order: options, open, --set, check of every --read and --dump and of every output file, run, outputs.  Results are
 * written only when the run ended idle: if wsrun prints a result, the result means something. */
#include "runtime/base/base.h"
#include "runtime/include/wsrt.h"
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_OK = 0, EXIT_OUTPUT = 1, EXIT_INPUT = 2, EXIT_STALL = 3, EXIT_FAULT = 4, EXIT_MAX_CYCLES = 5, EXIT_BUG = 70, EXIT_CTRL_C = 130 };

static const char usage[] =
    "usage: wsrun FILE [option...]      run an object or image on the simulated wafer\n"
    "  --set SYMBOL[:x,y,w,h]=FILE      fill a symbol before the run: one PE's bytes for all, or every PE its own\n"
    "  --read SYMBOL[:x,y,w,h] -o FILE  after the run, write a symbol's bytes: y, then x, then element ('-': stdout)\n"
    "  --dump SYMBOL[:x,y,w,h]          after the run, print a symbol as text, a line a PE\n"
    "  --stats json|text                print cycles and counters\n"
    "  --stats-file FILE                ... to a file (json unless --stats says text)\n"
    "  --max-cycles N                   stop after N cycles\n"
    "  --arch-param NAME=VALUE          change a number of the machine (docs/machine.md)\n"
    "  --engine NAME                    engine to simulate with\n"
    "  --check                          fault on stray accesses, and when a stack grows into data\n"
    "  --list                           list symbols with type, size, PEs, set or unset; no run\n"
    "  -v, --verbose                    the closing line even when not on a terminal\n"
    "  -q, --quiet                      no progress, no closing line\n"
    "  -h, --help      --version\n"
    "exit code: 0 done, 1 an output cannot be written, 2 bad input, 3 stall, 4 fault of the program, 5 cycle limit,\n"
    "130 Ctrl-C\n";

typedef struct { char *symbol; bool rect; unsigned x, y, w, h; } Where;
typedef struct { Where at; const char *path; WsOut *out; bool dump; WsrtSymbol sym; void *data; size_t elems; } Get;
typedef struct { Where at; const char *path; } Set;
typedef struct { char *name; int32_t value; } Param;
typedef struct {
    const char *file, *stats_path, *engine;
    Get *gets; Set *sets; Param *params;
    uint64_t max_cycles;
    bool stats, stats_text, check, list, verbose, quiet;
    WsOut *stats_out;
} Options;
typedef struct { Wsrt *rt; Options *o; FILE *prints; bool progress, line_open; double start, last; uint64_t pes; WsrtMemory memory; } Run;

static void fail(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));
static void fail(const char *fmt, ...)
{
    va_list ap;
    fprintf(stderr, "wsrun: ");
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fprintf(stderr, "\n");
    exit(EXIT_INPUT);
}

static int stdout_written(int code) { return ws_stdout_end("wsrun", code); }
_Static_assert(EXIT_OUTPUT == 1, "as ws_stdout_end has it");

/* ---- options */

static bool parse_u64(const char *s, uint64_t *out)
{
    char *end;
    if (*s < '0' || *s > '9') return false;
    errno = 0;
    *out = strtoull(s, &end, 0);
    return errno == 0 && *end == 0;
}

/* SYMBOL or SYMBOL:x,y,w,h */
static Where parse_where(const char *option, const char *text)
{
    Where w = {.symbol = strdup(text)};
    char *colon = strchr(w.symbol, ':');
    if (colon) {
        *colon = 0;
        w.rect = true;
        uint64_t v[4];
        char *t = colon + 1;
        for (int n = 0; n < 4; n++) {
            char *comma = strchr(t, ',');
            if (comma) *comma = 0;
            if (!comma != (n == 3) || !parse_u64(t, &v[n]) || v[n] > UINT32_MAX) fail("%s %s: the rectangle is written x,y,w,h", option, text);
            if (comma) t = comma + 1;
        }
        w.x = (uint32_t)v[0], w.y = (uint32_t)v[1], w.w = (uint32_t)v[2], w.h = (uint32_t)v[3];
    }
    if (!*w.symbol) fail("%s %s: no symbol is named", option, text);
    return w;
}

static Param parse_param(const char *text)
{
    const char *eq = strchr(text, '=');
    uint64_t v;
    if (!eq || eq == text || !parse_u64(eq + 1, &v) || v > INT32_MAX) fail("--arch-param %s: write NAME=NUMBER", text);
    return (Param){strndup(text, (size_t)(eq - text)), (int32_t)v};
}

static Set parse_set(const char *text)
{
    const char *eq = strchr(text, '=');
    if (!eq || !eq[1]) fail("--set %s: write SYMBOL=FILE", text);
    char *left = strndup(text, (size_t)(eq - text));
    Set s = {parse_where("--set", left), eq + 1};
    free(left);
    return s;
}

static Options parse_options(int argc, char **argv)
{
    enum { O_SET = 256, O_READ, O_DUMP, O_STATS, O_STATS_FILE, O_MAX, O_PARAM, O_ENGINE, O_CHECK, O_LIST, O_VERSION };
    static const struct option longs[] = {
        {"set", 1, 0, O_SET}, {"read", 1, 0, O_READ}, {"dump", 1, 0, O_DUMP}, {"stats", 1, 0, O_STATS}, {"stats-file", 1, 0, O_STATS_FILE},
        {"max-cycles", 1, 0, O_MAX}, {"arch-param", 1, 0, O_PARAM}, {"engine", 1, 0, O_ENGINE}, {"check", 0, 0, O_CHECK}, {"list", 0, 0, O_LIST},
        {"verbose", 0, 0, 'v'}, {"quiet", 0, 0, 'q'}, {"help", 0, 0, 'h'}, {"version", 0, 0, O_VERSION}, {0}};
    Options o = {0};
    int c;
    opterr = 0;
    while ((c = getopt_long(argc, argv, ":o:vqh", longs, NULL)) != -1) {
        Get *last = arrlen(o.gets) ? &o.gets[arrlen(o.gets) - 1] : NULL;
        if (last && !last->dump && !last->path && c != 'o' && c != '?' && c != ':') fail("--read %s: -o FILE must follow", last->at.symbol);
        switch (c) {
        case O_SET: arrput(o.sets, parse_set(optarg)); break;
        case O_READ: arrput(o.gets, ((Get){.at = parse_where("--read", optarg)})); break;
        case 'o':
            if (!last || last->dump || last->path) fail("-o %s: it follows a --read", optarg);
            last->path = optarg;
            break;
        case O_DUMP: arrput(o.gets, ((Get){.at = parse_where("--dump", optarg), .dump = true})); break;
        case O_STATS:
            o.stats = true;
            o.stats_text = strcmp(optarg, "text") == 0;
            if (!o.stats_text && strcmp(optarg, "json")) fail("--stats %s: the formats are json and text", optarg);
            break;
        case O_STATS_FILE: o.stats_path = optarg; break;
        case O_MAX:
            if (!parse_u64(optarg, &o.max_cycles) || !o.max_cycles) fail("--max-cycles %s: not a number of cycles from 1", optarg);
            break;
        case O_PARAM: arrput(o.params, parse_param(optarg)); break;
        case O_ENGINE: o.engine = optarg; break;
        case O_CHECK: o.check = true; break;
        case O_LIST: o.list = true; break;
        case 'v': o.verbose = true; break;
        case 'q': o.quiet = true; break;
        case 'h': fputs(usage, stdout); exit(stdout_written(EXIT_OK));
        case O_VERSION: printf("wsrun (Scheelite) %d.%d.%d\n", WSRT_VERSION / 10000, WSRT_VERSION / 100 % 100, WSRT_VERSION % 100); exit(stdout_written(EXIT_OK));
        case ':': fail("%s needs a value (see --help)", argv[optind - 1]);
        default: fail("unknown option %s (see --help)", argv[optind - 1]);
        }
    }
    if (optind == argc) fail("no object or image is named (see --help)");
    if (optind + 1 < argc) fail("one object or image at a time: %s, %s (see --help)", argv[optind], argv[optind + 1]);
    if (arrlen(o.gets) && !arrlast(o.gets).dump && !arrlast(o.gets).path) fail("--read %s: -o FILE must follow", arrlast(o.gets).at.symbol);
    if (o.verbose && o.quiet) fail("--verbose and --quiet at once");
    o.file = argv[optind];
    o.stats |= o.stats_path != NULL;
    return o;
}

/* ---- before the run */

static void must(Wsrt *rt, const char *option, const char *value, int code)
{
    if (code) fail("%s %s: %s", option, value, wsrt_error(rt));
}

/* the rectangle that an option means, and the symbol's shape in it */
static WsrtSymbol resolve(Wsrt *rt, const char *option, Where *at)
{
    WsrtSymbol s;
    must(rt, option, at->symbol, wsrt_symbol(rt, at->symbol, &s));
    if (s.elems == 0) fail("%s %s: the symbol has no data", option, at->symbol);
    if (!at->rect) {
        if (s.pes != (uint64_t)s.w * s.h || !s.uniform)
            fail("%s %s: not every PE of %u,%u,%u,%u has it, in one size; name a rectangle: %s:x,y,w,h", option, at->symbol, s.x, s.y, s.w, s.h, at->symbol);
        at->x = s.x, at->y = s.y, at->w = s.w, at->h = s.h;
    }
    if (!s.uniform) fail("%s %s: its size differs between PEs", option, at->symbol);
    return s;
}

static void prepare_get(Wsrt *rt, Get *g)
{
    const char *option = g->dump ? "--dump" : "--read";
    g->sym = resolve(rt, option, &g->at);
    g->elems = (size_t)g->at.w * g->at.h * g->sym.elems;
    if (g->at.w > wsrt_width(rt) || g->at.h > wsrt_height(rt))
        fail("%s %s: rectangle %u,%u,%u,%u is not inside the machine of %u x %u PEs", option, g->at.symbol, g->at.x, g->at.y, g->at.w, g->at.h,
             wsrt_width(rt), wsrt_height(rt));
    g->data = ws_xmalloc(g->elems * g->sym.elem_bytes + 1);
    must(rt, option, g->at.symbol,
         wsrt_read(rt, g->at.symbol, g->at.x, g->at.y, g->at.w, g->at.h, g->sym.elems, WSRT_ANY, WSRT_ROW_MAJOR, g->data, g->elems));
    if (!g->dump && !(g->out = ws_out_open(g->path))) fail("%s: %s", g->path, strerror(errno));
}

static void fill_each(Wsrt *rt, const Set *s, const WsrtSymbol *sym, const char *data)
{
    size_t bytes = (size_t)sym->elems * sym->elem_bytes;
    for (unsigned y = 0; y < wsrt_height(rt); y++)
        for (unsigned x = 0; x < wsrt_width(rt); x++, data += bytes) {
            int e = wsrt_write(rt, s->at.symbol, x, y, 1, 1, sym->elems, WSRT_ANY, WSRT_ROW_MAJOR, data, sym->elems);
            if (e && e != WSRT_E_RANGE) must(rt, "--set", s->at.symbol, e);      /* a PE without the symbol has no use for it */
        }
}

/* the size of the file decides: one PE's data for all, every PE of the rectangle its own, or every PE of the machine */
static void apply_set(Wsrt *rt, Set *s)
{
    WsrtSymbol sym;
    must(rt, "--set", s->at.symbol, wsrt_symbol(rt, s->at.symbol, &sym));
    if (sym.type == WSRT_FUNC || sym.type == WSRT_TASK) fail("--set %s: it is code, not data", s->at.symbol);
    if (sym.elems == 0 || !sym.uniform) fail("--set %s: it has no data, or its size differs between PEs", s->at.symbol);
    if (!s->at.rect) s->at.x = sym.x, s->at.y = sym.y, s->at.w = sym.w, s->at.h = sym.h;
    bool full = s->at.rect || sym.pes == (uint64_t)sym.w * sym.h;
    uint64_t bytes = (uint64_t)sym.elems * sym.elem_bytes, rect = bytes * s->at.w * s->at.h, all = bytes * wsrt_width(rt) * wsrt_height(rt);
    size_t len;
    char *data = ws_read_file(s->path, (size_t)(rect > all ? rect : all), &len);
    if (!data && errno != EFBIG) fail("--set %s: %s: %s", s->at.symbol, s->path, strerror(errno));
    if (data && full && len == rect) {
        must(rt, "--set", s->at.symbol,
             wsrt_write(rt, s->at.symbol, s->at.x, s->at.y, s->at.w, s->at.h, sym.elems, WSRT_ANY, WSRT_ROW_MAJOR, data, (size_t)sym.elems * s->at.w * s->at.h));
    } else if (data && len == bytes) {
        for (unsigned y = s->at.y; s->at.rect && y < s->at.y + s->at.h; y++)
            for (unsigned x = s->at.x; x < s->at.x + s->at.w; x++)
                must(rt, "--set", s->at.symbol, wsrt_write(rt, s->at.symbol, x, y, 1, 1, sym.elems, WSRT_ANY, WSRT_ROW_MAJOR, data, sym.elems));
        if (!s->at.rect) must(rt, "--set", s->at.symbol, wsrt_fill(rt, s->at.symbol, WSRT_ANY, data, sym.elems));
    } else if (data && !s->at.rect && len == all) {
        fill_each(rt, s, &sym, data);
    } else {
        Buf size = {0};
        if (data) buf_printf(&size, "%zu bytes", len);
        else buf_printf(&size, "too many bytes");
        fail("--set %s: %s has %s; one PE's data is %" PRIu64 " bytes, that of %u x %u PEs %" PRIu64, s->at.symbol, s->path, size.p, bytes, s->at.w,
             s->at.h, rect);
    }
    free(data);
}

static void list_symbols(Wsrt *rt)
{
    WsrtSymbol s;
    printf("%-24s %-8s %8s %8s %10s  %s\n", "symbol", "type", "elements", "bytes", "PEs", "");
    for (unsigned i = 0; wsrt_symbol_at(rt, i, &s) == WSRT_OK; i++) {
        bool code = s.type == WSRT_FUNC || s.type == WSRT_TASK;
        if (code) printf("%-24s %-8s %8s %8s %10" PRIu64 "  %s\n", s.name, s.type_name, "", "", s.pes, s.exported ? "exported" : "");
        else
            printf("%-24s %-8s %8u %8u %10" PRIu64 "  %s%s%s\n", s.name, s.type_name, s.elems, s.elems * s.elem_bytes, s.pes,
                   s.set ? "set" : "unset", s.exported ? ", exported" : "", s.uniform ? "" : ", differs between PEs");
    }
}

/* ---- while it runs */

static Wsrt *volatile running;

static void on_sigint(int sig)
{
    if (running) wsrt_interrupt(running);
    signal(sig, SIG_DFL);                                /* a second Ctrl-C ends at once */
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void clear_line(Run *r)
{
    if (r->line_open) fprintf(stderr, "\r\033[K");
    r->line_open = false;
}

/* 1234567 as 1,234,567 */
static const char *grouped(uint64_t v, char out[32])
{
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%" PRIu64, v), k = 0;
    for (int i = 0; i < n; i++) {
        if (i && (n - i) % 3 == 0) out[k++] = ',';
        out[k++] = digits[i];
    }
    out[k] = 0;
    return out;
}

static const char *scaled(double v, char out[32])
{
    static const char *const units[] = {"", " k", " M", " G", " T"};
    int i = 0;
    for (; v >= 1000 && i < 4; i++) v /= 1000;
    snprintf(out, 32, i ? "%.3g%s" : "%.0f%s", v, units[i]);
    return out;
}

static void on_progress(void *user, uint64_t cycle)
{
    Run *r = user;
    double t = now();
    char a[32], b[32];
    if (t - r->last < 0.2) return;
    r->last = t;
    fprintf(stderr, "\r\033[Kcycle %s, %.1f s, %s PE-cycles/s", grouped(cycle, a), t - r->start, scaled((double)cycle * (double)r->pes / (t - r->start), b));
    fflush(stderr);
    r->line_open = true;
}

static void on_print(void *user, unsigned x, unsigned y, uint64_t cycle, const char *line)
{
    Run *r = user;
    clear_line(r);
    fprintf(r->prints, "(%u,%u) @%" PRIu64 ": %s\n", x, y, cycle, line);
    if (r->progress) fflush(r->prints);
}

static void print_fault(Wsrt *rt)
{
    WsrtFault f;
    if (wsrt_fault(rt, &f)) return;
    fprintf(stderr, "wsrun: ");
    if (f.file && f.thread >= 0) fprintf(stderr, "%s:%u: ", f.file, f.line);
    fprintf(stderr, "%s %s (%s): %s\n", f.kind, f.id, f.name, f.text);
    fprintf(stderr, "  cycle %" PRIu64 ", PE (%u, %u), ", f.cycle, f.x, f.y);
    if (f.thread < 0) fprintf(stderr, "router\n");
    else {
        if (f.thread < 8) fprintf(stderr, "microthread %d, ", f.thread);
        fprintf(stderr, "pc 0x%04x%s%s\n", f.pc, f.function ? " in " : "", f.function ? f.function : "");
    }
}

/* ---- after the run */

static double half_to_double(uint16_t h)
{
    int e = h >> 10 & 31, m = h & 1023;
    double v = e == 31 ? (m ? NAN : INFINITY) : e ? ldexp(1024 + m, e - 25) : ldexp(m, -24);
    return h >> 15 ? -v : v;
}

static void print_element(const uint8_t *p, const WsrtSymbol *s)
{
    uint16_t h = 0;
    uint32_t w = 0;
    float f = 0;
    memcpy(&h, p, s->elem_bytes >= 2 ? 2 : 0);
    memcpy(&w, p, s->elem_bytes >= 4 ? 4 : 0);
    memcpy(&f, p, s->elem_bytes >= 4 ? 4 : 0);
    switch (s->type) {
    case WSRT_I8: printf(" %d", (int8_t)*p); break;
    case WSRT_U8: case WSRT_BOOL: printf(" %u", *p); break;
    case WSRT_I16: printf(" %d", (int16_t)h); break;
    case WSRT_U16: printf(" %u", h); break;
    case WSRT_I32: printf(" %d", (int32_t)w); break;
    case WSRT_U32: printf(" %u", w); break;
    case WSRT_F16: printf(" %.5g", half_to_double(h)); break;
    case WSRT_F32: printf(" %.9g", (double)f); break;
    default:
        printf(" ");
        for (uint32_t i = s->elem_bytes; i-- > 0;) printf("%02x", p[i]);     /* as a number: most significant first */
    }
}

static void dump(const Get *g)
{
    const uint8_t *p = g->data;
    for (unsigned y = g->at.y; y < g->at.y + g->at.h; y++)
        for (unsigned x = g->at.x; x < g->at.x + g->at.w; x++) {
            printf("%s (%u,%u):", g->at.symbol, x, y);
            for (uint32_t e = 0; e < g->sym.elems; e++, p += g->sym.elem_bytes) print_element(p, &g->sym);
            printf("\n");
        }
}

static json_t *fault_json(Wsrt *rt)
{
    WsrtFault f;
    if (wsrt_fault(rt, &f)) return json_null();
    return json_pack("{s:s, s:s, s:s, s:s, s:I, s:[I,I], s:I, s:i, s:s?, s:I}", "id", f.id, "name", f.name, "kind", f.kind, "text", f.text, "cycle",
                     (json_int_t)f.cycle, "pe", (json_int_t)f.x, (json_int_t)f.y, "pc", (json_int_t)f.pc, "thread", f.thread, "file", f.file, "line",
                     (json_int_t)f.line);
}

static void stats_json(FILE *out, const Run *r, WsrtEnd end, double seconds)
{
    uint64_t cycles = wsrt_cycles(r->rt), hz = wsrt_clock_hz(r->rt);
    json_t *params = json_object(), *counters = json_object();
    for (ptrdiff_t i = 0; i < arrlen(r->o->params); i++) json_object_set_new(params, r->o->params[i].name, json_integer(r->o->params[i].value));
    for (unsigned i = 0; wsrt_counter_name(i); i++) {
        WsrtCounter c;
        if (wsrt_counter_sum(r->rt, i, &c)) continue;
        json_object_set_new(counters, wsrt_counter_name(i),
                            json_pack("{s:I, s:I, s:[I,I], s:I, s:[I,I]}", "total", (json_int_t)c.total, "max", (json_int_t)c.max, "max_pe",
                                      (json_int_t)c.max_x, (json_int_t)c.max_y, "min", (json_int_t)c.min, "min_pe", (json_int_t)c.min_x, (json_int_t)c.min_y));
    }
    json_t *root = json_pack("{s:s, s:s, s:s, s:o, s:I, s:I, s:I, s:I, s:I, s:f, s:o, s:o}", "end", wsrt_end_name(end), "engine", wsrt_engine(r->rt), "arch",
                             wsrt_arch(r->rt), "arch_params", params, "width", (json_int_t)wsrt_width(r->rt), "height", (json_int_t)wsrt_height(r->rt),
                             "pes", (json_int_t)r->pes, "cycles", (json_int_t)cycles, "clock_hz", (json_int_t)hz, "seconds", (double)cycles / (double)hz,
                             "counters", counters, "fault", fault_json(r->rt));
    json_object_set_new(root, "report", end == WSRT_END_IDLE ? json_null() : json_string(wsrt_report(r->rt)));
    /* what this computer needed: the one thing that differs between equal runs */
    double pes = r->pes ? (double)r->pes : 1;
    json_object_set_new(root, "host", json_pack("{s:f, s:f, s:f, s:f}", "seconds", seconds, "pe_cycles_per_second",
                                                seconds > 0 ? (double)cycles * (double)r->pes / seconds : 0.0, "state_bytes_per_pe",
                                                (double)r->memory.state_bytes / pes, "touched_bytes_per_pe", (double)r->memory.touched_bytes / pes));
    json_t *slow = json_object();
    const char *why;
    uint64_t n;
    for (unsigned i = 0; (why = wsrt_slow(r->rt, i, &n)); i++) json_object_set_new(slow, why, json_integer((json_int_t)n));
    json_object_set_new(root, "slow", slow);
    json_dumpf(root, out, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    fprintf(out, "\n");
    json_decref(root);
}

static void stats_text(FILE *out, const Run *r, WsrtEnd end)
{
    uint64_t cycles = wsrt_cycles(r->rt), hz = wsrt_clock_hz(r->rt);
    fprintf(out, "end           %s\nengine        %s\narch          %s, %" PRIu64 " MHz\nPEs           %u x %u, %" PRIu64 " with a program\ncycles        %" PRIu64 "\n",
            wsrt_end_name(end), wsrt_engine(r->rt), wsrt_arch(r->rt), hz / 1000000, wsrt_width(r->rt), wsrt_height(r->rt), r->pes, cycles);
    fprintf(out, "memory        %.0f bytes of state and %.0f of touched memory a PE\n", (double)r->memory.state_bytes / (double)(r->pes ? r->pes : 1),
            (double)r->memory.touched_bytes / (double)(r->pes ? r->pes : 1));
    fprintf(out, "seconds       %.9g\n\n%-13s %16s  %12s %-13s %12s %-13s unit\n", (double)cycles / (double)hz, "counter", "total", "min", "at", "max", "at");
    for (unsigned i = 0; wsrt_counter_name(i); i++) {
        WsrtCounter c;
        char lo[32], hi[32];
        if (wsrt_counter_sum(r->rt, i, &c)) continue;
        snprintf(lo, sizeof lo, "(%u,%u)", c.min_x, c.min_y);
        snprintf(hi, sizeof hi, "(%u,%u)", c.max_x, c.max_y);
        fprintf(out, "%-13s %16" PRIu64 "  %12" PRIu64 " %-13s %12" PRIu64 " %-13s %s\n", wsrt_counter_name(i), c.total, c.min, lo, c.max, hi, wsrt_counter_unit(i));
    }
    const char *why;
    uint64_t n;
    bool some = false;
    for (unsigned i = 0; (why = wsrt_slow(r->rt, i, &n)); i++) {
        if (!n) continue;
        fprintf(out, "%sslow %-14s %10" PRIu64 "\n", some ? "" : "\n", why, n);
        some = true;
    }
}

static int commit(WsOut *out, const char *path)
{
    if (ws_out_commit(out) == 0) return EXIT_OK;
    fprintf(stderr, "wsrun: %s: %s\n", path, strerror(errno));
    return EXIT_OUTPUT;
}

static int write_results(Run *r, WsrtEnd end)
{
    int code = EXIT_OK;
    for (ptrdiff_t i = 0; i < arrlen(r->o->gets); i++) {
        Get *g = &r->o->gets[i];
        if (end != WSRT_END_IDLE) {
            if (g->out) ws_out_abort(g->out);
            continue;
        }
        wsrt_read(r->rt, g->at.symbol, g->at.x, g->at.y, g->at.w, g->at.h, g->sym.elems, WSRT_ANY, WSRT_ROW_MAJOR, g->data, g->elems);
        if (g->dump) {
            dump(g);
        } else {
            fwrite(g->data, g->sym.elem_bytes, g->elems, ws_out_file(g->out));
            if (commit(g->out, g->path)) code = EXIT_OUTPUT;
        }
    }
    return code;
}

static int report_end(const Run *r, WsrtEnd end)
{
    switch (end) {
    case WSRT_END_IDLE: return EXIT_OK;
    case WSRT_END_STALL: fprintf(stderr, "wsrun: %s", wsrt_report(r->rt)); return EXIT_STALL;
    case WSRT_END_FAULT: {
        WsrtFault f;
        print_fault(r->rt);
        return wsrt_fault(r->rt, &f) == 0 && strcmp(f.kind, "internal") == 0 ? EXIT_BUG : EXIT_FAULT;
    }
    case WSRT_END_MAX_CYCLES: fprintf(stderr, "wsrun: stopped at the limit of %" PRIu64 " cycles\n", wsrt_cycles(r->rt)); return EXIT_MAX_CYCLES;
    case WSRT_END_INTERRUPTED: fprintf(stderr, "wsrun: interrupted; %s", wsrt_report(r->rt)); return EXIT_CTRL_C;
    default: fprintf(stderr, "wsrun: %s\n", wsrt_error(r->rt)); return EXIT_INPUT;
    }
}

static int run_image(Run *r)
{
    Options *o = r->o;
    r->start = r->last = now();
    running = r->rt;
    signal(SIGINT, on_sigint);
    WsrtEnd end = wsrt_run(r->rt, o->max_cycles);
    double seconds = now() - r->start;
    running = NULL;
    if (o->stats) wsrt_memory(r->rt, &r->memory);        /* before outputs touch more */
    clear_line(r);
    fflush(r->prints);
    int code = report_end(r, end), wrong = write_results(r, end);
    if (o->stats) {
        if (o->stats_text) stats_text(ws_out_file(o->stats_out), r, end);
        else stats_json(ws_out_file(o->stats_out), r, end, seconds);
        if (commit(o->stats_out, o->stats_path ? o->stats_path : "standard output")) wrong = EXIT_OUTPUT;
    }
    if (!o->quiet && (o->verbose || isatty(2))) {
        char a[32], b[32];
        uint64_t cycles = wsrt_cycles(r->rt);
        fprintf(stderr, "wsrun: %s cycles, %.2f s, %s PE-cycles/s\n", grouped(cycles, a), seconds,
                scaled(seconds > 0 ? (double)cycles * (double)r->pes / seconds : 0, b));
    }
    if (wrong != EXIT_OUTPUT) wrong = stdout_written(wrong);
    return code ? code : wrong;
}

static void free_options(Options *o)
{
    for (ptrdiff_t i = 0; i < arrlen(o->gets); i++) free(o->gets[i].at.symbol), free(o->gets[i].data);
    for (ptrdiff_t i = 0; i < arrlen(o->sets); i++) free(o->sets[i].at.symbol);
    for (ptrdiff_t i = 0; i < arrlen(o->params); i++) free(o->params[i].name);
    arrfree(o->gets);
    arrfree(o->sets);
    arrfree(o->params);
}

/* temporary files of outputs that are not written after all */
static Options *cleanup;
static void abort_outputs(void)
{
    if (!cleanup) return;
    for (ptrdiff_t i = 0; i < arrlen(cleanup->gets); i++)
        if (cleanup->gets[i].out) ws_out_abort(cleanup->gets[i].out);
    if (cleanup->stats_out) ws_out_abort(cleanup->stats_out);
}

int main(int argc, char **argv)
{
    Options o = parse_options(argc, argv);
    char err[WSRT_ERR_BYTES];
    Wsrt *rt = wsrt_open(o.file, err);
    if (!rt) fail("%s", err);
    if (o.engine) must(rt, "--engine", o.engine, wsrt_set_engine(rt, o.engine));
    if (o.check) must(rt, "--check", o.file, wsrt_set_check(rt));
    for (ptrdiff_t i = 0; i < arrlen(o.params); i++) must(rt, "--arch-param", o.params[i].name, wsrt_set_arch_param(rt, o.params[i].name, o.params[i].value));
    if (o.list) {
        list_symbols(rt);
        wsrt_close(rt);
        free_options(&o);
        return stdout_written(EXIT_OK);
    }
    if (!wsrt_starts(rt)) fprintf(stderr, "wsrun: warning: no PE of %s starts anything: main, or an active task\n", o.file);
    cleanup = &o;
    atexit(abort_outputs);
    for (ptrdiff_t i = 0; i < arrlen(o.sets); i++) apply_set(rt, &o.sets[i]);
    for (ptrdiff_t i = 0; i < arrlen(o.gets); i++) prepare_get(rt, &o.gets[i]);
    if (o.stats && !(o.stats_out = ws_out_open(o.stats_path ? o.stats_path : "-"))) fail("%s: %s", o.stats_path, strerror(errno));

    Run r = {.rt = rt, .o = &o, .pes = wsrt_pes(rt)};
    r.progress = !o.quiet && isatty(2);
    /* data on stdout stays alone there: prints go to stderr then */
    bool data = o.stats && !o.stats_path && !o.stats_text;
    for (ptrdiff_t i = 0; i < arrlen(o.gets); i++) data |= !o.gets[i].dump && strcmp(o.gets[i].path, "-") == 0;
    r.prints = data ? stderr : stdout;
    wsrt_on_print(rt, on_print, &r);
    if (r.progress) wsrt_on_progress(rt, 1 + 1000000 / (r.pes + 1), on_progress, &r);
    int code = run_image(&r);
    cleanup = NULL;
    wsrt_close(rt);
    free_options(&o);
    return code;
}
