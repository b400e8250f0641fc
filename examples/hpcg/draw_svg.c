/* Draw the pictures of docs/hpcg.md from the timestamps of a run (TSTAMP=1).
 *
 * Takes TS, VPROG and the geometry; leaves in --out-dir
 *     hpcg-mapping.svg    the grid on the PEs, and what a PE holds (sizes from the level layout)
 *     hpcg-wavefront.svg  animated: the sweeps of the first SYMGS on level 0, PE by PE, and the part of the PEs that is busy
 *     hpcg-vcycle.svg     one CG iteration: ops over time, by level
 *     hpcg-cosets.svg     animated: levels 1 to 3 in the co-sets, from redist to reduce
 * A PE is busy from the first row of a sweep, when the windows of all its predecessors are there, to the end of the sweep; between
 * the two its rows are spaced evenly.  All times are from the run.  SVG with SMIL; still viewers show one moment of it. */
#include "hpcg_common.h"

#include <stdlib.h>

static int H, V, Z, levels = MAX_LEVELS;
static Stamps st;
static FILE *f;

enum { SECONDS = 14 };
static const char *const coset_color[4] = {"#4477aa", "#ee6677", "#228833", "#ccbb44"};
#define IDLE "#d8d8d8"
#define FWD "#4477aa"
#define BWD "#ee6677"
#define INK "#222"

static void text(double x, double y, int size, const char *anchor, const char *s)
{
    fprintf(f, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%d\" text-anchor=\"%s\">%s</text>\n", x, y, size, anchor, s);
}

static OutFile begin(const char *dir, const char *name, int w, int h, const char *title)
{
    OutFile o = out_open(dir, name);
    f = o.f;
    fprintf(f, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" fill=\"" INK "\">\n", w, h, w, h);
    fprintf(f, "<title>%s</title>\n<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n", title, w, h);
    return o;
}

static void end(OutFile *o)
{
    fprintf(f, "</svg>\n");
    out_close(o);
}

static int find_op(int op, int level, int from)
{
    for (int i = from; i < st.n; i++)
        if ((st.op[i] & 0xff) == op && (level < 0 || st.level[i] == level))
            return i;
    die("vprog has no %s on level %d", op_name[op], level);
}

/* First and last cycle of ops a..b over all PEs. */
static void span(int a, int b, double *t0, double *t1)
{
    *t0 = 1e30;
    *t1 = 0;
    for (int y = 0; y < V; y++)
        for (int x = 0; x < H; x++) {
            double s = stamp_of(&st, x, y, a)->start, e = stamp_of(&st, x, y, b)->end;
            *t0 = s < *t0 ? s : *t0;
            *t1 = e > *t1 ? e : *t1;
        }
}

/* Part of the animation at time t. */
static double part(double t, double t0, double t1) { return (t - t0) / (t1 - t0); }

/* A bar that grows from the bottom of a cell while its op runs, and stays: fill level of the column. */
static void grow(double x, double y, double w, double h, const char *color, double from, double to, double now, double gone)
{
    double full = now >= gone ? 0 : now <= from ? 0 : now >= to ? h : h * (now - from) / (to - from);
    fprintf(f, "<rect x=\"%.1f\" y=\"%.2f\" width=\"%.1f\" height=\"%.2f\" fill=\"%s\">", x, y + h - full, w, full, color);
    double k[6] = {0, from, to, gone, gone, 1};
    const double v[6] = {0, 0, h, h, 0, 0};
    for (int attr = 0; attr < 2; attr++) {
        fprintf(f, "<animate attributeName=\"%s\" dur=\"%ds\" repeatCount=\"indefinite\" keyTimes=\"", attr ? "y" : "height", SECONDS);
        for (int i = 0; i < 6; i++)
            fprintf(f, "%s%.5f", i ? ";" : "", k[i] > 1 ? 1 : k[i]);
        fprintf(f, "\" values=\"");
        for (int i = 0; i < 6; i++)
            fprintf(f, "%s%.2f", i ? ";" : "", attr ? y + h - v[i] : v[i]);
        fprintf(f, "\"/>");
    }
    fprintf(f, "</rect>\n");
}

static void cursor(double x, double w, double y0, double y1, double now)
{
    fprintf(f, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"" INK "\" stroke-width=\"1.5\">", x + w * now, x + w * now, y0, y1);
    for (int i = 1; i <= 2; i++)
        fprintf(f, "<animate attributeName=\"x%d\" dur=\"%ds\" repeatCount=\"indefinite\" from=\"%.1f\" to=\"%.1f\"/>", i, SECONDS, x, x + w);
    fprintf(f, "</line>\n");
}

