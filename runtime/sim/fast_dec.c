/* runtime/sim/fast_dec.c: decoding once per class, with everything that can be looked up put into the instruction. */
#include "runtime/sim/fast.h"

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
    d->plain = s->tab.plain[op];
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
    const SimIns i = sim_decode(word);
    *d = (FDec){.word = word, .in = i.in, .op = i.op, .reads = i.reads, .dots = i.dots};
    if (!i.op) return;
    const PeIns *in = &d->in;
    d->kind = kind_of(d->op);
    d->slots = s->tab.slots[in->op];
    d->lat = s->tab.lat[in->op];
    d->fn = s->tab.fn[in->op];
    d->flops = s->tab.flops[in->op];
    d->slot_ct = s->tab.slot_ct[in->op];
    d->imm = d->op->fmt == FMT_RRI || d->op->fmt == FMT_RI;
    d->store = d->op->flags & F_STORE;
    d->mem_bytes = in->op == OP_LDW || in->op == OP_STW ? 4 : in->op == OP_LDB || in->op == OP_LDBU || in->op == OP_STB ? 1 : 2;
    if (d->op->fmt == FMT_V3 || d->op->fmt == FMT_V4) vector_numbers(s, d);
}
