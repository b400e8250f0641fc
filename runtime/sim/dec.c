/* runtime/sim/dec.c: decoding, and the tables per opcode, for both engines.  A row of pe_ops.def without a body in pe_el.h
 * fails to compile here. */
#include "runtime/sim/dec.h"
#include "runtime/sim/pe_el.h"
#include <string.h>

static ElFn *const bodies[256] = {
#define OP(code, name, ...) [code] = el_##name,
#include "runtime/isa/pe_ops.def"
};
static const struct { uint8_t op; ElFn *fn; } fused[] = {
    {OP_FMACS, elf_FMACS}, {OP_FMACS1, elf_FMACS1}, {OP_FMSS, elf_FMSS},   {OP_FMSS1, elf_FMSS1},   {OP_DOTS, elf_DOTS},
    {OP_DOTAS, elf_DOTAS}, {OP_DOTNS, elf_DOTNS},   {OP_FMACH, elf_FMACH}, {OP_FMACH1, elf_FMACH1},
};
static const struct { uint8_t op, n; } flops[] = {
    {OP_FADDS, 1}, {OP_FSUBS, 1}, {OP_FMULS, 1}, {OP_FADDHS, 1}, {OP_SUMS, 1}, {OP_SUMAS, 1}, {OP_FDIVS, 1},
    {OP_FMACS, 2}, {OP_FMACS1, 2}, {OP_FMSS, 2}, {OP_FMSS1, 2}, {OP_DOTS, 2}, {OP_DOTAS, 2}, {OP_DOTNS, 2},
    {OP_FADDH, FLOPS_HALF | 1}, {OP_FSUBH, FLOPS_HALF | 1}, {OP_FMULH, FLOPS_HALF | 1}, {OP_FDIVH, FLOPS_HALF | 1},
    {OP_FMACH, FLOPS_HALF | 2}, {OP_FMACH1, FLOPS_HALF | 2},
};
static const uint8_t unit_counter[] = {
    [UNIT_INT] = CT_slots_int, [UNIT_FPU] = CT_slots_fpu, [UNIT_MEM] = CT_slots_mem, [UNIT_CTL] = CT_slots_ctl,
    [UNIT_TSK] = CT_slots_tsk, [UNIT_DSR] = CT_slots_dsr, [UNIT_RTR] = CT_slots_rtr, [UNIT_FAB] = CT_slots_fab,
};

void sim_tables(const Arch *a, SimTables *t)
{
    *t = (SimTables){{0}};
    memcpy(t->plain, bodies, sizeof bodies);
    memcpy(t->fn, bodies, sizeof bodies);
    for (int i = 0; i < 256; i++) {
        const PeOp *op = &pe_ops[i];
        if (!op->name) continue;
        bool special = op->slots == SLOT_VEC || op->slots == SLOT_BRANCH || op->slots == SLOT_SETRTR || op->slots == SLOT_SETSOCK;
        t->slots[i] = special ? op->slots : pe_cycles(a, op->slots);
        t->lat[i] = pe_cycles(a, op->latency);
        t->slot_ct[i] = unit_counter[op->unit];
        if (!special && t->slots[i] < 1) t->slots[i] = 1;
    }
    for (size_t i = 0; AP(a, fmac_rounding) == 1 && i < sizeof fused / sizeof fused[0]; i++) t->fn[fused[i].op] = fused[i].fn;
    for (size_t i = 0; i < sizeof flops / sizeof flops[0]; i++) t->flops[flops[i].op] = flops[i].n;
}

static uint32_t bit(int r) { return r ? 1u << r : 0; }

static void vector_reads(SimIns *d)
{
    const uint8_t code[3] = {d->in.a, d->in.b, d->in.c};
    for (int i = 0; i < 3; i++) {
        if (opd_is_reg(code[i])) d->reads |= bit(code[i]);
        if (opd_is_dot(code[i])) d->dots |= (uint8_t)(1u << (code[i] - OPD_DOT0));
    }
    if (d->in.op == OP_DOTS || d->in.op == OP_SUMS) d->dots |= (uint8_t)(1u << (d->in.d - OPD_DOT0));
}

SimIns sim_decode(uint32_t word)
{
    SimIns d = {.word = word};
    if (!pe_decode(word, &d.in)) return d;
    const PeIns *in = &d.in;
    d.op = &pe_ops[in->op];
    switch (d.op->fmt) {
    case FMT_RRR: case FMT_BR: case FMT_DRR: d.reads = bit(in->ra) | bit(in->rb); break;
    case FMT_RRRR: d.reads = bit(in->ra) | bit(in->rb) | bit(in->rc); break;
    case FMT_RR: case FMT_R: case FMT_LP: case FMT_DL: case FMT_DR: case FMT_QR: d.reads = bit(in->ra); break;
    case FMT_RRI: d.reads = bit(in->ra) | (d.op->flags & F_STORE ? bit(in->rd) : 0); break;
    case FMT_RI: d.reads = in->op == OP_INSL ? bit(in->rd) : 0; break;
    case FMT_RK: d.reads = in->op == OP_HOUT ? bit(in->rd) : 0; break;
    case FMT_V3: case FMT_V4: vector_reads(&d); break;
    case FMT_N: case FMT_I: case FMT_J: case FMT_LE: case FMT_T: case FMT_AS: break;
    }
    return d;
}
