/* tests/diff/engine_diff.c: engine-diff [options] FILE...: runs objects, images and assembly files under two engines and
 * compares all that can be seen, at the end and at stops on the way.
 *   --arch wse2|wse3   of assembly without an .arch line; both when it is not given
 *   --param N=V        a number of the machine (may be repeated)
 *   --cuts N           stops on the way (default 4)      --max N   cycle limit (default 2000000)
 *   --time             CPU seconds of each engine, and PE-cycles per CPU second; no comparison */
#define _GNU_SOURCE
#include "backend/asm.h"
#include "tests/diff/diff.h"
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct { const char *name; int value; } Param;
static Param params[32];
static int nparams;
static bool timing;
static DiffHow how = {"reference", "fast", 2000000, 4, 1};

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int time_one(const char *name, const WsObj *o, const Arch *a)
{
    const char *const engines[2] = {how.a, how.b};
    printf("%-40s", name);
    for (int i = 0; i < 2; i++) {
        double best = 1e30;
        uint64_t cycles = 0;
        for (int k = 0; k < 3; k++) {
            char *err = NULL;
            Sim *s = sim_new_engine(engines[i], o, a, &err);
            if (!s) return fprintf(stderr, "%s\n", err), 1;
            double t = cpu_seconds();
            sim_run(s, how.max_cycles);
            t = cpu_seconds() - t;
            if (t < best) best = t;
            cycles = sim_cycle(s);
            sim_free(s);
        }
        printf("  %s %8llu cycles %8.4f s %8.2f M PE-cycles/s", engines[i], (unsigned long long)cycles, best,
               (double)cycles * o->w * o->h / best / 1e6);
    }
    printf("\n");
    return 0;
}

static int one(const char *name, const WsObj *o)
{
    Arch a = o->arch;
    for (int i = 0; i < nparams; i++)
        if (!arch_set(&a, params[i].name, params[i].value)) return fprintf(stderr, "no parameter %s\n", params[i].name), 1;
    if (timing) return time_one(name, o, &a);
    DiffSeen seen;
    char *why;
    bool eq = diff_run(o, &a, &how, &seen, &why);
    printf("%s %s: %s %llu cycles %s\n", eq ? "equal" : "DIFFERENT", name, a.id == ARCH_WSE2 ? "wse2" : "wse3", (unsigned long long)seen.cycles, sim_stop_name(seen.stop));
    if (!eq) printf("%s", why ? why : "");
    free(why);
    return !eq;
}

static int file(const char *path, ArchId only)
{
    size_t len = strlen(path);
    if (len < 3 || strcmp(path + len - 2, ".s")) {
        char *err = NULL;
        WsObj *o = obj_read(path, &err);
        if (!o) return fprintf(stderr, "%s\n", err), 1;
        int bad = one(path, o);
        obj_free(o);
        return bad;
    }
    char *text = ws_read_file(path, 1 << 26, &len);
    if (!text) return fprintf(stderr, "cannot read %s\n", path), 1;
    int bad = 0;
    for (int id = 2; id <= 3; id++) {
        if (only && (int)only != id) continue;
        Arena *ar = arena_new();
        Diags *d = diags_new("engine-diff");
        WsObj *o = NULL;
        if (asm_file(ar, d, path, text, len, (ArchId)id, &o) == 0) {
            if ((int)o->arch.id == id) bad |= one(path, o);
            obj_free(o);
        } else if (only) diags_print(d, stderr), bad = 1;
        diags_free(d);
        arena_free(ar);
    }
    free(text);
    return bad;
}

int main(int argc, char **argv)
{
    static const struct option longs[] = {{"arch", 1, 0, 'a'}, {"param", 1, 0, 'p'}, {"cuts", 1, 0, 'c'}, {"max", 1, 0, 'm'}, {"time", 0, 0, 't'},
                                          {"seed", 1, 0, 's'}, {"engines", 1, 0, 'e'}, {0}};
    ArchId only = 0;
    for (int c; (c = getopt_long(argc, argv, "", longs, NULL)) != -1;)
        switch (c) {
        case 'a': only = strcmp(optarg, "wse2") == 0 ? ARCH_WSE2 : ARCH_WSE3; break;
        case 'p': {
            char *eq = strchr(optarg, '=');
            if (!eq || nparams == 32) return 2;
            *eq = 0;
            params[nparams++] = (Param){optarg, atoi(eq + 1)};
            break;
        }
        case 'c': how.cuts = (unsigned)atoi(optarg); break;
        case 'm': how.max_cycles = strtoull(optarg, NULL, 0); break;
        case 's': how.seed = strtoull(optarg, NULL, 0); break;
        case 't': timing = true; break;
        case 'e':
            how.a = strtok(optarg, ",");
            how.b = strtok(NULL, ",");
            break;
        default: return 2;
        }
    int bad = 0;
    for (int i = optind; i < argc; i++) bad |= file(argv[i], only);
    return bad;
}
