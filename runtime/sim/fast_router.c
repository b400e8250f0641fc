/* runtime/sim/fast_router.c: a router, some cycles at a time (docs/machine.md, "Routers"; docs/engine.md).
 *
 * A router keeps its candidates, the heads whose color is open towards the direction they came from, in the order in which
 * the specification takes them.  A step takes them in that order and gives each the first cycle in which its outputs are
 * not given away and have room: a later word never takes a cycle that an earlier one could have.  The step may run ahead of
 * the clock as far as nothing unknown can come in between: words that arrive later stand behind; heads that wait for a
 * credit nobody has sent yet bar the cycles from its earliest arrival on; the core changes nothing before a cycle that is
 * known (Core.t, Core.sure).  What concerns the order of faults and the closing of slots happens at clock time only.
 * A head that waits for an event leaves the list, and the event puts it back; one that waits for a known cycle stays. */
#include "runtime/sim/fast.h"
#include <assert.h>
#include <string.h>

_Static_assert(CT_hop_w + DIR_EAST == CT_hop_e && CT_hop_w + DIR_SOUTH == CT_hop_s && CT_hop_w + DIR_NORTH == CT_hop_n, "hop counters by direction");
static const char *const dir_names[N_DIR] = {"west", "east", "south", "north", "ramp"};

enum { KEY_AT = 21, AHEAD = 8 };                         /* cycles from the clock on that Router.busy has room for, a byte each */
#define EACH_CYCLE 0x0101010101010101ull                 /* bit 0 of each of them */
static inline uint32_t low_of(int color, int dir, int q, int slot)
{
    return (uint32_t)color << 16 | (uint32_t)dir << 13 | (uint32_t)q << 10 | (uint32_t)slot << 5;
}
static inline uint64_t key_of(uint64_t at, uint32_t low) { return at << KEY_AT | (low & ((1u << KEY_AT) - 1)); }
static inline unsigned low_tx(uint32_t low) { return low >> KEY_AT & 31; }
static inline uint64_t from_of(uint64_t from, unsigned tx) { return from << 5 | tx; }
static inline uint64_t key_at(uint64_t key) { return key >> KEY_AT; }
static inline int key_color(uint64_t key) { return key >> 16 & 31; }
static inline int key_dir(uint64_t key) { return key >> 13 & 7; }
static inline int key_queue(uint64_t key) { return key >> 10 & 7; }
static inline int key_slot(uint64_t key) { return key >> 5 & 31; }
static inline unsigned key_place(uint64_t key) { return key & 31; }
static inline int lane_color(const Lane *l) { return l->low >> 16 & 31; }
static inline int lane_dir(const Lane *l) { return l->low >> 13 & 7; }

int64_t fast_next(const Fast *s, uint32_t i, Dir d)
{
    switch (d) {
    case DIR_WEST: return i % s->b.w ? (int64_t)i - 1 : -1;
    case DIR_EAST: return (i + 1) % s->b.w ? (int64_t)i + 1 : -1;
    case DIR_NORTH: return i >= s->b.w ? (int64_t)i - s->b.w : -1;
    case DIR_SOUTH: return i / s->b.w + 1 < s->b.h ? (int64_t)i + s->b.w : -1;
    default: return -1;
    }
}

/* the router on the other side of a lane: there is one */
static inline uint32_t sender_of(const Fast *s, const Lane *l)
{
    static const int8_t dx[4] = {-1, 1, 0, 0}, dy[4] = {0, 0, 1, -1};
    const int d = lane_dir(l);
    return (uint32_t)((int64_t)l->rt + dx[d] + dy[d] * (int64_t)s->b.w);
}

