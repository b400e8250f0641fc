/* runtime/sim/fast_router.c: one cycle of a router (docs/machine.md, "Routers").
 *
 * A router keeps its candidates, the heads whose color is open towards the direction they came from, in the order in which
 * the specification takes them; words that arrive later stand at the end with their time.  A head that waits for a place
 * nobody has freed yet leaves the list, and whoever frees the place puts it back; a head that waits for a known cycle stays. */
#include "runtime/sim/fast.h"
#include <assert.h>
#include <string.h>

_Static_assert(CT_hop_w + DIR_EAST == CT_hop_e && CT_hop_w + DIR_SOUTH == CT_hop_s && CT_hop_w + DIR_NORTH == CT_hop_n, "hop counters by direction");
static const char *const dir_names[N_DIR] = {"west", "east", "south", "north", "ramp"};

static inline uint64_t key_of(uint64_t at, int color, int dir, int q, int slot)
{
    return at << 16 | (unsigned)color << 11 | (unsigned)dir << 8 | (unsigned)q << 5 | (unsigned)slot;
}
static inline uint64_t key_at(uint64_t key) { return key >> 16; }
static inline int key_color(uint64_t key) { return key >> 11 & 31; }
static inline int key_dir(uint64_t key) { return key >> 8 & 7; }
static inline int key_queue(uint64_t key) { return key >> 5 & 7; }
static inline int key_slot(uint64_t key) { return key & 31; }

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
    return (uint32_t)((int64_t)l->rt + dx[l->dir] + dy[l->dir] * (int64_t)s->b.w);
}

RSlot *fast_slot(Fast *s, Router *r, int color)
{
    if (r->slot_of[color]) return &r->slots[r->slot_of[color] - 1];
    if (!(r->nslot & (r->nslot - 1))) {                  /* room for 1, 2, 4, 8, ... */
        size_t cap = r->nslot ? r->nslot * 2u : 1;
        RSlot *p = ARENA_ARR(s->arena, RSlot, cap);
        RLanes *l = ARENA_ARR(s->arena, RLanes, cap);
        if (r->nslot) memcpy(p, r->slots, r->nslot * sizeof *p), memcpy(l, r->lanes, r->nslot * sizeof *l);
        r->slots = p;
        r->lanes = l;
    }
    RSlot *sl = &r->slots[r->nslot++];
    r->slot_of[color] = r->nslot;
    *sl = (RSlot){.color = (uint8_t)color, .iq = IQ_UNKNOWN};
    return sl;
}

/* after rx is set */
void fast_slot_in(Router *r, RSlot *sl) { sl->in = sl->rx < DIR_RAMP ? r->lanes[sl - r->slots].lane[sl->rx] : 0; }

static uint32_t lane_of(Fast *s, uint32_t i, int color, Dir d)
{
    Router *r = &s->rt[i];
    RSlot *sl = fast_slot(s, r, color);
    uint32_t *lane = &r->lanes[sl - r->slots].lane[d];
    if (!*lane) {
        assert(s->nlanes < s->max_lanes);
        *lane = (uint32_t)(s->nlanes++ * (s->lane_bytes / 16));
        Lane *l = fast_lane(s, *lane);
        l->color = (uint8_t)color;
        l->dir = (uint8_t)d;
        l->slot = (uint8_t)(r->slot_of[color] - 1);
        l->live = sl->open && sl->rx == d;
        l->rt = i;
        if (sl->tx) fast_slot_in(r, sl);
    }
    return *lane;
}

static void list_grow(Fast *s, Router *r)
{
    uint16_t cap = r->cap ? (uint16_t)(r->cap * 2) : (uint16_t)(sizeof r->few / sizeof r->few[0]);
    uint64_t *p = r->cap ? ARENA_ARR(s->arena, uint64_t, cap) : r->few;
    if (r->nlist) memcpy(p, r->list, r->nlist * sizeof *p);
    r->list = p;
    r->cap = cap;
}

static inline void list_add(Fast *s, Router *r, uint64_t key)
{
    if (__builtin_expect(r->nlist == r->cap, 0)) list_grow(s, r);
    uint64_t *list = r->list;
    unsigned i = r->nlist++;
    for (; i && list[i - 1] > key; i--) list[i] = list[i - 1];
    list[i] = key;
}

