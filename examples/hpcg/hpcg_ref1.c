/* The reference of the HPCG example in one file: problem, multigrid hierarchy, SpMV, SYMGS, V-cycle, CG, credited flops.
 *
 * Takes the geometry and how the matrix is made; leaves (with --out-dir) the fabric's input data and the expected results:
 *
 *     A.bin, diag.bin, invd.bin, b.bin   f32, per-PE order (machine row, x, element); see write_inputs()
 *     x.f32, x.f64                       the iterate after --iters iterations, [V][H][Z], y the GRID row
 *     rr.csv                             iter,rr: the iters values that the fabric reports (rr before the k-th update)
 *     history.csv                        iter,rr,rtz,pAp,max_err: iters + 1 rows, 17 digits
 *     info.json                          geometry, non-zeros, flops
 *     r_L<l>.f64, x_L<l>.f64             --dump-levels: right-hand side and result of each level, first V-cycle, [V_l][H_l][Z_l]
 *     q_L<l>.f64                         what r of the level holds after the V-cycle on a PE: the right-hand side of the
 *                                        post-smoothing, r - A x (coarsest level: the right-hand side)
 *
 * Two ways to do the arithmetic, both of the same algorithm:
 *     --order hpcg     as the official HPCG: SYMGS in place on the frozen halo, rows summed in matrix order, division
 *     --order fabric   as the PE program: GS from zero and x + GS(r - A x), rows summed in the order of the streams, * (1/diag),
 *                      dot products by the chains of dot_plan()
 * and two precisions: f64, or f32, where every single result is rounded to fp32 (computed in double and rounded once more,
 * which is exact for + - * /).  The checker is f64 hpcg; f32 fabric shows what rounding alone may do.
 *
 * A grid H x V x Z with domains NGS x NGS x ZR is official HPCG on (Z/ZR) x (H/NGS) x (V/NGS) ranks: z, then x, then y.
 */
#include "hpcg_common.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the run is ----------------------------------------------------------------------------------------------------- */
enum { INIT_EXACT, INIT_RANDOM };
enum { BC_FROZEN, BC_SEVER };
enum { ORDER_HPCG, ORDER_FABRIC };
static struct {
    int H, V, Z, iters, NGS, ZR, levels, mg, bc, init, order, f32;
    uint32_t seed;
    const char *out_dir;
    bool dump_levels, quiet;
} cfg = {.iters = 10, .NGS = 16, .ZR = 16, .levels = 4, .mg = 1, .init = INIT_RANDOM, .seed = 1};

/* Round one result to the run's precision. */
static inline double R(double v) { return cfg.f32 ? (double)(float)v : v; }

/* One multigrid level.  Vectors are padded by one zero point on all sides, so that no loop has to ask for the edge:
 * point (x, y, z) is at ((y+1)(H+2) + x+1)(Z+2) + z+1.  Matrix: 26 per row in A order, no padding. */
typedef struct {
    int H, V, Z, ngs, zr;
    size_t np;         /* points with padding */
    float *A, *diag;   /* [V][H][Z][26], [V][H][Z] */
    double *r, *x;     /* right-hand side, iterate */
    double *ax, *save; /* A x or a partial sum; x before a post-smoothing */
} Level;
static Level lev[MAX_LEVELS];

static inline size_t at(const Level *l, int x, int y, int z)
{
    return ((size_t)(y + 1) * (size_t)(l->H + 2) + (size_t)(x + 1)) * (size_t)(l->Z + 2) + (size_t)(z + 1);
}
static inline size_t row(const Level *l, int x, int y, int z)
{
    return ((size_t)y * (size_t)l->H + (size_t)x) * (size_t)l->Z + (size_t)z;
}
#define FOR_COLUMNS(l, x, y) \
    for (int y = 0; y < (l)->V; y++) \
        for (int x = 0; x < (l)->H; x++)
#define FOR_POINTS(l, x, y, z) FOR_COLUMNS(l, x, y) for (int z = 0; z < (l)->Z; z++)

static double *new_vector(const Level *l) { return xcalloc(l->np, sizeof(double)); }

/* ---- the problem --------------------------------------------------------------------------------------------------------- */
static uint32_t fmix(uint32_t h)
{
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    h ^= h >> 16;
    return h;
}