/* ---- the mapping ----------------------------------------------------------------------------------------------------------- */
static void draw_mapping(const char *dir)
{
    char s[160];
    OutFile o = begin(dir, "hpcg-mapping.svg", 960, 400, "HPCG: the grid on the PEs");
    text(20, 28, 15, "start", "A. A column of points for each PE");
    for (int y = 3; y >= 0; y--)
        for (int x = 0; x < 4; x++) {
            double px = 50 + 44 * x + 20 * y, py = 330 - 22 * y;
            fprintf(f, "<path d=\"M%.0f %.0f l40 0 l18 -19 l-40 0 z\" fill=\"%s\" stroke=\"#888\"/>\n", px, py, x == 1 && y == 1 ? "#bbccee" : "#eee");
            fprintf(f, "<line x1=\"%.0f\" x2=\"%.0f\" y1=\"%.0f\" y2=\"%.0f\" stroke=\"#bbb\"/>\n", px + 29, px + 29, py - 9, py - 159);
            for (int z = 0; z < 7; z++)
                fprintf(f, "<circle cx=\"%.0f\" cy=\"%.0f\" r=\"3.2\" fill=\"%s\"/>\n", px + 29, py - 10 - 24.0 * z, x == 1 && y == 1 ? FWD : "#999");
        }
    text(60, 362, 13, "start", "x: east");
    text(262, 300, 13, "start", "y: north");
    text(36, 230, 13, "start", "z");
    text(330, 28, 15, "start", "B. The stencil: eight neighbours");
    static const char *const around[9] = {"nw", "n", "ne", "w", "PE", "e", "sw", "s", "se"};
    for (int i = 0; i < 9; i++) {
        double px = 345 + 66 * (i % 3), py = 70 + 66 * (i / 3);
        bool lower = i == 6 || i == 7 || i == 8 || i == 3;
        fprintf(f, "<rect x=\"%.0f\" y=\"%.0f\" width=\"56\" height=\"56\" rx=\"4\" fill=\"%s\"/>\n", px, py, i == 4 ? "#ddd" : lower ? "#bbccee" : "#f6c8cc");
        text(px + 28, py + 33, 15, "middle", around[i]);
    }
    text(330, 296, 13, "start", "blue: earlier in the order, red: later.");
    text(330, 316, 13, "start", "A neighbour streams x[z-1], x[z], x[z+1]");
    text(330, 334, 13, "start", "for each row z; 24 coefficients and 2 of");
    text(330, 352, 13, "start", "the own column meet them in memory.");
    snprintf(s, sizeof s, "C. What a PE holds, Z = %d", Z);
    text(640, 28, 15, "start", s);
    LevelLayout lay[MAX_LEVELS];
    int rows = level_layout(Z, levels, lay);
    const struct {
        const char *name;
        int words;
        const char *color;
    } part_of[] = {{"A: 26 coefficients a row", 26 * rows, "#4477aa"}, {"diag, 1 / diag", 2 * rows, "#66ccee"},
                   {"r, ax, x of all levels", 3 * rows + 2 * levels, "#228833"}, {"r, x, p, Ap of CG", 4 * Z + 2, "#ccbb44"}};
    double at = 60, scale = 300.0 / (31.0 * rows + 2 * levels + 4 * Z + 2);
    for (int i = 0; i < 4; i++) {
        double h = scale * part_of[i].words;
        fprintf(f, "<rect x=\"640\" y=\"%.1f\" width=\"50\" height=\"%.1f\" fill=\"%s\"/>\n", at, h, part_of[i].color);
        snprintf(s, sizeof s, "%s: %d bytes", part_of[i].name, 4 * part_of[i].words);
        text(700, at + h / 2 + 4 + (i == 1 ? -3 : i == 2 ? 2 : 0), 12, "start", s);
        at += h;
    }
    snprintf(s, sizeof s, "%d rows: %d of level 0", rows, lay[0].rows);
    text(640, 382, 12, "start", s);
    for (int l = 1, x = 800; l < levels; l++, x += 40) {
        snprintf(s, sizeof s, "+ %d", lay[l].rows);
        text(x, 382, 12, "start", s);
    }
    end(&o);
}

