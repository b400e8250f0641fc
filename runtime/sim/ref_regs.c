/* runtime/sim/ref_regs.c: the registers of the machine (docs/machine.md, "Registers of the machine"): how a program reads and sets
 * its router, its queues' state, its microthreads and priorities by loads and stores.  Only classes that say so reach them. */
#include "runtime/sim/ref.h"

static bool in_range(uint16_t addr, unsigned first, unsigned words) { return addr >= first && addr < first + 2 * words; }

/* ---- a router slot as it is now */
void ref_slot_apply(Rt *r, int color)
{
    unsigned rx = r->base_rx[color], tx = slot_tx(r->slot[color]);
    for (int k = 1; k <= sw_at(r->sw[color]); k++) {
        unsigned p = sw_pos(r->sw[color], k);
        if (p & SW_RX) rx = 1u << (p & 7);
        else tx = 1u << (p & 7);
    }
    r->rx[color] = (uint8_t)rx, r->tx[color] = (uint8_t)tx;
}

static uint16_t color_word(const Rt *r, int c)
{
    uint32_t bit = 1u << c;
    bool some = (r->open | r->closed) & bit;
    return (uint16_t)(slot_tx(r->slot[c]) | r->base_rx[c] << 5 | (r->swap[0] & bit ? 0x400 : 0) | (r->swap[1] & bit ? 0x800 : 0) |
                      (unsigned)slot_pop(r->slot[c]) << 12 | (r->closed & bit ? 0x4000 : 0) | (some ? 0x8000 : 0));
}

/* The teardown before was to close this queue later: it does not. */
static void keep_open(Pe *pe, int q)
{
    for (ptrdiff_t i = arrlen(pe->effects); i-- > 0;)
        if (pe->effects[i].kind == EF_CLOSE && pe->effects[i].id == q) arrdel(pe->effects, i);
}

/* A slot opened by hand takes words again, and so do the queues of its color that a teardown closed or was about to. */
static void open_color(Ref *s, Pe *pe, int c)
{
    Rt *r = pe->rt;
    uint32_t bit = 1u << c;
    r->open |= bit;
    r->closed &= ~bit, r->carried &= ~bit, r->pending &= ~bit;
    for (int q = 0; q < N_QUEUE; q++)
        if (pe->iq[q].color == c) {
            pe->iq[q].open = true;
            keep_open(pe, q);
        }
    ref_wake_router(s, pe->i, s->now + 1);
}

static void write_color(Ref *s, Pe *pe, int c, uint16_t v)
{
    Rt *r = pe->rt;
    uint32_t bit = 1u << c;
    unsigned rx = v >> 5 & 31, tx = v & 31, pop = v >> 12 & 3;
    uint16_t pc = pe->main.pc;
    bool moved = rx != r->base_rx[c] || tx != slot_tx(r->slot[c]);
    if (pop > POP_ON_ADVANCE) {
        REF_FAULT(s, pe->i, THREAD_MAIN, pc, bad_slot, d_uint(v), d_int(c), d_str("a pop mode that is none"));
        return;
    }
    if (moved && r->open & r->carried & bit) {
        REF_FAULT(s, pe->i, THREAD_MAIN, pc, slot_open, d_int(c));
        return;
    }
    r->base_rx[c] = (uint8_t)rx;
    r->slot[c] = (uint16_t)(slot_word(rx ? (Dir)__builtin_ctz(rx) : DIR_WEST, tx) | (r->slot[c] & (SLOT_SWITCH | SLOT_SWAP_NS | SLOT_SWAP_EW)) | pop << SLOT_POP_AT);
    ref_slot_apply(r, c);
    if (v & 0x4000) r->open &= ~bit, r->closed |= bit;
    else if (!rx || !tx) r->open &= ~bit, r->closed &= ~bit, r->pending &= ~bit;
    else if (!(r->open & bit)) open_color(s, pe, c);
}

static void write_switch(Ref *s, Pe *pe, int c, uint16_t v)
{
    Rt *r = pe->rt;
    const char *why = NULL;
    int n = 1;
    v &= 0x7fff;
    for (int k = 1; k < SW_POSITIONS; k++) {
        if ((sw_pos(v, k) & 7) > SW_NONE) why = "a switch position with no direction";
        if (n == k && sw_defined(v, k)) n++;
    }
    if (sw_at(v) >= n) why = "a current switch position that is not defined";
    if (n > 1 && !arch_has_switch(&s->b.arch, c)) why = "a switch, which this color has not on wse3";
    if (why) {
        REF_FAULT(s, pe->i, THREAD_MAIN, pe->main.pc, bad_slot, d_uint(v), d_int(c), d_str(why));
        return;
    }
    r->sw[c] = v;
    r->slot[c] |= SLOT_SWITCH;
    ref_slot_apply(r, c);
    ref_wake_router(s, pe->i, s->now + 1);
}

