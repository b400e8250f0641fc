/* Shared code of the host tools: see hpcg_common.h for what each function promises. */
#include "hpcg_common.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *tool_name = "hpcg";

const StreamInfo stream_info[ST_COUNT] = {
    /*          name  dx  dy  full half */
    [ST_NE] = {"ne",  1,  1,  4,   0},
    [ST_N]  = {"n",   0,  1,  5,   1},
    [ST_NW] = {"nw", -1,  1,  6,   2},
    [ST_E]  = {"e",   1,  0,  7,   3},
    [ST_SW] = {"sw", -1, -1,  0,   0},
    [ST_S]  = {"s",   0, -1,  1,   1},
    [ST_SE] = {"se",  1, -1,  2,   2},
    [ST_W]  = {"w",  -1,  0,  3,   3},
};

const char *const dir_name[DIR_COUNT] = {"west", "east", "south", "north", "ramp"};
const int dir_dx[4] = {-1, 1, 0, 0}, dir_dy[4] = {0, 0, -1, 1};

/* ---- the dot product ---------------------------------------------------------------------------------------------------- */

/* Left of the centre column the odd PE of a pair is the chain member, right of it the even one: always the nearer one. */
static bool row_member(int H, int x) { return x < H / 2 ? x & 1 : !(x & 1); }

/* Color on which a row-chain member sends.  Counted from the centre column, so that the two chains arrive there on two colors
 * (west on 17, east on 16) and neighbours in a chain use two colors. */
static int row_color(int H, int x)
{
    if (x < H / 2)
        return COL_ROW1 - ((H / 2 - 1 - x) / 2 & 1);
    return COL_ROW0 + ((x - H / 2 - 2) / 2 & 1);
}

/* Column chain, the same way: from the south on 20, from the north on 21. */
static int col_color(int V, int y)
{
    if (y < V / 2)
        return COL_COL0 + ((V / 2 - 1 - y) & 1);
    return COL_COL1 - ((y - V / 2 - 1) & 1);
}

static void dot_input(DotPlan *p, int input, int x, int y, int color)
{
    p->src_x[input] = x;
    p->src_y[input] = y;
    p->in_color[input] = color;
}

void dot_plan(int H, int V, int x, int y, DotPlan *p)
{
    int cx = H / 2, cy = V / 2;
    for (int i = 0; i < DOT_INPUTS; i++)
        dot_input(p, i, -1, -1, COLOR_NULL);
    p->centre = x == cx && y == cy;
    p->in_color[DOT_BCAST] = p->centre ? COLOR_NULL : COL_BCAST;

    if (!row_member(H, x)) { /* a leaf: its only send goes to the other PE of the pair */
        p->out_color = COL_PAIR;
        p->out_dir = x < cx ? DIR_EAST : DIR_WEST;
        p->out_hops = 1;
        return;
    }
    dot_input(p, DOT_PAIR, x < cx ? x - 1 : x + 1, y, COL_PAIR);
    if (x == cx) {
        dot_input(p, DOT_WEST, cx - 1, y, row_color(H, cx - 1));
        if (cx + 2 < H)
            dot_input(p, DOT_EAST, cx + 2, y, row_color(H, cx + 2));
        if (y > 0 && y <= cy)
            dot_input(p, DOT_SOUTH, x, y - 1, col_color(V, y - 1));
        if (y < V - 1 && y >= cy)
            dot_input(p, DOT_NORTH, x, y + 1, col_color(V, y + 1));
        p->out_color = p->centre ? COL_BCAST : col_color(V, y);
        p->out_dir = p->centre ? DIR_RAMP : y < cy ? DIR_NORTH : DIR_SOUTH;
        p->out_hops = p->centre ? 0 : 1;
        return;
    }
    if (x < cx && x >= 2)
        dot_input(p, DOT_WEST, x - 2, y, row_color(H, x - 2));
    if (x > cx && x + 2 < H)
        dot_input(p, DOT_EAST, x + 2, y, row_color(H, x + 2));
    p->out_color = row_color(H, x);
    p->out_dir = x < cx ? DIR_EAST : DIR_WEST;
    p->out_hops = x == cx - 1 ? 1 : 2;
}

