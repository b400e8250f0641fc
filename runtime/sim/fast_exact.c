/* runtime/sim/fast_exact.c: routers that do more than pass words on (switches, pop modes, filters, color swap, several inputs of a
 * color, host channels) or whose core looks into them: one cycle a step, at clock time, as the specification has it.
 *
 * Such a router has an Exact.  Its slots stand there, none in RSlot, and it keeps no candidates: fast_router.c and its neighbours
 * see only its lanes, with the words in them, the places, and who waits for one. */
#include "runtime/sim/fast.h"
#include <string.h>

static const char *const dir_names[N_DIR] = {"west", "east", "south", "north", "ramp"};

typedef struct { uint64_t at; uint8_t color, dir, q; bool control, advance; uint32_t data; Lane *lane; } Head;

static bool before(const Head *a, const Head *b)
{
    if (a->at != b->at) return a->at < b->at;
    if (a->color != b->color) return a->color < b->color;
    return a->dir != b->dir ? a->dir < b->dir : a->q < b->q;
}

static void add_head(Head *h, int *n, Head k)
{
    int i = (*n)++;
    for (; i > 0 && before(&k, &h[i - 1]); i--) h[i] = h[i - 1];
    h[i] = k;
}

Exact *fast_exact(Fast *s, uint32_t i)
{
    Router *r = &s->rt[i];
    if (r->x) return r->x;
    Exact *x = ARENA_NEW(s->arena, Exact);
    fast_unlist_all(s, i);
    for (int k = 0; k < r->nslot; k++) {
        RSlot *sl = &r->slots[k];
        const uint32_t bit = 1u << sl->color;
        if (!((r->open | r->closed) & bit)) continue;
        slots_route(&x->k, &(WsRoute){.color = sl->color, .slot = sl->word});
        if (r->closed & bit) slots_close(&x->k, sl->color);
        fast_count_slot(s, i, sl);
        if (sl->carried) x->k.carried |= bit;
        sl->open = false;
    }
    for (int k = 0; k < r->nslot; k++)
        for (int d = 0; d < DIR_RAMP; d++)
            if (r->lanes[k].lane[d]) fast_lane(s, r->lanes[k].lane[d])->low |= LANE_LIVE;
    x->k.context = r->context;
    r->open = r->closed = r->context = 0;
    r->x = x;
    arrput(s->exacts, i);
    fast_wake_router(s, i, s->now);
    return x;
}

/* ---- heads */
static void look_lane(Fast *s, uint32_t ri, int color, Dir d, Lane *l, Head *h, int *n)
{
    const Exact *x = s->rt[ri].x;
    const uint64_t at = l->stamp[l->head] >> 1;
    if (at > s->now) fast_wake_router(s, ri, at);
    else if (x->k.open >> color & 1 && x->k.rx[color] >> d & 1)
        add_head(h, n, (Head){.at = at, .color = (uint8_t)color, .dir = d, .control = l->stamp[l->head] & 1, .data = lane_data(s, l)[l->head], .lane = l});
}

static int gather(Fast *s, uint32_t ri, Core *p, Head *h)
{
    Router *r = &s->rt[ri];
    Exact *x = r->x;
    int n = 0;
    for (int k = 0; k < r->nslot; k++)
        for (int d = 0; d < DIR_RAMP; d++) {
            Lane *l = r->lanes[k].lane[d] ? fast_lane(s, r->lanes[k].lane[d]) : NULL;
            if (l && l->n) look_lane(s, ri, r->slots[k].color, (Dir)d, l, h, &n);
        }
    for (ptrdiff_t k = 0; k < arrlen(x->chan); k++) {    /* what the host sends */
        const FChan *c = &x->chan[k];
        if (!c->to_pe || !fast_chan_waits(c)) continue;
        const SimWord *w = &c->w[c->pop];
        add_head(h, &n, (Head){.at = w->at, .color = w->color, .dir = DIR_RAMP, .q = (uint8_t)(N_QUEUE + k), .data = w->data});
    }
    for (int q = 0; p && q < N_QUEUE; q++) {
        const FOut *o = &p->oq[q];
        if (o->pop == o->tail) continue;
        const FOutWord *w = &o->w[o->pop & o->mask];
        if (w->at > s->now) fast_wake_router(s, ri, w->at);
        else if (x->k.open >> w->color & 1 && x->k.rx[w->color] >> DIR_RAMP & 1)
            add_head(h, &n, (Head){w->at, w->color, DIR_RAMP, (uint8_t)q, w->control, w->advance, w->data, NULL});
    }
    return n;
}

/* ---- is there room */
static uint16_t pc_of(const Core *p) { return p ? p->pc : 0; }

