/* runtime/sim/slots.c: router slots, registers of the machine and FIFO records, for both engines (slots.h). */
#include "runtime/sim/slots.h"
#include <string.h>

static const SlotFault fine = {.kind = SF_none};
#define FAULT(k, ...) ((SlotFault){.kind = SF_##k, .n = (int)(sizeof((DiagArg[]){__VA_ARGS__}) / sizeof(DiagArg)), .arg = {__VA_ARGS__}})

/* ---- slots */
void slots_apply(RtSlots *r, int color)
{
    unsigned rx = r->base_rx[color], tx = slot_tx(r->slot[color]);
    for (int k = 1; k <= sw_at(r->sw[color]); k++) {
        unsigned p = sw_pos(r->sw[color], k);
        if (p & SW_RX) rx = 1u << (p & 7);
        else tx = 1u << (p & 7);
    }
    r->rx[color] = (uint8_t)rx, r->tx[color] = (uint8_t)tx;
}

bool slots_route(RtSlots *t, const WsRoute *r)
{
    int c = r->color;
    uint32_t bit = 1u << c;
    t->slot[c] = r->slot;
    t->sw[c] = r->slot & SLOT_SWITCH ? r->sw : 0;
    t->base_rx[c] = (uint8_t)(1u << slot_rx(r->slot) | r->rx_more);
    if (r->slot & SLOT_SHUT) t->closed |= bit;
    else t->open |= bit;
    if (r->slot & SLOT_SWAP_NS) t->swap[0] |= bit;
    if (r->slot & SLOT_SWAP_EW) t->swap[1] |= bit;
    slots_apply(t, c);
    if (!r->filter.kind) return true;
    if (t->nfilter == N_FILTER) return false;
    t->filter[t->nfilter] = r->filter;
    if (r->filter.kind == FILTER_SPARSE && !r->filter.limit) t->filter[t->nfilter].counts = 0;
    t->nfilter++;
    t->filter_of[c] = t->nfilter;
    return true;
}

void slots_order_filters(RtSlots *t)
{
    WsFilter f[N_FILTER];
    uint8_t n = 0;
    for (int c = 0; c < N_COLOR; c++) {
        if (!t->filter_of[c]) continue;
        f[n] = t->filter[t->filter_of[c] - 1];
        t->filter_of[c] = ++n;
    }
    memcpy(t->filter, f, n * sizeof f[0]);
}

SlotFault slots_check(int color, uint16_t word, bool used)
{
    if (color >= N_COLOR) return FAULT(bad_color, d_str("a router slot"), d_int(color));
    if (word & SLOT_MORE) return FAULT(switches, d_uint(word), d_int(color));
    if ((int)slot_rx(word) >= N_DIR) return FAULT(bad_slot, d_uint(word), d_int(color), d_str("an input that is no direction"));
    if (!slot_tx(word)) return FAULT(bad_slot, d_uint(word), d_int(color), d_str("no output"));
    return used ? FAULT(slot_open, d_int(color)) : fine;
}

SlotFault slots_set(RtSlots *r, int color, uint16_t word)
{
    const uint32_t bit = 1u << (color & 31);
    const SlotFault f = slots_check(color, word, r->open & r->carried & bit);
    if (f.kind) return f;
    r->slot[color] = word;
    r->sw[color] = 0;
    r->base_rx[color] = (uint8_t)(1u << slot_rx(word));
    slots_apply(r, color);
    r->open |= bit, r->context |= bit;
    r->closed &= ~bit, r->carried &= ~bit, r->pending &= ~bit;
    return fine;
}

void slots_close(RtSlots *r, int color)
{
    r->open &= ~(1u << color);
    r->closed |= 1u << color;
    r->pending |= 1u << color;
}

void slots_view(const RtSlots *r, int color, SimSlot *out)
{
    const uint32_t bit = 1u << color;
    *out = (SimSlot){.state = r->open & bit ? SLOT_OPEN : r->closed & bit ? SLOT_CLOSED : SLOT_NONE, .slot = r->slot[color],
                     .carried = r->carried & bit, .in_context = r->context & bit};
    if (r->rx[color]) out->slot = (uint16_t)((r->slot[color] & 0xff00) | (uint16_t)(r->tx[color] << 3) | (uint16_t)__builtin_ctz(r->rx[color]));
    out->rx = r->rx[color];
    out->sw = r->slot[color] & SLOT_SWITCH ? r->sw[color] : 0;
    if (r->filter_of[color]) out->filter = r->filter[r->filter_of[color] - 1];
}

