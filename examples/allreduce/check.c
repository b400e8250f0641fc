/* check.c: a host program on libwsrt: gives every PE a vector of small whole numbers, so that sums are exact in any
 * order, runs, and looks at the result of every PE.
 *     check allreduce.obj W H N */
#include <stdio.h>
#include <stdlib.h>
#include <wsrt.h>

static void must(Wsrt *rt, int code)
{
    if (code == WSRT_OK) return;
    fprintf(stderr, "check: %s\n", wsrt_error(rt));
    exit(1);
}

int main(int argc, char **argv)
{
    char err[WSRT_ERR_BYTES];
    if (argc != 5) return fprintf(stderr, "usage: check OBJECT W H N\n"), 2;
    unsigned w = (unsigned)atoi(argv[2]), h = (unsigned)atoi(argv[3]), n = (unsigned)atoi(argv[4]);
    size_t all = (size_t)w * h * n;
    Wsrt *rt = wsrt_open(argv[1], err);
    if (!rt) return fprintf(stderr, "check: %s\n", err), 1;

    float *v = malloc(all * sizeof *v), *sum = calloc(all, sizeof *sum), *want = calloc(n, sizeof *want);
    for (size_t i = 0; i < all; i++) {
        v[i] = (float)((i * 37 + i / n * 11) % 101) - 50.0f;
        want[i % n] += v[i];
    }
    must(rt, wsrt_write(rt, "v", 0, 0, w, h, n, WSRT_F32, WSRT_ROW_MAJOR, v, all));
    if (wsrt_run(rt, 0) != WSRT_END_IDLE) return fprintf(stderr, "check: %s", wsrt_report(rt)), 1;
    must(rt, wsrt_read(rt, "sum", 0, 0, w, h, n, WSRT_F32, WSRT_ROW_MAJOR, sum, all));

    unsigned bad = 0;
    for (size_t i = 0; i < all; i++) bad += sum[i] != want[i % n];
    printf("allreduce: %u numbers on %u x %u PEs: %llu cycles, %u wrong\n", n, w, h, (unsigned long long)wsrt_cycles(rt), bad);
    wsrt_close(rt);
    free(v), free(sum), free(want);
    return bad != 0;
}
