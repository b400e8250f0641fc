#include <stdio.h>
#include <wsrt.h>

int main(int argc, char **argv)
{
    char err[WSRT_ERR_BYTES];
    uint32_t v[4] = {0};
    Wsrt *rt = argc > 1 ? wsrt_open(argv[1], err) : NULL;
    if (!rt) return puts("open"), 1;
    WsrtRegion both = {0, 0, 2, 1, 2, 32, WSRT_ROW_MAJOR, WSRT_EACH}, east = {1, 0, 1, 1, 2, 32, WSRT_ROW_MAJOR, WSRT_EACH};
    int e = wsrt_d2h(rt, "a", &both, v, 4, NULL);
    printf("a of both: %u %u %u %u\n", (unsigned)v[0], (unsigned)v[1], (unsigned)v[2], (unsigned)v[3]);
    e = e ? e : wsrt_d2h(rt, "result", &east, v, 2, NULL);
    printf("result of the east: %u %u\n", (unsigned)v[0], (unsigned)v[1]);
    printf("result of both: %d\n", wsrt_d2h(rt, "result", &both, v, 4, NULL));
    e = e ? e : wsrt_launch(rt, "turn", NULL, 0, NULL);
    e = e ? e : wsrt_d2h(rt, "a", &east, v, 2, NULL);
    printf("a of the east after turn: %u %u\n", (unsigned)v[0], (unsigned)v[1]);
    if (e) printf("%s\n", wsrt_error(rt));
    wsrt_close(rt);
    return 0;
}