RSlot *fast_slot(Fast *s, Router *r, int color)
{
    if (r->slot_of[color]) return &r->slots[r->slot_of[color] - 1];
    const size_t n = r->nslot;
    if (n == r->room) {                                  /* at first as many as the router has colors */
        const size_t cap = n || !s->routed ? n + n / 4 + 1 : (unsigned)__builtin_popcount(s->routed[r - s->rt]);
        RSlot *p = fast_get(s, cap * sizeof *p);
        RLanes *l = fast_get(s, cap * sizeof *l);
        if (n) {
            memcpy(p, r->slots, n * sizeof *p), memcpy(l, r->lanes, n * sizeof *l);
            fast_put(s, r->slots, n * sizeof *p), fast_put(s, r->lanes, n * sizeof *l);
        }
        r->slots = p;
        r->lanes = l;
        r->room = (uint8_t)cap;
    }
    RSlot *sl = &r->slots[r->nslot++];
    r->slot_of[color] = r->nslot;
    *sl = (RSlot){.color = (uint8_t)color, .iq = IQ_UNKNOWN};
    return sl;
}

static void lane_follows(Lane *l, const RSlot *sl)
{
    l->low = (l->low & ((1u << KEY_AT) - 1)) | (uint32_t)sl->tx << KEY_AT | (sl->open && sl->rx == lane_dir(l) ? LANE_LIVE : 0);
}

void fast_slot_in(Fast *s, Router *r, RSlot *sl)
{
    sl->in = sl->rx < DIR_RAMP ? r->lanes[sl - r->slots].lane[sl->rx] : 0;
    if (sl->in) lane_follows(fast_lane(s, sl->in), sl);
}

static uint32_t lane_of(Fast *s, uint32_t i, int color, Dir d)
{
    Router *r = &s->rt[i];
    RSlot *sl = fast_slot(s, r, color);
    uint32_t *lane = &r->lanes[sl - r->slots].lane[d];
    if (!*lane) {
        assert(s->nlanes < s->max_lanes);
        *lane = (uint32_t)(s->nlanes++ * (s->lane_bytes / 16));
        Lane *l = fast_lane(s, *lane);
        l->low = low_of(color, d, 0, r->slot_of[color] - 1);
        l->rt = i;
        lane_follows(l, sl);
        if (r->x) l->low |= LANE_LIVE;
        else if (sl->tx) fast_slot_in(s, r, sl);
    }
    return *lane;
}

static __attribute__((noinline)) void list_grow(Fast *s, Router *r)
{
    const uint16_t cap = r->cap ? (uint16_t)(r->cap * 2) : FEW;
    uint64_t *k = r->cap ? fast_get(s, 16u * cap) : r->few[0];
    for (unsigned i = 0; i < cap; i++) k[i] = i < r->nlist ? r->keys[i] : NEVER;
    for (unsigned i = 0; i < r->nlist; i++) k[cap + i] = r->froms[i];
    if (r->cap > FEW) fast_put(s, r->keys, 16u * r->cap);
    r->keys = k;
    r->froms = k + cap;
    r->cap = cap;
}

/* from: from_of() */
static inline void list_add(Fast *s, Router *r, uint64_t key, uint64_t from)
{
    if (__builtin_expect(r->nlist == r->cap, 0)) list_grow(s, r);
    r->keys[r->nlist] = key | r->nlist;
    r->froms[r->nlist++] = from;
}

static inline void list_del(uint64_t *keys, uint64_t *froms, unsigned *n, unsigned i)
{
    const unsigned z = --*n;
    keys[i] = keys[z] - z + i;
    froms[i] = froms[z];
    keys[z] = NEVER;
}

static inline uint64_t least_of_few(const uint64_t *k)
{
    const uint64_t a = k[0] < k[1] ? k[0] : k[1], b = k[2] < k[3] ? k[2] : k[3];
    return a < b ? a : b;
}

/* the least of the first n keys; n == 0: NEVER */
static inline uint64_t list_first(const uint64_t *keys, unsigned n)
{
    uint64_t m = least_of_few(keys);
    for (unsigned i = FEW; __builtin_expect(i < n, 0); i += FEW) {
        const uint64_t k = least_of_few(keys + i);
        m = k < m ? k : m;
    }
    return m;
}