/* ---- the wavefront --------------------------------------------------------------------------------------------------------- */
static void draw_wavefront(const char *dir)
{
    enum { CELL = 44, X0 = 40, Y0 = 60, PX = 40, PW = 560, PH = 110 };
    int fwd = find_op(OP_GS_FWD_DOWN, 0, 0), bwd = find_op(OP_GS_BWD_UP, 0, fwd), PY = Y0 + V * CELL + 60;
    double t0, t1, now = 0.36;
    char s[200];
    span(fwd, bwd, &t0, &t1);
    OutFile o = begin(dir, "hpcg-wavefront.svg", 640, PY + PH + 60, "HPCG: one SYMGS as a wavefront");
    snprintf(s, sizeof s, "One SYMGS on %d x %d PEs, %d rows each: %.0f cycles of a run", H, V, Z, t1 - t0);
    text(X0, 28, 15, "start", s);
    text(X0, 48, 12, "start", "blue: rows that the forward sweep has updated; red: the backward sweep");
    for (int y = 0; y < V; y++)
        for (int x = 0; x < H; x++) {
            const Times *a = stamp_of(&st, x, y, fwd), *b = stamp_of(&st, x, y, bwd);
            double px = X0 + x * CELL, py = Y0 + (V - 1 - y) * CELL;
            fprintf(f, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" fill=\"" IDLE "\"/>\n", px, py, CELL - 4, CELL - 4);
            grow(px, py, CELL - 4, CELL - 4, FWD, part(a->row, t0, t1), part(a->end, t0, t1), now, 1);
            grow(px, py, CELL - 4, CELL - 4, BWD, part(b->row, t0, t1), part(b->end, t0, t1), now, 1);
        }
    text(X0, Y0 + V * CELL + 14, 12, "start", "PE (0, 0)");
    text(X0 + H * CELL + 10, Y0 + 16, 12, "start", "far corner");
    text(PX, PY - 12, 13, "start", "part of the PEs that update rows");
    fprintf(f, "<path fill=\"none\" stroke=\"#888\" d=\"M%d %d V%d H%d\"/>\n<path fill=\"#cfe\" stroke=\"#228833\" stroke-width=\"1.5\" d=\"M%d %d", PX, PY, PY + PH, PX + PW,
            PX, PY + PH);
    double top = 0, sum = 0;
    for (int i = 0; i <= PW; i++) {
        double t = t0 + (t1 - t0) * i / PW;
        int busy = 0;
        for (int y = 0; y < V; y++)
            for (int x = 0; x < H; x++) {
                const Times *a = stamp_of(&st, x, y, fwd), *b = stamp_of(&st, x, y, bwd);
                busy += (t >= a->row && t < a->end) || (t >= b->row && t < b->end);
            }
        double share = (double)busy / (H * V);
        top = share > top ? share : top;
        sum += share / (PW + 1);
        fprintf(f, " L%d %.1f", PX + i, PY + PH - PH * share);
    }
    fprintf(f, " V%d z\"/>\n", PY + PH);
    cursor(PX, PW, PY, PY + PH, now);
    text(PX - 6, PY + 8, 11, "end", "1");
    text(PX - 6, PY + PH, 11, "end", "0");
    text(PX, PY + PH + 16, 11, "start", "0");
    snprintf(s, sizeof s, "%.0f cycles", t1 - t0);
    text(PX + PW, PY + PH + 16, 11, "end", s);
    snprintf(s, sizeof s, "at most %.0f %%, on average %.0f %%", 100 * top, 100 * sum);
    text(PX + PW / 2, PY + PH + 34, 12, "middle", s);
    end(&o);
}

/* ---- the V-cycle ----------------------------------------------------------------------------------------------------------- */
enum Kind { K_FWD, K_BWD, K_SPMV, K_DOT, K_MOVE, K_SETUP, K_VEC, KINDS };
static const char *const kind_name[KINDS] = {"GS forward", "GS backward", "SpMV", "dot product", "co-set moves, xchg", "tables, z-rank patch", "vector updates"};
static const char *const kind_color[KINDS] = {FWD, BWD, "#228833", "#aa3377", "#ccbb44", "#999999", "#66ccee"};

static int kind_of(int op)
{
    switch (op) {
    case OP_GS_FWD_DOWN: return K_FWD;
    case OP_GS_BWD_UP: return K_BWD;
    case OP_SPMV_FULL: case OP_GS_FWD_UP: case OP_SPMV_DOWN: return K_SPMV;
    case OP_DOT: return K_DOT;
    case OP_REDIST: case OP_REDUCE: case OP_XCHG: return K_MOVE;
    case OP_SET_LEVEL: case OP_ZF_PATCH: return K_SETUP;
    default: return K_VEC;
    }
}