static uint32_t point_hash(int level, int x, int y, int z, int k)
{
    const int v[5] = {level, x, y, z, k};
    uint32_t h = fmix(cfg.seed + 0x9e3779b9u);
    for (int i = 0; i < 5; i++)
        h = fmix(h + 0x9e3779b9u * ((uint32_t)v[i] + 1u));
    return h;
}

/* k = 9(dy+1) + 3(dx+1) + (dz+1): the matrix order of official HPCG; 13 is the diagonal. */
static float coefficient(int level, int x, int y, int z, int k)
{
    if (cfg.init == INIT_EXACT)
        return k == 13 ? 26.0f : -1.0f;
    int u = (int)(point_hash(level, x, y, z, k) >> 22) - 512;
    return k == 13 ? 26.0f + (float)u / 1024.0f : -1.0f + (float)u / 4096.0f;
}

static double solution(int x, int y, int z)
{
    return cfg.init == INIT_EXACT ? 1.0 : 0.5 + (double)(point_hash(0, x, y, z, 27) >> 27) / 32.0;
}

/* Position of offset k in a row of A; -1 for the diagonal. */
static int a_slot[27];
/* Offsets of k in the grid and, per level, in a padded vector. */
static int k_dx[27], k_dy[27], k_dz[27];
static ptrdiff_t k_step[MAX_LEVELS][27];

static void init_stencil(void)
{
    for (int k = 0; k < 27; k++) {
        int dy = k / 9 - 1, dx = k / 3 % 3 - 1, dz = k % 3 - 1;
        k_dx[k] = dx;
        k_dy[k] = dy;
        k_dz[k] = dz;
        a_slot[k] = dz > 0 ? A_ZP1 : dz < 0 ? A_ZM1 : -1;
        for (int s = 0; s < ST_COUNT; s++)
            if (stream_info[s].dx == dx && stream_info[s].dy == dy)
                a_slot[k] = 3 * s + dz + 1;
    }
}

static bool inside(const Level *l, int x, int y, int z)
{
    return x >= 0 && x < l->H && y >= 0 && y < l->V && z >= 0 && z < l->Z;
}

static void init_level(int level)
{
    Level *l = &lev[level];
    l->H = cfg.H >> level;
    l->V = cfg.V >> level;
    l->Z = cfg.Z >> level;
    l->ngs = cfg.NGS >> level;
    /* Without z-ranks the co-set chunks still cut the coarse columns in four. */
    l->zr = cfg.ZR ? cfg.ZR >> level : level && cfg.Z % 32 == 0 ? cfg.Z >> (level + 2) : l->Z;
    l->np = (size_t)(l->H + 2) * (size_t)(l->V + 2) * (size_t)(l->Z + 2);
    size_t n = (size_t)l->H * (size_t)l->V * (size_t)l->Z;
    l->A = xcalloc(n * A_PER_ROW, sizeof *l->A);
    l->diag = xcalloc(n, sizeof *l->diag);
    l->r = new_vector(l);
    l->x = new_vector(l);
    l->ax = new_vector(l);
    l->save = new_vector(l);
    for (int k = 0; k < 27; k++)
        k_step[level][k] = (ptrdiff_t)at(l, 1 + k_dx[k], 1 + k_dy[k], 1 + k_dz[k]) - (ptrdiff_t)at(l, 1, 1, 1);
    FOR_POINTS(l, x, y, z)
    {
        size_t i = row(l, x, y, z);
        for (int k = 0; k < 27; k++) {
            if (k == 13)
                l->diag[i] = coefficient(level, x, y, z, k);
            else if (inside(l, x + k_dx[k], y + k_dy[k], z + k_dz[k]))
                l->A[i * A_PER_ROW + (size_t)a_slot[k]] = coefficient(level, x, y, z, k);
        }
    }
}

/* ---- sums over a row ------------------------------------------------------------------------------------------------------
 * A stream's triple added to acc; `live` false: the neighbour is behind a cut edge and reads as 0. */
static inline double add_triple(double acc, const float *a, const double *x, ptrdiff_t step)
{
    acc = R(acc + R(a[0] * x[step - 1]));
    acc = R(acc + R(a[1] * x[step]));
    return R(acc + R(a[2] * x[step + 1]));
}

static ptrdiff_t stream_step(const Level *l, int s)
{
    return ((ptrdiff_t)stream_info[s].dy * (l->H + 2) + stream_info[s].dx) * (l->Z + 2);
}