void fast_relist(Fast *s, uint32_t i, int color, uint64_t at)
{
    Router *r = &s->rt[i];
    if (r->x) fast_wake_router_at(s, r, i, at);
    r->credit_blocked &= ~(1u << color);
    if (!(r->open >> color & 1)) return;
    const int slot = r->slot_of[color] - 1;
    RSlot *sl = &r->slots[slot];
    if (sl->rx < DIR_RAMP) {
        if (!sl->in) return;
        Lane *l = fast_lane(s, sl->in);
        if (!l->n || l->listed) return;
        l->listed = true;
        uint64_t a = l->stamp[l->head] >> 1, from = later(a, at);
        list_add(s, r, key_of(a, l->low), from_of(from, sl->tx));
        fast_wake_router_at(s, r, i, from);
        return;
    }
    Core *p = fast_core(s, i);
    for (int q = 0; p && q < N_QUEUE; q++) {
        FOut *o = &p->oq[q];
        if (o->pop == o->tail || o->listed) continue;
        const FOutWord *w = &o->w[o->pop & o->mask];
        if (w->color != color) continue;
        uint64_t from = later(later(w->at, at), o->next);
        o->listed = true;
        list_add(s, r, key_of(w->at, low_of(color, DIR_RAMP, q, slot)), from_of(from, sl->tx));
        fast_wake_router_at(s, r, i, from);
    }
}

static inline bool from_ramp(const Router *r, int color)
{
    return r->open >> color & 1 && r->slots[r->slot_of[color] - 1].rx == DIR_RAMP;
}

/* The head of an output queue is new: a candidate if its color comes from the ramp. */
void fast_list_out(Fast *s, Core *p, int q)
{
    Router *r = &s->rt[p->i];
    FOut *o = &p->oq[q];
    const FOutWord *w = &o->w[o->pop & o->mask];
    if (r->x) fast_wake_router_at(s, r, p->i, later(w->at, s->now + 1));
    if (!from_ramp(r, w->color)) return;
    o->listed = true;
    const int slot = r->slot_of[w->color] - 1;
    const uint64_t from = later(w->at, o->next);
    list_add(s, r, key_of(w->at, low_of(w->color, DIR_RAMP, q, slot)), from_of(from, r->slots[slot].tx));
    fast_wake_router_at(s, r, p->i, from);
}

void fast_forget_queues(Fast *s, uint32_t i)
{
    Router *r = &s->rt[i];
    for (int k = 0; k < r->nslot; k++) r->slots[k].iq = IQ_UNKNOWN;
}

/* the lowest-numbered input queue that is bound to the color and open; -1 */
static int queue_of(const Core *p, int color)
{
    for (int q = 0; p && q < N_QUEUE; q++)
        if (p->iqc[q] == color) return q;
    return -1;
}

/* From when on the ramp takes the word; NEVER: an event tells.  *q: the queue it goes to. */
static uint64_t ramp_control(const Core *p, int color, uint32_t data, int *q)
{
    if (ctrl_not_to_core(data) && !ctrl_tears_down(true, data)) return 0;
    *q = queue_of(p, color);
    return *q >= 0 ? 0 : NEVER;
}

static inline uint64_t ramp_free(const Core *p, RSlot *sl, int *q)
{
    if (sl->iq == IQ_UNKNOWN && sl->open) sl->iq = (int8_t)queue_of(p, sl->color);
    *q = sl->iq;
    if (*q < 0) return NEVER;
    const FIn *k = &p->iq[*q];
    uint32_t need = k->tail - k->cap;                    /* the word whose place is wanted */
    if ((int32_t)(need - k->pop) >= 0) return NEVER;
    return k->w ? fast_in_at(k, need) : 0;
}

void fast_count_slot(Fast *s, uint32_t i, RSlot *sl)
{
    uint64_t *const ct = s->ct + (size_t)i * CT_COUNT;
    for (unsigned m = sl->tx & 15u; m; m &= m - 1) ct[CT_hop_w + __builtin_ctz(m)] += sl->sent;
    if (sl->tx >> DIR_RAMP) ct[CT_ramp] += sl->sent;
    if (sl->sent) sl->carried = true;
    sl->sent = 0;
}

void fast_count_slots(Fast *s, uint32_t i)
{
    Router *r = &s->rt[i];
    for (int k = 0; k < r->nslot; k++) fast_count_slot(s, i, &r->slots[k]);
}

