/* tests/fuzz/sim_fuzz.c: random programs (gen.h) under the reference and the fast engine; the first that differs is made smaller
 * (shrink.c), told, written to sim-fuzz-KIND-SEED.s, and ends the run with 1.
 *   sim-fuzz [--kind plan|wild|all] [--seed A] [--count N] [--seconds S]
 *   --dump            print the first program instead        --measure   also count grants and contended grants (slow)
 *   --shrink FILE     make a program that differs smaller     --no-shrink
 * Programs that use what the fast engine does not do run on the reference engine alone, and are counted apart. */
#define _GNU_SOURCE
#include "tests/diff/diff.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/gen.h"
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct { const char *name; FuzzGen *gen; } kinds[] = {{"plan", fuzz_plan}, {"wild", fuzz_wild}};
enum { N_KIND = 2, MAX_CYCLES = 200000 };
typedef struct {
    uint64_t programs, alone, ends[2][8], cycles, pe_cycles;
    FuzzGrants grants;
} Total;
static bool dump, measure, shrink = true;

static void write_text(const char *path, const Buf *b)
{
    FILE *f = fopen(path, "w");
    if (!f) return;
    fwrite(b->p, 1, b->len, f);
    fclose(f);
}

static bool tell(const char *kind, uint64_t seed, const Buf *text, const char *why)
{
    char path[80];
    snprintf(path, sizeof path, "sim-fuzz-%s-%llu.s", kind, (unsigned long long)seed);
    write_text(path, text);
    printf("%s %llu differs, see %s\n%s", kind, (unsigned long long)seed, path, why ? why : "");
    fflush(stdout);
    if (!shrink) return false;
    Buf small = {0};
    fuzz_shrink(text->p, &small, 60);
    snprintf(path, sizeof path, "sim-fuzz-%s-%llu.small.s", kind, (unsigned long long)seed);
    write_text(path, &small);
    printf("made smaller: %s\n", path);
    buf_free(&small);
    return false;
}

static bool one(int kind, uint64_t seed, Total *t)
{
    Buf b = {0};
    kinds[kind].gen(seed, &b);
    if (dump) {
        fputs(b.p, stdout);
        buf_free(&b);
        return true;
    }
    FuzzObj f;
    bool eq = fuzz_load(&f, b.p, true);
    if (!eq) {
        fprintf(stderr, "%s %llu: the generator makes no legal program\n", kinds[kind].name, (unsigned long long)seed);
        return tell(kinds[kind].name, seed, &b, NULL);
    }
    char *lacks = sim_engine_lacks("fast", f.o), *why = NULL;
    DiffHow how = {"reference", lacks ? NULL : "fast", MAX_CYCLES, 3, seed};
    DiffSeen seen = {0};
    eq = diff_run(f.o, &f.a, &how, &seen, &why);
    t->alone += lacks != NULL;
    t->programs++;
    t->ends[kind][seen.stop & 7]++;
    t->cycles += seen.cycles, t->pe_cycles += seen.pe_cycles;
    if (measure) fuzz_grants(&f, MAX_CYCLES, &t->grants);
    fuzz_unload(&f);
    if (!eq) tell(kinds[kind].name, seed, &b, why);
    free(lacks);
    free(why);
    buf_free(&b);
    return eq;
}

static void summary(const Total *t)
{
    printf("%llu programs equal, %llu cycles:", (unsigned long long)(t->programs - t->alone), (unsigned long long)t->cycles);
    for (int k = 0; k < N_KIND; k++)
        for (int i = 0; i <= SIM_INTERRUPTED; i++)
            if (t->ends[k][i]) printf(" %s %llu %s;", kinds[k].name, (unsigned long long)t->ends[k][i], sim_stop_name((SimStop)i));
    printf(" %llu on the reference engine alone\n", (unsigned long long)t->alone);
    if (!measure) return;
    double n = (double)(t->programs ? t->programs : 1);
    printf("a program: %.0f grants, %.0f of them with another head that waits for the same output, %.0f cycles\n", (double)t->grants.all / n,
           (double)t->grants.contended / n, (double)t->cycles / n);
}

static int shrink_file(const char *path, int seconds)
{
    size_t len;
    char *text = ws_read_file(path, 1 << 26, &len);
    Buf small = {0};
    if (!text) return fprintf(stderr, "cannot read %s\n", path), 2;
    const bool differs = fuzz_shrink(text, &small, seconds);
    if (differs) fputs(small.p, stdout);
    else fprintf(stderr, "%s: the engines agree\n", path);
    buf_free(&small);
    free(text);
    return differs ? 0 : 2;
}

int main(int argc, char **argv)
{
    static const struct option longs[] = {{"seed", 1, 0, 's'}, {"count", 1, 0, 'n'}, {"seconds", 1, 0, 't'}, {"dump", 0, 0, 'd'}, {"kind", 1, 0, 'k'},
                                          {"measure", 0, 0, 'm'}, {"no-shrink", 0, 0, 'x'}, {"shrink", 1, 0, 'z'}, {0}};
    uint64_t seed = 1, count = 200;
    const char *file = NULL;
    int only = -1, seconds = 0;
    Total t = {0};
    for (int c; (c = getopt_long(argc, argv, "", longs, NULL)) != -1;)
        switch (c) {
        case 's': seed = strtoull(optarg, NULL, 0); break;
        case 'n': count = strtoull(optarg, NULL, 0); break;
        case 't': seconds = atoi(optarg); break;
        case 'd': dump = true; break;
        case 'm': measure = true; break;
        case 'x': shrink = false; break;
        case 'z': file = optarg; break;
        case 'k':
            for (int k = 0; k < N_KIND; k++)
                if (!strcmp(optarg, kinds[k].name)) only = k;
            if (only < 0 && strcmp(optarg, "all")) return fprintf(stderr, "--kind plan, wild or all\n"), 2;
            break;
        default: return 2;
        }
    if (file) return shrink_file(file, seconds ? seconds : 60);
    if (dump) count = 1;
    else if (seconds) count = UINT64_MAX;
    const time_t until = seconds ? time(NULL) + seconds : 0;
    for (uint64_t k = 0; k < count && (!until || time(NULL) < until); k++)
        if (!one(only >= 0 ? only : (seed + k) % 4 == 3, seed + k, &t)) return 1;
    if (!dump) summary(&t);
    return 0;
}
