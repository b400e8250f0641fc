#include <stdio.h>
#include <wsrt.h>

int main(int argc, char **argv)
{
    char err[WSRT_ERR_BYTES];
    int32_t x[8];
    Wsrt *rt = wsrt_open(argc > 1 ? argv[1] : "", err);
    if (!rt) return fprintf(stderr, "%s\n", err), 1;
    for (int i = 0; i < 8; i++) x[i] = i;
    if (wsrt_write(rt, "x", 0, 0, 4, 2, 1, WSRT_I32, WSRT_ROW_MAJOR, x, 8)) return fprintf(stderr, "%s\n", wsrt_error(rt)), 1;
    if (wsrt_run(rt, 0) != WSRT_END_IDLE) return fprintf(stderr, "%s\n", wsrt_report(rt)), 1;
    if (wsrt_read(rt, "x", 0, 0, 4, 2, 1, WSRT_I32, WSRT_COL_MAJOR, x, 8)) return fprintf(stderr, "%s\n", wsrt_error(rt)), 1;
    for (int i = 0; i < 8; i++)
        if (x[i] != 2 * (i / 2 + i % 2 * 4)) return fprintf(stderr, "x[%d] = %d\n", i, (int)x[i]), 1;
    wsrt_close(rt);
    return 0;
}