/* Does stream s at (x, y) come from the same GS domain? */
static bool same_domain(const Level *l, int x, int y, int s)
{
    int nx = x + stream_info[s].dx, ny = y + stream_info[s].dy;
    return nx >= 0 && ny >= 0 && nx / l->ngs == x / l->ngs && ny / l->ngs == y / l->ngs;
}

/* ---- SpMV: out = A x.  cut: without the couplings between GS domains (post-smoothing with BC=sever). ---------------------- */
static void spmv_hpcg(const Level *l, const double *x, double *out, bool cut)
{
    const ptrdiff_t *step = k_step[l - lev];
    FOR_COLUMNS(l, px, py)
    {
        bool live[27];
        for (int k = 0; k < 27; k++) {
            int nx = px + k_dx[k], ny = py + k_dy[k];
            live[k] = !cut || (nx >= 0 && ny >= 0 && nx / l->ngs == px / l->ngs && ny / l->ngs == py / l->ngs);
        }
        for (int z = 0; z < l->Z; z++) {
            size_t i = row(l, px, py, z);
            const float *a = l->A + i * A_PER_ROW;
            const double *v = x + at(l, px, py, z);
            double sum = 0;
            for (int k = 0; k < 27; k++)
                if (live[k])
                    sum = R(sum + R((k == 13 ? l->diag[i] : a[a_slot[k]]) * v[step[k]]));
            out[at(l, px, py, z)] = sum;
        }
    }
}

/* Level 0 in one phase: the eight streams in A order, z+1, z-1, then the diagonal.  Coarse levels in two: the upper sum, then
 * the lower sum, added with the diagonal. */
static void spmv_fabric(const Level *l, const double *x, double *out, bool cut)
{
    static const int up[4] = {ST_NE, ST_N, ST_NW, ST_E}, down[4] = {ST_SW, ST_S, ST_SE, ST_W};
    FOR_COLUMNS(l, px, py)
    {
        bool live[ST_COUNT];
        for (int s = 0; s < ST_COUNT; s++)
            live[s] = !cut || same_domain(l, px, py, s);
        for (int z = 0; z < l->Z; z++) {
            size_t i = row(l, px, py, z);
            const float *a = l->A + i * A_PER_ROW;
            const double *v = x + at(l, px, py, z);
            double acc = 0, lower = 0;
            if (l == lev) {
                for (int s = 0; s < ST_COUNT; s++)
                    if (live[s])
                        acc = add_triple(acc, a + 3 * s, v, stream_step(l, s));
                acc = R(acc + R(a[A_ZP1] * v[1]));
                acc = R(acc + R(a[A_ZM1] * v[-1]));
            } else {
                for (int j = 0; j < 4; j++) {
                    if (j == 2) {
                        acc = R(acc + R(a[A_ZP1] * v[1]));
                        lower = R(lower + R(a[A_ZM1] * v[-1]));
                    }
                    if (live[up[j]])
                        acc = add_triple(acc, a + 3 * up[j], v, stream_step(l, up[j]));
                    if (live[down[j]])
                        lower = add_triple(lower, a + 3 * down[j], v, stream_step(l, down[j]));
                }
                acc = R(acc + lower);
            }
            out[at(l, px, py, z)] = R(R(l->diag[i] * v[0]) + acc);
        }
    }
}

static void spmv(const Level *l, const double *x, double *out, bool cut)
{
    if (cfg.order == ORDER_HPCG)
        spmv_hpcg(l, x, out, cut);
    else
        spmv_fabric(l, x, out, cut);
}

/* ---- SYMGS as official HPCG does it: in place, other ranks' values as they were at the start ------------------------------- */
static void gs_row_hpcg(Level *l, const double *frozen, int x, int y, int z)
{
    const ptrdiff_t *step = k_step[l - lev];
    size_t i = row(l, x, y, z), p = at(l, x, y, z);
    const float *a = l->A + i * A_PER_ROW;
    double sum = l->r[p], d = l->diag[i];
    for (int k = 0; k < 27; k++) {
        int nx = x + k_dx[k], ny = y + k_dy[k], nz = z + k_dz[k];
        double v = l->x[(ptrdiff_t)p + step[k]];
        if (!inside(l, nx, ny, nz))
            continue;
        if (nx / l->ngs != x / l->ngs || ny / l->ngs != y / l->ngs)
            v = cfg.bc == BC_FROZEN ? frozen[(ptrdiff_t)p + step[k]] : 0;
        else if (nz / l->zr != z / l->zr)
            v = frozen[(ptrdiff_t)p + step[k]];
        sum = R(sum - R((k == 13 ? d : a[a_slot[k]]) * v));
    }
    sum = R(sum + R(l->x[p] * d));
    l->x[p] = R(sum / d);
}

