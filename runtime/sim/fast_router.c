/* runtime/sim/fast_router.c: one cycle of a router (docs/machine.md, "Routers").
 *
 * A router keeps its candidates, the heads whose color is open towards the direction they came from, in the order in which
 * the specification takes them; words that arrive later stand at the end with their time.  A head that waits for a place
 * nobody has freed yet leaves the list, and whoever frees the place puts it back; a head that waits for a known cycle stays. */
#include "runtime/sim/fast.h"
#include <assert.h>
#include <string.h>

static const int hop_counter[4] = {CT_hop_w, CT_hop_e, CT_hop_s, CT_hop_n};
static const char *const dir_names[N_DIR] = {"west", "east", "south", "north", "ramp"};

static inline uint64_t key_of(uint64_t at, int color, int dir, int q) { return at << 11 | (unsigned)color << 6 | (unsigned)dir << 3 | (unsigned)q; }

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

RSlot *fast_slot(Fast *s, Router *r, int color)
{
    if (r->slot_of[color]) return &r->slots[r->slot_of[color] - 1];
    if (!(r->nslot & (r->nslot - 1))) {                  /* room for 1, 2, 4, 8, ... */
        RSlot *p = ARENA_ARR(s->arena, RSlot, r->nslot ? r->nslot * 2 : 1);
        if (r->nslot) memcpy(p, r->slots, r->nslot * sizeof *p);
        r->slots = p;
    }
    RSlot *sl = &r->slots[r->nslot++];
    r->slot_of[color] = r->nslot;
    *sl = (RSlot){.color = (uint8_t)color};
    return sl;
}

static uint32_t lane_of(Fast *s, uint32_t i, int color, Dir d)
{
    RSlot *sl = fast_slot(s, &s->rt[i], color);
    if (!sl->lane[d]) {
        assert(s->nlanes < s->max_lanes);
        sl->lane[d] = s->nlanes++;
        Lane *l = fast_lane(s, sl->lane[d]);
        l->color = (uint8_t)color;
        l->dir = (uint8_t)d;
        l->rt = i;
    }
    return sl->lane[d];
}

static void list_add(Fast *s, Router *r, uint64_t key)
{
    if (r->nlist == r->cap) {
        uint32_t cap = r->cap ? r->cap * 2 : 4;
        uint64_t *p = ARENA_ARR(s->arena, uint64_t, cap);
        if (r->nlist) memcpy(p, r->list, r->nlist * sizeof *p);
        r->list = p;
        r->cap = cap;
    }
    uint32_t i = r->nlist++;
    for (; i && r->list[i - 1] > key; i--) r->list[i] = r->list[i - 1];
    r->list[i] = key;
}

void fast_relist(Fast *s, uint32_t i, int color, uint64_t at)
{
    Router *r = &s->rt[i];
    if (!(r->open >> color & 1)) return;
    RSlot *sl = &r->slots[r->slot_of[color] - 1];
    if (sl->rx < DIR_RAMP) {
        if (!sl->lane[sl->rx]) return;
        Lane *l = fast_lane(s, sl->lane[sl->rx]);
        if (!l->n || l->listed) return;
        l->listed = true;
        uint64_t a = l->stamp[l->head] >> 1;
        list_add(s, r, key_of(a, color, sl->rx, 0));
        fast_wake_router(s, i, a > at ? a : at);
        return;
    }
    Core *p = fast_core(s, i);
    for (int q = 0; p && q < N_QUEUE; q++) {
        FOut *o = &p->oq[q];
        if (o->pop == o->tail || o->listed) continue;
        const SimWord *w = &o->w[o->pop & o->mask];
        if (w->color != color) continue;
        o->listed = true;
        list_add(s, r, key_of(w->at, color, DIR_RAMP, q));
        fast_wake_router(s, i, w->at > at ? w->at : at);
    }
}

/* The head of an output queue is new: a candidate if its color comes from the ramp. */
void fast_list_out(Fast *s, Core *p, int q)
{
    Router *r = &s->rt[p->i];
    FOut *o = &p->oq[q];
    const SimWord *w = &o->w[o->pop & o->mask];
    if (!(r->open >> w->color & 1) || r->slots[r->slot_of[w->color] - 1].rx != DIR_RAMP) return;
    o->listed = true;
    list_add(s, r, key_of(w->at, w->color, DIR_RAMP, q));
    fast_wake_router(s, p->i, w->at);
}

static bool is_teardown(uint32_t data) { return (data >> 22 & 3) == 3; }
static bool not_to_core(uint32_t data) { return data >> 24 & 1; }

/* the lowest-numbered input queue that is bound to the color and open; -1 */
static int queue_of(const Core *p, int color)
{
    for (int q = 0; q < N_QUEUE; q++)
        if (p->iqc[q] == color) return q;
    return -1;
}

