/* tests/fuzz/sim_fuzz.c: sim-fuzz [--seed A] [--count N] [--seconds S] [--dump]: random programs (gen.h) under the reference
 * and the fast engine; the first that differs is told, written to sim-fuzz-SEED.s, and ends the run with 1. */
#define _GNU_SOURCE
#include "backend/asm.h"
#include "tests/diff/diff.h"
#include "tests/fuzz/gen.h"
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static bool one(uint64_t seed, bool dump, uint64_t ends[8], uint64_t *cycles)
{
    Buf b = {0};
    fuzz_gen(seed, &b);
    if (dump) {
        fputs(b.p, stdout);
        buf_free(&b);
        return true;
    }
    Arena *ar = arena_new();
    Diags *d = diags_new("sim-fuzz");
    WsObj *o = NULL;
    bool eq = false;
    if (asm_file(ar, d, "fuzz.s", b.p, b.len, ARCH_WSE3, &o)) {
        diags_print(d, stderr);
        fprintf(stderr, "seed %llu: the generator makes no legal program\n", (unsigned long long)seed);
    } else {
        Arch a = o->arch;
        DiffHow how = {"reference", "fast", 200000, 3, seed};
        DiffSeen seen;
        char *why;
        fuzz_params(b.p, &a);
        eq = diff_run(o, &a, &how, &seen, &why);
        if (!eq) printf("seed %llu differs\n%s", (unsigned long long)seed, why ? why : "");
        ends[seen.stop & 7]++;
        *cycles += seen.cycles;
        free(why);
        obj_free(o);
    }
    if (!eq) {
        char path[64];
        snprintf(path, sizeof path, "sim-fuzz-%llu.s", (unsigned long long)seed);
        FILE *f = fopen(path, "w");
        if (f) fputs(b.p, f), fclose(f);
    }
    diags_free(d);
    arena_free(ar);
    buf_free(&b);
    return eq;
}

int main(int argc, char **argv)
{
    static const struct option longs[] = {{"seed", 1, 0, 's'}, {"count", 1, 0, 'n'}, {"seconds", 1, 0, 't'}, {"dump", 0, 0, 'd'}, {0}};
    uint64_t seed = 1, count = 200, ends[8] = {0}, cycles = 0, k = 0;
    time_t until = 0;
    bool dump = false;
    for (int c; (c = getopt_long(argc, argv, "", longs, NULL)) != -1;)
        switch (c) {
        case 's': seed = strtoull(optarg, NULL, 0); break;
        case 'n': count = strtoull(optarg, NULL, 0); break;
        case 't': until = time(NULL) + atol(optarg); count = UINT64_MAX; break;
        case 'd': dump = true; count = 1; break;
        default: return 2;
        }
    for (; k < count && (!until || time(NULL) < until); k++)
        if (!one(seed + k, dump, ends, &cycles)) return 1;
    if (dump) return 0;
    printf("%llu programs equal, %llu cycles:", (unsigned long long)k, (unsigned long long)cycles);
    for (int i = 0; i <= SIM_INTERRUPTED; i++)
        if (ends[i]) printf(" %llu %s", (unsigned long long)ends[i], sim_stop_name((SimStop)i));
    printf("\n");
    return 0;
}