static __attribute__((noinline)) void sent_wraps(Fast *s, uint32_t i, RSlot *sl)
{
    sl->sent = UINT32_MAX;
    fast_count_slot(s, i, sl);
    sl->sent = 1;
}

/* What comes in as `color` is of another color where the router swaps it. */
uint32_t fast_lane_of(Fast *s, uint32_t i, int color, Dir d)
{
    const Exact *x = s->rt[i].x;
    return lane_of(s, i, x ? slots_color(&x->k, color, d) : color, d);
}

/* The neighbour's lane is made.  false: there is no neighbour. */
static bool first_use(Fast *s, uint32_t ri, int slot, int d)
{
    Router *r = &s->rt[ri];
    int64_t to = fast_next(s, ri, (Dir)d);
    if (to < 0) return false;
    const uint32_t lane = fast_lane_of(s, (uint32_t)to, r->slots[slot].color, dir_opposite((Dir)d));
    r->slots[slot].out[d] = lane;
    r->slots[slot].made |= (uint8_t)(1u << d);
    r->slots[slot].ready = r->slots[slot].made;
    return true;
}

/* the place behind place k; no branch, which would be guessed wrong every fourth time */
static inline unsigned after(unsigned k, unsigned S)
{
    return __builtin_constant_p(S) && !(S & (S - 1)) ? (k + 1) & (S - 1) : (k + 1) & -(unsigned)(k + 1 != S);
}

static __attribute__((noinline)) void head_arrives(Fast *s, Lane *l, uint64_t at, uint64_t before)
{
    const uint64_t gone = (before >> 1) + 1;             /* the word before has left, perhaps at a time to come: the cycle behind it */
    const uint64_t from = gone > at + s->hop ? gone - s->hop : at;
    Router *r = &s->rt[l->rt];
    if (r->x) {
        fast_wake_router_at(s, r, l->rt, at);
        return;
    }
    l->listed = true;
    list_add(s, r, key_of(at, l->low), from_of(from, low_tx(l->low)));
    fast_wake_router_at(s, r, l->rt, from);
}

static inline void arrive_link(Fast *s, const unsigned S, Lane *l, uint64_t stamp, uint32_t data)
{
    const unsigned n = l->n, tail = l->tail;
    l->stamp[tail] = stamp;
    ((uint32_t *)(void *)&l->stamp[S])[tail] = data;
    l->tail = (uint16_t)after(tail, S);
    l->n = (uint16_t)(n + 1);
    if (!n && l->low & LANE_LIVE) head_arrives(s, l, stamp >> 1, l->stamp[tail ? tail - 1 : S - 1]);
}

void fast_arrive_link(Fast *s, Lane *l, uint64_t at, bool control, uint32_t data) { arrive_link(s, s->S, l, at << 1 | control, data); }

static __attribute__((noinline)) void control_to_core(Fast *s, uint32_t ri, Core *p, int q, int color, uint32_t data)
{
    uint64_t at = s->now + s->ramp_down;
    if (!ctrl_not_to_core(data)) FAST_FAULT(s, ri, -1, p ? p->pc : 0, control_task, d_uint(data), d_int(color));
    else if (ctrl_tears_down(true, data)) {
        arrput(p->closes, ((FEffect){at, 0, (uint8_t)q}));
        fast_tell_router(s, p);
        fast_wake_core(s, p, at);
    }
}

static inline void arrive_core(Fast *s, Core *p, int q, unsigned color, uint32_t data, uint64_t at)
{
    FIn *k = &p->iq[q];
    fast_in_reach(k, at);
    *fast_in_word(k, k->tail++) = (FWord){data, (uint32_t)(at - k->base) << 5 | color};
    if ((p->want_in >> q & 1) & (k->tail - k->pop >= p->want_n)) fast_wake_core(s, p, s->now);
}

/* The word at the head of a FIFO goes in cycle g; the key of its successor, or 0. */
static inline uint64_t leave_link(Fast *s, const unsigned S, Lane *l, uint64_t g)
{
    const uint64_t back = g + s->hop;
    const unsigned head = l->head, next = after(head, S);
    uint64_t key = 0;
    l->stamp[head] = back << 1;
    l->head = (uint16_t)next;
    l->listed = false;
    if (--l->n && l->low & LANE_LIVE) {
        l->listed = true;
        key = key_of(l->stamp[next] >> 1, l->low);
    }
    if (__builtin_expect(l->waited, 0)) {
        l->waited = false;
        fast_relist(s, sender_of(s, l), lane_color(l), back);
    }
    return key;
}

