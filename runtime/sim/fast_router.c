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

enum { KEY_AT = 21, AHEAD_MAX = 31 };                    /* cycles ahead of the clock that Router.busy has room for */
static inline uint64_t key_of(uint64_t at, int color, int dir, int q, int slot, unsigned tx)
{
    return at << KEY_AT | (unsigned)color << 16 | (unsigned)dir << 13 | (unsigned)q << 10 | (unsigned)slot << 5 | tx;
}
static inline uint64_t key_at(uint64_t key) { return key >> KEY_AT; }
static inline int key_color(uint64_t key) { return key >> 16 & 31; }
static inline int key_dir(uint64_t key) { return key >> 13 & 7; }
static inline int key_queue(uint64_t key) { return key >> 10 & 7; }
static inline int key_slot(uint64_t key) { return key >> 5 & 31; }
static inline unsigned key_tx(uint64_t key) { return key & 31; }

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
    Cand *p = r->cap ? ARENA_ARR(s->arena, Cand, cap) : r->few;
    if (r->nlist) memcpy(p, r->list, r->nlist * sizeof *p);
    r->list = p;
    r->cap = cap;
}

static inline void list_add(Fast *s, Router *r, uint64_t key, uint64_t from)
{
    if (__builtin_expect(r->nlist == r->cap, 0)) list_grow(s, r);
    Cand *list = r->list;
    unsigned i = r->nlist++;
    for (; i && list[i - 1].key > key; i--) list[i] = list[i - 1];
    list[i] = (Cand){key, from};
}