/* ---- levels -------------------------------------------------------------------------------------------------------------- */
int level_layout(int Z, int levels, LevelLayout lay[MAX_LEVELS])
{
    int row = 0, x = 0;
    for (int l = 0; l < levels; l++) {
        lay[l].rows = l == 0 ? Z : Z >> (l + 2);
        lay[l].row_off = row;
        lay[l].x_off = x;
        row += lay[l].rows;
        x += lay[l].rows + 2;
    }
    return row;
}

bool level_piece(int Z, int level, int x, int y, int *cx, int *cy, int *z0)
{
    *cx = x >> level;
    *cy = y >> level;
    *z0 = 0;
    if (level == 0)
        return true;
    int k = coset_of(x, y), mask = (1 << (level - 1)) - 1;
    *z0 = k * (Z >> (level + 2));
    return ((x >> 1) & mask) == 0 && ((y >> 1) & mask) == 0;
}

int64_t hpcg_nnz(int H, int V, int Z, int level)
{
    return (int64_t)(3 * (H >> level) - 2) * (3 * (V >> level) - 2) * (3 * (Z >> level) - 2);
}

/* Per iteration: 3 dots and 3 updates 12 n, SpMV 2 nnz0; V-cycle: 2 SYMGS of 4 nnz and the residual's 2 nnz on every level but
 * the coarsest, one SYMGS there. */
int64_t hpcg_flops_per_iter(int H, int V, int Z, int levels, int mg)
{
    int64_t flops = 12 * (int64_t)H * V * Z + 2 * hpcg_nnz(H, V, Z, 0);
    if (!mg)
        return flops;
    for (int l = 0; l < levels - 1; l++)
        flops += 10 * hpcg_nnz(H, V, Z, l);
    return flops + 4 * hpcg_nnz(H, V, Z, levels - 1);
}

int64_t hpcg_flops_setup(int H, int V, int Z) { return 4 * (int64_t)H * V * Z + 2 * hpcg_nnz(H, V, Z, 0); }

/* ---- options ------------------------------------------------------------------------------------------------------------- */
static void message(const char *what, const char *fmt, va_list ap)
{
    fflush(stdout);
    fprintf(stderr, "%s: %s", tool_name, what);
    vfprintf(stderr, fmt, ap);
    fputc('\n', stderr);
}

void die(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    message("", fmt, ap);
    va_end(ap);
    exit(2);
}

void fail(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    message("FAIL: ", fmt, ap);
    va_end(ap);
    exit(1);
}

static void usage(const char *about, const Opt *opts)
{
    printf("usage: %s [options]\n%s\n\noptions:\n", tool_name, about);
    for (const Opt *o = opts; o->name; o++) {
        printf("  --%-14s %s%s", o->name, o->help, o->required ? " (required)" : "");
        if (o->kind == OPT_CHOICE)
            for (int i = 0; o->choices[i]; i++)
                printf("%s%s", i ? " | " : ": ", o->choices[i]);
        putchar('\n');
    }
}

static void opt_number(const Opt *o, const char *s)
{
    char *end;
    errno = 0;
    if (o->kind == OPT_DOUBLE) {
        double v = strtod(s, &end);
        if (end == s || *end || errno || !isfinite(v))
            die("--%s wants a number, not '%s'", o->name, s);
        *(double *)o->to = v;
        return;
    }
    long long v = strtoll(s, &end, 10);
    long long hi = o->kind == OPT_U32 ? (long long)UINT32_MAX : 1000000;
    if (end == s || *end || isspace((unsigned char)*s))
        die("--%s wants a whole number, not '%s'", o->name, s);
    if (errno || v < 0 || v > hi)
        die("--%s must be 0..%lld, not %s", o->name, hi, s);
    if (o->kind == OPT_U32)
        *(uint32_t *)o->to = (uint32_t)v;
    else
        *(int *)o->to = (int)v;
}

