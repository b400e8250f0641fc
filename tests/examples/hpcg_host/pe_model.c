/* An array of PEs in plain C that runs the op program with nothing but the files that the image gets: A, diag, invd, b, vprog,
 * q_tab, rt_*.  Streams go where the router tables carry them, sums are added as hpcg_router1.c says, all in native fp32.
 *
 * usage: pe_model DIR H V Z ITERS REFDIR      (MG=0)
 * Writes DIR/x_got.f32 (machine order) and DIR/rr_got.f32, and exits 1 unless x equals REFDIR/x.f32 and rr REFDIR/rr.csv bit for
 * bit: REFDIR is hpcg_ref1 --precision f32 --order fabric.  It shares with the tools only the op codes. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hpcg_ops.h"

enum { WEST, EAST, SOUTH, NORTH, RAMP };
static int H, V, Z, npe;
static const char *dir;

static void *load(const char *d, const char *name, size_t want)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", d, name);
    FILE *f = fopen(path, "rb");
    char *p = calloc(1, want + 1);
    if (!f || !p || fread(p, 1, want + 1, f) != want) {
        printf("pe_model: %s: not %zu bytes\n", path, want);
        exit(1);
    }
    fclose(f);
    return p;
}

/* PEs are numbered as in the files: machine row, x.  NORTH is the row before. */
static int step_to(int pe, int d)
{
    int x = pe % H, y = pe / H;
    x += d == EAST ? 1 : d == WEST ? -1 : 0;
    y += d == SOUTH ? 1 : d == NORTH ? -1 : 0;
    return x < 0 || x >= H || y < 0 || y >= V ? -1 : y * H + x;
}

typedef struct {
    int (*from)[8];       /* [pe][input queue]: sender whose stream arrives, -1: null */
} Wiring;

static void walk(Wiring *w, const uint16_t *ctx, const uint16_t *sock, size_t ctx_stride, size_t sock_stride, int pe, int from, int color, int in)
{
    const uint16_t *c = ctx + (size_t)pe * ctx_stride, *s = sock + (size_t)pe * sock_stride;
    for (int i = 0; i < 9; i++) {
        if (c[2 * i] != color || !(c[2 * i + 1] >> 15))
            continue;
        if ((c[2 * i + 1] & 7) != in)
            break;
        for (int d = 0; d < 5; d++) {
            if (!(c[2 * i + 1] >> (3 + d) & 1))
                continue;
            if (d == RAMP) {
                for (int k = 0; k < 9; k++)
                    if ((s[k] & 0x8100) == 0x8000 && (s[k] & 31) == color)
                        w->from[pe][s[k] >> 5 & 7] = from;
            } else if (step_to(pe, d) >= 0) {
                walk(w, ctx, sock, ctx_stride, sock_stride, step_to(pe, d), from, color, d ^ 1);
            }
        }
        return;
    }
    printf("pe_model: color %d of PE %d is lost at PE %d\n", color, from, pe);
    exit(1);
}

static Wiring wire(const uint16_t *ctx, const uint16_t *sock, size_t ctx_stride, size_t sock_stride)
{
    Wiring w = {calloc((size_t)npe, sizeof *w.from)};
    memset(w.from, 0xff, (size_t)npe * sizeof *w.from);
    for (int pe = 0; pe < npe; pe++)
        for (int k = 0; k < 9; k++)
            if ((sock[(size_t)pe * sock_stride + (size_t)k] & 0x8100) == 0x8100)
                walk(&w, ctx, sock, ctx_stride, sock_stride, pe, pe, sock[(size_t)pe * sock_stride + (size_t)k] & 31, RAMP);
    return w;
}

/* ---- per-PE memory: [pe][Z], p with pads [pe][Z + 2] */
static float *A, *diag, *b, *x, *r, *z, *p, *Ap;
static uint16_t *q_tab, *role;
static Wiring w_spmv, w_dot;

static void spmv(void)
{
    for (int pe = 0; pe < npe; pe++)
        for (int i = 0; i < Z; i++) {
            const float *a = A + ((size_t)pe * (size_t)Z + (size_t)i) * 26, *own = p + (size_t)pe * (size_t)(Z + 2) + i;
            float acc = 0;
            for (int t = 0; t < 8; t++) {
                int from = w_spmv.from[pe][q_tab[t]];
                for (int k = 0; k < 3; k++) {
                    float v = from < 0 ? 0 : p[(size_t)from * (size_t)(Z + 2) + (size_t)(i + k)];
                    float m = v * a[3 * t + k];
                    acc = acc + m;
                }
            }
            float up = own[2] * a[24];
            acc = acc + up;
            float down = own[0] * a[25];
            acc = acc + down;
            float d = diag[(size_t)pe * (size_t)Z + (size_t)i] * own[1];
            Ap[(size_t)pe * (size_t)Z + (size_t)i] = d + acc;
        }
}

/* What PE pe sends in a dot: its inputs are waited for in queue order. */
static float dot_send(const float *own, int pe)
{
    float acc = own[pe];
    for (int q = 0; q < 5; q++)
        if (w_dot.from[pe][q] >= 0)
            acc = acc + dot_send(own, w_dot.from[pe][q]);
    return acc;
}