void fast_relist(Fast *s, uint32_t i, int color, uint64_t at)
{
    Router *r = &s->rt[i];
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
        list_add(s, r, key_of(a, color, sl->rx, 0, slot, sl->tx), from);
        fast_wake_router_at(s, r, i, from);
        return;
    }
    Core *p = fast_core(s, i);
    for (int q = 0; p && q < N_QUEUE; q++) {
        FOut *o = &p->oq[q];
        if (o->pop == o->tail || o->listed) continue;
        const SimWord *w = &o->w[o->pop & o->mask];
        if (w->color != color) continue;
        uint64_t from = later(later(w->at, at), o->next);
        o->listed = true;
        list_add(s, r, key_of(w->at, color, DIR_RAMP, q, slot, sl->tx), from);
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
    const SimWord *w = &o->w[o->pop & o->mask];
    if (!from_ramp(r, w->color)) return;
    o->listed = true;
    const int slot = r->slot_of[w->color] - 1;
    const uint64_t from = later(w->at, o->next);
    list_add(s, r, key_of(w->at, w->color, DIR_RAMP, q, slot, r->slots[slot].tx), from);
    fast_wake_router_at(s, r, p->i, from);
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
static uint64_t ramp_control(const Core *p, int color, uint32_t data, int *q)
{
    if (not_to_core(data) && !is_teardown(data)) return 0;
    *q = queue_of(p, color);
    return *q >= 0 ? 0 : NEVER;
}

static inline uint64_t ramp_free(const Core *p, RSlot *sl, uint64_t now, int *q)
{
    if (sl->iq == IQ_UNKNOWN) sl->iq = (int8_t)queue_of(p, sl->color);
    *q = sl->iq;
    if (*q < 0) return NEVER;
    const FIn *k = &p->iq[*q];
    uint32_t need = k->tail - k->cap;                    /* the word whose place is wanted */
    if ((int32_t)(need - k->pop) >= 0) return NEVER;
    return k->last_free <= now ? 0 : k->w[need & k->mask].at;
}

/* The neighbour's lane is made.  false: there is no neighbour. */
static bool first_use(Fast *s, uint32_t ri, int slot, int d)
{
    Router *r = &s->rt[ri];
    int64_t to = fast_next(s, ri, (Dir)d);
    if (to >= 0) r->slots[slot].out[d] = lane_of(s, (uint32_t)to, r->slots[slot].color, dir_opposite((Dir)d));
    return to >= 0;
}

static inline void arrive_link(Fast *s, Lane *l, uint64_t at, bool control, uint32_t data)
{
    uint64_t from = at;
    if (!l->n) {                                         /* the word before has left, perhaps at a time to come */
        uint64_t gone = (l->stamp[l->tail ? l->tail - 1u : s->S - 1] >> 1) + 1;
        if (gone > at + s->hop) from = gone - s->hop;
    }
    l->stamp[l->tail] = at << 1 | control;
    lane_data(s, l)[l->tail] = data;
    if (++l->tail == s->S) l->tail = 0;
    if (l->n++ || !l->live) return;
    Router *r = &s->rt[l->rt];
    l->listed = true;
    list_add(s, r, key_of(at, l->color, l->dir, 0, l->slot, r->slots[l->slot].tx), from);
    fast_wake_router_at(s, r, l->rt, from);
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

static inline void arrive_core(Fast *s, Core *p, int q, int color, uint32_t data, uint64_t at)
{
    FIn *k = &p->iq[q];
    if (__builtin_expect(!k->w, 0)) fast_ring_room(k, k->cap);
    k->w[k->tail++ & k->mask] = (SimWord){.data = data, .color = (uint8_t)color, .at = at};
    if (p->want_in >> q & 1 && k->tail - k->pop >= p->want_n) fast_wake_core(s, p, s->now);
}

/* The word at the head of a FIFO goes in cycle g; the key of its successor, or 0. */
static inline uint64_t leave_link(Fast *s, Lane *l, uint64_t g, unsigned tx)
{
    uint64_t back = g + s->hop, key = 0;
    l->stamp[l->head] = back << 1;
    if (++l->head == s->S) l->head = 0;
    l->listed = false;
    if (--l->n && l->live) {
        l->listed = true;
        key = key_of(l->stamp[l->head] >> 1, l->color, l->dir, 0, l->slot, tx);
    }
    if (l->waited) {
        l->waited = false;
        fast_relist(s, sender_of(s, l), l->color, back);
    }
    return key;
}

static inline uint64_t leave_out(Fast *s, Router *r, Core *p, int q, uint64_t g)
{
    FOut *o = &p->oq[q];
    uint64_t key = 0;
    o->next = g + 1;
    o->w[o->pop++ & o->mask].at = g;
    o->listed = false;
    if (o->pop != o->tail) {
        const SimWord *w = &o->w[o->pop & o->mask];
        if (from_ramp(r, w->color)) {
            const int slot = r->slot_of[w->color] - 1;
            o->listed = true;
            key = key_of(w->at, w->color, DIR_RAMP, q, slot, r->slots[slot].tx);
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
    if (sl->in) fast_lane(s, sl->in)->live = false;
}

/* ---- a step */
typedef struct {
    Router *r;
    Core *p;
    uint32_t i;
    uint64_t last;                       /* grants up to this cycle are made now */
    uint64_t bar; unsigned bar_tx;       /* heads that wait may take these outputs from this cycle on */
    uint64_t active;
} Step;

static inline void bar(Step *st, unsigned tx, uint64_t from)
{
    st->bar_tx |= tx;
    if (from < st->bar) st->bar = from;
}

/* the first cycle from `from` on in which no output is given away; of those that `busy` has room for, else behind them */
static inline uint64_t first_free(const Router *r, unsigned tx, uint64_t from)
{
    uint32_t b = 0;
    for (unsigned m = tx; m; m &= m - 1) b |= r->busy[__builtin_ctz(m)];
    uint64_t k = from - r->base;
    if (k > AHEAD_MAX) return from;
    b = ~b >> k;
    return b ? from + (unsigned)__builtin_ctz(b) : r->base + AHEAD_MAX + 1;
}

/* heads that left the list for want of a credit: one that is sent in this cycle is here after a hop */
static void bar_blocked(const Fast *s, Step *st)
{
    for (uint32_t m = st->r->credit_blocked; m; m &= m - 1) {
        const int k = st->r->slot_of[__builtin_ctz(m)];
        if (k) bar(st, st->r->slots[k - 1].tx, s->now + s->hop);
    }
}

static void begin_step(const Fast *s, Step *st)
{
    Router *r = st->r;
    const uint64_t now = s->now, passed = now - r->base;
    for (int d = 0; d < N_DIR; d++) r->busy[d] = passed > AHEAD_MAX ? 0 : r->busy[d] >> passed;
    r->base = now;
    st->last = now + AHEAD_MAX;
    if (st->p) {
        const Core *p = st->p;
        uint64_t sure = p->closes && arrlen(p->closes) ? now : p->t > now ? p->t : now + p->sure;
        if (sure < st->last) st->last = sure;
    }
    if (st->last >= s->limit) st->last = s->limit - 1;
    if (r->credit_blocked) bar_blocked(s, st);
}

typedef enum { CAND_GO, CAND_STAYS, CAND_LEAVES } Verdict;

/* Can the candidate be granted now, and in which cycle?  c->from becomes the first cycle in which it may be; *iq: the queue
 * on the ramp.  CAND_LEAVES: an event puts it back. */
static inline Verdict judge(Fast *s, Step *st, Cand *c, RSlot *sl, bool control, uint32_t data, int *iq)
{
    Router *r = st->r;
    const unsigned tx = sl->tx;
    const uint64_t now = s->now;
    uint64_t until = c->from;
    bool credit = true, place = true;
    for (unsigned m = tx & 15; m; m &= m - 1) {
        const int d = __builtin_ctz(m);
        if (!sl->out[d] && !first_use(s, st->i, key_slot(c->key), d)) {
            if (c->from > now) goto stays;
            FAST_FAULT(s, st->i, -1, st->p ? st->p->pc : 0, off_fabric, d_int(sl->color), d_str(dir_names[d]));
            credit = false;
            if (s->fault_at == st->i) return CAND_STAYS;
            continue;
        }
        const Lane *t = fast_lane(s, sl->out[d]);
        if (t->n == s->S) credit = false;
        else until = later(until, t->stamp[t->tail] >> 1);
    }
    if (tx >> DIR_RAMP) {
        uint64_t f = control ? ramp_control(st->p, sl->color, data, iq) : ramp_free(st->p, sl, now, iq);
        if (f == NEVER) place = false;
        else until = later(until, f);
    }
    if (!credit || !place) {
        if (!credit) bar(st, tx, later(c->from, now + s->hop));
        if (c->from > now) {
            /* A place on the ramp is not free up to st->last, but for a core that has slept while words came: it may have
             * been woken in this step, and takes them at times that have passed. */
            if (credit && st->p && st->p->lazy) bar(st, tx, c->from);
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
    if (until > c->from) c->from = first_free(r, tx, until);
    if (c->from <= st->last && (!(tx & st->bar_tx) || c->from < st->bar) && (!control || c->from == now)) return CAND_GO;
stays:
    bar(st, tx, c->from);
    return CAND_STAYS;
}

/* The candidate goes in cycle g = c->from.  The key of its successor, or 0. */
static inline uint64_t grant(Fast *s, Step *st, const Cand *c, RSlot *sl, Lane *l, bool control, uint32_t data, int iq)
{
    Router *r = st->r;
    const uint64_t g = c->from;
    const unsigned tx = sl->tx;
    uint64_t *ct = s->ct + (size_t)st->i * CT_COUNT, last = g;
    const bool tear = control && is_teardown(data);
    sl->carried = true;
    if (tear) close_slot(s, r, sl);
    uint64_t follower = l ? leave_link(s, l, g, tx) : leave_out(s, r, st->p, key_queue(c->key), g);
    for (unsigned m = tx & 15; m; m &= m - 1) {
        const int d = __builtin_ctz(m);
        ct[CT_hop_w + d]++;
        r->busy[d] |= 1u << (g - s->now);
        arrive_link(s, fast_lane(s, sl->out[d]), g + s->hop, control, data);
        last = g + s->hop;
    }
    if (tx >> DIR_RAMP) {
        ct[CT_ramp]++;
        r->busy[DIR_RAMP] |= 1u << (g - s->now);
        last = later(last, g + s->ramp_down);
        if (control) control_to_core(s, st->i, st->p, iq, sl->color, data);
        else arrive_core(s, st->p, iq, sl->color, data, g + s->ramp_down);
    }
    if (tear && st->p && st->p->want_slot) fast_wake_core(s, st->p, s->now);
    if (last > st->active) st->active = last;
    return follower;
}

void fast_router_step(Fast *s, uint32_t ri)
{
    Router *r = &s->rt[ri];
    Step st = {.r = r, .p = fast_core(s, ri), .i = ri, .bar = NEVER};
    const uint64_t now = s->now, lim = (now + s->foresee + 1) << KEY_AT;
    uint64_t next = NEVER;
    Cand *list = r->list;
    unsigned n = r->nlist, i = 0, o = 0;
    begin_step(s, &st);
    while (i < n && list[i].key < lim) {
        Cand c = list[i];
        const unsigned tx = key_tx(c.key);
        c.from = first_free(r, tx, later(c.from, now));
        if (c.from > st.last || (tx & st.bar_tx && c.from >= st.bar)) {
            bar(&st, tx, c.from);
            if (c.from < next) next = c.from;
            list[o++] = c, i++;
            continue;
        }
        RSlot *sl = &r->slots[key_slot(c.key)];
        FOut *from = NULL;
        Lane *l = NULL;
        bool control;
        uint32_t data;
        if (key_dir(c.key) < DIR_RAMP) {
            l = fast_lane(s, sl->in);
            control = l->stamp[l->head] & 1, data = lane_data(s, l)[l->head];
        } else {
            from = &st.p->oq[key_queue(c.key)];
            const SimWord *w = &from->w[from->pop & from->mask];
            control = w->control, data = w->data;
        }
        if (!sl->open) {                                 /* closed by a word from another output queue */
            from->listed = false;
            i++;
            continue;
        }
        int iq = -1;
        Verdict v = judge(s, &st, &c, sl, control, data, &iq);
        if (v == CAND_GO) {
            uint64_t follower = grant(s, &st, &c, sl, l, control, data, iq);
            if (!follower) i++;
            else {
                unsigned k = i;
                for (; k + 1 < n && list[k + 1].key < follower; k++) list[k] = list[k + 1];
                list[k] = (Cand){follower, later(c.from + 1, key_at(follower))};
            }
        } else if (v == CAND_LEAVES) {
            if (l) l->listed = false;
            else from->listed = false;
            i++;
        } else {
            if (s->b.fault.kind && s->fault_at == ri) return;
            if (c.from < next) next = c.from;
            list[o++] = c, i++;
        }
    }
    if (st.active) fast_active(s, st.active);
    if (i < n && key_at(list[i].key) < next) next = key_at(list[i].key);
    if (o < i) {
        while (i < n) list[o++] = list[i++];
        r->nlist = (uint16_t)o;
    }
    if (next != NEVER) fast_wake_router_at(s, r, ri, next);
}

/* Words of a color in the list: the slot is set anew, so they are looked at again. */
static void unlist(Fast *s, Router *r, Core *p, int color)
{
    unsigned o = 0;
    for (unsigned i = 0; i < r->nlist; i++) {
        const uint64_t key = r->list[i].key;
        if (key_color(key) != color) r->list[o++] = r->list[i];
        else if (key_dir(key) < DIR_RAMP) fast_lane(s, r->slots[key_slot(key)].in)->listed = false;
        else p->oq[key_queue(key)].listed = false;
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
