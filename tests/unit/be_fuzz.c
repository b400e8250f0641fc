/* The backend against an interpreter of WIR: random programs, at both levels and with the IR's passes, on the simulated machine.
 *   be_fuzz [FIRST [COUNT]]      a seed that fails prints its program; be_fuzz SEED 1 -v prints the code, too */
#include "backend/mir.h"
#include "runtime/sim/sim.h"
#include "tests/unit/be_gen.h"
#include "tests/unit/ir_interp.h"
#include <stdlib.h>
#include <string.h>

enum { FUEL = 20000, MAX_CYCLES = 4000000 };
typedef struct { const char *name, *passes; BeOpts o; int regs; } Way;
static const Way ways[] = {
    {"O0", NULL, {.level = 0}},
    {"O0 mem2reg", "simplifycfg,mem2reg", {.level = 0}},
    {"O2 mem2reg, no hwloop", "simplifycfg,mem2reg", {.level = 2, .no_hwloop = true}},
    {"O2 mem2reg", "simplifycfg,mem2reg", {.level = 2}},
    {"O2", "all", {.level = 2}},
    {"O2 mem2reg, few registers", "simplifycfg,mem2reg", {.level = 2}, 3},
};
static bool verbose;
static uint64_t done, skipped, cycles_of[8];

static void dump(IrModule *m)
{
    Buf b = {0};
    ir_print(&b, m);
    fputs(b.p, stdout);
    buf_free(&b);
}

static uint32_t cut(IrType t, uint32_t v) { return (uint32_t)ir_mask(t, v); }

static bool run(uint64_t seed, const Way *w, const uint32_t *args, Interp *want, uint32_t result)
{
    Arena *a = arena_new();
    Diags *d = diags_new("be_fuzz");
    IrModule *m = be_gen_module(a, seed);
    be_few_registers = w->regs;
    WsObj *o = obj_new(seed & 1 ? ARCH_WSE2 : ARCH_WSE3);
    IrPassOpts po = {.level = 2, .only = w->passes && strcmp(w->passes, "all") ? w->passes : NULL};
    bool ok = (!w->passes || ir_run_passes(d, m, &po)) && ir_verify(d, m) == 0 && be_compile(d, m, &w->o, o);
    char *err = NULL;
    if (!ok) {
        diags_print(d, stdout);
        printf("seed %llu, %s: does not compile\n", (unsigned long long)seed, w->name);
        goto out;
    }
    o->w = o->h = 1;
    o->nplaces = 1;
    o->places = ARENA_NEW(o->arena, WsPlace);
    o->places[0] = (WsPlace){0, 0, 1, 1, 0};
    Sim *s = sim_new_engine("both", o, &o->arch, &err);
    if (!s) {
        printf("seed %llu: %s\n", (unsigned long long)seed, err);
        ok = false;
        goto out;
    }
    uint8_t *gone = ws_xmalloc(32768);                   /* registers and stack hold anything at the start */
    for (int i = 0; i < 8192; i++) gone[i] = (uint8_t)(0x5a + i * 7);
    sim_mem_write(s, 0, 0, 40000, gone, 8192);
    free(gone);
    ok = sim_call(s, 0, 0, cls_sym(&o->classes[0], "f0")->addr, args, 4);
    SimStop stop = sim_run(s, MAX_CYCLES);
    cycles_of[w - ways] += sim_cycle(s);
    if (stop != SIM_IDLE || sim_call_pending(s, 0, 0)) {
        const SimFault *f = sim_fault(s);
        printf("seed %llu, %s: stops: %s %s pc %04x\n", (unsigned long long)seed, w->name, sim_stop_name(stop), f ? f->text : "", f ? f->pc : 0);
        ok = false;
    } else if (sim_call_result(s, 0, 0) != result) {
        printf("seed %llu, %s: result %08x, not %08x\n", (unsigned long long)seed, w->name, sim_call_result(s, 0, 0), result);
        ok = false;
    }
    for (ptrdiff_t i = 0; i < 4 && ok; i++) {
        IrGlobal g = {.name = (const char *[]){"g0", "g1", "g2", "g3"}[i]};
        const WsSym *sym = cls_sym(&o->classes[0], g.name);
        if (!sym || memcmp(sim_mem(s, 0, 0) + sym->addr, want->mem + interp_global_addr(&g), sym->size_bytes) == 0) continue;
        printf("seed %llu, %s: global %s differs\n", (unsigned long long)seed, w->name, g.name);
        ok = false;
    }
    sim_free(s);
out:
    if (!ok && verbose) {
        BeOpts p = w->o;
        p.dump_after = "isel";
        p.dump = stdout;
        WsObj *o2 = obj_new(ARCH_WSE3);
        dump(m);
        be_compile(d, m, &p, o2);
        obj_free(o2);
    }
    ir_module_free(m);
    obj_free(o);
    diags_free(d);
    arena_free(a);
    free(err);
    return ok;
}

static bool one(uint64_t seed)
{
    Arena *a = arena_new();
    IrModule *m = be_gen_module(a, seed);
    static Interp in;
    arrfree(in.trace);
    interp_init(&in, m, FUEL);
    uint32_t args[4] = {(uint32_t)(seed * 2654435761u), cut(T_I16, (uint32_t)(seed * 40503u) >> 3), 0x3f800000u + (uint32_t)(seed & 0xff) * 0x9999u, (uint32_t)seed & 15};
    uint64_t av[4] = {args[0], args[1], args[2], args[3]};
    uint32_t result = (uint32_t)interp_call(&in, m->fns[0], av);
    bool ok = true;
    if (in.fuel < 0 || in.stuck) skipped++;
    else {
        args[1] |= 0xabcd0000u;                          /* upper bits of a narrow argument are undefined */
        for (size_t i = 0; i < sizeof ways / sizeof *ways && ok; i++) ok = run(seed, &ways[i], args, &in, result);
        done++;
    }
    ir_module_free(m);
    arena_free(a);
    return ok;
}

int main(int argc, char **argv)
{
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 0) : 1, count = argc > 2 ? strtoull(argv[2], NULL, 0) : 150;
    verbose = argc > 3;
    int bad = 0;
    for (uint64_t s = first; s < first + count && bad < 10; s++) bad += !one(s);
    printf("%llu programs run, %llu did not end, %d differ;", (unsigned long long)done, (unsigned long long)skipped, bad);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) printf(" %s: %llu cycles;", ways[i].name, (unsigned long long)cycles_of[i]);
    printf("\n");
    return bad != 0;
}