static inline const FOutWord *out_head(const FOut *o) { return &o->w[o->pop & o->mask]; }

static __attribute__((noinline)) uint64_t leave_out(Fast *s, Router *r, Core *p, int q, uint64_t g)
{
    FOut *o = &p->oq[q];
    uint64_t key = 0;
    o->next = g + 1;
    o->w[o->pop++ & o->mask].at = g;
    o->listed = false;
    if (o->pop != o->tail) {
        const FOutWord *w = &o->w[o->pop & o->mask];
        if (from_ramp(r, w->color)) {
            const int slot = r->slot_of[w->color] - 1;
            o->listed = true;
            key = key_of(w->at, low_of(w->color, DIR_RAMP, q, slot));
        }
    }
    if (p->want_out >> q & 1) fast_wake_core(s, p, s->now);
    return key;
}

static void close_slot(Fast *s, Router *r, RSlot *sl)
{
    r->open &= ~(1u << sl->color);
    r->closed |= 1u << sl->color;
    sl->open = false;
    sl->ready = 0;
    sl->iq = IQ_UNKNOWN;
    if (sl->in) lane_follows(fast_lane(s, sl->in), sl);
}

/* ---- a step */
typedef struct {                         /* what the rare cases look at, and change */
    Router *r;
    Core *p;
    uint32_t i;
    unsigned bar_tx;                     /* heads that wait may take these outputs ... */
    uint64_t bar;                        /* ... from this cycle on */
    uint64_t last;                       /* grants up to this cycle are made now */
    uint64_t busy;                       /* as Router.busy, from now on */
} Step;

static inline void bar(Step *st, unsigned tx, uint64_t from)
{
    st->bar_tx |= tx;
    if (from < st->bar) st->bar = from;
}

/* the first cycle from `from` on, not before now, in which no output is given away; AHEAD: none of those that `busy` has room for */
static inline uint64_t search_free(uint64_t busy, unsigned tx, unsigned k)
{
    const uint64_t taken = busy >> 8 * k & tx * EACH_CYCLE;
    const uint64_t free = ~(taken + 0x7f * EACH_CYCLE) & 0x80 * EACH_CYCLE;      /* a byte is 31 at most */
    return free ? k + (unsigned)__builtin_ctzll(free) / 8 : AHEAD;
}

static inline uint64_t first_free(uint64_t now, uint64_t busy, unsigned tx, uint64_t from)
{
    const uint64_t k = from - now;
    if (__builtin_expect(k >= AHEAD, 0)) return from;
    return now + search_free(busy, tx, (unsigned)k);
}

/* outputs of heads that left the list for want of a credit: one that is sent in this cycle is here after a hop */
static __attribute__((noinline)) unsigned blocked_tx(const Router *r)
{
    unsigned tx = 0;
    for (uint32_t m = r->credit_blocked; m; m &= m - 1) {
        const int k = r->slot_of[__builtin_ctz(m)];
        if (k) tx |= r->slots[k - 1].tx;
    }
    return tx;
}

typedef enum { CAND_GO, CAND_STAYS, CAND_LEAVES } Verdict;

/* All that is not plain.  Can the head with this key be granted, and in which cycle?  *from becomes the first cycle in which it
 * may be; *iq: the queue on the ramp.  CAND_LEAVES: an event puts it back. */
