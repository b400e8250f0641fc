/* Random vector programs (be_vgen.c) with and without scheduler and hardware loops: the same memory behind each.
 *   be_vfuzz [FIRST [COUNT [-v]]] */
#include "backend/backend.h"
#include "runtime/sim/sim.h"
#include "tests/unit/be_gen.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_CYCLES = 200000, BYTES = 4096 };
static const struct { const char *name; BeOpts o; } ways[] = {
    {"O0", {.level = 0}}, {"O2, no schedule", {.level = 2, .no_schedule = true}}, {"O2, no hwloop", {.level = 2, .no_hwloop = true}}, {"O2", {.level = 2}}};
enum { NWAYS = sizeof ways / sizeof *ways };
static uint64_t cycles_of[NWAYS];
static bool verbose;

static void show(IrModule *m, Diags *d, BeOpts o)
{
    Buf b = {0};
    ir_print(&b, m);
    fputs(b.p, stdout);
    buf_free(&b);
    WsObj *obj = obj_new(ARCH_WSE3);
    o.dump_after = "ra";
    o.dump = stdout;
    be_compile(d, m, &o, obj);
    obj_free(obj);
}

/* the arrays after a run; NULL if it does not end well */
static uint8_t *run(uint64_t seed, int way, bool *compiles)
{
    Arena *a = arena_new();
    Diags *d = diags_new("be_vfuzz");
    IrModule *m = be_gen_vec_module(a, seed);
    WsObj *o = obj_new(seed & 1 ? ARCH_WSE2 : ARCH_WSE3);
    uint8_t *mem = NULL;
    char *err = NULL;
    Sim *s = NULL;
    *compiles = ir_verify(d, m) == 0 && be_compile(d, m, &ways[way].o, o);
    if (*compiles) {
        o->w = o->h = 1;
        o->nplaces = o->nroutes = 1;
        o->places = ARENA_NEW(o->arena, WsPlace);
        o->places[0] = (WsPlace){0, 0, 1, 1, 0};
        o->routes = ARENA_NEW(o->arena, WsRoute);
        o->routes[0] = (WsRoute){0, 0, 1, 1, 1, slot_word(DIR_RAMP, 1u << DIR_RAMP)};
        s = sim_new_engine("both", o, &o->arch, &err);
    } else diags_print(d, stdout);
    if (verbose) show(m, d, ways[way].o);
    if (s) {
        SimStop stop = sim_run(s, MAX_CYCLES);
        cycles_of[way] += sim_cycle(s);
        const SimFault *f = sim_fault(s);
        if (stop == SIM_IDLE) {
            mem = ws_xmalloc(6 * BYTES);
            for (int i = 0; i < 6; i++) memcpy(mem + BYTES * i, sim_mem(s, 0, 0) + cls_sym(&o->classes[0], (const char *[]){"a0", "a1", "a2", "a3", "a4", "a5"}[i])->addr, BYTES);
        } else printf("seed %llu, %s: stops: %s %s\n", (unsigned long long)seed, ways[way].name, sim_stop_name(stop), f ? f->text : "");
        sim_free(s);
    } else if (err) printf("%s\n", err);
    free(err);
    ir_module_free(m);
    obj_free(o);
    diags_free(d);
    arena_free(a);
    return mem;
}

int main(int argc, char **argv)
{
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 0) : 1, count = argc > 2 ? strtoull(argv[2], NULL, 0) : 150, done = 0;
    verbose = argc > 3;
    int bad = 0;
    for (uint64_t s = first; s < first + count && bad < 5; s++) {
        bool compiles;
        uint8_t *want = run(s, 0, &compiles);
        for (int w = 1; w < NWAYS && (want || verbose); w++) {
            uint8_t *got = run(s, w, &compiles);
            if (!compiles || !got || !want || memcmp(want, got, 6 * BYTES) != 0) {
                printf("seed %llu: %s differs\n", (unsigned long long)s, ways[w].name);
                bad++;
            }
            free(got);
        }
        done += want != NULL;
        bad += want == NULL;
        free(want);
    }
    printf("%llu programs run, %d differ;", (unsigned long long)done, bad);
    for (int w = 0; w < NWAYS; w++) printf(" %s: %llu cycles;", ways[w].name, (unsigned long long)cycles_of[w]);
    printf("\n");
    return bad != 0;
}