void fast_relist(Fast *s, uint32_t i, int color, uint64_t at)
{
    Router *r = &s->rt[i];
    if (!(r->open >> color & 1)) return;
    const int slot = r->slot_of[color] - 1;
    RSlot *sl = &r->slots[slot];
    if (sl->rx < DIR_RAMP) {
        if (!sl->in) return;
        Lane *l = fast_lane(s, sl->in);
        if (!l->n || l->listed) return;
        l->listed = true;
        uint64_t a = l->stamp[l->head] >> 1;
        list_add(s, r, key_of(a, color, sl->rx, 0, slot));
        fast_wake_router_at(s, r, i, a > at ? a : at);
        return;
    }
    Core *p = fast_core(s, i);
    for (int q = 0; p && q < N_QUEUE; q++) {
        FOut *o = &p->oq[q];
        if (o->pop == o->tail || o->listed) continue;
        const SimWord *w = &o->w[o->pop & o->mask];
        if (w->color != color) continue;
        o->listed = true;
        list_add(s, r, key_of(w->at, color, DIR_RAMP, q, slot));
        fast_wake_router_at(s, r, i, w->at > at ? w->at : at);
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
    const SimWord *w = &o->w[o->pop & o->mask];
    if (!from_ramp(r, w->color)) return;
    o->listed = true;
    list_add(s, r, key_of(w->at, w->color, DIR_RAMP, q, r->slot_of[w->color] - 1));
    fast_wake_router_at(s, r, p->i, w->at);
}

void fast_forget_queues(Fast *s, uint32_t i)
{
    Router *r = &s->rt[i];
    for (int k = 0; k < r->nslot; k++) r->slots[k].iq = IQ_UNKNOWN;
}

static bool is_teardown(uint32_t data) { return (data >> 22 & 3) == 3; }
static bool not_to_core(uint32_t data) { return data >> 24 & 1; }

/* the lowest-numbered input queue that is bound to the color and open; -1 */
static int queue_of(const Core *p, int color)
{
    for (int q = 0; p && q < N_QUEUE; q++)
        if (p->iqc[q] == color) return q;
    return -1;
}

/* From when on the ramp takes the word; NEVER: an event tells.  *q: the queue it goes to. */
static uint64_t ramp_control(Router *r, Core *p, int color, uint32_t data, int *q)
{
    *q = -1;
    if (not_to_core(data) && !is_teardown(data)) return 0;
    *q = queue_of(p, color);
    if (*q >= 0) return 0;
    r->ramp_blocked |= 1u << color;
    return NEVER;
}

static inline uint64_t ramp_free(Router *r, Core *p, RSlot *sl, uint64_t now, int *q)
{
    if (sl->iq == IQ_UNKNOWN) sl->iq = (int8_t)queue_of(p, sl->color);
    *q = sl->iq;
    if (*q >= 0) {
        FIn *k = &p->iq[*q];
        uint32_t need = k->tail - k->cap;                /* the word whose place is wanted */
        if ((int32_t)(need - k->pop) < 0) return k->last_free <= now ? 0 : k->w[need & k->mask].at;
        k->waited = true;
    }
    r->ramp_blocked |= 1u << sl->color;
    return NEVER;
}

/* the neighbour's lane; NULL: a fault */
static Lane *first_use(Fast *s, uint32_t ri, Router *r, int slot, int d)
{
    int64_t to = fast_next(s, ri, (Dir)d);
    int color = r->slots[slot].color;
    if (to < 0) {
        Core *p = fast_core(s, ri);
        FAST_FAULT(s, ri, -1, p ? p->pc : 0, off_fabric, d_int(color), d_str(dir_names[d]));
        return NULL;
    }
    r->slots[slot].out[d] = lane_of(s, (uint32_t)to, color, dir_opposite((Dir)d));
    return fast_lane(s, r->slots[slot].out[d]);
}

static inline void arrive_link(Fast *s, Lane *l, uint64_t at, bool control, uint32_t data)
{
    l->stamp[l->tail] = at << 1 | control;
    lane_data(s, l)[l->tail] = data;
    if (++l->tail == s->S) l->tail = 0;
    if (l->n++ || !l->live) return;
    Router *r = &s->rt[l->rt];
    l->listed = true;
    list_add(s, r, key_of(at, l->color, l->dir, 0, l->slot));
    fast_wake_router_at(s, r, l->rt, at);
}

static void control_to_core(Fast *s, uint32_t ri, Core *p, int q, int color, uint32_t data)
{
    uint64_t at = s->now + s->ramp_down;
    if (!not_to_core(data)) FAST_FAULT(s, ri, -1, p ? p->pc : 0, control_task, d_uint(data), d_int(color));
    else if (is_teardown(data)) {
        fast_active(s, at);
        arrput(p->closes, ((FEffect){at, 0, (uint8_t)q}));
        fast_wake_core(s, p, at);
    }
}

static inline void arrive_core(Fast *s, Core *p, int q, int color, uint32_t data)
{
    FIn *k = &p->iq[q];
    if (__builtin_expect(!k->w, 0)) fast_ring_room(k, k->cap);
    k->w[k->tail++ & k->mask] = (SimWord){data, (uint8_t)color, false, s->now + s->ramp_down};
    if (p->want_in >> q & 1 && k->tail - k->pop >= p->want_n) fast_wake_core(s, p, s->now);
}

/* The word at the head of a FIFO goes; the key of its successor, or 0. */
static inline uint64_t leave_link(Fast *s, Lane *l)
{
    uint64_t back = s->now + s->hop, key = 0;
    l->stamp[l->head] = back << 1;
    if (++l->head == s->S) l->head = 0;
    l->listed = false;
    if (--l->n && l->live) {
        l->listed = true;
        key = key_of(l->stamp[l->head] >> 1, l->color, l->dir, 0, l->slot);
    }
    if (l->waited) {
        l->waited = false;
        fast_relist(s, sender_of(s, l), l->color, back);
    }
    return key;
}

static inline uint64_t leave_out(Fast *s, Router *r, Core *p, int q)
{
    FOut *o = &p->oq[q];
    uint64_t key = 0;
    o->granted_at = s->now;
    o->pop++;
    o->listed = false;
    if (o->pop != o->tail) {
        const SimWord *w = &o->w[o->pop & o->mask];
        if (from_ramp(r, w->color)) {
            o->listed = true;
            key = key_of(w->at, w->color, DIR_RAMP, q, r->slot_of[w->color] - 1);
        }
    }
    if (p->want_out >> q & 1) fast_wake_core(s, p, s->now + (s->fab_op == 0));
    return key;
}

static void close_slot(Fast *s, Router *r, RSlot *sl)
{
    r->open &= ~(1u << sl->color);
    r->closed |= 1u << sl->color;
    sl->open = false;
    if (sl->in) fast_lane(s, sl->in)->live = false;
}

void fast_router_step(Fast *s, uint32_t ri)
{
    Router *r = &s->rt[ri];
    const uint64_t now = s->now, lim = (now + 1) << 16;
    uint64_t next = NEVER, fresh[N_COLOR + N_QUEUE];
    uint64_t *list = r->list, *ct = s->ct + (size_t)ri * CT_COUNT;
    unsigned n = r->nlist, i, o = 0, nfresh = 0, taken = 0;
    Core *p = fast_core(s, ri);
    for (i = 0; i < n && list[i] < lim; i++) {
        const uint64_t key = list[i];
        const int slot = key_slot(key), dir = key_dir(key), q = key_queue(key);
        RSlot *sl = &r->slots[slot];
        const unsigned tx = sl->tx;
        Lane *l = NULL;
        bool *listed;
        bool control;
        uint32_t data;
        if (tx & taken && sl->open) {
            list[o++] = key;
            next = now + 1;
            continue;
        }
        if (dir < DIR_RAMP) {
            l = fast_lane(s, sl->in);
            control = l->stamp[l->head] & 1, data = lane_data(s, l)[l->head], listed = &l->listed;
        } else {
            const SimWord *w = &p->oq[q].w[p->oq[q].pop & p->oq[q].mask];
            control = w->control, data = w->data, listed = &p->oq[q].listed;
        }
        if (!sl->open) {                                 /* closed in this cycle, by a word from another output queue */
            *listed = false;
            continue;
        }
        Lane *to[4];
        unsigned nto = 0;
        uint64_t until = 0;
        for (unsigned m = tx & 15; m; m &= m - 1) {
            const int d = __builtin_ctz(m);
            Lane *t = sl->out[d] ? fast_lane(s, sl->out[d]) : first_use(s, ri, r, slot, d);
            if (!t) {
                if (s->fault_at == ri) return;
                until = NEVER;
                continue;
            }
            to[nto++] = t;
            if (t->n == s->S) t->waited = true, until = NEVER;
            else if (t->stamp[t->tail] >> 1 > until) until = t->stamp[t->tail] >> 1;
        }
        int iq = -1;
        if (tx >> DIR_RAMP & 1) {
            uint64_t f = control ? ramp_control(r, p, sl->color, data, &iq) : ramp_free(r, p, sl, now, &iq);
            if (f > until) until = f;
        }
        if (until > now) {
            if (until == NEVER) *listed = false;
            else {
                list[o++] = key;
                if (until < next) next = until;
            }
            continue;
        }
        taken |= tx;
        sl->carried = true;
        const bool tear = control && is_teardown(data);
        if (tear) close_slot(s, r, sl);
        uint64_t follower = l ? leave_link(s, l) : leave_out(s, r, p, q);
        if (follower) fresh[nfresh++] = follower;
        for (unsigned m = tx & 15; m; m &= m - 1) ct[CT_hop_w + __builtin_ctz(m)]++;
        for (unsigned k = 0; k < nto; k++) arrive_link(s, to[k], now + s->hop, control, data);
        if (tx >> DIR_RAMP & 1) {
            ct[CT_ramp]++;
            if (control) control_to_core(s, ri, p, iq, sl->color, data);
            else arrive_core(s, p, iq, sl->color, data);
        }
        if (tear && p && p->want_slot) fast_wake_core(s, p, now);
    }
    if (taken) {
        uint64_t last = now;
        if (taken & 15) last = now + s->hop;
        if (taken >> DIR_RAMP & 1 && now + s->ramp_down > last) last = now + s->ramp_down;
        fast_active(s, last);
    }
    if (i < n && key_at(list[i]) < next) next = key_at(list[i]);
    if (o < i) {
        while (i < n) list[o++] = list[i++];
        r->nlist = (uint16_t)o;
    }
    for (unsigned k = 0; k < nfresh; k++) {
        list_add(s, r, fresh[k]);
        uint64_t at = key_at(fresh[k]);
        if (at <= now) at = now + 1;
        if (at < next) next = at;
    }
    if (next != NEVER) fast_wake_router_at(s, r, ri, next);
}

/* Words of a color in the list: the slot is set anew, so they are looked at again. */
static void unlist(Fast *s, Router *r, Core *p, int color)
{
    unsigned o = 0;
    for (unsigned i = 0; i < r->nlist; i++) {
        int dir = key_dir(r->list[i]);
        if (key_color(r->list[i]) != color) r->list[o++] = r->list[i];
        else if (dir < DIR_RAMP) fast_lane(s, r->slots[key_slot(r->list[i])].in)->listed = false;
        else p->oq[key_queue(r->list[i])].listed = false;
    }
    r->nlist = (uint16_t)o;
}

bool fast_open_slot(Fast *s, Core *p, int color, uint16_t word)
{
    Router *r = &s->rt[p->i];
    uint32_t bit = 1u << (color & 31);
    bool used = color < N_COLOR && r->open & bit && r->slots[r->slot_of[color] - 1].carried;
    if (color >= N_COLOR) FAST_FAULT(s, p->i, THREAD_MAIN, p->pc, bad_color, d_str("a router slot"), d_int(color));
    else if (word & 0x100) FAST_FAULT(s, p->i, THREAD_MAIN, p->pc, switches, d_uint(word), d_int(color));
    else if ((int)slot_rx(word) >= N_DIR)
        FAST_FAULT(s, p->i, THREAD_MAIN, p->pc, bad_slot, d_uint(word), d_int(color), d_str("an input that is no direction"));
    else if (!slot_tx(word)) FAST_FAULT(s, p->i, THREAD_MAIN, p->pc, bad_slot, d_uint(word), d_int(color), d_str("no output"));
    else if (used) FAST_FAULT(s, p->i, THREAD_MAIN, p->pc, slot_open, d_int(color));
    else {
        unlist(s, r, p, color);
        RSlot *sl = fast_slot(s, r, color);
        if (sl->open) close_slot(s, r, sl);
        sl->word = word;
        sl->rx = (uint8_t)slot_rx(word);
        sl->tx = (uint8_t)slot_tx(word);
        sl->carried = false;
        sl->open = true;
        fast_slot_in(r, sl);
        if (sl->in) fast_lane(s, sl->in)->live = true;
        r->open |= bit, r->context |= bit;
        r->closed &= ~bit;
        fast_relist(s, p->i, color, s->now + 1);
        return true;
    }
    return false;
}