static void draw_vcycle(const char *dir)
{
    enum { X0 = 90, W = 860, Y0 = 60, ROW = 62, BAR = 40 };
    double first = 0, last = 0, cycles[KINDS] = {0};
    char s[200];
    for (int i = 0; i < H * V; i++) {
        first += (double)st.t[(size_t)i * (size_t)st.n].start / (H * V);
        last += (double)st.t[(size_t)(i + 1) * (size_t)st.n - 1].end / (H * V);
    }
    OutFile o = begin(dir, "hpcg-vcycle.svg", 980, Y0 + ROW * levels + 120, "HPCG: one iteration");
    snprintf(s, sizeof s, "One CG iteration on %d x %d PEs, Z = %d: %.0f cycles, mean of all PEs; floor 139 Z = %d", H, V, Z, last - first, 139 * Z);
    text(20, 28, 15, "start", s);
    for (int l = 0; l < levels; l++) {
        LevelLayout lay[MAX_LEVELS];
        level_layout(Z, levels, lay);
        snprintf(s, sizeof s, "level %d", l);
        text(20, Y0 + l * ROW + 20, 13, "start", s);
        snprintf(s, sizeof s, "%d rows", lay[l].rows);
        text(20, Y0 + l * ROW + 36, 11, "start", s);
        fprintf(f, "<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\" stroke=\"#ccc\"/>\n", X0, X0 + W, Y0 + l * ROW + BAR, Y0 + l * ROW + BAR);
    }
    double px = 0;
    int py = 0;
    for (int i = 0; i < st.n; i++) {
        double a = 0, e = 0;
        for (int k = 0; k < H * V; k++) {
            a += (double)st.t[(size_t)k * (size_t)st.n + (size_t)i].start / (H * V);
            e += (double)st.t[(size_t)k * (size_t)st.n + (size_t)i].end / (H * V);
        }
        int k = kind_of(st.op[i] & 0xff), y = Y0 + st.level[i] * ROW;
        cycles[k] += e - a;
        double x = X0 + W * (a - first) / (last - first);
        if (i && y != py) /* the way from level to level */
            fprintf(f, "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"" INK "\" stroke-width=\"1\"/>\n", px, py + (y > py ? BAR : 0), x, y + (y > py ? 0 : BAR));
        fprintf(f, "<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" fill=\"%s\"><title>%s: %.0f cycles</title></rect>\n", x, y, W * (e - a) / (last - first), BAR,
                kind_color[k], op_name[st.op[i] & 0xff], e - a);
        px = X0 + W * (e - first) / (last - first);
        py = y;
    }
    for (int k = 0; k < KINDS; k++) {
        double x = 30 + 235 * (k % 4), y = Y0 + ROW * levels + 30 + 34 * (k / 4);
        fprintf(f, "<rect x=\"%.0f\" y=\"%.0f\" width=\"14\" height=\"14\" fill=\"%s\"/>\n", x, y - 12, kind_color[k]);
        snprintf(s, sizeof s, "%s: %.0f", kind_name[k], cycles[k]);
        text(x + 20, y, 13, "start", s);
    }
    end(&o);
}

