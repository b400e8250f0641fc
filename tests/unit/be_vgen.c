/* Random programs of vector operations: descriptors over four f32 and two i16 arrays, with strides, own counts, saved positions and
 * nested shapes; dot chains; words sent around a loop-back route; scalar loads and stores in between; loops.  Both levels must leave
 * the same memory. */
#include "be_gen.h"
#include "runtime/isa/obj.h"
#include <stdlib.h>
#include <string.h>

enum { NF = 4, NH = 2, NDESC = 14, WORDS = 1024 };
typedef struct { IrModule *m; IrFn *f; uint64_t s; IrBlk b; IrRef slot[NDESC], dot[2], regs[8]; IrSym desc[NDESC], arr[NF + NH]; int nreg, depth; } G;
static const Loc L = {0, 0, 0};

static uint32_t rnd(G *g, uint32_t n)
{
    uint64_t z = g->s += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return (uint32_t)((z ^ z >> 31) >> 33) % n;
}

static void put16(uint8_t *p, int v)
{
    p[0] = (uint8_t)v;
    p[1] = (uint8_t)(v >> 8);
}

/* descriptors 0..9: f32 memory; 10, 11: i16 memory; 12: fabric in; 13: fabric out */
static void descriptors(G *g)
{
    Arena *a = g->m->arena;
    for (int i = 0; i < NF + NH; i++) {
        g->arr[i] = ir_global_new(g->m, arena_printf(a, "a%d", i), 4 * WORDS, 4);
        IrGlobal *gl = ir_global(g->m, g->arr[i]);
        gl->exported = true;
        gl->init = arena_alloc(a, 4 * WORDS);
        for (int k = 0; k < WORDS; k++) {
            float x = (float)((int)rnd(g, 64) - 32) * 0.25f;
            memcpy(gl->init + 4 * k, &x, 4);
        }
    }
    for (int i = 0; i < NDESC; i++) {
        g->desc[i] = ir_global_new(g->m, arena_printf(a, "d%d", i), 8, 2);
        int kind = i < 12 ? DSD_MEM1D : i == 12 ? DSD_FABIN : DSD_FABOUT, shape = -1;
        if (i == 8 || i == 9) {
            kind = DSD_MEMND;
            IrSym sh = ir_global_new(g->m, arena_printf(a, "s%d", i), 16, 2);
            uint8_t *p = ir_global(g->m, sh)->init = arena_alloc(a, 16);
            put16(p, 3);
            put16(p + 2, 1);
            put16(p + 4, 0);
            put16(p + 6, 2);
            shape = (int)sh.i;
        }
        IrGlobal *gl = ir_global(g->m, g->desc[i]);
        gl->elem_type = WT_DSD;
        gl->init = arena_alloc(a, 8);
        put16(gl->init + 2, (int)(1 + rnd(g, 6)) | (kind < 3 && rnd(g, 2) ? DSD_SAVE : 0));
        put16(gl->init + 4, kind == DSD_MEM1D ? (int[]){1, 1, 1, 2, 0, -1}[rnd(g, 6)] & 0xff : 0);
        put16(gl->init + 6, kind);
        if (i >= 12) continue;
        IrReloc r = {0, g->arr[i < 10 ? i % NF : NF + i % NH], 4 * (int32_t)(450 + rnd(g, 8))};
        arrput(gl->relocs, r);
        if (shape > 0) arrput(gl->relocs, ((IrReloc){4, {(uint32_t)shape}, 0}));
    }
}

