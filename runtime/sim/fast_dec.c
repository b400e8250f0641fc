/* runtime/sim/fast_dec.c: decoding once per class, with everything that can be looked up put into the instruction. */
#include "runtime/sim/fast.h"
#include "runtime/sim/pe_el.h"

static ElFn *const bodies[256] = {
#define OP(code, name, ...) [code] = el_##name,
#include "runtime/isa/pe_ops.def"
};
static const struct { uint8_t op; ElFn *fn; } fused[] = {
    {OP_FMACS, elf_FMACS}, {OP_FMACS1, elf_FMACS1}, {OP_FMSS, elf_FMSS},   {OP_FMSS1, elf_FMSS1},   {OP_DOTS, elf_DOTS},
    {OP_DOTAS, elf_DOTAS}, {OP_DOTNS, elf_DOTNS},   {OP_FMACH, elf_FMACH}, {OP_FMACH1, elf_FMACH1},
};
enum { HALF = 0x80 };
static const struct { uint8_t op, n; } flops[] = {
    {OP_FADDS, 1}, {OP_FSUBS, 1}, {OP_FMULS, 1}, {OP_FADDHS, 1}, {OP_SUMS, 1}, {OP_SUMAS, 1}, {OP_FDIVS, 1},
    {OP_FMACS, 2}, {OP_FMACS1, 2}, {OP_FMSS, 2}, {OP_FMSS1, 2}, {OP_DOTS, 2}, {OP_DOTAS, 2}, {OP_DOTNS, 2},
    {OP_FADDH, HALF | 1}, {OP_FSUBH, HALF | 1}, {OP_FMULH, HALF | 1}, {OP_FDIVH, HALF | 1}, {OP_FMACH, HALF | 2}, {OP_FMACH1, HALF | 2},
};
static const uint8_t unit_counter[] = {
    [UNIT_INT] = CT_slots_int, [UNIT_FPU] = CT_slots_fpu, [UNIT_MEM] = CT_slots_mem, [UNIT_CTL] = CT_slots_ctl,
    [UNIT_TSK] = CT_slots_tsk, [UNIT_DSR] = CT_slots_dsr, [UNIT_RTR] = CT_slots_rtr, [UNIT_FAB] = CT_slots_fab,
};

void fast_tables(Fast *s)
{
    const Arch *a = &s->b.arch;
    for (int i = 0; i < 256; i++) {
        const PeOp *op = &pe_ops[i];
        s->fn[i] = bodies[i];
        if (!op->name) continue;
        bool special = op->slots == SLOT_VEC || op->slots == SLOT_BRANCH || op->slots == SLOT_SETRTR || op->slots == SLOT_SETSOCK;
        s->slots[i] = special ? op->slots : pe_cycles(a, op->slots);
        s->lat[i] = pe_cycles(a, op->latency);
        s->slot_ct[i] = unit_counter[op->unit];
        if (!special && s->slots[i] < 1) s->slots[i] = 1;
    }
    for (size_t i = 0; AP(a, fmac_rounding) == 1 && i < sizeof fused / sizeof fused[0]; i++) s->fn[fused[i].op] = fused[i].fn;
    for (size_t i = 0; i < sizeof flops / sizeof flops[0]; i++) s->flops[flops[i].op] = flops[i].n;
}

static uint32_t bit(int r) { return r ? 1u << r : 0; }

static void vector_reads(FDec *d)
{
    const uint8_t code[3] = {d->in.a, d->in.b, d->in.c};
    for (int i = 0; i < 3; i++) {
        if (opd_is_reg(code[i])) d->reads |= bit(code[i]);
        if (opd_is_dot(code[i])) d->dots |= (uint8_t)(1u << (code[i] - OPD_DOT0));
    }
    if (d->in.op == OP_DOTS || d->in.op == OP_SUMS) d->dots |= (uint8_t)(1u << (d->in.d - OPD_DOT0));
}

static InsKind kind_of(const PeOp *op)
{
    if (op->slots == SLOT_VEC) return K_VEC;
    switch (op->unit) {
    case UNIT_INT: case UNIT_FPU: return K_ALU;
    case UNIT_MEM: return K_MEM;
    case UNIT_CTL: return K_CTL;
    case UNIT_TSK: return K_TSK;
    case UNIT_DSR: return K_DSR;
    case UNIT_RTR: return K_RTR;
    case UNIT_FAB: return K_FAB;
    }
    return K_BAD;
}

