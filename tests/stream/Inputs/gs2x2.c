/* Host check of gs2x2.w: fills a 2 x 2 x Z domain with a pseudo-random matrix, runs the forward sweep, and compares x and ax
 * with the same sweep in plain C, in the fabric's order of sums, bit for bit.   usage: gs2x2 OBJECT Z */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wsrt.h>

enum { ZMAX = 256 };
static float A[2][2][ZMAX * 26], invd[2][2][ZMAX], r[2][2][ZMAX], x[4][4][ZMAX + 3], ax[2][2][ZMAX];   /* [grid y][grid x] */
static uint32_t seed = 12345;
static float rnd(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (float)(int)(seed >> 20) / 4096.0f - 0.5f;
}
static void must(Wsrt *rt, int e, const char *what)
{
    if (!e) return;
    printf("gs2x2: %s: %s%s\n", what, wsrt_error(rt), e > 0 ? wsrt_report(rt) : "");
    exit(1);
}

int main(int argc, char **argv)
{
    int Z = argc > 2 ? atoi(argv[2]) : 0;
    char err[WSRT_ERR_BYTES] = "usage: gs2x2 OBJECT Z";
    Wsrt *rt = argc > 2 ? wsrt_open(argv[1], err) : NULL;
    if (!rt || Z < 2 || Z > ZMAX) return printf("gs2x2: %s\n", err), 2;
    for (int gy = 0; gy < 2; gy++)
        for (int gx = 0; gx < 2; gx++) {
            for (int i = 0; i < 26 * Z; i++) A[gy][gx][i] = rnd();
            for (int z = 0; z < Z; z++) invd[gy][gx][z] = 0.03f + 0.01f * rnd(), r[gy][gx][z] = rnd();
            uint32_t px = (uint32_t)gx, py = (uint32_t)(1 - gy);
            must(rt, wsrt_write(rt, "A", px, py, 1, 1, (uint32_t)(26 * Z), WSRT_ANY, WSRT_ROW_MAJOR, A[gy][gx], (26 * Z)), "A");
            must(rt, wsrt_write(rt, "invd", px, py, 1, 1, (uint32_t)Z, WSRT_ANY, WSRT_ROW_MAJOR, invd[gy][gx], Z), "invd");
            must(rt, wsrt_write(rt, "r", px, py, 1, 1, (uint32_t)Z, WSRT_ANY, WSRT_ROW_MAJOR, r[gy][gx], Z), "r");
        }
    must(rt, wsrt_run(rt, 1000000) != WSRT_END_IDLE, "run");
    /* x[gy + 1][gx + 1][z + 2]: zeros around */
    static const int nb[4][2] = {{-1, -1}, {0, -1}, {1, -1}, {-1, 0}};    /* sw s se w */
    static const int order[4] = {0, 1, 2, 3};
    for (int gy = 0; gy < 2; gy++)
        for (int gx = 0; gx < 2; gx++)
            for (int z = 0; z < Z; z++) {
                const float *a = &A[gy][gx][26 * z];
                float acc = 0;
                for (int k = 0; k < 4; k++) {
                    int t = order[k];
                    const float *c = x[gy + 1 + nb[t][1]][gx + 1 + nb[t][0]];
                    if (k == 2) acc += x[gy + 1][gx + 1][z + 1] * a[25];
                    for (int d = 0; d < 3; d++) acc += c[z + 1 + d] * a[12 + 3 * t + d];
                }
                float ra = r[gy][gx][z] - 0.0f, rinv = ra * invd[gy][gx][z];
                x[gy + 1][gx + 1][z + 2] = rinv - invd[gy][gx][z] * acc;
                ax[gy][gx][z] = acc;
            }
    int bad = 0;
    for (int gy = 0; gy < 2; gy++)
        for (int gx = 0; gx < 2; gx++) {
            float gotx[ZMAX + 3], gota[ZMAX];
            must(rt, wsrt_read(rt, "x", (uint32_t)gx, (uint32_t)(1 - gy), 1, 1, (uint32_t)Z + 3, WSRT_ANY, WSRT_ROW_MAJOR, gotx, Z + 3), "x");
            must(rt, wsrt_read(rt, "ax", (uint32_t)gx, (uint32_t)(1 - gy), 1, 1, (uint32_t)Z, WSRT_ANY, WSRT_ROW_MAJOR, gota, Z), "ax");
            for (int z = 0; z < Z; z++)
                if (memcmp(&gotx[z + 2], &x[gy + 1][gx + 1][z + 2], 4) || memcmp(&gota[z], &ax[gy][gx][z], 4)) {
                    if (bad++ < 5)
                        printf("gs2x2: grid (%d, %d, %d): x %.9g ax %.9g, expected %.9g %.9g\n", gx, gy, z, (double)gotx[z + 2], (double)gota[z],
                               (double)x[gy + 1][gx + 1][z + 2], (double)ax[gy][gx][z]);
                }
        }
    wsrt_close(rt);
    if (bad) return printf("gs2x2: %d of %d points differ\n", bad, 4 * Z), 1;
    printf("gs2x2: %d points agree\n", 4 * Z);
    return 0;
}