/* ---- filters */
static bool filtered(const RtSlots *r, int color, bool control, uint32_t data)
{
    const WsFilter *f = r->filter_of[color] ? &r->filter[r->filter_of[color] - 1] : NULL;
    if (!f) return false;
    if (f->kind == FILTER_RANGE) return !control && (data >> 16 < f->limit || data >> 16 > f->max);
    if (f->counts & FILTER_CONTROL_ONLY) return !control || f->init != f->max;
    return f->counts & (control ? FILTER_CONTROL : FILTER_DATA) && f->init > f->max;
}

static void filter_count(RtSlots *r, int color, bool control)
{
    WsFilter *f = r->filter_of[color] ? &r->filter[r->filter_of[color] - 1] : NULL;
    if (!f || f->kind == FILTER_RANGE || !(f->counts & (control ? FILTER_CONTROL : FILTER_DATA))) return;
    const bool round = f->init == f->limit;
    f->init = round ? 0 : (uint16_t)(f->init + 1);
    if (f->kind != FILTER_SPARSE || !round) return;
    f->limit = f->limit2, f->limit2 = 0;
    if (!f->limit) f->counts = 0;                        /* no round is left: it neither counts nor judges */
}

RampWay slots_ramp_way(const RtSlots *r, uint32_t uses, int color, bool control, uint32_t data, bool queue)
{
    const bool tear = ctrl_tears_down(control, data), away = control && ctrl_not_to_core(data), takes = uses & USES_CONTROL;
    if (!tear && (away || filtered(r, color, control, data))) return RAMP_GOES;
    if (queue) return !control || (takes && !away) ? RAMP_IF_PLACE : RAMP_GOES;
    if (tear) return away && uses & USES_TEARDOWN ? RAMP_GOES : RAMP_WAITS;
    return control && takes && ctrl_task(data) == CTRL_NO_TASK ? RAMP_GOES : RAMP_WAITS;
}

RampFate slots_ramp_fate(RtSlots *r, uint32_t uses, int color, bool control, uint32_t data)
{
    const bool kept = filtered(r, color, control, data);
    filter_count(r, color, control);
    if (kept) return RAMP_KEPT;
    if (!control) return RAMP_TO_CORE;
    return ctrl_not_to_core(data) ? RAMP_VANISHES : uses & USES_CONTROL ? RAMP_TO_CORE : RAMP_FAULT;
}

/* ---- switches */
static int advanced(const RtSlots *r, int c, int at)
{
    if (!(r->slot[c] & SLOT_SWITCH)) return at;
    if (at + 1 < SW_POSITIONS && sw_defined(r->sw[c], at + 1)) return at + 1;
    return r->sw[c] & SW_RING ? 0 : at;
}

static bool pops(PopMode pop, unsigned cmd, bool moved)
{
    if (pop == POP_ALWAYS || (pop == POP_ON_ADVANCE_NOP && cmd == CMD_NOP)) return true;
    return (pop == POP_ON_ADVANCE || pop == POP_ON_ADVANCE_NOP) && cmd == CMD_ADVANCE && moved;
}

SlotPass slots_pass(const RtSlots *r, int c, bool control, bool advance, uint32_t data)
{
    const unsigned cmd = control ? ctrl_command(data) & 3 : CMD_NOP;
    const int from = sw_at(r->sw[c]);
    int at = cmd == CMD_ADVANCE ? advanced(r, c, from) : cmd == CMD_RESET && r->slot[c] & SLOT_SWITCH ? 0 : from;
    PopMode pop = slot_pop(r->slot[c]);
    SlotPass p = {.on = data, .teardown = cmd == CMD_TEARDOWN};
    if (control && pops(pop, cmd, at != from)) p.on = ctrl_pop(data);
    if (advance) at = advanced(r, c, at);
    p.at = at;
    p.moved = at != from;
    return p;
}

void slots_move(RtSlots *r, int c, int at)
{
    r->sw[c] = (uint16_t)((r->sw[c] & ~(3u << SW_AT)) | (unsigned)at << SW_AT);
    slots_apply(r, c);
}

/* ---- registers */
static bool in_range(uint16_t addr, unsigned first, unsigned words) { return addr >= first && addr < first + 2 * words; }

