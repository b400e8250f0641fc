/* Compare the x that the fabric left with the reference.
 *
 * Takes GOT (raw f32, per-PE order: machine row, x, element; --got-pad words before and after each PE's column, as the x array
 * has them) and REF (raw f32 or f64 by its size, [V][H][Z], y the grid row, from hpcg_ref1).  A point passes if
 *     |got - ref| <= abs + rel * |ref|
 * and got is a number.  --grid-out FILE also writes GOT as raw f32, index (y H + x) Z + z with y the grid row.  Exit 0: all pass; 1: the first bad points, the worst one and how many; 2: a file of the wrong size. */
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

int main(int argc, char **argv)
{
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
        {.name = "got-pad", .kind = OPT_INT, .to = &pad, .help = "pad words below and above each column of GOT, default 0"},
        {.name = NULL},
    };
    tool_name = "fcmp_check";
    opt_parse(argc, argv, "Compare x with the reference: fcmp_check GOT REF --H H --V V --Z Z", opts, rest, &nrest);
    if (nrest != 2)
        die("want two files: GOT REF (try --help)");
    check_geometry(H, V, Z, -1);
    if (abs_tol < 0 || rel_tol < 0)
        die("a tolerance must not be negative");
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
