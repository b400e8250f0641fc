/* check.c: a host program on libwsrt: fills A and x, runs the object, compares y with the same product in double.
 *     check gemv.obj W H R C */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <wsrt.h>

static float *random_floats(size_t n)
{
    static unsigned state = 1;
    float *v = malloc(n * sizeof *v);
    for (size_t i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        v[i] = (float)(state >> 8) / 8388608.0f - 1.0f;      /* -1 .. 1 */
    }
    return v;
}

static void must(Wsrt *rt, int code)
{
    if (code == WSRT_OK) return;
    fprintf(stderr, "check: %s\n", wsrt_error(rt));
    exit(1);
}

int main(int argc, char **argv)
{
    char err[WSRT_ERR_BYTES];
    if (argc != 6) return fprintf(stderr, "usage: check OBJECT W H R C\n"), 2;
    unsigned w = (unsigned)atoi(argv[2]), h = (unsigned)atoi(argv[3]), r = (unsigned)atoi(argv[4]), c = (unsigned)atoi(argv[5]);
    Wsrt *rt = wsrt_open(argv[1], err);
    if (!rt) return fprintf(stderr, "check: %s\n", err), 1;

    /* per PE: A[j][i] is the block of PE (i, j), its rows one after another */
    size_t block = (size_t)r * c;
    float *A = random_floats(block * w * h), *x = random_floats((size_t)c * w), *y = calloc((size_t)r * h, sizeof *y);
    must(rt, wsrt_write(rt, "A", 0, 0, w, h, r * c, WSRT_F32, WSRT_ROW_MAJOR, A, block * w * h));
    must(rt, wsrt_write(rt, "x", 0, 0, w, 1, c, WSRT_F32, WSRT_ROW_MAJOR, x, (size_t)c * w));
    if (wsrt_run(rt, 0) != WSRT_END_IDLE) return fprintf(stderr, "check: %s", wsrt_report(rt)), 1;
    must(rt, wsrt_read(rt, "y", w - 1, 0, 1, h, r, WSRT_F32, WSRT_ROW_MAJOR, y, (size_t)r * h));

    double worst = 0;
    for (unsigned j = 0; j < h; j++)
        for (unsigned k = 0; k < r; k++) {
            double sum = 0, size = 0;
            for (unsigned i = 0; i < w; i++)
                for (unsigned l = 0; l < c; l++) {
                    double p = (double)A[(j * w + i) * block + k * c + l] * x[i * c + l];
                    sum += p;
                    size += fabs(p);
                }
            double e = fabs(y[j * r + k] - sum) / size;
            if (!(e <= worst)) worst = e;
        }
    printf("gemv: %u x %u on %u x %u PEs: %llu cycles, worst error %.1e\n", r * h, c * w, w, h, (unsigned long long)wsrt_cycles(rt), worst);
    wsrt_close(rt);
    free(A), free(x), free(y);
    return worst <= 1e-6 ? 0 : 1;
}