static __attribute__((noinline)) Verdict judge(Fast *s, Step *st, uint64_t key, uint64_t *from, RSlot *sl, bool control, uint32_t data, int *iq)
{
    Router *r = st->r;
    const unsigned tx = sl->tx;
    const uint64_t now = s->now;
    uint64_t until = *from;
    bool credit = true, place = true;
    for (unsigned m = tx & 15; m; m &= m - 1) {
        const int d = __builtin_ctz(m);
        if (!(sl->made >> d & 1)) {
            const bool there = first_use(s, st->i, key_slot(key), d);
            sl = &r->slots[key_slot(key)];
            if (!there) {
                if (*from > now) goto stays;
                FAST_FAULT(s, st->i, -1, st->p ? st->p->pc : 0, off_fabric, d_int(sl->color), d_str(dir_names[d]));
                credit = false;
                if (s->fault_at == st->i) return CAND_STAYS;
                continue;
            }
        }
        const Lane *t = fast_lane(s, sl->out[d]);
        if (t->n == s->S) credit = false;
        else until = later(until, t->stamp[t->tail] >> 1);
    }
    if (tx >> DIR_RAMP) {
        uint64_t f = control ? ramp_control(st->p, sl->color, data, iq) : ramp_free(st->p, sl, iq);
        if (f == NEVER) place = false;
        else until = later(until, f);
    }
    if (!credit || !place) {
        if (!credit) bar(st, tx, later(*from, now + s->hop));
        if (*from > now) {
            /* A place on the ramp is not free up to st->last, but for a core that has slept while words came: it may have
             * been woken in this step, and takes them at times that have passed. */
            if (credit && st->p && st->p->lazy) bar(st, tx, *from);
            return CAND_STAYS;
        }
        for (unsigned m = credit ? 0 : tx & 15; m; m &= m - 1) {
            const uint32_t k = sl->out[__builtin_ctz(m)];
            if (k && fast_lane(s, k)->n == s->S) fast_lane(s, k)->waited = true;
        }
        if (!credit) r->credit_blocked |= 1u << sl->color;
        if (!place) {
            r->ramp_blocked |= 1u << sl->color;
            if (!control && *iq >= 0) st->p->iq[*iq].waited = true;
        }
        return CAND_LEAVES;
    }
    if (until > *from) *from = first_free(now, st->busy, tx, until);
    if (*from <= st->last && (!(tx & st->bar_tx) || *from < st->bar) && (!control || *from == now)) return CAND_GO;
stays:
    bar(st, tx, *from);
    return CAND_STAYS;
}

/* The word goes over the links of a mask. */
static inline void deliver(Fast *s, const unsigned S, const uint32_t out[4], unsigned m, uint64_t stamp, uint32_t data)
{
    do arrive_link(s, S, fast_lane(s, out[__builtin_ctz(m)]), stamp, data);
    while (m &= m - 1);
}

/* From when on there is a place behind each of the links of a mask; NEVER: not known. */
static inline uint64_t links_free(const Fast *s, const unsigned S, const uint32_t out[4], unsigned m)
{
    uint64_t u = 0;
    do {
        const Lane *t = fast_lane(s, out[__builtin_ctz(m)]);           /* lane 0 is never full, and has no words */
        u = later(u, t->n == S ? NEVER : t->stamp[t->tail] >> 1);
    } while (m &= m - 1);
    return u;
}

/* a head that is not plain; false: it stays or leaves */
static __attribute__((noinline)) Verdict not_plain(Fast *s, Step *st, uint64_t key, uint64_t *from, bool control, uint32_t data, int *iq)
{
    s->slow[control ? SLOW_head_controls : SLOW_head_waits]++;
    RSlot *sl = &st->r->slots[key_slot(key)];
    const int q = key_queue(key);
    Verdict v = sl->open ? judge(s, st, key, from, sl, control, data, iq) : CAND_LEAVES;     /* closed by a word from another output queue */
    sl = &st->r->slots[key_slot(key)];
    if (v == CAND_LEAVES) {
        if (key_dir(key) < DIR_RAMP) fast_lane(s, sl->in)->listed = false;
        else st->p->oq[q].listed = false;
    } else if (v == CAND_GO && ctrl_tears_down(control, data)) {
        close_slot(s, st->r, sl);
        if (st->p && st->p->want_slot) fast_wake_core(s, st->p, s->now);
    }
    return v;
}

enum { TO_RAMP = 1 << DIR_RAMP };

/* A step of a router whose FIFOs have S places.  A word that comes over a link and goes to the core alone is most of what there
 * is, and has a way of its own. */