/* From when on the ramp takes the word; NEVER: an event tells.  *q: the queue it goes to. */
static uint64_t ramp_free(Router *r, Core *p, int color, bool control, uint32_t data, int *q)
{
    *q = -1;
    if (control && not_to_core(data) && !is_teardown(data)) return 0;
    *q = p ? queue_of(p, color) : -1;
    if (*q >= 0) {
        if (control) return 0;
        FIn *k = &p->iq[*q];
        uint32_t need = k->tail - k->cap;                /* the word whose place is wanted */
        if (k->cap && (int32_t)(need - k->pop) < 0) return k->w ? k->w[need & k->mask].at : 0;
        k->waited = true;
    }
    r->ramp_blocked |= 1u << color;
    return NEVER;
}

static uint64_t link_free(Fast *s, uint32_t ri, RSlot *sl, int d)
{
    if (!sl->out[d]) {
        int64_t to = fast_next(s, ri, (Dir)d);
        if (to < 0) {
            Core *p = fast_core(s, ri);
            FAST_FAULT(s, ri, -1, p ? p->pc : 0, off_fabric, d_int(sl->color), d_str(dir_names[d]));
            return NEVER;
        }
        sl->out[d] = lane_of(s, (uint32_t)to, sl->color, dir_opposite((Dir)d));
    }
    Lane *l = fast_lane(s, sl->out[d]);
    if (l->n == s->S) {
        l->waited = true;
        return NEVER;
    }
    uint32_t k = l->head + l->n;
    return l->stamp[k >= s->S ? k - s->S : k] >> 1;
}

static void arrive_link(Fast *s, uint32_t lane, uint64_t at, bool control, uint32_t data)
{
    Lane *l = fast_lane(s, lane);
    uint32_t k = l->head + l->n;
    if (k >= s->S) k -= s->S;
    l->stamp[k] = at << 1 | control;
    lane_data(s, l)[k] = data;
    if (l->n++) return;
    Router *r = &s->rt[l->rt];
    if (!(r->open >> l->color & 1) || r->slots[r->slot_of[l->color] - 1].rx != l->dir) return;
    l->listed = true;
    list_add(s, r, key_of(at, l->color, l->dir, 0));
    fast_wake_router(s, l->rt, at);
}

static void arrive_ramp(Fast *s, uint32_t ri, Core *p, int q, int color, bool control, uint32_t data)
{
    uint64_t at = s->now + s->ramp_down;
    s->ct[(size_t)ri * CT_COUNT + CT_ramp]++;
    if (!control) {
        FIn *k = &p->iq[q];
        if (!k->w) fast_ring_room(k, k->cap);
        k->w[k->tail++ & k->mask] = (SimWord){data, (uint8_t)color, false, at};
        fast_active(s, at);
        if (p->want_in >> q & 1 && k->tail - k->pop >= p->want_n) fast_wake_core(s, p, s->now);
    } else if (!not_to_core(data)) FAST_FAULT(s, ri, -1, p ? p->pc : 0, control_task, d_uint(data), d_int(color));
    else if (is_teardown(data)) {
        fast_active(s, at);
        arrput(p->closes, ((FEffect){at, 0, (uint8_t)q}));
        fast_wake_core(s, p, at);
    }
}

/* The word at the head of a FIFO or output queue goes; its successor becomes a candidate. */
static void leave_link(Fast *s, uint32_t ri, Router *r, Lane *l, uint64_t *fresh, int *nfresh)
{
    l->stamp[l->head] = (s->now + s->hop) << 1;
    if (++l->head == s->S) l->head = 0;
    l->listed = false;
    if (--l->n && r->open >> l->color & 1) {
        l->listed = true;
        fresh[(*nfresh)++] = key_of(l->stamp[l->head] >> 1, l->color, l->dir, 0);
    }
    if (l->waited) {
        l->waited = false;
        fast_relist(s, (uint32_t)fast_next(s, ri, (Dir)l->dir), l->color, s->now + s->hop);
    }
}

static void leave_out(Fast *s, Router *r, Core *p, int q, uint64_t *fresh, int *nfresh)
{
    FOut *o = &p->oq[q];
    o->granted_at = s->now;
    o->pop++;
    o->listed = false;
    if (o->pop != o->tail) {
        const SimWord *w = &o->w[o->pop & o->mask];
        if (r->open >> w->color & 1 && r->slots[r->slot_of[w->color] - 1].rx == DIR_RAMP) {
            o->listed = true;
            fresh[(*nfresh)++] = key_of(w->at, w->color, DIR_RAMP, q);
        }
    }
    if (p->want_out >> q & 1) fast_wake_core(s, p, s->now + (s->fab_op == 0));
}

