/* runtime/sim/fast_queue.c: memory at its edges, queue rings, binding queues to colors (docs/machine.md, "Sockets"). */
#include "runtime/sim/fast.h"
#include "runtime/sim/fast_mem.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory: accesses that touch the end of the memory, or wrap */
static uint32_t half(Fast *s, Core *p, uint16_t addr)
{
    uint32_t v;
    addr &= 0xfffe;
    if (addr >= s->mem_bytes) {
        if (fast_reg_read(s, p, addr, &v)) return v;
        p->ct[CT_stray]++;
        return 0;
    }
    return p->mem[addr] | (uint32_t)p->mem[addr + 1] << 8;
}

uint32_t fast_load_slow(Fast *s, Core *p, uint16_t addr, int bytes)
{
    if (bytes == 1) return half(s, p, addr) >> (addr & 1) * 8 & 0xff;
    if (bytes == 2) return half(s, p, addr);
    return half(s, p, addr) | half(s, p, (uint16_t)(addr + 2)) << 16;
}

static void put_byte(Core *p, uint16_t addr, uint32_t v)
{
    if (addr >= p->cls->text_addr && addr < p->cls->text_end) p->dirty = true;
    p->mem[addr] = (uint8_t)v;
}

void fast_store_slow(Fast *s, Core *p, uint16_t addr, int bytes, uint32_t v)
{
    if (bytes > 1) addr &= 0xfffe;
    for (int i = 0; i < bytes; i += 2) {
        uint16_t a = (uint16_t)(addr + i);
        if (a >= s->mem_bytes) {
            if (bytes > 1 && fast_reg_write(s, p, a, (uint16_t)(v >> i * 8))) continue;
            p->ct[CT_stray]++;
            continue;
        }
        put_byte(p, a, v >> i * 8);
        if (bytes > 1) put_byte(p, (uint16_t)(a + 1), v >> (i * 8 + 8));
    }
}

/* ---- rings */
static uint32_t ring_size(uint32_t words)
{
    uint32_t n = 2;
    while (n < words) n *= 2;
    return n;
}

/* Room for so many words, places that wait for their cycle included. */
void fast_ring_room(Fast *s, Core *p, int q, uint32_t words)
{
    FIn *k = &p->iq[q];
    uint32_t n = ring_size(words), old = k->w ? k->mask + 1u : 0;
    if (n <= old) return;
    FWord *w = fast_get(s, n * sizeof *w);
    for (uint32_t i = 0; i < old; i++) {                 /* the last `old` numbers, up to tail */
        uint32_t nr = k->tail - old + i;
        w[nr & (n - 1)] = k->w[nr & k->mask];
    }
    if (k->w) fast_put(s, k->w, old * sizeof *w);
    k->w = w;
    k->mask = (uint16_t)(n - 1);
    p->rings |= (uint16_t)(1u << q);
}

/* A ring is needed while it holds words, or the cycles of places that somebody may ask for: the router from now on, the core
 * from its own time on. */
void fast_rings_rest(Fast *s, Core *p)
{
    for (unsigned m = p->rings; m; m &= m - 1) {
        const int q = __builtin_ctz(m);
        if (q < N_QUEUE) {
            FIn *k = &p->iq[q];
            if (k->pop != k->tail || fast_in_at(k, k->pop - 1) > s->now) continue;
            fast_put(s, k->w, (k->mask + 1u) * sizeof *k->w);
            k->w = NULL;
        } else {
            FOut *o = &p->oq[q - N_QUEUE];
            if (o->pop != o->tail || o->next > p->t) continue;
            fast_put(s, o->w, (o->mask + 1u) * sizeof *o->w);
            o->w = NULL;
        }
        p->rings &= (uint16_t)~(1u << q);
    }
}

/* Stamps up to `at` must have room: those that lie far behind it, words that wait and places that are free, are as good at the
 * new base.  (What waits in a queue while its core sleeps is taken when the last word that the core needs is there.) */
void fast_in_rebase(FIn *k, uint64_t at)
{
    const uint64_t base = at - IN_REACH / 2, by = base - k->base;
    for (uint32_t i = 0; k->w && i <= k->mask; i++) {
        const uint64_t old = k->w[i].when >> 5;
        k->w[i].when = (uint32_t)(old > by ? old - by : 0) << 5 | (k->w[i].when & 31);
    }
    k->base = base;
}

/* A ring begins with a few words and grows while the place of the next is that of one which is there still, or which has not
 * been gone for long: its cycle counts for the space of the core. */