static void opt_value(Opt *o, const char *s)
{
    o->seen = true;
    if (o->kind == OPT_STRING) {
        if (!*s)
            die("--%s wants a value", o->name);
        *(const char **)o->to = s;
        return;
    }
    if (o->kind != OPT_CHOICE) {
        opt_number(o, s);
        return;
    }
    for (int i = 0; o->choices[i]; i++)
        if (strcmp(o->choices[i], s) == 0) {
            *(int *)o->to = i;
            return;
        }
    char list[128] = "";
    for (int i = 0; o->choices[i]; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", o->choices[i]);
    die("--%s is one of %s, not '%s'", o->name, list, s);
}

static Opt *opt_find(Opt *opts, const char *name, size_t len)
{
    for (Opt *o = opts; o->name; o++)
        if (strlen(o->name) == len && strncmp(o->name, name, len) == 0)
            return o;
    die("unknown option '--%.*s' (try --help)", (int)len, name);
}

void opt_parse(int argc, char **argv, const char *about, Opt *opts, const char **rest, int *nrest)
{
    int nwords = 0;
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i];
        if (strcmp(a, "--help") == 0) {
            usage(about, opts);
            exit(0);
        }
        if (strncmp(a, "--", 2) != 0 || !a[2]) {
            if (!rest || nwords == *nrest)
                die("unexpected word '%s' (try --help)", a);
            rest[nwords++] = a;
            continue;
        }
        const char *eq = strchr(a, '=');
        Opt *o = opt_find(opts, a + 2, eq ? (size_t)(eq - a - 2) : strlen(a + 2));
        if (o->kind == OPT_FLAG) {
            if (eq)
                die("--%s takes no value", o->name);
            *(bool *)o->to = o->seen = true;
        } else if (eq) {
            opt_value(o, eq + 1);
        } else if (i + 1 < argc) {
            opt_value(o, argv[++i]);
        } else {
            die("--%s wants a value", o->name);
        }
    }
    for (const Opt *o = opts; o->name; o++)
        if (o->required && !o->seen)
            die("--%s is required (try --help)", o->name);
    if (nrest)
        *nrest = nwords;
}

void check_geometry(int H, int V, int Z, int mg)
{
    if (H < 1 || V < 1 || Z < 1)
        die("H, V and Z must be at least 1 (H=%d V=%d Z=%d)", H, V, Z);
    if (H > 4096 || V > 4096 || Z > 4096)
        die("H, V and Z must be at most 4096 (H=%d V=%d Z=%d)", H, V, Z);
    if (mg < 0)
        return;
    if (H % 8 || V % 8)
        die("H and V must be divisible by 8 (H=%d V=%d)", H, V);
    if (Z % 8)
        die("Z must be divisible by 8 (Z=%d)", Z);
}

/* ---- files --------------------------------------------------------------------------------------------------------------- */
void *xcalloc(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size ? size : 1);
    if (!p)
        die("out of memory (%zu x %zu bytes)", n, size);
    return p;
}

char *path_join(const char *dir, const char *name)
{
    size_t n = (dir ? strlen(dir) : 0) + strlen(name) + 2;
    char *s = xcalloc(n, 1);
    snprintf(s, n, "%s%s%s", dir ? dir : "", dir ? "/" : "", name);
    return s;
}

OutFile out_open(const char *dir, const char *name)
{
    if (dir && mkdir(dir, 0777) != 0 && errno != EEXIST)
        die("cannot make directory %s: %s", dir, strerror(errno));
    OutFile o = {.path = path_join(dir, name)};
    size_t n = strlen(o.path) + 32;
    o.tmp = xcalloc(n, 1);
    snprintf(o.tmp, n, "%s.tmp.%ld", o.path, (long)getpid());
    o.f = fopen(o.tmp, "wb");
    if (!o.f)
        die("cannot write %s: %s", o.tmp, strerror(errno));
    return o;
}

void out_write(OutFile *o, const void *data, size_t bytes)
{
    if (bytes && fwrite(data, 1, bytes, o->f) != bytes) {
        int e = errno;
        unlink(o->tmp);
        die("cannot write %s: %s", o->tmp, strerror(e));
    }
}

