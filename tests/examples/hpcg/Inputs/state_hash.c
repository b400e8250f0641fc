/* state_hash IMAGE: runs it and prints the cycles and the hash of the machine's whole state. */
#include <inttypes.h>
#include <stdio.h>
#include <wsrt.h>

int main(int argc, char **argv)
{
    char err[WSRT_ERR_BYTES];
    Wsrt *rt = argc == 2 ? wsrt_open(argv[1], err) : NULL;
    if (!rt) return fprintf(stderr, "%s\n", argc == 2 ? err : "usage: state_hash IMAGE"), 2;
    if (wsrt_run(rt, 0) != WSRT_END_IDLE) return fprintf(stderr, "%s", wsrt_report(rt)), 1;
    printf("%" PRIu64 " %016" PRIx64 "\n", wsrt_cycles(rt), wsrt_state_hash(rt));
    wsrt_close(rt);
    return 0;
}