static uint16_t color_word(const RtSlots *r, int c)
{
    uint32_t bit = 1u << c;
    bool some = (r->open | r->closed) & bit;
    return (uint16_t)(slot_tx(r->slot[c]) | r->base_rx[c] << 5 | (r->swap[0] & bit ? 0x400 : 0) | (r->swap[1] & bit ? 0x800 : 0) |
                      (unsigned)slot_pop(r->slot[c]) << 12 | (r->closed & bit ? 0x4000 : 0) | (some ? 0x8000 : 0));
}

static SlotFault write_color(RtSlots *r, int c, uint16_t v, int *opened)
{
    uint32_t bit = 1u << c;
    unsigned rx = v >> 5 & 31, tx = v & 31, pop = v >> 12 & 3;
    bool moved = rx != r->base_rx[c] || tx != slot_tx(r->slot[c]);
    if (moved && r->open & r->carried & bit) return FAULT(slot_open, d_int(c));
    r->base_rx[c] = (uint8_t)rx;
    r->slot[c] = (uint16_t)(slot_word(rx ? (Dir)__builtin_ctz(rx) : DIR_WEST, tx) | (r->slot[c] & (SLOT_SWITCH | SLOT_SWAP_NS | SLOT_SWAP_EW)) | pop << SLOT_POP_AT);
    slots_apply(r, c);
    if (v & 0x4000) r->open &= ~bit, r->closed |= bit;
    else if (!rx || !tx) r->open &= ~bit, r->closed &= ~bit, r->pending &= ~bit;
    else if (!(r->open & bit)) {                         /* a slot opened by hand takes words again */
        *opened = c;
        r->open |= bit;
        r->closed &= ~bit, r->carried &= ~bit, r->pending &= ~bit;
    }
    return fine;
}

static SlotFault write_switch(RtSlots *r, const Arch *a, int c, uint16_t v)
{
    const char *why = NULL;
    int n = 1;
    v &= 0x7fff;
    for (int k = 1; k < SW_POSITIONS; k++) {
        if ((sw_pos(v, k) & 7) > SW_NONE) why = "a switch position with no direction";
        if (n == k && sw_defined(v, k)) n++;
    }
    if (sw_at(v) >= n) why = "a current switch position that is not defined";
    if (n > 1 && !arch_has_switch(a, c)) why = "a switch, which this color has not on wse3";
    if (why) return FAULT(bad_slot, d_uint(v), d_int(c), d_str(why));
    r->sw[c] = v;
    r->slot[c] |= SLOT_SWITCH;
    slots_apply(r, c);
    return fine;
}

static uint16_t *filter_word(const RtSlots *r, uint16_t addr)
{
    unsigned f = (unsigned)(addr - REG_FILTER) / 16, k = addr % 16 / 2;
    if (f >= r->nfilter || k > 2) return NULL;
    WsFilter *x = (WsFilter *)&r->filter[f];
    return k == 0 ? &x->init : k == 1 ? &x->max : &x->limit;
}

bool regs_read(const RtSlots *r, const CoreRegs *c, QueueState q, uint16_t addr, uint32_t *v)
{
    addr &= 0xfffe;
    if (in_range(addr, REG_IQ_COLOR, N_QUEUE)) *v = (q.iq_color[(addr - REG_IQ_COLOR) / 2] & 31u) << 4;
    else if (in_range(addr, REG_OQ_COLOR, N_QUEUE)) *v = (q.oq_color[(addr - REG_OQ_COLOR) / 2] & 31u) << 4;
    else if (in_range(addr, REG_COLOR, N_COLOR)) *v = color_word(r, (addr - REG_COLOR) / 2);
    else if (in_range(addr, REG_SWITCH, N_COLOR)) *v = r->slot[(addr - REG_SWITCH) / 2] & SLOT_SWITCH ? r->sw[(addr - REG_SWITCH) / 2] : SW_UNDEFINED;
    else if (in_range(addr, REG_PENDING, 2)) *v = r->pending >> (addr - REG_PENDING) * 8 & 0xffff;
    else if (addr == REG_FLUSH) *v = c->flush;
    else if (addr == REG_FLUSHED) *v = c->flushed;
    else if (addr == REG_IQ_EMPTY) *v = q.iq_empty;
    else if (addr == REG_IQ_FULL) *v = q.iq_full;
    else if (addr == REG_OQ_EMPTY) *v = q.oq_empty;
    else if (addr == REG_OQ_FULL) *v = q.oq_full;
    else if (addr == REG_UT_BLOCK) *v = c->ut_blocked;
    else if (in_range(addr, REG_HIGH, 4)) *v = c->high >> (addr - REG_HIGH) * 8 & 0xffff;
    else if (in_range(addr, REG_CTRL_BLOCK, 4)) *v = c->ctrl_blocked >> (addr - REG_CTRL_BLOCK) * 8 & 0xffff;
    else if (in_range(addr, REG_FILTER, 8 * N_FILTER) && filter_word(r, addr)) *v = *filter_word(r, addr);
    else return false;
    return true;
}