void out_close(OutFile *o)
{
    bool bad = ferror(o->f) != 0;
    bad |= fclose(o->f) != 0;
    if (bad || rename(o->tmp, o->path) != 0) {
        int e = errno;
        unlink(o->tmp);
        die("cannot write %s: %s", o->path, strerror(e));
    }
    free(o->path);
    free(o->tmp);
}

void write_file(const char *dir, const char *name, const void *data, size_t bytes)
{
    OutFile o = out_open(dir, name);
    out_write(&o, data, bytes);
    out_close(&o);
}

void *read_file(const char *path, size_t *bytes)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        die("cannot read %s: %s", path, strerror(errno));
    size_t cap = 1 << 16, n = 0;
    char *buf = xcalloc(cap + 1, 1);
    for (size_t got; (got = fread(buf + n, 1, cap - n, f)) > 0;) {
        n += got;
        if (n == cap) {
            buf = realloc(buf, cap * 2 + 1);
            if (!buf)
                die("out of memory reading %s", path);
            cap *= 2;
        }
    }
    if (ferror(f))
        die("cannot read %s: %s", path, strerror(errno));
    fclose(f);
    buf[n] = 0;
    *bytes = n;
    return buf;
}

/* ---- routing tables ------------------------------------------------------------------------------------------------------ *
 * .rt file: 8 bytes "HPCGRT1\0", u32 H, V, contexts, words per PE; then the words.  Little endian. */
typedef struct {
    char magic[8];
    uint32_t H, V, contexts, pe_words;
} RtHeader;
_Static_assert(sizeof(RtHeader) == 24, "the header has no padding");
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the tools write their memory as it is: little-endian hosts only"
#endif

RouteTables rt_new(int H, int V, int contexts)
{
    RouteTables t = {H, V, contexts, NULL};
    t.w = xcalloc((size_t)H * (size_t)V * rt_pe_words(contexts), sizeof *t.w);
    return t;
}

void rt_free(RouteTables *t)
{
    free(t->w);
    t->w = NULL;
}

RouteTables rt_read(const char *path)
{
    size_t n;
    char *buf = read_file(path, &n);
    RtHeader h;
    if (n < sizeof h)
        die("%s: too short for a routing file (%zu bytes)", path, n);
    memcpy(&h, buf, sizeof h);
    if (memcmp(h.magic, "HPCGRT1", 8) != 0)
        die("%s: not a routing file of hpcg_router1", path);
    if (h.H < 1 || h.H > 4096 || h.V < 1 || h.V > 4096 || h.contexts < 1 || h.contexts > CTX_COUNT_SEVER ||
        h.pe_words != rt_pe_words((int)h.contexts))
        die("%s: bad header (H=%u V=%u contexts=%u words per PE=%u)", path, h.H, h.V, h.contexts, h.pe_words);
    RouteTables t = rt_new((int)h.H, (int)h.V, (int)h.contexts);
    size_t want = (size_t)h.H * h.V * h.pe_words * 2;
    if (n - sizeof h != want)
        die("%s: holds %zu bytes of tables, the header says %zu", path, n - sizeof h, want);
    memcpy(t.w, buf + sizeof h, want);
    free(buf);
    return t;
}

void rt_write(const RouteTables *t, const char *dir, const char *name)
{
    RtHeader h = {"HPCGRT1", (uint32_t)t->H, (uint32_t)t->V, (uint32_t)t->contexts, (uint32_t)rt_pe_words(t->contexts)};
    OutFile o = out_open(dir, name);
    out_write(&o, &h, sizeof h);
    out_write(&o, t->w, (size_t)t->H * (size_t)t->V * rt_pe_words(t->contexts) * 2);
    out_close(&o);
}

const RoutePart route_parts[ROUTE_PARTS] = {
    {"rt_ctx", 0, 0}, {"rt_sock", 0, 1}, {"rt_dot", 1, 0}, {"rt_dot_sock", 1, 1}, {"rt_role", 1, 2},
};

void rt_part_span(const RoutePart *part, int contexts, size_t *off, size_t *words)
{
    int c = part->first_ctx ? contexts : 0;
    size_t n = part->first_ctx ? 1 : (size_t)contexts;
    *off = part->kind == 0 ? rt_off_ctx(contexts, c) : part->kind == 1 ? rt_off_sock(contexts, c) : rt_off_role(contexts);
    *words = part->kind == 0 ? 18 * n : part->kind == 1 ? 9 * n : 1;
}

