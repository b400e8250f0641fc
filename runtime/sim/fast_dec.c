/* runtime/sim/fast_dec.c: decoding once per class, with everything that can be looked up put into the instruction. */
#include "runtime/sim/fast.h"
#include <string.h>

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
    const int op = d->in.op;
    if (d->op->fmt == FMT_V3) d->own = (uint8_t)d->in.imm;
    if (op == OP_FMACS1 || op == OP_FMSS1 || op == OP_FMACH1) d->own = 1;
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
    const uint8_t *esz = d->op->esz;
    const bool all4 = esz[0] == 4 && esz[1] != 2 && esz[2] == 4 && esz[3] != 2;
    const bool dsrs = d->dsr[1] != NO_DSR && d->dsr[2] != NO_DSR;
    const bool moves = (op == OP_FMOVS || op == OP_MOV32) && d->dsr[0] != NO_DSR && d->dsr[2] != NO_DSR && s->fab_op;
    if ((op == OP_DOTS || op == OP_DOTAS) && d->fn == s->tab.plain[op] && d->own && dsrs && pe_width(&s->b.arch, d->op->vclass) == 1) d->form = FORM_DOT;
    else if (all4 && d->own == 1 && !d->dot[3]) d->form = FORM_SINGLE;
    else if (moves && d->own && s->fabric_width == 1) d->form = FORM_SEND;
}

/* places of DSRs, instead of their numbers */
static void place(const FClass *k, FDec *d)
{
    d->dsrs = 0;
    for (int i = 0; i < 3; i++) {
        if (d->dsr[i] == NO_DSR) continue;
        d->dsr[i] = k->dsr_at[d->dsr[i]];
        d->dsrs |= 1ull << d->dsr[i];
    }
}

void fast_place_dsrs(FClass *k)
{
    uint64_t used = 0;
    for (uint32_t i = 0; i < k->ndec; i++)
        for (int j = 0; j < 3; j++)
            if (k->dec[i].dsr[j] != NO_DSR) used |= 1ull << k->dec[i].dsr[j];
    uint8_t last = k->ndsr = (uint8_t)__builtin_popcountll(used);
    for (unsigned r = 0, n = 0; r < 3 * N_DSR; r++) k->dsr_at[r] = used >> r & 1 ? (uint8_t)n++ : last++;
    for (uint32_t i = 0; i < k->ndec; i++) place(k, &k->dec[i]);
}

void fast_foreign(Fast *s, Core *p, FDec *d)
{
    bool more = false;
    place(p->cls, d);
    for (int i = 0; i < 3; i++) more |= d->dsr[i] != NO_DSR && d->dsr[i] >= p->ndsr;
    if (!more) return;
    FDsr *all = ARENA_ARR(s->arena, FDsr, 3 * N_DSR);
    if (p->ndsr) memcpy(all, p->dsr, p->ndsr * sizeof *all);
    p->dsr = all;
    p->ndsr = 3 * N_DSR;
}

void fast_decode(Fast *s, FDec *d, uint32_t word)
{
    const SimIns i = sim_decode(word);
    *d = (FDec){.word = word, .in = i.in, .op = i.op, .reads = i.reads, .dots = i.dots, .dsr = {NO_DSR, NO_DSR, NO_DSR}};
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
    if (d->kind == K_DSR) d->dsr[0] = (uint8_t)in->dsr;
    if (d->op->fmt == FMT_V3 || d->op->fmt == FMT_V4) vector_numbers(s, d);
}
