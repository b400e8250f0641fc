/* Compare the x that the fabric left with the reference.
 *
 * Takes GOT (raw f32, per-PE order: machine row, x, element; --got-pad words before and after each PE's column, as the x array
 * has them) and REF (raw f32 or f64 by its size, [V][H][Z], y the grid row, from hpcg_ref1).  A point passes if
 *     |got - ref| <= abs + rel * |ref|
 * and got is a number.  --grid-out FILE also writes GOT as raw f32, index (y H + x) Z + z with y the grid row.
 *
 * With --vector r or x: GOT is that array of all levels as the PEs hold it (r: R words a PE; x: with the pads) after the first
 * V-cycle, REF a folder of hpcg_ref1 --dump-levels.  r is compared with q_L<l>.f64, x with x_L<l>.f64, point by point through
 * level_piece(), to --level-rel times the level's largest value.
 * Exit 0: all pass; 1: the first bad points, the worst one and how many; 2: a file of the wrong size. */
#include "hpcg_common.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 5 };

static double ref_at(const char *ref, bool f64, size_t i)
{
    double d;
    float f;
    if (f64) {
        memcpy(&d, ref + i * sizeof d, sizeof d);
        return d;
    }
    memcpy(&f, ref + i * sizeof f, sizeof f);
    return f;
}

/* One level of a vector; returns the points that are bad. */
static size_t compare_level(const float *got, const char *dir, bool x_array, int H, int V, int Z, int levels, int level, double tol)
{
    LevelLayout lay[MAX_LEVELS];
    size_t R = (size_t)level_layout(Z, levels, lay), words = x_array ? R + 2 * (size_t)levels : R, bytes, seen = 0, bad = 0;
    int Hl = H >> level, Vl = V >> level, Zl = Z >> level, rows = lay[level].rows;
    char name[32];
    snprintf(name, sizeof name, "%c_L%d.f64", x_array ? 'x' : 'q', level);
    char *path = path_join(dir, name);
    double *ref = read_file(path, &bytes), top = 0, worst = 0;
    size_t n = (size_t)Hl * (size_t)Vl * (size_t)Zl;
    if (bytes != n * sizeof *ref)
        die("%s: %zu bytes, but %d x %d x %d points make %zu", path, bytes, Hl, Vl, Zl, n * sizeof *ref);
    for (size_t i = 0; i < n; i++)
        top = fabs(ref[i]) > top ? fabs(ref[i]) : top;
    for (int y = 0; y < V; y++)
        for (int x = 0; x < H; x++) {
            int cx, cy, z0;
            if (!level_piece(Z, level, x, y, &cx, &cy, &z0))
                continue;
            const float *g = got + pe_file_index(H, V, x, y) * words + (x_array ? lay[level].x_off + 1 : lay[level].row_off);
            for (int z = 0; z < rows; z++, seen++) {
                double r = ref[((size_t)cy * (size_t)Hl + (size_t)cx) * (size_t)Zl + (size_t)(z0 + z)], e = fabs((double)g[z] - r);
                if (!(e <= INFINITY))
                    e = INFINITY;
                worst = e > worst ? e : worst;
                if (e <= tol * top || bad++ >= SHOWN)
                    continue;
                fprintf(stderr, "fcmp_check: level %d, %c at (%d, %d, %d) of the level, row %d of PE grid (%d, %d): got %.9g, expected %.9g\n",
                        level, x_array ? 'x' : 'r', cx, cy, z0 + z, z, x, y, (double)g[z], r);
            }
        }
    if (seen != n)
        die("internal: level %d has %zu points, the PEs hold %zu", level, n, seen);
    printf("level %d, %c: %zu points, %zu bad; the largest %.6g, the worst off by %.3g\n", level, x_array ? 'x' : 'r', n, bad, top, worst);
    free(ref);
    free(path);
    return bad;
}

static int compare_levels(const char *file, const char *dir, bool x_array, int H, int V, int Z, int levels, double tol)
{
    check_geometry(H, V, Z, 1);
    if (levels < 1 || levels > MAX_LEVELS)
        die("--levels must be 1..%d, not %d", MAX_LEVELS, levels);
    LevelLayout lay[MAX_LEVELS];
    size_t words = (size_t)level_layout(Z, levels, lay) + (x_array ? 2 * (size_t)levels : 0), bytes, bad = 0, want;
    float *got = read_file(file, &bytes);
    want = (size_t)H * (size_t)V * words * sizeof *got;
    if (bytes != want)
        die("%s: %zu bytes, but %d x %d PEs of %zu words make %zu", file, bytes, H, V, words, want);
    for (int l = 0; l < levels; l++)
        bad += compare_level(got, dir, x_array, H, V, Z, levels, l, tol);
    free(got);
    if (bad)
        fail("%zu points of the levels differ by more than %g of the level's largest value", bad, tol);
    return 0;
}