static void symgs_hpcg(Level *l)
{
    double *frozen = l->save;
    memcpy(frozen, l->x, l->np * sizeof *frozen);
    FOR_POINTS(l, x, y, z)
        gs_row_hpcg(l, frozen, x, y, z);
    for (int y = l->V - 1; y >= 0; y--)
        for (int x = l->H - 1; x >= 0; x--)
            for (int z = l->Z - 1; z >= 0; z--)
                gs_row_hpcg(l, frozen, x, y, z);
}

/* ---- SYMGS as the fabric does it ------------------------------------------------------------------------------------------
 * From x = 0, all domain and z-rank edges cut: forward with the lower streams, backward with the upper ones. */
static double half_sum(const Level *l, const double *v, const float *a, int x, int y, int z, bool upper)
{
    static const int order[2][4] = {{ST_SW, ST_S, ST_SE, ST_W}, {ST_NE, ST_N, ST_NW, ST_E}};
    double acc = 0;
    int zb = z % l->zr;
    float t[3];
    for (int j = 0; j < 4; j++) {
        int s = order[upper][j];
        if (j == 2) { /* own column: the previous row's result, after the two streams that came first */
            if (upper && zb != l->zr - 1)
                acc = R(acc + R(a[A_ZP1] * v[1]));
            if (!upper && zb != 0)
                acc = R(acc + R(a[A_ZM1] * v[-1]));
        }
        if (!same_domain(l, x, y, s))
            continue;
        memcpy(t, a + 3 * s, sizeof t); /* zf_patch */
        if (zb == 0)
            t[0] = 0;
        if (zb == l->zr - 1)
            t[2] = 0;
        acc = add_triple(acc, t, v, stream_step(l, s));
    }
    return acc;
}

static void gs_row_fabric(Level *l, int x, int y, int z, bool upper)
{
    size_t i = row(l, x, y, z), p = at(l, x, y, z);
    double invd = R(1.0 / l->diag[i]);
    double rinv = R(R(l->r[p] - l->ax[p]) * invd);
    double acc = half_sum(l, l->x + p, l->A + i * A_PER_ROW, x, y, z, upper);
    l->x[p] = R(rinv - R(invd * acc));
    if (!upper)
        l->ax[p] = acc;
}

static void symgs_from_zero(Level *l)
{
    memset(l->x, 0, l->np * sizeof *l->x);
    memset(l->ax, 0, l->np * sizeof *l->ax);
    FOR_POINTS(l, x, y, z)
        gs_row_fabric(l, x, y, z, false);
    for (int y = l->V - 1; y >= 0; y--)
        for (int x = l->H - 1; x >= 0; x--)
            for (int z = l->Z - 1; z >= 0; z--)
                gs_row_fabric(l, x, y, z, true);
}

static void smooth_pre(Level *l)
{
    if (cfg.order == ORDER_FABRIC) {
        symgs_from_zero(l);
        return;
    }
    memset(l->x, 0, l->np * sizeof *l->x);
    symgs_hpcg(l);
}

static void smooth_post(Level *l)
{
    if (cfg.order == ORDER_HPCG) {
        symgs_hpcg(l);
        return;
    }
    spmv(l, l->x, l->ax, cfg.bc == BC_SEVER);
    FOR_POINTS(l, x, y, z)
        l->r[at(l, x, y, z)] = R(l->r[at(l, x, y, z)] - l->ax[at(l, x, y, z)]);
    memcpy(l->save, l->x, l->np * sizeof *l->x);
    symgs_from_zero(l);
    for (size_t p = 0; p < l->np; p++)
        l->x[p] = R(l->x[p] + l->save[p]);
}

/* ---- V-cycle: x of level 0 = MG(r of level 0) ----------------------------------------------------------------------------- */
static void write_grid(const char *name, const Level *l, const double *v, bool f32);

static void dump_level(int level, const char *what, const double *v)
{
    char name[32];
    snprintf(name, sizeof name, "%s_L%d.f64", what, level);
    write_grid(name, &lev[level], v, false);
}