/* ---- the co-sets ------------------------------------------------------------------------------------------------------------ */
static void draw_cosets(const char *dir)
{
    enum { CELL = 44, X0 = 40, Y0 = 66, PX = 40, PW = 560, PH = 90 };
    int from = find_op(OP_REDIST, -1, 0), to = find_op(OP_REDUCE, -1, from), PY = Y0 + V * CELL + 60;
    double t0, t1, now = 0.12;
    char s[200];
    span(from, to, &t0, &t1);
    OutFile o = begin(dir, "hpcg-cosets.svg", 640, PY + PH + 60, "HPCG: co-sets on levels 1 to 3");
    snprintf(s, sizeof s, "Levels 1 to %d in the co-sets, from redist to reduce: %.0f cycles", levels - 1, t1 - t0);
    text(X0, 28, 15, "start", s);
    static const char *const where[4] = {"0: owner", "1: east", "2: north", "3: north-east"};
    for (int k = 0; k < 4; k++) {
        fprintf(f, "<rect x=\"%d\" y=\"40\" width=\"12\" height=\"12\" fill=\"%s\"/>\n", X0 + 130 * k, coset_color[k]);
        snprintf(s, sizeof s, "chunk %s", where[k]);
        text(X0 + 18 + 130 * k, 51, 12, "start", s);
    }
    for (int y = 0; y < V; y++)
        for (int x = 0; x < H; x++) {
            double px = X0 + x * CELL, py = Y0 + (V - 1 - y) * CELL;
            const char *color = coset_color[coset_of(x, y)];
            fprintf(f, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" fill=\"" IDLE "\" stroke=\"%s\" stroke-width=\"2\"/>\n", px, py, CELL - 5, CELL - 5, color);
            for (int i = from; i <= to; i++) {
                int cx, cy, z0, next = i + 1;
                if (!op_is_gs(st.op[i] & 0xff) || !level_piece(Z, st.level[i], x, y, &cx, &cy, &z0))
                    continue;
                while (next < to && !op_is_gs(st.op[next] & 0xff))
                    next++;
                const Times *t = stamp_of(&st, x, y, i);
                grow(px + 2, py + 2, CELL - 9, CELL - 9, color, part(t->row, t0, t1), part(t->end, t0, t1), now, part(stamp_of(&st, x, y, next)->row, t0, t1));
            }
        }
    text(PX, PY - 12, 13, "start", "part of the PEs that sweep rows of their own, by level");
    fprintf(f, "<path fill=\"none\" stroke=\"#888\" d=\"M%d %d V%d H%d\"/>\n", PX, PY, PY + PH, PX + PW);
    static const char *const level_color[MAX_LEVELS] = {"#000", "#4477aa", "#228833", "#aa3377"};
    for (int l = 1; l < levels; l++) {
        fprintf(f, "<path fill=\"%s\" fill-opacity=\"0.55\" d=\"M%d %d", level_color[l], PX, PY + PH);
        for (int i = 0; i <= PW; i++) {
            double t = t0 + (t1 - t0) * i / PW;
            int busy = 0;
            for (int y = 0; y < V; y++)
                for (int x = 0; x < H; x++)
                    for (int k = from; k <= to; k++) {
                        const Times *a = stamp_of(&st, x, y, k);
                        int cx, cy, z0;
                        busy += st.level[k] == l && op_is_gs(st.op[k] & 0xff) && t >= a->row && t < a->end && level_piece(Z, l, x, y, &cx, &cy, &z0);
                    }
            fprintf(f, " L%d %.1f", PX + i, PY + PH - PH * (double)busy / (H * V));
        }
        fprintf(f, " V%d z\"/>\n", PY + PH);
        fprintf(f, "<rect x=\"%d\" y=\"%d\" width=\"12\" height=\"12\" fill=\"%s\" fill-opacity=\"0.55\"/>\n", PX + 120 * l - 60, PY + PH + 24, level_color[l]);
        snprintf(s, sizeof s, "level %d", l);
        text(PX + 120 * l - 42, PY + PH + 35, 12, "start", s);
    }
    cursor(PX, PW, PY, PY + PH, now);
    text(PX - 6, PY + 8, 11, "end", "1");
    text(PX - 6, PY + PH, 11, "end", "0");
    end(&o);
}

int main(int argc, char **argv)
{
    const char *rest[2], *dir = NULL;
    int nrest = 2;
    Opt opts[] = {
        {.name = "H", .kind = OPT_INT, .to = &H, .help = "PEs in x", .required = true},
        {.name = "V", .kind = OPT_INT, .to = &V, .help = "PEs in y", .required = true},
        {.name = "Z", .kind = OPT_INT, .to = &Z, .help = "points per PE", .required = true},
        {.name = "levels", .kind = OPT_INT, .to = &levels, .help = "MG levels, default 4; at least 2"},
        {.name = "out-dir", .kind = OPT_STRING, .to = &dir, .help = "write the pictures here", .required = true},
        {.name = NULL},
    };
    tool_name = "draw_svg";
    opt_parse(argc, argv, "Draw the pictures of docs/hpcg.md: draw_svg TS VPROG --H H --V V --Z Z --out-dir D", opts, rest, &nrest);
    if (nrest != 2)
        die("want two files: TS VPROG (try --help)");
    check_geometry(H, V, Z, 1);
    if (levels < 2 || levels > MAX_LEVELS)
        die("--levels must be 2..%d, not %d", MAX_LEVELS, levels);
    st = stamps_read(rest[0], rest[1], H, V, 1, levels);
    draw_mapping(dir);
    draw_wavefront(dir);
    draw_vcycle(dir);
    draw_cosets(dir);
    stamps_free(&st);
    return 0;
}