static bool link_room(Fast *s, uint32_t ri, const Core *p, int color, Dir d)
{
    uint32_t *out = &s->rt[ri].x->out[color][d];
    const int64_t to = fast_next(s, ri, d);
    if (to < 0) {
        FAST_FAULT(s, ri, -1, pc_of(p), off_fabric, d_int(color), d_str(dir_names[d]));
        return false;
    }
    if (!*out) *out = fast_lane_of(s, (uint32_t)to, color, dir_opposite(d));
    Lane *l = fast_lane(s, *out);
    if (l->n == s->S) {
        l->waited = true;                                /* the word's grant will wake us */
        return false;
    }
    const uint64_t free_at = l->stamp[l->tail] >> 1;
    if (free_at > s->now) fast_wake_router(s, ri, free_at);
    return free_at <= s->now;
}

/* the lowest-numbered input queue that is bound to the color and open; -1 */
static int queue_of(const Core *p, int color)
{
    for (int q = 0; p && q < N_QUEUE; q++)
        if (p->iqc[q] == color) return q;
    return -1;
}

static bool place(Fast *s, uint32_t ri, FIn *k)
{
    const uint32_t need = k->tail - k->cap;              /* the word whose place is wanted */
    if ((int32_t)(need - k->pop) >= 0) {
        k->waited = true;
        return false;
    }
    const uint64_t free_at = k->w ? fast_in_at(k, need) : 0;
    if (free_at > s->now) fast_wake_router(s, ri, free_at);
    return free_at <= s->now;
}

static uint32_t uses_of(const Core *p) { return p ? p->cls->c->uses : 0; }

static bool ramp_room(Fast *s, uint32_t ri, Core *p, const Head *h, int *q)
{
    Exact *x = s->rt[ri].x;
    *q = queue_of(p, h->color);
    if (x->chan_from >> h->color & 1) {
        *q = -1;
        return h->control || fast_chan(x, h->color)->want;
    }
    RampWay way = slots_ramp_way(&x->k, uses_of(p), h->color, h->control, h->data, *q >= 0);
    return way == RAMP_GOES || (way == RAMP_IF_PLACE && place(s, ri, &p->iq[*q]));
}

static bool room(Fast *s, uint32_t ri, Core *p, const Head *h, unsigned tx, int *q)
{
    bool ok = true;
    *q = -1;
    for (int d = 0; d < DIR_RAMP; d++)
        if (tx >> d & 1 && !link_room(s, ri, p, h->color, (Dir)d)) ok = false;
    if (tx >> DIR_RAMP & 1 && !ramp_room(s, ri, p, h, q)) ok = false;
    return ok;
}

/* ---- a word goes */
static void leave_lane(Fast *s, uint32_t ri, const Head *h)
{
    Lane *l = h->lane;
    const uint64_t back = s->now + s->hop;
    l->stamp[l->head] = back << 1;
    if (++l->head == s->S) l->head = 0;
    if (--l->n) fast_wake_router(s, ri, s->now + 1);
    if (!l->waited) return;
    l->waited = false;
    fast_relist(s, (uint32_t)fast_next(s, ri, (Dir)h->dir), slots_color(&s->rt[ri].x->k, h->color, (Dir)h->dir), back);
}

static void leave(Fast *s, uint32_t ri, Core *p, const Head *h)
{
    if (h->lane) leave_lane(s, ri, h);
    else if (h->q >= N_QUEUE) {
        FChan *c = &s->rt[ri].x->chan[h->q - N_QUEUE];
        c->pop++;
        if (fast_chan_waits(c)) fast_wake_router(s, ri, s->now + 1);
    } else {
        FOut *o = &p->oq[h->q];
        o->next = s->now + 1;
        o->w[o->pop++ & o->mask].at = s->now;
        if (o->pop != o->tail) fast_wake_router(s, ri, s->now + 1);
        if (p->want_out >> h->q & 1) fast_wake_core(s, p, s->now);
    }
}

static void arrive_core(Fast *s, Core *p, int q, const Head *h, uint64_t at)
{
    FIn *k = &p->iq[q];
    if (!k->w) fast_ring_room(s, p, q, k->cap);
    fast_in_reach(k, at);
    if (h->control) fast_control_comes(p, q);
    FWord *w = fast_in_word(k, k->tail++);
    w->data = h->data;
    fast_in_stamp(k, w, at, h->color);
    fast_active(s, at);
    if (h->control || (p->want_in >> q & 1 && k->tail - k->pop >= p->want_n)) fast_wake_core(s, p, s->now);
}