static void vector_numbers(Fast *s, FDec *d)
{
    const Arch *a = &s->b.arch;
    const int bits[3] = {AP(a, write_bits), AP(a, read_bits), AP(a, read_bits_each)};
    int op = d->in.op;
    if (d->op->fmt == FMT_V3) d->own = (uint8_t)d->in.imm;
    if (op == OP_FMACS1 || op == OP_FMSS1 || op == OP_FMACH1) d->own = 1;
    int w = pe_width(a, d->op->vclass);
    d->width = (uint16_t)(w > 0xffff ? 0xffff : w);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++) d->port[i][k] = (uint16_t)(bits[i] / (k ? 32 : 16));
    d->plain = bodies[op];
    const uint8_t code[3] = {d->in.d, d->in.a, d->in.b};
    for (int i = 0; i < 3; i++) d->dsr[i] = (uint8_t)(opd_is_dsr(code[i]) ? i * N_DSR + code[i] - OPD_DSR0 : NO_DSR);
    d->same = d->in.d == OPD_SAME_A;
    if (d->same) d->dsr[0] = d->dsr[1];
    const uint8_t src[4] = {d->in.a, d->in.b, d->in.c, d->in.d};
    for (int i = 0; i < 4; i++) {
        if (i < 3 && opd_is_reg(src[i])) d->reg[i] = src[i];
        if (opd_is_dot(src[i])) d->dot[i] = (uint8_t)(src[i] - OPD_DOT0 + 1);
    }
    d->fresh = op == OP_DOTS || op == OP_SUMS;
    d->has_iq = s->has_iq;
    bool all4 = d->op->esz[0] == 4 && d->op->esz[1] != 2 && d->op->esz[2] == 4 && d->op->esz[3] != 2;
    bool dots = op == OP_DOTS || op == OP_DOTAS || op == OP_DOTNS;
    if (dots && op != OP_DOTNS && d->fn == d->plain && d->own && d->width == 1 && d->dsr[1] != NO_DSR && d->dsr[2] != NO_DSR) d->form = FORM_DOT;
    else if (all4 && d->own == 1 && !d->dot[3]) d->form = FORM_SINGLE;
}

void fast_decode(Fast *s, FDec *d, uint32_t word)
{
    *d = (FDec){.word = word};
    if (!pe_decode(word, &d->in)) return;
    const PeIns *in = &d->in;
    d->op = &pe_ops[in->op];
    d->kind = kind_of(d->op);
    d->slots = s->slots[in->op];
    d->lat = s->lat[in->op];
    d->fn = s->fn[in->op];
    d->flops = s->flops[in->op];
    d->slot_ct = s->slot_ct[in->op];
    d->imm = d->op->fmt == FMT_RRI || d->op->fmt == FMT_RI;
    d->store = d->op->flags & F_STORE;
    d->mem_bytes = in->op == OP_LDW || in->op == OP_STW ? 4 : in->op == OP_LDB || in->op == OP_LDBU || in->op == OP_STB ? 1 : 2;
    switch (d->op->fmt) {
    case FMT_RRR: case FMT_BR: case FMT_DRR: d->reads = bit(in->ra) | bit(in->rb); break;
    case FMT_RRRR: d->reads = bit(in->ra) | bit(in->rb) | bit(in->rc); break;
    case FMT_RR: case FMT_R: case FMT_LP: case FMT_DL: case FMT_DR: case FMT_QR: d->reads = bit(in->ra); break;
    case FMT_RRI: d->reads = bit(in->ra) | (d->op->flags & F_STORE ? bit(in->rd) : 0); break;
    case FMT_RI: d->reads = in->op == OP_INSL ? bit(in->rd) : 0; break;
    case FMT_RK: d->reads = in->op == OP_HOUT ? bit(in->rd) : 0; break;
    case FMT_V3: case FMT_V4:
        vector_reads(d);
        vector_numbers(s, d);
        break;
    case FMT_N: case FMT_I: case FMT_J: case FMT_LE: case FMT_T: case FMT_AS: break;
    }
}