/* r - A x, what a post-smoothing that starts from zero takes for its right-hand side. */
static void dump_residual(int level)
{
    Level *l = &lev[level];
    double *q = new_vector(l);
    spmv(l, l->x, l->ax, cfg.bc == BC_SEVER);
    FOR_POINTS(l, x, y, z)
        q[at(l, x, y, z)] = R(l->r[at(l, x, y, z)] - l->ax[at(l, x, y, z)]);
    dump_level(level, "q", q);
    free(q);
}

static void v_cycle(int level, bool dump)
{
    Level *l = &lev[level];
    if (dump)
        dump_level(level, "r", l->r);
    smooth_pre(l);
    if (level + 1 < cfg.levels) {
        Level *c = &lev[level + 1];
        spmv(l, l->x, l->ax, false);
        FOR_POINTS(c, x, y, z)
        {
            size_t f = at(l, 2 * x, 2 * y, 2 * z);
            c->r[at(c, x, y, z)] = R(l->r[f] - l->ax[f]);
        }
        v_cycle(level + 1, dump);
        FOR_POINTS(c, x, y, z)
        {
            size_t f = at(l, 2 * x, 2 * y, 2 * z);
            l->x[f] = R(l->x[f] + c->x[at(c, x, y, z)]);
        }
        if (dump)
            dump_residual(level);
        smooth_post(l);
    } else if (dump) {
        dump_level(level, "q", l->r);
    }
    if (dump)
        dump_level(level, "x", l->x);
}

/* ---- dot products --------------------------------------------------------------------------------------------------------- */
/* The sum that PE (x, y) sends: its own and what its inputs send, in the order of the fabric. */
static double dot_tree(const double *own, int x, int y)
{
    DotPlan p;
    dot_plan(cfg.H, cfg.V, x, y, &p);
    double acc = own[y * cfg.H + x];
    for (int i = 0; i < DOT_INPUTS; i++)
        if (p.src_x[i] >= 0)
            acc = R(acc + dot_tree(own, p.src_x[i], p.src_y[i]));
    return acc;
}

/* Official HPCG: every rank (a domain's z-rank) with one accumulator, z fastest, then x, then y; then the
 * ranks by a binary tree, rank order z, x, y.  With it the history equals the official run's to the last digit. */
static double dot_ranks(const double *a, const double *b)
{
    const Level *l = lev;
    size_t slots = (size_t)((l->V - 1) / l->ngs + 1) * (size_t)((l->H - 1) / l->ngs + 1) * (size_t)((l->Z - 1) / l->zr + 1), np = 0;
    double *parts = xcalloc(slots, sizeof *parts);
    for (int y0 = 0; y0 < l->V; y0 += l->ngs)
        for (int x0 = 0; x0 < l->H; x0 += l->ngs)
            for (int z0 = 0; z0 < l->Z; z0 += l->zr) {
                double s = 0;
                for (int y = y0; y < y0 + l->ngs && y < l->V; y++)
                    for (int x = x0; x < x0 + l->ngs && x < l->H; x++)
                        for (int z = z0; z < z0 + l->zr && z < l->Z; z++)
                            s = R(s + R(a[at(l, x, y, z)] * b[at(l, x, y, z)]));
                parts[np++] = s;
            }
    for (size_t step = 1; step < np; step *= 2)
        for (size_t i = 0; i + step < np; i += 2 * step)
            parts[i] = R(parts[i] + parts[i + step]);
    double sum = parts[0];
    free(parts);
    return sum;
}

/* The fabric: a PE's column with one accumulator, then the chains. */
static double dot_fabric(const double *a, const double *b)
{
    const Level *l = lev;
    double *own = xcalloc((size_t)l->H * (size_t)l->V, sizeof *own);
    FOR_COLUMNS(l, x, y)
    {
        double s = 0;
        for (int z = 0; z < l->Z; z++)
            s = R(s + R(a[at(l, x, y, z)] * b[at(l, x, y, z)]));
        own[y * l->H + x] = s;
    }
    double sum = dot_tree(own, l->H / 2, l->V / 2);
    free(own);
    return sum;
}

static double dot(const double *a, const double *b)
{
    return cfg.order == ORDER_HPCG ? dot_ranks(a, b) : dot_fabric(a, b);
}

/* ---- CG as the fabric runs it: rr is reduced together with pAp, before r is updated ---------------------------------------- */
typedef struct {
    double rr, rtz, pAp, max_err;
} History;

static double max_error(const double *x)
{
    double worst = 0;
    FOR_POINTS(lev, px, py, z)
    {
        double e = fabs(x[at(lev, px, py, z)] - solution(px, py, z));
        if (!(e <= worst)) /* a NaN is the worst */
            worst = e;
    }
    return worst;
}