static inline __attribute__((always_inline)) void step(Fast *s, uint32_t ri, const unsigned S)
{
    Router *const r = &s->rt[ri];
    unsigned n = r->nlist, stays = 0, bar_tx = 0;
    Core *const p = fast_core(s, ri);
    const uint64_t now = s->now, lim = (now + s->foresee + 1) << KEY_AT, passed = now - r->base;
    uint64_t *const keys = r->keys, *const froms = r->froms;
    uint64_t next = NEVER, active = 0, key, bar = NEVER, last = now + AHEAD - 1, stay[2][MAX_HEADS];
    uint64_t busy = passed < AHEAD ? r->busy >> 8 * passed : 0;
    r->base = now;
    if (p) {
        const uint64_t sure = r->until > now ? r->until : now + r->sure;
        if (sure < last) last = sure;
    }
    if (last >= s->limit) last = s->limit - 1;
    if (r->credit_blocked && (bar_tx = blocked_tx(r))) bar = now + s->hop;
    while ((key = list_first(keys, n)) < lim) {
        const unsigned i = key_place(key);
        uint64_t from = later(froms[i] >> 5, now), follower;
        const unsigned tx = froms[i] & 31;
        RSlot *sl = &r->slots[key_slot(key)];
        if (tx == TO_RAMP && key_dir(key) < DIR_RAMP) {
            from = first_free(now, busy, TO_RAMP, from);
            if (from > last || (bar_tx & TO_RAMP && from >= bar)) goto barred;
            Lane *const l = fast_lane(s, sl->in);
            const unsigned head = l->head;
            if ((l->stamp[head] & 1) | (sl->iq < 0)) goto any;
            const int q = sl->iq;
            FIn *const k = &p->iq[q];
            const uint32_t need = k->tail - k->cap;      /* the word whose place is wanted */
            if ((int32_t)(need - k->pop) >= 0 || !k->w || fast_in_at(k, need) > from) goto any;
            busy |= (uint64_t)TO_RAMP << 8 * (from - now);
            active = later(active, from + s->ramp_down);
            if (!++sl->sent) sent_wraps(s, ri, sl);
            arrive_core(s, p, q, (unsigned)key_color(key), ((const uint32_t *)(const void *)&l->stamp[S])[head], from + s->ramp_down);
            follower = leave_link(s, S, l, from);
            goto gone;
        }
    any:;
        const unsigned links = tx & 15;
        from = first_free(now, busy, tx, from);
        if (from > last || (bar_tx & tx && from >= bar)) goto barred;
        int iq = -1;
        Lane *const l = key_dir(key) < DIR_RAMP ? fast_lane(s, sl->in) : NULL;
        const FOutWord *const w = l ? NULL : out_head(&p->oq[key_queue(key)]);
        const bool control = l ? l->stamp[l->head] & 1 : w->control;
        const uint32_t data = l ? ((const uint32_t *)(const void *)&l->stamp[S])[l->head] : w->data;
        uint64_t until = control | (links & ~sl->ready) ? NEVER : 0;
        if (links) until = later(until, links_free(s, S, sl->out, links));
        if (tx & TO_RAMP && until != NEVER) until = later(until, ramp_free(p, sl, &iq));
        if (__builtin_expect(until == NEVER, 0)) {
            Step st = {r, p, ri, bar_tx, bar, last, busy};
            uint64_t f = from;
            int q = iq;
            const Verdict v = not_plain(s, &st, key, &f, control, data, &q);
            bar_tx = st.bar_tx, bar = st.bar, from = f, iq = q;
            if (s->b.fault.kind && s->fault_at == ri) break;
            if (v == CAND_STAYS) goto stays;
            if (v == CAND_LEAVES) {
                list_del(keys, froms, &n, i);
                continue;
            }
            sl = &r->slots[key_slot(key)];
        } else if (until > from) {
            from = first_free(now, busy, tx, until);
            if (from > last || (bar_tx & tx && from >= bar)) goto barred;
        }
        busy |= (uint64_t)tx << 8 * (from - now);
        active = later(active, from + s->after[control ? links : tx]);        /* a control wavelet ends at the ramp */
        if (!++sl->sent) sent_wraps(s, ri, sl);
        if (links) deliver(s, S, sl->out, links, (from + s->hop) << 1 | control, data);
        if (tx & TO_RAMP) {
            if (control) control_to_core(s, ri, p, iq, sl->color, data);
            else {
                if (!p->iq[iq].w) fast_ring_room(s, p, iq, p->iq[iq].cap);
                arrive_core(s, p, iq, sl->color, data, from + s->ramp_down);
            }
        }
        follower = l ? leave_link(s, S, l, from) : leave_out(s, r, p, key_queue(key), from);
    gone:
        if (follower) {
            keys[i] = follower | i;
            froms[i] = from_of(later(from + 1, key_at(follower)), r->slots[key_slot(follower)].tx);
        } else list_del(keys, froms, &n, i);
        continue;
    barred:
        bar_tx |= tx;
        bar = from < bar ? from : bar;
    stays:
        next = from < next ? from : next;
        stay[0][stays] = key - i, stay[1][stays++] = from_of(from, tx);
        list_del(keys, froms, &n, i);
    }
    if (n && key_at(key) < next) next = key_at(key);
    for (unsigned i = 0; i < stays; i++, n++) keys[n] = stay[0][i] | n, froms[n] = stay[1][i];
    r->nlist = (uint16_t)n;
    r->busy = busy;
    if (active) fast_active(s, active);
    if (next != NEVER) fast_wake_router_at(s, r, ri, next);
}