static void set_part(uint64_t *m, unsigned part, uint16_t v)
{
    *m = (*m & ~(0xffffull << part * 16)) | (uint64_t)v << part * 16;
}

bool regs_write(RtSlots *r, CoreRegs *c, const Arch *a, uint16_t addr, uint16_t v, SlotFault *fault, RegsDid *did)
{
    *fault = fine;
    *did = (RegsDid){.opened = -1};
    if (in_range(addr, REG_IQ_COLOR, N_QUEUE)) did->bind = sock_word(v >> 4 & 31, (addr - REG_IQ_COLOR) / 2, false, false);
    else if (in_range(addr, REG_OQ_COLOR, N_QUEUE)) did->bind = sock_word(v >> 4 & 31, (addr - REG_OQ_COLOR) / 2, true, false);
    else if (in_range(addr, REG_COLOR, N_COLOR)) *fault = write_color(r, (addr - REG_COLOR) / 2, v, &did->opened), did->changed = true;
    else if (in_range(addr, REG_SWITCH, N_COLOR)) *fault = write_switch(r, a, (addr - REG_SWITCH) / 2, v), did->changed = true;
    else if (addr == REG_FLUSH) c->flush |= v;
    else if (addr == REG_FLUSHED) c->flushed &= (uint16_t)~v;
    else if (addr == REG_UT_BLOCK) c->ut_blocked = (uint8_t)v;
    else if (in_range(addr, REG_HIGH, 4)) set_part(&c->high, (unsigned)(addr - REG_HIGH) / 2, v);
    else if (in_range(addr, REG_CTRL_BLOCK, 4)) set_part(&c->ctrl_blocked, (unsigned)(addr - REG_CTRL_BLOCK) / 2, v);
    else if (in_range(addr, REG_FILTER, 8 * N_FILTER) && filter_word(r, addr)) *filter_word(r, addr) = v, did->changed = true;
    else return false;
    return true;
}

bool regs_report(CoreRegs *c, QueueState q)
{
    unsigned now = c->flush & (q.iq_empty | (unsigned)q.oq_empty << 8);
    c->flush &= (uint16_t)~now;
    c->flushed |= (uint16_t)now;
    return now;
}

/* ---- FIFOs */
const char *fifo_fault(const uint8_t *mem, uint32_t n, uint16_t record, unsigned esz)
{
    const unsigned cap = fifo_word(mem, n, record, FIFO_CAP);
    if (!cap) return "has no record: its capacity is 0";
    if ((fifo_word(mem, n, record, FIFO_FORM) & 7u) != esz) return "holds elements of another size than the operation's";
    if (fifo_word(mem, n, record, FIFO_HEAD) >= cap) return "has a record whose oldest place is beyond its capacity";
    if (fifo_word(mem, n, record, FIFO_COUNT) > cap) return "has a record that holds more than its capacity";
    return NULL;
}

FifoAction fifo_action(const uint8_t *mem, uint32_t n, uint16_t record, bool push, bool async)
{
    FifoAction a = (FifoAction)(fifo_word(mem, n, record, FIFO_FORM) >> (push ? 6 : 4) & 3);
    return a != FIFO_TEST ? a : async ? FIFO_WAIT : FIFO_END;
}

int fifo_task(const uint8_t *mem, uint32_t n, uint16_t record, bool push)
{
    unsigned act = (unsigned)fifo_word(mem, n, record, FIFO_ACT) >> (push ? 0 : 8);
    return act & 0x40 ? (int)(act & 63) : -1;
}

FifoStep fifo_step(const uint8_t *mem, uint32_t n, uint16_t record, bool push, unsigned esz)
{
    uint32_t cap = fifo_word(mem, n, record, FIFO_CAP), head = fifo_word(mem, n, record, FIFO_HEAD), count = fifo_word(mem, n, record, FIFO_COUNT);
    uint32_t at = push ? (head + count) % cap : head % cap;
    return (FifoStep){(uint16_t)(fifo_word(mem, n, record, FIFO_BASE) + at * esz), (uint16_t)(push ? head : (head + 1) % cap),
                      (uint16_t)(push ? count + 1 : count - 1)};
}