static __attribute__((noinline)) void out_room(Fast *s, Core *p, int q)
{
    FOut *o = &p->oq[q];
    const uint32_t most = ring_size(o->cap), old = o->w ? o->mask + 1u : 0, n = old ? old * 2 : most < OUT_FEW ? most : OUT_FEW;
    FOutWord *w = fast_get(s, n * sizeof *w);
    for (uint32_t i = 0; i < old; i++) {                 /* the last `old` numbers, up to tail */
        const uint32_t nr = o->tail - old + i;
        w[nr & (n - 1)] = o->w[nr & o->mask];
    }
    if (o->w) fast_put(s, o->w, old * sizeof *w);
    o->w = w;
    o->mask = (uint16_t)(n - 1);
    p->rings |= (uint16_t)(1u << (N_QUEUE + q));
}

void fast_send(Fast *s, Core *p, int q, uint32_t data, bool control, uint64_t t)
{
    FOut *o = &p->oq[q];
    assert(o->color != COLOR_NONE);
    if (o->color == COLOR_NULL) {
        p->ct[CT_dropped]++;
        return;
    }
    uint64_t at = t + s->fab_op + s->ramp_up;
    if (at == t) at++;                                   /* the routers of this cycle have passed */
    const uint32_t n = o->mask + 1u;
    if (!o->w || (n < o->cap && (o->tail - o->pop == n || fast_gone(s, o, o->tail - n) > t))) out_room(s, p, q);
    o->w[o->tail++ & o->mask] = (FOutWord){.data = data, .color = o->color, .control = control, .at = at};
    p->ct[CT_sent]++;
    if (o->tail - o->pop == 1) fast_list_out(s, p, q);
}

/* The word that was sent last moves the switch of its router. */
void fast_advances(Core *p, int q)
{
    FOut *o = &p->oq[q];
    if (o->color != COLOR_NULL) o->w[(o->tail - 1) & o->mask].advance = true;
}

void fast_places_free(Fast *s, Core *p, int q, uint64_t at)
{
    Router *r = &s->rt[p->i];
    p->iq[q].waited = false;
    if (at <= s->now) at = s->now + 1;
    if (r->x) fast_wake_router(s, p->i, at);
    for (uint32_t m = r->ramp_blocked; m; m &= m - 1) fast_relist(s, p->i, __builtin_ctz(m), at);
    r->ramp_blocked = 0;
}

/* take a word when the queue is empty, or when the router waits for the place */
uint32_t fast_take_slow(Fast *s, Core *p, int q, uint64_t t)
{
    FIn *k = &p->iq[q];
    if (k->pop == k->tail) {
        assert(k->color == COLOR_NULL);
        p->ct[CT_zeros]++;
        return 0;
    }
    fast_in_reach(k, t + 1);
    if (p->ctl) fast_control_taken(p, q, k->pop, t);
    FWord *w = fast_in_word(k, k->pop++);
    fast_in_stamp(k, w, t + 1, 0);                       /* the router may fill the place from then on */
    p->ct[CT_received]++;
    if (k->waited) fast_places_free(s, p, q, t + 1);
    return w->data;
}

/* ---- sockets */
void fast_queue_colors(Fast *s, Core *p)
{
    fast_forget_queues(s, p->i);
    for (int q = 0; q < N_QUEUE; q++) p->iqc[q] = p->iq[q].open && p->iq[q].color < N_COLOR ? p->iq[q].color : COLOR_NONE;
}

/* Bind input queue q; with lend, queue q + 4 lends it its words.  false and *why if that cannot be. */
bool fast_bind_in(Fast *s, Core *p, int q, uint8_t color, bool lend, const char **why)
{
    const Arch *a = &s->b.arch;
    FIn *k = &p->iq[q];
    *why = NULL;
    if (lend && q >= N_QUEUE / 2) *why = "only queues 0 to 3 can borrow words";
    else if (lend && p->iq[q + 4].color < N_COLOR) *why = "the queue that is to lend its words is bound to a color";
    else if (lend && p->iq[q + 4].pop != p->iq[q + 4].tail) *why = "the queue that is to lend its words holds some";
    else if (k->lends && color < N_COLOR) *why = "it lends its words and cannot be bound to a color";
    if (*why) return false;
    k->color = color;
    k->open = true;
    k->cap = (uint16_t)arch_iq_words(a, q);
    if (k->lends) k->cap = 0;
    if (q < N_QUEUE / 2) {
        FIn *l = &p->iq[q + 4];
        uint32_t words = (uint32_t)arch_iq_words(a, q + 4);
        l->lends = lend;
        l->cap = (uint16_t)(lend ? 0 : words);
        if (lend) k->cap = (uint16_t)(k->cap + words);
    }
    if (k->w) fast_ring_room(s, p, q, k->cap);
    fast_queue_colors(s, p);
    return true;
}