/* b = A x*; every value is exact in double, and in fp32. */
static void right_hand_side(double *b)
{
    double *xs = new_vector(lev);
    int f32 = cfg.f32;
    FOR_POINTS(lev, x, y, z)
        xs[at(lev, x, y, z)] = solution(x, y, z);
    cfg.f32 = 0;
    spmv_hpcg(lev, xs, b, false);
    cfg.f32 = f32;
    for (size_t p = 0; p < lev->np; p++)
        if ((double)(float)b[p] != b[p])
            die("internal: b is not exact in fp32");
    free(xs);
}

/* x: the solution out.  hist: iters + 1 rows; row k is the state after k iterations. */
static void cg(const double *b, double *x, History *hist)
{
    Level *l = lev;
    double *r = new_vector(l), *p = new_vector(l), *Ap = new_vector(l), rtz_old = 0;
    memset(x, 0, l->np * sizeof *x);
    memcpy(r, b, l->np * sizeof *r);
    hist[0] = (History){.max_err = max_error(x)};
    for (int k = 0; k < cfg.iters; k++) {
        memcpy(l->r, r, l->np * sizeof *r);
        if (cfg.mg)
            v_cycle(0, cfg.dump_levels && k == 0);
        else
            memcpy(l->x, r, l->np * sizeof *r);
        double rtz = dot(r, l->x);
        double beta = k ? R(rtz / rtz_old) : 0;
        FOR_POINTS(l, px, py, z)
        {
            size_t i = at(l, px, py, z);
            p[i] = k ? R(l->x[i] + R(beta * p[i])) : l->x[i];
        }
        spmv(l, p, Ap, false);
        double pAp = dot(p, Ap), alpha = R(rtz / pAp);
        hist[k].rr = dot(r, r);
        FOR_POINTS(l, px, py, z)
        {
            size_t i = at(l, px, py, z);
            x[i] = R(x[i] + R(alpha * p[i]));
            r[i] = R(r[i] - R(alpha * Ap[i]));
        }
        rtz_old = rtz;
        hist[k + 1] = (History){0, rtz, pAp, max_error(x)};
    }
    hist[cfg.iters].rr = dot(r, r);
    free(r);
    free(p);
    free(Ap);
}

/* ---- output --------------------------------------------------------------------------------------------------------------- */
static void write_grid(const char *name, const Level *l, const double *v, bool f32)
{
    OutFile o = out_open(cfg.out_dir, name);
    FOR_COLUMNS(l, x, y)
        for (int z = 0; z < l->Z; z++) {
            double d = v[at(l, x, y, z)];
            float f = (float)d;
            out_write(&o, f32 ? (void *)&f : (void *)&d, f32 ? sizeof f : sizeof d);
        }
    out_close(&o);
}

/* Per-PE arrays, machine row V-1-y first.  R = rows of all levels on a PE (level_layout): Z with MG=0.
 *     A [R][26]   diag [R]   invd [R] = 1/diag   b [Z]
 * Level L >= 1: the co-set's piece of the column; rows of a PE that has none are zero. */
static void write_inputs(const double *b)
{
    LevelLayout lay[MAX_LEVELS];
    int levels = cfg.mg ? cfg.levels : 1, rows = level_layout(cfg.Z, levels, lay);
    size_t nrow = (size_t)rows;
    OutFile fA = out_open(cfg.out_dir, "A.bin"), fd = out_open(cfg.out_dir, "diag.bin"), fi = out_open(cfg.out_dir, "invd.bin"),
            fb = out_open(cfg.out_dir, "b.bin");
    float *A = xcalloc(nrow * A_PER_ROW, sizeof *A), *d = xcalloc(nrow, sizeof *d), *inv = xcalloc(nrow, sizeof *inv);
    float *pb = xcalloc((size_t)cfg.Z, sizeof *pb);
    for (int y = cfg.V - 1; y >= 0; y--)
        for (int x = 0; x < cfg.H; x++) {
            memset(A, 0, nrow * A_PER_ROW * sizeof *A);
            memset(d, 0, nrow * sizeof *d);
            memset(inv, 0, nrow * sizeof *inv);
            for (int L = 0; L < levels; L++) {
                const Level *l = &lev[L];
                int cx, cy, z0;
                if (!level_piece(cfg.Z, L, x, y, &cx, &cy, &z0))
                    continue;
                size_t src = row(l, cx, cy, z0), dst = (size_t)lay[L].row_off, n = (size_t)lay[L].rows;
                memcpy(A + dst * A_PER_ROW, l->A + src * A_PER_ROW, n * A_PER_ROW * sizeof *A);
                memcpy(d + dst, l->diag + src, n * sizeof *d);
                for (size_t i = 0; i < n; i++)
                    inv[dst + i] = 1.0f / d[dst + i];
            }
            for (int z = 0; z < cfg.Z; z++)
                pb[z] = (float)b[at(lev, x, y, z)];
            out_write(&fA, A, nrow * A_PER_ROW * sizeof *A);
            out_write(&fd, d, nrow * sizeof *d);
            out_write(&fi, inv, nrow * sizeof *inv);
            out_write(&fb, pb, (size_t)cfg.Z * sizeof *pb);
        }
    out_close(&fA);
    out_close(&fd);
    out_close(&fi);
    out_close(&fb);
    free(A);
    free(d);
    free(inv);
    free(pb);
}

