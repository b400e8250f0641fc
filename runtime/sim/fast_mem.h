/* runtime/sim/fast_mem.h: the quick ways to memory and to words that have arrived, for fast_vec.c and fast_core.c. */
#ifndef WS_SIM_FAST_MEM_H
#define WS_SIM_FAST_MEM_H
#include "runtime/sim/fast.h"
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "PE memory is read as the host's words");

static inline uint32_t get4(const uint8_t *m)
{
    uint32_t v;
    memcpy(&v, m, 4);
    return v;
}
static inline uint32_t get2(const uint8_t *m)
{
    uint16_t v;
    memcpy(&v, m, 2);
    return v;
}

/* the n elements from addr on lie in the memory, and the addresses do not wrap */
static inline bool inside(const Fast *s, uint16_t addr, int32_t step, uint32_t n, uint32_t esz)
{
    int32_t z = addr + step * (int32_t)(n - 1), most = (int32_t)(s->mem_bytes - esz);
    return z >= 0 && z <= most && addr <= most && !(addr & 1);
}

static inline uint32_t fast_load(Fast *s, Core *p, uint16_t addr, int bytes)
{
    if (bytes == 1 ? addr >= s->mem_bytes : (addr & 0xfffeu) + (unsigned)bytes > s->mem_bytes) return fast_load_slow(s, p, addr, bytes);
    const uint8_t *m = p->mem + (bytes == 1 ? addr : addr & 0xfffe);
    if (bytes == 4) return m[0] | (uint32_t)m[1] << 8 | (uint32_t)m[2] << 16 | (uint32_t)m[3] << 24;
    return bytes == 2 ? m[0] | (uint32_t)m[1] << 8 : m[0];
}

static inline void fast_store(Fast *s, Core *p, uint16_t addr, int bytes, uint32_t v)
{
    uint32_t a = bytes == 1 ? addr : addr & 0xfffeu;
    if (a + (unsigned)bytes > s->mem_bytes || (a < p->cls->text_end && a + (unsigned)bytes > p->cls->text_addr)) {
        fast_store_slow(s, p, addr, bytes, v);
        return;
    }
    uint8_t *m = p->mem + a;
    m[0] = (uint8_t)v;
    if (bytes == 1) return;
    m[1] = (uint8_t)(v >> 8);
    if (bytes == 2) return;
    m[2] = (uint8_t)(v >> 16);
    m[3] = (uint8_t)(v >> 24);
}

/* Elements of a nested operand before the innermost dimension starts anew, at most `most`; the next ones are n->step[0] apart. */
static inline uint32_t fast_nest_run(const FNest *n, uint32_t most)
{
    if (!n->ext[0]) return most;
    uint32_t run = n->cnt[0] < n->ext[0] ? (uint32_t)n->ext[0] - n->cnt[0] : 1;
    return run < most ? run : most;
}

/* The address behind k elements, all of one run. */
static inline uint16_t fast_nest_pass(FNest *n, uint16_t addr, uint32_t k)
{
    addr = (uint16_t)(addr + k * (uint32_t)n->step[0]);
    if (!n->ext[0] || (n->cnt[0] = (uint16_t)(n->cnt[0] + k)) < n->ext[0]) return addr;
    addr = (uint16_t)(addr - n->ext[0] * (uint32_t)n->step[0]);
    n->cnt[0] = 0;
    for (int i = 1; i < 4; i++) {
        addr = (uint16_t)(addr + (uint32_t)n->step[i]);
        if (!n->ext[i] || ++n->cnt[i] < n->ext[i]) break;
        addr = (uint16_t)(addr - n->ext[i] * (uint32_t)n->step[i]);
        n->cnt[i] = 0;
    }
    return addr;
}

static inline uint32_t fast_take(Fast *s, Core *p, int q, uint64_t t)
{
    FIn *k = &p->iq[q];
    if (k->waited || k->pop == k->tail || p->ctl) return fast_take_slow(s, p, q, t);
    fast_in_reach(k, t + 1);
    FWord *w = fast_in_word(k, k->pop++);
    fast_in_stamp(k, w, t + 1, 0);
    p->ct[CT_received]++;
    return w->data;
}

/* Words of queue q that can be read in cycle t, at most want.  *unknown: more may come that nobody knows of yet.
 * *until: when the next can be read, NEVER if that is not known. */
static inline uint32_t fast_words(const Fast *s, const Core *p, int q, uint64_t t, uint32_t want, bool *unknown, uint64_t *until)
{
    const FIn *k = &p->iq[q];
    uint32_t have = k->tail - k->pop, n = 0;
    *until = NEVER;
    if (!have && k->color == COLOR_NULL) return want;
    const uint32_t data = p->ctl ? fast_before_control(p, q) : UINT32_MAX;
    while (n < want && n < have && n < data && fast_in_at(k, k->pop + n) <= t) n++;
    if (n == data && fast_in_at(k, k->pop + n) <= t) return n;      /* something else must take the control word first */
    if (n < want) {
        if (n < have) *until = fast_in_at(k, k->pop + n);
        else if (k->color < N_COLOR && t > s->now + s->ramp_down) *unknown = true;
    }
    return n;
}

/* from when on the core may use the place of word k, which has been granted */
static inline uint64_t fast_gone(const Fast *s, const FOut *o, uint32_t k) { return o->w[k & o->mask].at + (s->fab_op == 0); }

/* places that an element issued in cycle t may use */
static inline uint32_t fast_space(const Fast *s, const Core *p, int q, uint64_t t)
{
    const FOut *o = &p->oq[q];
    if (o->color == COLOR_NULL) return UINT32_MAX;
    uint32_t used = o->tail - o->pop;
    for (uint32_t k = o->pop; o->next > t && used < o->cap && used <= o->mask && fast_gone(s, o, --k) > t;) used++;
    return used < o->cap ? o->cap - used : 0;
}

/* There is no space in cycle t: when to look again, NEVER if the next grant tells.  Routers grant ahead of the clock. */
static inline uint64_t fast_space_until(const Fast *s, const Core *p, int q, uint64_t t)
{
    const FOut *o = &p->oq[q];
    uint64_t until = NEVER, at;
    uint32_t used = o->tail - o->pop;
    for (uint32_t k = o->pop; o->next > t && used < o->cap && used <= o->mask && (at = fast_gone(s, o, --k)) > t; used++) until = at;
    return until;
}

/* DSR is changed by an instruction whose last slot is t. */
static inline void fast_dsr_busy(Core *p, int dsr, uint64_t t, int lat)
{
    const uint64_t at = t + (uint64_t)lat;
    if (t >= p->dsr_max) p->dsr_pend = 0;
    p->dsr[dsr].ready = (uint32_t)at;
    p->dsr_pend |= 1ull << dsr;
    if (at > p->dsr_max) p->dsr_max = at;
}
#endif