static void load_slot(G *g, int i)
{
    IrRef p = ir_gaddr(g->f, g->b, g->desc[i], 0, L);
    if (rnd(g, 4) == 0) {
        IrRef v = ir_load(g->f, g->b, T_DSD, p, 0, L);
        if (i < 12 && rnd(g, 2)) {
            IrRef n = ir_const(g->f, g->b, T_I16, 1 + rnd(g, 6), L);
            v = ir_append(g->f, g->b, IR_DSDLEN, T_DSD, 2, (IrRef[]){v, n}, L);
        }
        if (i < 12 && rnd(g, 2)) {
            IrRef n = ir_const(g->f, g->b, T_I16, 4 * rnd(g, 4), L);
            v = ir_append(g->f, g->b, IR_DSDOFF, T_DSD, 2, (IrRef[]){v, n}, L);
        }
        if (i < 10 && rnd(g, 3) == 0) {
            IrRef n = ir_gaddr(g->f, g->b, g->arr[rnd(g, NF)], 1808, L);
            v = ir_append(g->f, g->b, IR_DSDBASE, T_DSD, 2, (IrRef[]){v, n}, L);
        }
        ir_append(g->f, g->b, IR_DSRLOADV, T_VOID, 2, (IrRef[]){g->slot[i], v}, L);
        return;
    }
    ir_append(g->f, g->b, IR_DSRLOAD, T_VOID, 2, (IrRef[]){g->slot[i], p}, L);
    if (i < 10 && rnd(g, 6) == 0) {
        IrRef n = ir_gaddr(g->f, g->b, g->arr[rnd(g, NF)], 1808, L);
        ir_append(g->f, g->b, IR_DSRBASE, T_VOID, 2, (IrRef[]){g->slot[i], n}, L);
    }
}

static IrRef reg(G *g) { return g->regs[rnd(g, (uint32_t)g->nreg)]; }
static void set_reg(G *g, IrRef r)
{
    if (g->depth) return;                                /* values of a loop stay in it */
    g->regs[g->nreg < 8 ? (uint32_t)g->nreg++ : rnd(g, 8)] = r;
}
static IrRef source(G *g) { return rnd(g, 3) ? g->slot[rnd(g, 10)] : reg(g); }
static IrRef vop(G *g, IrVop v, IrRef d, IrRef a, IrRef b, IrRef c, int n) { return ir_vop(g->f, g->b, v, d, a, b, c, n, L); }

static void statement(G *g)
{
    static const IrVop two[] = {IRV_FADDS, IRV_FSUBS, IRV_FMULS, IRV_FMAXS, IRV_FADDS};
    int n = rnd(g, 3) ? 1 + (int)rnd(g, 4) : 0;
    IrRef d = g->slot[rnd(g, 10)];
    switch (rnd(g, 12)) {
    case 0: case 1: vop(g, two[rnd(g, 5)], d, source(g), source(g), IR_NONE, n); return;
    case 2: vop(g, two[rnd(g, 5)], d, d, source(g), IR_NONE, n); return;
    case 3: set_reg(g, vop(g, two[rnd(g, 5)], IR_NONE, source(g), source(g), IR_NONE, 1)); return;
    case 4: vop(g, IRV_FMACS, d, rnd(g, 2) ? d : source(g), source(g), reg(g), (int)rnd(g, 2)); return;
    case 5: {
        IrRef t = g->dot[rnd(g, 2)];
        vop(g, rnd(g, 2) ? IRV_DOTS : IRV_SUMS, t, rnd(g, 2) ? IR_NONE : IR_NONE, g->slot[rnd(g, 10)], IR_NONE, n);
        IrIns *in = ir_ins(g->f, arrlast(g->f->blks[g->b.i].ins));
        if (in->vop == IRV_DOTS) in->args[1] = source(g);
        if (rnd(g, 2)) vop(g, rnd(g, 2) ? IRV_DOTAS : IRV_DOTNS, t, source(g), g->slot[rnd(g, 10)], IR_NONE, n);
        set_reg(g, rnd(g, 2) ? vop(g, IRV_FMSS, IR_NONE, reg(g), source(g), t, 1) : vop(g, IRV_FMOVS, IR_NONE, IR_NONE, t, IR_NONE, 1));
        vop(g, IRV_FMOVS, d, IR_NONE, t, IR_NONE, 1);
        return;
    }
    case 6: vop(g, rnd(g, 2) ? IRV_FMOVS : IRV_MOV32, d, IR_NONE, g->slot[rnd(g, 10)], IR_NONE, n); return;
    case 7: vop(g, IRV_FNEGS, d, IR_NONE, source(g), IR_NONE, n); return;
    case 8: vop(g, rnd(g, 2) ? IRV_ADD16 : IRV_XOR16, g->slot[10 + rnd(g, 2)], g->slot[10 + rnd(g, 2)], g->slot[10 + rnd(g, 2)], IR_NONE, n); return;
    case 9: {                                            /* words around the loop: what is sent is read */
        int k = 1 + (int)rnd(g, 2);
        vop(g, IRV_MOV32, g->slot[13], IR_NONE, g->slot[rnd(g, 10)], IR_NONE, k);
        if (rnd(g, 2)) vop(g, two[rnd(g, 5)], g->slot[rnd(g, 10)], source(g), source(g), IR_NONE, n);
        vop(g, IRV_FADDS, d, g->slot[12], g->slot[rnd(g, 10)], IR_NONE, k);
        return;
    }
    case 10: {
        IrRef p = ir_gaddr(g->f, g->b, g->arr[rnd(g, NF)], 4 * (440 + rnd(g, 32)), L);
        if (rnd(g, 2)) set_reg(g, ir_load(g->f, g->b, T_F32, p, 0, L));
        else ir_store(g->f, g->b, p, 0, reg(g), L);
        return;
    }
    default: load_slot(g, (int)rnd(g, 12)); return;
    }
}

