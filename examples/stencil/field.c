/* field.c: data for the stencil, and the check of its results.
 *     field make  W H R C U             random blocks with a rim of zeros, for wsld --set u=U
 *     field check W H R C STEPS U V T   the same steps in C, from U: is V (wsrun --read u) the field then, and T the total?
 * Files are in the order of wsld and wsrun: by y, then x, then element. The check is to the bit: every sum is taken in the
 * order in which the PEs take it. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t W, H, R, C;

static size_t at(size_t x, size_t y, size_t i, size_t j) { return ((y * W + x) * (R + 2) + i) * (C + 2) + j; }

static float *load(const char *path, size_t n)
{
    float *v = malloc(n * sizeof *v);
    FILE *f = fopen(path, "rb");
    if (!v || !f || fread(v, sizeof *v, n, f) != n || getc(f) != EOF) {
        fprintf(stderr, "field: %s: not %zu numbers\n", path, n);
        exit(1);
    }
    fclose(f);
    return v;
}

static int make(const char *path)
{
    unsigned state = 1;
    FILE *f = fopen(path, "wb");
    float *block = calloc((R + 2) * (C + 2), sizeof *block);
    if (!f || !block) return fprintf(stderr, "field: %s cannot be written\n", path), 1;
    for (size_t n = 0; n < W * H; n++) {
        for (size_t i = 1; i <= R; i++)
            for (size_t j = 1; j <= C; j++) {
                state = state * 1664525u + 1013904223u;
                block[i * (C + 2) + j] = (float)(state >> 8) / 8388608.0f;      /* 0 .. 2 */
            }
        fwrite(block, sizeof *block, (R + 2) * (C + 2), f);
    }
    free(block);
    if (ferror(f) | fclose(f)) return fprintf(stderr, "field: %s cannot be written\n", path), 1;
    return 0;
}

/* block by block, then from east to west along each row, then from south to north */
static float total_of(const float *u)
{
    float total = 0;
    for (size_t y = H; y-- > 0;) {
        float row = 0;
        for (size_t x = W; x-- > 0;) {
            float own = 0;
            for (size_t i = 1; i <= R; i++)
                for (size_t j = 1; j <= C; j++) own += u[at(x, y, i, j)];
            row = own + row;
        }
        total = row + total;
    }
    return total;
}

/* one step over the whole field, n x m points with a rim of zeros */
static void step(const float *u, float *v, size_t n, size_t m)
{
    const float k = 0.125f;
    for (size_t i = 1; i <= n; i++)
        for (size_t j = 1; j <= m; j++) {
            const float *p = u + i * (m + 2) + j;
            float t = p[-(ptrdiff_t)(m + 2)] + p[m + 2];
            t += p[-1];
            t += p[1];
            v[i * (m + 2) + j] = p[0] * (1.0f - 4.0f * k) + t * k;
        }
}

static int check(int steps, char **files)
{
    size_t all = W * H * (R + 2) * (C + 2), n = H * R, m = W * C, wrong = 0, wrong_totals = 0;
    float *u = load(files[0], all), *got = load(files[1], all), *totals = load(files[2], W * H);
    float *a = calloc((n + 2) * (m + 2), sizeof *a), *b = calloc((n + 2) * (m + 2), sizeof *b), total = total_of(u);
    float mean = total / ((float)R * (float)C * (float)W * (float)H);
    if (!a || !b) return fprintf(stderr, "field: out of memory\n"), 1;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++) a[(i + 1) * (m + 2) + j + 1] = u[at(j / C, i / R, i % R + 1, j % C + 1)] - mean;
    for (int s = 0; s < steps; s++) {
        step(a, b, n, m);
        float *t = a;
        a = b, b = t;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++) wrong += memcmp(&a[(i + 1) * (m + 2) + j + 1], &got[at(j / C, i / R, i % R + 1, j % C + 1)], 4) != 0;
    for (size_t k = 0; k < W * H; k++) wrong_totals += memcmp(&totals[k], &total, 4) != 0;
    printf("stencil: %zu x %zu points on %zu x %zu PEs, %d steps: total %.9g, %zu points and %zu totals differ\n", n, m, W, H, steps, total, wrong,
           wrong_totals);
    free(u), free(got), free(totals), free(a), free(b);
    return wrong || wrong_totals;
}

int main(int argc, char **argv)
{
    if (argc > 5) W = strtoul(argv[2], NULL, 10), H = strtoul(argv[3], NULL, 10), R = strtoul(argv[4], NULL, 10), C = strtoul(argv[5], NULL, 10);
    if (W && H && R && C && argc == 7 && !strcmp(argv[1], "make")) return make(argv[6]);
    if (W && H && R && C && argc == 10 && !strcmp(argv[1], "check")) return check(atoi(argv[6]), argv + 7);
    fprintf(stderr, "usage: field make W H R C U | field check W H R C STEPS U V T\n");
    return 2;
}