static __attribute__((noinline)) void step_4(Fast *s, uint32_t ri) { step(s, ri, 4); }
static __attribute__((noinline)) void step_any(Fast *s, uint32_t ri) { step(s, ri, s->S); }

void fast_router_step(Fast *s, uint32_t ri)
{
    const Router *r = &s->rt[ri];
    if (!r->nlist) {
        if (r->x) fast_exact_step(s, ri);
    } else if (s->S == 4) step_4(s, ri);
    else step_any(s, ri);
}

/* Words of a color in the list: the slot is set anew, so they are looked at again. */
static void unlist(Fast *s, Router *r, Core *p, int color)
{
    unsigned n = r->nlist;
    for (unsigned i = 0; i < n;) {
        const uint64_t key = r->keys[i];
        if (key_color(key) != color) {
            i++;
            continue;
        }
        if (key_dir(key) < DIR_RAMP) fast_lane(s, r->slots[key_slot(key)].in)->listed = false;
        else p->oq[key_queue(key)].listed = false;
        list_del(r->keys, r->froms, &n, i);
    }
    r->nlist = (uint16_t)n;
}

void fast_unlist_all(Fast *s, uint32_t i)
{
    Router *r = &s->rt[i];
    Core *p = fast_made(s, i) ? &s->cores[i] : NULL;     /* only one that is made has words */
    for (int k = 0; k < r->nslot; k++) unlist(s, r, p, r->slots[k].color);
    r->credit_blocked = r->ramp_blocked = 0;
}

bool fast_open_slot(Fast *s, Core *p, int color, uint16_t word)
{
    Router *r = &s->rt[p->i];
    if (r->x) return fast_exact_open(s, p, color, word);
    uint32_t bit = 1u << (color & 31);
    bool used = color < N_COLOR && r->open & bit && (r->slots[r->slot_of[color] - 1].carried || r->slots[r->slot_of[color] - 1].sent);
    const SlotFault f = slots_check(color, word, used);
    if (!fast_slot_fault(s, p, &f)) return false;
    unlist(s, r, p, color);
    RSlot *sl = fast_slot(s, r, color);
    if (sl->open) close_slot(s, r, sl);
    fast_count_slot(s, p->i, sl);
    sl->word = word;
    sl->rx = (uint8_t)slot_rx(word);
    sl->tx = (uint8_t)slot_tx(word);
    sl->carried = false;
    sl->open = true;
    sl->ready = sl->made;
    fast_slot_in(s, r, sl);
    r->open |= bit, r->context |= bit;
    r->closed &= ~bit;
    fast_relist(s, p->i, color, s->now + 1);
    return true;
}