static void arrive_ramp(Fast *s, uint32_t ri, Core *p, const Head *h, int q)
{
    Exact *x = s->rt[ri].x;
    uint64_t *ct = s->ct + (size_t)ri * CT_COUNT;
    const uint64_t at = s->now + s->ramp_down;
    ct[CT_ramp]++;
    if (x->chan_from >> h->color & 1) {                  /* to the host, which has no use for control wavelets */
        FChan *c = fast_chan(x, h->color);
        if (h->control) return;
        c->want--;
        arrput(c->w, ((SimWord){.data = h->data, .color = h->color, .at = at}));
        return;
    }
    switch (slots_ramp_fate(&x->k, uses_of(p), h->color, h->control, h->data)) {
    case RAMP_KEPT: ct[CT_filtered]++; break;
    case RAMP_VANISHES: break;
    case RAMP_FAULT: FAST_FAULT(s, ri, -1, pc_of(p), control_task, d_uint(h->data), d_int(h->color)); break;
    case RAMP_TO_CORE:
        if (q >= 0) arrive_core(s, p, q, h, at);
    }
    if (!ctrl_tears_down(h->control, h->data) || q < 0) return;
    arrput(p->closes, ((FEffect){at, 0, (uint8_t)q}));
    fast_wake_core(s, p, later(at, s->now));
}

/* a teardown word has passed: the slot holds what comes next */
static void close_slot(Fast *s, uint32_t ri, Core *p, int c)
{
    slots_close(&s->rt[ri].x->k, c);
    if (!p) return;
    if (p->want_slot) fast_wake_core(s, p, s->now);
    if (!(p->cls->c->uses & USES_TEARDOWN) || !(p->cls->bound >> TASK_TEARDOWN & 1)) return;
    const uint64_t at = s->now + s->ramp_down;
    arrput(p->effects, ((FEffect){at, EF_ACT, TASK_TEARDOWN}));
    fast_wake_core(s, p, at);
}

static void pass(Fast *s, uint32_t ri, Core *p, const Head *h, unsigned tx, int q)
{
    Exact *x = s->rt[ri].x;
    uint64_t *ct = s->ct + (size_t)ri * CT_COUNT;
    const int c = h->color;
    const SlotPass go = slots_pass(&x->k, c, h->control, h->advance, h->data);
    leave(s, ri, p, h);
    x->k.carried |= 1u << c;
    fast_active(s, s->now);
    for (int d = 0; d < DIR_RAMP; d++) {
        if (!(tx >> d & 1)) continue;
        ct[CT_hop_w + d]++;
        fast_arrive_link(s, fast_lane(s, x->out[c][d]), s->now + s->hop, h->control, go.on);
        fast_active(s, s->now + s->hop);
    }
    if (tx >> DIR_RAMP & 1) arrive_ramp(s, ri, p, h, q);
    if (go.moved) {
        slots_move(&x->k, c, go.at);
        fast_wake_router(s, ri, s->now + 1);
    }
    if (go.teardown) close_slot(s, ri, p, c);
}

/* Two words of one color from two of its inputs in one cycle: nothing says which is first. */
static bool clash(Fast *s, uint32_t ri, const Core *p, const Head *h, int n)
{
    for (int i = 0; i + 1 < n; i++) {
        if (h[i].at != h[i + 1].at || h[i].color != h[i + 1].color || h[i].dir == h[i + 1].dir) continue;
        FAST_FAULT(s, ri, -1, pc_of(p), two_inputs, d_int(h[i].color), d_str(dir_names[h[i].dir]), d_str(dir_names[h[i + 1].dir]));
        return true;
    }
    return false;
}

void fast_exact_step(Fast *s, uint32_t ri)
{
    Exact *x = s->rt[ri].x;
    Core *p = fast_core(s, ri);
    Head heads[N_COLOR * 4 + N_QUEUE + N_COLOR];
    const int n = gather(s, ri, p, heads);
    unsigned taken = 0;
    uint32_t done = 0;                                   /* colors that carried a word: a switch may have moved */
    s->slow[SLOW_exact_routers]++;
    if (clash(s, ri, p, heads, n)) return;
    for (int i = 0; i < n; i++) {
        const Head *h = &heads[i];
        const int c = h->color;
        const unsigned tx = x->k.tx[c];
        int q;
        if (tx & taken || done >> c & 1) fast_wake_router(s, ri, s->now + 1);
        else if (x->k.open >> c & 1 && room(s, ri, p, h, tx, &q)) {
            taken |= tx;
            done |= 1u << c;
            pass(s, ri, p, h, tx, q);
        }
        if (s->b.fault.kind && s->fault_at == ri) return;
    }
}

/* ---- what the core does to it, at clock time */
bool fast_slot_fault(Fast *s, const Core *p, const SlotFault *f)
{
    if (f->kind) fast_fault(s, p->i, THREAD_MAIN, p->pc, f->kind, f->n, f->arg);
    return !f->kind;
}

bool fast_exact_open(Fast *s, Core *p, int color, uint16_t word)
{
    const SlotFault f = slots_set(&s->rt[p->i].x->k, color, word);
    if (!fast_slot_fault(s, p, &f)) return false;
    fast_wake_router(s, p->i, s->now + 1);
    return true;
}