void fast_router_step(Fast *s, uint32_t ri)
{
    Router *r = &s->rt[ri];
    const uint64_t now = s->now, lim = (now + 1) << 11;
    uint64_t next = NEVER, fresh[N_COLOR + N_QUEUE];
    uint64_t *list = r->list;
    uint32_t n = r->nlist, i, o = 0;
    int nfresh = 0;
    unsigned taken = 0;
    Core *p = fast_core(s, ri);
    for (i = 0; i < n && list[i] < lim; i++) {
        const uint64_t key = list[i];
        const int color = key >> 6 & 31, dir = key >> 3 & 7, q = key & 7;
        RSlot *sl = &r->slots[r->slot_of[color] - 1];
        Lane *l = dir < DIR_RAMP ? fast_lane(s, sl->lane[dir]) : NULL;
        if (!(r->open >> color & 1)) {                   /* closed in this cycle, by a word from another output queue */
            if (l) l->listed = false;
            else p->oq[q].listed = false;
            continue;
        }
        const unsigned tx = sl->tx;
        if (tx & taken) {
            list[o++] = key;
            next = now + 1;
            continue;
        }
        bool control;
        uint32_t data;
        if (l) control = l->stamp[l->head] & 1, data = lane_data(s, l)[l->head];
        else {
            const SimWord *w = &p->oq[q].w[p->oq[q].pop & p->oq[q].mask];
            control = w->control, data = w->data;
        }
        uint64_t until = 0;
        int iq = -1;
        for (unsigned m = tx & 15; m; m &= m - 1) {
            uint64_t f = link_free(s, ri, sl, __builtin_ctz(m));
            if (f > until) until = f;
        }
        if (s->b.fault.kind && s->fault_at == ri) return;
        if (tx >> DIR_RAMP & 1) {
            uint64_t f = ramp_free(r, p, color, control, data, &iq);
            if (f > until) until = f;
        }
        if (until > now) {
            if (until == NEVER) {
                if (l) l->listed = false;
                else p->oq[q].listed = false;
            } else {
                list[o++] = key;
                if (until < next) next = until;
            }
            continue;
        }
        taken |= tx;
        sl->carried = true;
        bool tear = control && is_teardown(data);
        if (tear) r->open &= ~(1u << color), r->closed |= 1u << color;
        if (l) leave_link(s, ri, r, l, fresh, &nfresh);
        else leave_out(s, r, p, q, fresh, &nfresh);
        for (unsigned m = tx & 15; m; m &= m - 1) {
            int d = __builtin_ctz(m);
            s->ct[(size_t)ri * CT_COUNT + (size_t)hop_counter[d]]++;
            arrive_link(s, sl->out[d], now + s->hop, control, data);
        }
        if (tx & 15) fast_active(s, now + s->hop);
        if (tx >> DIR_RAMP & 1) arrive_ramp(s, ri, p, iq, color, control, data);
        fast_active(s, now);
        if (tear && p && p->want_slot) fast_wake_core(s, p, now);
    }
    list = r->list;
    while (i < n) list[o++] = list[i++];
    r->nlist = o;
    if (o && list[o - 1] >= lim) {                       /* the first that comes later */
        uint32_t k = o - 1;
        while (k && list[k - 1] >= lim) k--;
        if (list[k] >> 11 < next) next = list[k] >> 11;
    }
    for (int k = 0; k < nfresh; k++) {
        list_add(s, r, fresh[k]);
        uint64_t at = fresh[k] >> 11;
        if (at <= now) at = now + 1;
        if (at < next) next = at;
    }
    if (next != NEVER) fast_wake_router(s, ri, next);
}

/* Words of a color in the list: the slot is set anew, so they are looked at again. */
static void unlist(Fast *s, Router *r, Core *p, int color)
{
    uint32_t o = 0;
    for (uint32_t i = 0; i < r->nlist; i++) {
        int c = r->list[i] >> 6 & 31, dir = r->list[i] >> 3 & 7;
        if (c != color) r->list[o++] = r->list[i];
        else if (dir < DIR_RAMP) fast_lane(s, r->slots[r->slot_of[c] - 1].lane[dir])->listed = false;
        else p->oq[r->list[i] & 7].listed = false;
    }
    r->nlist = o;
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
        sl->word = word;
        sl->rx = (uint8_t)slot_rx(word);
        sl->tx = (uint8_t)slot_tx(word);
        sl->carried = false;
        r->open |= bit, r->context |= bit;
        r->closed &= ~bit;
        fast_relist(s, p->i, color, s->now + 1);
        return true;
    }
    return false;
}