static void write_results(const double *x, const History *h)
{
    write_grid("x.f32", lev, x, true);
    write_grid("x.f64", lev, x, false);
    OutFile o = out_open(cfg.out_dir, "rr.csv");
    fprintf(o.f, "iter,rr\n");
    for (int k = 0; k < cfg.iters; k++)
        fprintf(o.f, "%d,%.17g\n", k, h[k].rr);
    out_close(&o);
    o = out_open(cfg.out_dir, "history.csv");
    fprintf(o.f, "iter,rr,rtz,pAp,max_err\n");
    for (int k = 0; k <= cfg.iters; k++)
        fprintf(o.f, "%d,%.17g,%.17g,%.17g,%.17g\n", k, h[k].rr, h[k].rtz, h[k].pAp, h[k].max_err);
    out_close(&o);
    int levels = cfg.mg ? cfg.levels : 1;
    o = out_open(cfg.out_dir, "info.json");
    fprintf(o.f, "{\"H\": %d, \"V\": %d, \"Z\": %d, \"NGS\": %d, \"ZR\": %d, \"levels\": %d, \"mg\": %d, \"iters\": %d,\n \"nnz\": [", cfg.H,
            cfg.V, cfg.Z, cfg.NGS, cfg.ZR, levels, cfg.mg, cfg.iters);
    for (int l = 0; l < levels; l++)
        fprintf(o.f, "%s%" PRId64, l ? ", " : "", hpcg_nnz(cfg.H, cfg.V, cfg.Z, l));
    fprintf(o.f, "],\n \"flops_per_iter\": %" PRId64 ", \"flops_setup\": %" PRId64 "}\n",
            hpcg_flops_per_iter(cfg.H, cfg.V, cfg.Z, levels, cfg.mg), hpcg_flops_setup(cfg.H, cfg.V, cfg.Z));
    out_close(&o);
}

/* The non-zeros that HPCG's flop count is made of, against those that the matrices hold. */
static void check_nnz(int level)
{
    const Level *l = &lev[level];
    int64_t n = 0;
    FOR_POINTS(l, x, y, z)
        for (int k = 0; k < 27; k++)
            n += inside(l, x + k_dx[k], y + k_dy[k], z + k_dz[k]);
    if (n != hpcg_nnz(cfg.H, cfg.V, cfg.Z, level))
        die("internal: level %d has %" PRId64 " non-zeros, credited %" PRId64, level, n, hpcg_nnz(cfg.H, cfg.V, cfg.Z, level));
}

/* ---- main ----------------------------------------------------------------------------------------------------------------- */
static void check_config(void)
{
    check_geometry(cfg.H, cfg.V, cfg.Z, 0);
    if (cfg.NGS < 1)
        die("--NGS must be at least 1");
    if (!cfg.mg)
        return;
    if (cfg.levels < 1 || cfg.levels > MAX_LEVELS)
        die("--levels must be 1..%d, not %d", MAX_LEVELS, cfg.levels);
    if (cfg.NGS < 8 || cfg.NGS % 8 || cfg.H % cfg.NGS || cfg.V % cfg.NGS)
        die("H and V must be divisible by NGS, and NGS by 8 (H=%d V=%d NGS=%d)", cfg.H, cfg.V, cfg.NGS);
    if (cfg.ZR && (cfg.ZR % 8 || cfg.Z % cfg.ZR))
        die("Z must be divisible by ZR, and ZR by 8 (Z=%d ZR=%d)", cfg.Z, cfg.ZR);
    int chunks = 4 * (cfg.ZR ? cfg.ZR : 8);
    if (cfg.out_dir && cfg.levels > 1 && cfg.Z % chunks)
        die("per-PE data for the co-sets need Z divisible by %d, 4 x %s (Z=%d)", chunks, cfg.ZR ? "ZR" : "8", cfg.Z);
}