static float dot(const float *u, const float *v, int v_pad)
{
    float *own = calloc((size_t)npe, sizeof *own), result = 0;
    int centre = -1;
    for (int pe = 0; pe < npe; pe++) {
        for (int i = 0; i < Z; i++) {
            float m = u[(size_t)pe * (size_t)Z + (size_t)i] * v[(size_t)pe * (size_t)(Z + 2 * v_pad) + (size_t)(i + v_pad)];
            own[pe] = own[pe] + m;
        }
        if (role[pe] & 64)
            centre = pe;
    }
    for (int pe = 0; pe < npe; pe++)
        if (pe != centre && w_dot.from[pe][5] != centre) {
            printf("pe_model: PE %d does not get the broadcast\n", pe);
            exit(1);
        }
    result = dot_send(own, centre);
    free(own);
    return result;
}

int main(int argc, char **argv)
{
    if (argc != 7)
        return 2;
    dir = argv[1];
    H = atoi(argv[2]);
    V = atoi(argv[3]);
    Z = atoi(argv[4]);
    int iters = atoi(argv[5]);
    npe = H * V;
    size_t n = (size_t)npe * (size_t)Z;
    A = load(dir, "A.bin", n * 26 * 4);
    diag = load(dir, "diag.bin", n * 4);
    b = load(dir, "b.bin", n * 4);
    q_tab = load(dir, "q_tab.bin", 9 * 2);
    role = load(dir, "rt_role.bin", (size_t)npe * 2);
    uint16_t *ctx = load(dir, "rt_ctx.bin", (size_t)npe * 36), *sock = load(dir, "rt_sock.bin", (size_t)npe * 18);
    uint16_t *dctx = load(dir, "rt_dot.bin", (size_t)npe * 36), *dsock = load(dir, "rt_dot_sock.bin", (size_t)npe * 18);
    w_spmv = wire(ctx, sock, 18, 9);
    w_dot = wire(dctx, dsock, 18, 9);
    uint16_t *prog = load(dir, "vprog.bin", 9 * 2);
    x = calloc(n, 4);
    r = calloc(n, 4);
    z = calloc(n, 4);
    Ap = calloc(n, 4);
    p = calloc((size_t)npe * (size_t)(Z + 2), 4);
    memcpy(r, b, n * 4);

    float *rrh = calloc((size_t)iters, 4), rtz = 0, rtz_old = 0, pAp = 0, rr = 0;
    for (int k = 0, pc = 0; k < iters; pc++) {
        switch (prog[pc] & 0xff) {
        case OP_SET_LEVEL: break;
        case OP_COPY_RZ: memcpy(z, r, n * 4); break;
        case OP_DOT:
            if (prog[pc] >> 8 == 0) {
                rtz = dot(r, z, 0);
            } else {
                pAp = dot(Ap, p, 1);
                rr = dot(r, r, 0);
            }
            break;
        case OP_P_UPDATE:
            for (size_t i = 0; i < n; i++) {
                float *pp = &p[i / (size_t)Z * (size_t)(Z + 2) + i % (size_t)Z + 1], m = k ? rtz / rtz_old * *pp : 0;
                *pp = z[i] + m;
            }
            break;
        case OP_SPMV_FULL: spmv(); break;
        case OP_X_UPDATE:
            for (size_t i = 0; i < n; i++) {
                float m = rtz / pAp * p[i / (size_t)Z * (size_t)(Z + 2) + i % (size_t)Z + 1];
                x[i] = x[i] + m;
            }
            break;
        case OP_R_UPDATE:
            for (size_t i = 0; i < n; i++) {
                float m = rtz / pAp * Ap[i];
                r[i] = r[i] - m;
            }
            rtz_old = rtz;
            break;
        case OP_END:
            rrh[k++] = rr;
            pc = -1;
            break;
        default: printf("pe_model: op 0x%04x\n", prog[pc]); return 1;
        }
    }

    char path[512];
    snprintf(path, sizeof path, "%s/x_got.f32", dir);
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(x, 4, n, f) != n || fclose(f))
        return 2;
    snprintf(path, sizeof path, "%s/rr_got.f32", dir);
    f = fopen(path, "wb");
    if (!f || fwrite(rrh, 4, (size_t)iters, f) != (size_t)iters || fclose(f))
        return 2;

    int bad = 0;
    float *ref = load(argv[6], "x.f32", n * 4);
    for (int y = 0; y < V; y++) /* grid row y is machine row V - 1 - y */
        bad |= memcmp(ref + (size_t)y * (size_t)(H * Z), x + (size_t)(V - 1 - y) * (size_t)(H * Z), (size_t)(H * Z) * 4) != 0;
    if (bad)
        printf("pe_model: x is not the reference's\n");
    snprintf(path, sizeof path, "%s/rr.csv", argv[6]);
    f = fopen(path, "r");
    if (!f || fscanf(f, "iter,rr\n") != 0)
        return 2;
    for (int k = 0, i; k < iters; k++) {
        double v;
        if (fscanf(f, "%d,%lf\n", &i, &v) != 2 || i != k || (float)v != rrh[k]) {
            printf("pe_model: rr of iteration %d is %.9g\n", k, (double)rrh[k]);
            bad = 1;
        }
    }
    fclose(f);
    return bad;
}