int main(int argc, char **argv)
{
    static const char *const vectors[] = {"none", "r", "x", NULL};
    int vector = 0, levels = MAX_LEVELS;
    double level_rel = 1e-4;
    static const char *const orders[] = {"machine", "grid", NULL};
    int H = 0, V = 0, Z = 0, pad = 0, grid = 0, nrest = 2;
    double abs_tol = 1e-5, rel_tol = 0;
    const char *rest[2], *grid_out = NULL;
    Opt opts[] = {
        {.name = "H", .kind = OPT_INT, .to = &H, .help = "PEs in x", .required = true},
        {.name = "V", .kind = OPT_INT, .to = &V, .help = "PEs in y", .required = true},
        {.name = "Z", .kind = OPT_INT, .to = &Z, .help = "points per PE", .required = true},
        {.name = "abs", .kind = OPT_DOUBLE, .to = &abs_tol, .help = "absolute tolerance, default 1e-5"},
        {.name = "rel", .kind = OPT_DOUBLE, .to = &rel_tol, .help = "relative tolerance, default 0"},
        {.name = "got-order", .kind = OPT_CHOICE, .to = &grid, .help = "rows of GOT, default machine", .choices = orders},
        {.name = "grid-out", .kind = OPT_STRING, .to = &grid_out, .help = "also write GOT here, in grid order without pads"},
        {.name = "vector", .kind = OPT_CHOICE, .to = &vector, .help = "compare r or x of all levels", .choices = vectors},
        {.name = "levels", .kind = OPT_INT, .to = &levels, .help = "for --vector: MG levels, default 4"},
        {.name = "level-rel", .kind = OPT_DOUBLE, .to = &level_rel, .help = "for --vector: tolerance, default 1e-4"},
        {.name = "got-pad", .kind = OPT_INT, .to = &pad, .help = "pad words below and above each column of GOT, default 0"},
        {.name = NULL},
    };
    tool_name = "fcmp_check";
    opt_parse(argc, argv, "Compare x with the reference: fcmp_check GOT REF --H H --V V --Z Z", opts, rest, &nrest);
    if (nrest != 2)
        die("want two files: GOT REF (try --help)");
    check_geometry(H, V, Z, -1);
    if (abs_tol < 0 || rel_tol < 0 || level_rel < 0)
        die("a tolerance must not be negative");
    if (vector)
        return compare_levels(rest[0], rest[1], vector == 2, H, V, Z, levels, level_rel);
    size_t pes = (size_t)H * (size_t)V, col = (size_t)Z + 2 * (size_t)pad, n = pes * (size_t)Z, got_bytes, ref_bytes;
    char *got = read_file(rest[0], &got_bytes), *ref = read_file(rest[1], &ref_bytes);
    if (got_bytes != pes * col * sizeof(float))
        die("%s: %zu bytes, but %d x %d PEs of %zu words make %zu", rest[0], got_bytes, H, V, col, pes * col * sizeof(float));
    bool f64 = ref_bytes == n * sizeof(double);
    if (!f64 && ref_bytes != n * sizeof(float))
        die("%s: %zu bytes, but %d x %d x %d points make %zu (f32) or %zu (f64)", rest[1], ref_bytes, H, V, Z, n * sizeof(float),
            n * sizeof(double));

    if (grid_out) {
        OutFile o = out_open(NULL, grid_out);
        for (int y = 0; y < V; y++)
            for (int x = 0; x < H; x++) {
                size_t pe = grid ? (size_t)y * (size_t)H + (size_t)x : pe_file_index(H, V, x, y);
                out_write(&o, got + (pe * col + (size_t)pad) * sizeof(float), (size_t)Z * sizeof(float));
            }
        out_close(&o);
    }
    size_t bad = 0;
    double worst = -1, worst_got = 0, worst_ref = 0;
    int wx = 0, wy = 0, wz = 0;
    for (int y = 0; y < V; y++)
        for (int x = 0; x < H; x++)
            for (int z = 0; z < Z; z++) {
                size_t pe = grid ? (size_t)y * (size_t)H + (size_t)x : pe_file_index(H, V, x, y);
                float g;
                memcpy(&g, got + (pe * col + (size_t)pad + (size_t)z) * sizeof g, sizeof g);
                double r = ref_at(ref, f64, ((size_t)y * (size_t)H + (size_t)x) * (size_t)Z + (size_t)z);
                double e = fabs((double)g - r);
                if (!(e <= INFINITY)) /* NaN */
                    e = INFINITY;
                if (e > worst) {
                    worst = e;
                    worst_got = g;
                    worst_ref = r;
                    wx = x;
                    wy = y;
                    wz = z;
                }
                if (e <= abs_tol + rel_tol * fabs(r) && isfinite(r))
                    continue;
                if (bad++ < SHOWN)
                    fprintf(stderr, "fcmp_check: x at grid (%d, %d, %d), machine row %d: got %.9g, expected %.9g, off by %.3g\n", x, y, z,
                            V - 1 - y, (double)g, r, e);
            }
    if (bad)
        fail("%zu of %zu points differ by more than %g + %g |x|; the worst at grid (%d, %d, %d): got %.9g, expected %.9g, off by %.3g",
             bad, n, abs_tol, rel_tol, wx, wy, wz, worst_got, worst_ref, worst);
    printf("x: %zu points agree; the worst off by %.3g at grid (%d, %d, %d)\n", n, worst, wx, wy, wz);
    free(got);
    free(ref);
    return 0;
}