int main(int argc, char **argv)
{
    static const char *const inits[] = {"exact", "random", NULL}, *const bcs[] = {"frozen", "sever", NULL};
    static const char *const orders[] = {"hpcg", "fabric", NULL}, *const precs[] = {"f64", "f32", NULL};
    static const char *const zero_one[] = {"0", "1", NULL};
    Opt opts[] = {
        {.name = "H", .kind = OPT_INT, .to = &cfg.H, .help = "PEs in x", .required = true},
        {.name = "V", .kind = OPT_INT, .to = &cfg.V, .help = "PEs in y", .required = true},
        {.name = "Z", .kind = OPT_INT, .to = &cfg.Z, .help = "points per PE", .required = true},
        {.name = "iters", .kind = OPT_INT, .to = &cfg.iters, .help = "CG iterations, default 10"},
        {.name = "NGS", .kind = OPT_INT, .to = &cfg.NGS, .help = "GS domain edge in PEs, default 16"},
        {.name = "ZR", .kind = OPT_INT, .to = &cfg.ZR, .help = "z-rank height, default 16; 0 = one z-rank"},
        {.name = "levels", .kind = OPT_INT, .to = &cfg.levels, .help = "MG levels, default 4 (with --mg 0: 1)"},
        {.name = "mg", .kind = OPT_CHOICE, .to = &cfg.mg, .help = "V-cycle preconditioner, default 1", .choices = zero_one},
        {.name = "bc", .kind = OPT_CHOICE, .to = &cfg.bc, .help = "coupling across GS domains, default frozen", .choices = bcs},
        {.name = "init", .kind = OPT_CHOICE, .to = &cfg.init, .help = "matrix, default random", .choices = inits},
        {.name = "seed", .kind = OPT_U32, .to = &cfg.seed, .help = "of --init random, default 1"},
        {.name = "order", .kind = OPT_CHOICE, .to = &cfg.order, .help = "of the arithmetic, default hpcg", .choices = orders},
        {.name = "precision", .kind = OPT_CHOICE, .to = &cfg.f32, .help = "default f64", .choices = precs},
        {.name = "out-dir", .kind = OPT_STRING, .to = &cfg.out_dir, .help = "write inputs and results here"},
        {.name = "dump-levels", .kind = OPT_FLAG, .to = &cfg.dump_levels, .help = "also r, x and q of every level, first V-cycle"},
        {.name = "quiet", .kind = OPT_FLAG, .to = &cfg.quiet, .help = "do not print the history"},
        {.name = NULL},
    };
    tool_name = "hpcg_ref1";
    opt_parse(argc, argv, "The HPCG reference: inputs for the fabric and expected results.", opts, NULL, NULL);
    check_config();
    if (cfg.dump_levels && !(cfg.out_dir && cfg.mg))
        die("--dump-levels needs --out-dir and --mg 1");
    init_stencil();
    int levels = cfg.mg ? cfg.levels : 1;
    for (int l = 0; l < levels; l++) {
        init_level(l);
        check_nnz(l);
    }
    double *b = new_vector(lev), *x = new_vector(lev);
    right_hand_side(b);
    History *hist = xcalloc((size_t)cfg.iters + 1, sizeof *hist);
    cg(b, x, hist);
    if (!cfg.quiet) {
        printf("iter,rr,rtz,pAp,max_err\n");
        for (int k = 0; k <= cfg.iters; k++)
            printf("%d,%.17g,%.17g,%.17g,%.17g\n", k, hist[k].rr, hist[k].rtz, hist[k].pAp, hist[k].max_err);
        printf("flops_per_iter,%" PRId64 "\n", hpcg_flops_per_iter(cfg.H, cfg.V, cfg.Z, levels, cfg.mg));
    }
    if (cfg.out_dir) {
        write_inputs(b);
        write_results(x, hist);
    }
    free(b);
    free(x);
    free(hist);
    return 0;
}