/* ---- queues */
static uint16_t queue_state(const Pe *pe, bool out, bool full)
{
    unsigned m = 0;
    for (int q = 0; q < N_QUEUE; q++) {
        uint32_t n = out ? pe->oq[q].r.n : pe->iq[q].r.n, cap = out ? pe->oq[q].cap : pe->iq[q].cap;
        if (cap && (full ? n >= cap : n == 0)) m |= 1u << q;
    }
    return (uint16_t)m;
}

/* Queues that were to report and are empty now: task 29 runs. */
void ref_flush(Ref *s, Pe *pe)
{
    unsigned empty = queue_state(pe, false, false) | (unsigned)queue_state(pe, true, false) << 8, now = pe->flush & empty;
    if (!now) return;
    pe->flush &= (uint16_t)~now;
    pe->flushed |= (uint16_t)now;
    ref_active(s, s->now);
    if (pe->cls->bound >> TASK_TEARDOWN & 1) ref_activate(s, pe, TASK_TEARDOWN, THREAD_MAIN, pe->main.pc);
}

/* ---- access */
static uint16_t *filter_word(Rt *r, uint16_t addr)
{
    unsigned f = (unsigned)(addr - REG_FILTER) / 16, k = addr % 16 / 2;
    if (f >= r->nfilter || k > 2) return NULL;
    return k == 0 ? &r->filter[f].init : k == 1 ? &r->filter[f].max : &r->filter[f].limit;
}

bool ref_reg_read(Ref *s, Pe *pe, uint16_t addr, uint32_t *v)
{
    Rt *r = pe->rt;
    addr &= 0xfffe;
    if (in_range(addr, REG_COLOR, N_COLOR)) *v = color_word(r, (addr - REG_COLOR) / 2);
    else if (in_range(addr, REG_SWITCH, N_COLOR)) *v = r->slot[(addr - REG_SWITCH) / 2] & SLOT_SWITCH ? r->sw[(addr - REG_SWITCH) / 2] : SW_UNDEFINED;
    else if (in_range(addr, REG_PENDING, 2)) *v = r->pending >> (addr - REG_PENDING) * 8 & 0xffff;
    else if (addr == REG_FLUSH) *v = pe->flush;
    else if (addr == REG_FLUSHED) *v = pe->flushed;
    else if (in_range(addr, REG_IQ_EMPTY, 4)) *v = queue_state(pe, addr >= REG_OQ_EMPTY, addr & 2);
    else if (addr == REG_UT_BLOCK) *v = pe->ut_blocked;
    else if (in_range(addr, REG_HIGH, 4)) *v = pe->high >> (addr - REG_HIGH) * 8 & 0xffff;
    else if (in_range(addr, REG_CTRL_BLOCK, 4)) *v = pe->ctrl_blocked >> (addr - REG_CTRL_BLOCK) * 8 & 0xffff;
    else if (in_range(addr, REG_FILTER, 8 * N_FILTER) && filter_word(r, addr)) *v = *filter_word(r, addr);
    else return false;
    return true;
}

static void set_part(uint64_t *m, unsigned part, uint16_t v)
{
    *m = (*m & ~(0xffffull << part * 16)) | (uint64_t)v << part * 16;
}

bool ref_reg_write(Ref *s, Pe *pe, uint16_t addr, uint16_t v)
{
    if (in_range(addr, REG_COLOR, N_COLOR)) write_color(s, pe, (addr - REG_COLOR) / 2, v);
    else if (in_range(addr, REG_SWITCH, N_COLOR)) write_switch(s, pe, (addr - REG_SWITCH) / 2, v);
    else if (addr == REG_FLUSH) pe->flush |= v;
    else if (addr == REG_FLUSHED) pe->flushed &= (uint16_t)~v;
    else if (addr == REG_UT_BLOCK) pe->ut_blocked = (uint8_t)v;
    else if (in_range(addr, REG_HIGH, 4)) set_part(&pe->high, (unsigned)(addr - REG_HIGH) / 2, v);
    else if (in_range(addr, REG_CTRL_BLOCK, 4)) set_part(&pe->ctrl_blocked, (unsigned)(addr - REG_CTRL_BLOCK) / 2, v);
    else if (in_range(addr, REG_FILTER, 8 * N_FILTER) && filter_word(pe->rt, addr)) *filter_word(pe->rt, addr) = v;
    else return false;
    return true;
}