IrModule *be_gen_vec_module(Arena *a, uint64_t seed)
{
    G g = {.m = ir_module_new(a, "vfuzz"), .s = seed ^ 0x5555};
    descriptors(&g);
    g.m->boot = NULL;
    IrBoot in = {BOOT_IQ, 0, 1, 0, {0}}, out = {BOOT_OQ, 0, 1, 0, {0}};
    arrput(g.m->boot, in);
    arrput(g.m->boot, out);
    g.f = ir_fn_new(g.m, "main", FN_MAIN, T_VOID, NULL);
    g.b = (IrBlk){1};
    for (int i = 0; i < NDESC; i++) {
        g.slot[i] = ir_append(g.f, g.b, IR_DSRSLOT, T_SLOT, 0, NULL, L);
        ir_ins(g.f, g.slot[i])->imm = i == 8 || i == 9;
    }
    for (int i = 0; i < 2; i++) g.dot[i] = ir_append(g.f, g.b, IR_DOTSLOT, T_SLOT, 0, NULL, L);
    for (int i = 0; i < NDESC; i++) load_slot(&g, i);
    for (int i = 0; i < 3; i++) set_reg(&g, ir_fconst(g.f, g.b, T_F32, (double[]){0.5, -1.25, 3}[i], L));
    for (int part = 0, parts = 1 + (int)rnd(&g, 4); part < parts; part++) {
        bool loop = rnd(&g, 2);
        IrBlk pre = g.b, head = {0};
        IrRef phi = IR_NONE;
        if (loop) {
            head = ir_block_new(g.f, NULL);
            IrRef zero = ir_const(g.f, pre, T_I16, 0, L);
            ir_br(g.f, pre, head, L);
            phi = ir_phi(g.f, head, T_I16, L);
            ir_phi_add(g.f, phi, pre, zero);
            g.b = head;
            g.depth = 1;
        }
        for (int i = 0, n = 1 + (int)rnd(&g, 10); i < n; i++) statement(&g);
        if (loop) {
            IrBlk next = ir_block_new(g.f, NULL);
            IrRef nx = ir_bin(g.f, g.b, IR_ADD, phi, ir_const(g.f, g.b, T_I16, 1, L), L);
            IrRef c = ir_icmp(g.f, g.b, CMP_ULT, nx, ir_const(g.f, g.b, T_I16, 1 + rnd(&g, 4), L), L);
            ir_condbr(g.f, g.b, c, head, next, L);
            ir_phi_add(g.f, phi, g.b, nx);
            g.b = next;
            g.depth = 0;
        }
    }
    for (int i = 0; i < g.nreg; i++) ir_store(g.f, g.b, ir_gaddr(g.f, g.b, g.arr[0], 4 * i, L), 0, g.regs[i], L);
    ir_ret(g.f, g.b, IR_NONE, L);
    return g.m;
}