RouteTables rt_read_packed(const char *dir, int H, int V, int contexts)
{
    RouteTables t = rt_new(H, V, contexts);
    size_t pes = (size_t)H * (size_t)V, stride = rt_pe_words(contexts);
    for (int i = 0; i < ROUTE_PARTS; i++) {
        char name[64];
        size_t off, words, n;
        rt_part_span(&route_parts[i], contexts, &off, &words);
        snprintf(name, sizeof name, "%s.bin", route_parts[i].symbol);
        char *path = path_join(dir, name);
        uint16_t *src = read_file(path, &n);
        if (n != pes * words * 2)
            die("%s: %zu bytes, but %d x %d PEs of %zu words make %zu", path, n, H, V, words, pes * words * 2);
        for (size_t p = 0; p < pes; p++)
            memcpy(t.w + p * stride + off, src + p * words, words * 2);
        free(src);
        free(path);
    }
    return t;
}

/* ---- timestamps ------------------------------------------------------------------------------------------------------------ */
const char *const op_name[OP_COUNT] = {
#define HPCG_OP(code, name, arg, mg, doc) [code] = #name,
    HPCG_OPS(HPCG_OP)
#undef HPCG_OP
};

bool op_is_routed(int op) { return op == OP_SPMV_FULL || (op >= OP_GS_FWD_DOWN && op <= OP_SPMV_DOWN) || op >= OP_REDIST || op == OP_DOT; }

/* The times of one PE; `first` is the low word of PE (0, 0)'s first stamp. */
static void pe_times(const Stamps *s, const uint16_t *w, uint16_t first, Times *t)
{
    uint32_t at = (uint32_t)(65536 + (int16_t)(w[0] - first));
    for (int i = 0; i < s->n; i++, w += 3) {
        int op = s->op[i] & 0xff;
        t[i].start = at;
        t[i].context = at + (op_is_routed(op) ? (uint16_t)(w[1] - w[0]) : 0);
        t[i].row = t[i].context + (op_is_gs(op) ? (uint16_t)(w[2] - w[1]) : 0);
        at += (uint16_t)(w[3] - w[0]);
        t[i].end = at;
        if (t[i].row > at)
            die("timestamps of op %d (%s) are not in order: %u %u %u %u", i, op_name[op], t[i].start, t[i].context, t[i].row, at);
    }
}

Stamps stamps_read(const char *ts, const char *vprog, int H, int V, int mg, int levels)
{
    Stamps s = {.H = H, .V = V};
    size_t bytes, pe_words = (size_t)VPROG_MAX * 3, pes = (size_t)H * (size_t)V;
    s.op = read_file(vprog, &bytes);
    for (int level = 0;; s.n++) {
        if ((size_t)s.n >= bytes / 2 || s.n == VPROG_MAX || (s.op[s.n] & 0xff) >= OP_COUNT)
            die("%s: no op program", vprog);
        if ((s.op[s.n] & 0xff) == OP_END)
            break;
        if ((s.op[s.n] & 0xff) == OP_SET_LEVEL)
            level = s.op[s.n] >> 8 == lvl_row_cg(mg, levels) ? 0 : s.op[s.n] >> 8;
        s.level[s.n] = level;
    }
    uint16_t *w = read_file(ts, &bytes);
    if (bytes != pes * pe_words * sizeof *w)
        die("%s: %zu bytes, but %d x %d PEs make %zu", ts, bytes, H, V, pes * pe_words * sizeof *w);
    s.t = xcalloc(pes * (size_t)s.n, sizeof *s.t);
    uint16_t first = w[pe_file_index(H, V, 0, 0) * pe_words];
    for (int y = 0; y < V; y++)
        for (int x = 0; x < H; x++)
            pe_times(&s, w + pe_file_index(H, V, x, y) * pe_words, first, &s.t[(size_t)(y * H + x) * (size_t)s.n]);
    free(w);
    return s;
}

void stamps_free(Stamps *s)
{
    free(s->op);
    free(s->t);
}
