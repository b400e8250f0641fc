/* runtime/sim/ref_router.c: one cycle of a router (docs/machine.md, "Routers").
 *
 * Takes the heads that are there in this cycle, oldest first, and sends each on whose links are all free and whose
 * branches all have room.  Nothing that happens here can be seen by another router before the next cycle. */
#include "runtime/sim/ref.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

const char *const ref_dir_names[N_DIR] = {"west", "east", "south", "north", "ramp"};
static const int hop_counter[4] = {CT_hop_w, CT_hop_e, CT_hop_s, CT_hop_n};

typedef struct { uint64_t at; uint8_t color, dir, q; SimWord *w; } Head;

static uint32_t after(const Ref *s, uint32_t slot) { return slot + 1 == (uint32_t)AP(&s->b.arch, router_slots) ? 0 : slot + 1; }

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

/* heads that are here now and whose color is open towards the direction they came from */
static int gather(Ref *s, Rt *r, uint32_t ri, Head *h)
{
    int n = 0;
    for (int k = 0; k < 2; k++)
        for (uint64_t m = r->pend[k]; m; m &= m - 1) {
            int l = k * 64 + __builtin_ctzll(m), c = l >> 2;
            Lane *ln = r->lane[l];
            SimWord *w = &ln->w[ln->head];
            if (w->at > s->now) ref_wake_router(s, ri, w->at);
            else if (r->k.open >> c & 1 && r->k.rx[c] >> (l & 3) & 1) add_head(h, &n, (Head){w->at, (uint8_t)c, l & 3, 0, w});
        }
    for (ptrdiff_t k = 0; k < arrlen(r->chan); k++) {    /* what the host sends */
        if (!r->chan[k].to_pe || !r->chan[k].r.n) continue;
        SimWord *w = ring_at(&r->chan[k].r, 0);
        add_head(h, &n, (Head){w->at, w->color, DIR_RAMP, (uint8_t)(N_QUEUE + k), w});
    }
    for (unsigned m = r->oqs; m; m &= m - 1) {
        int q = __builtin_ctz(m);
        SimWord *w = ring_at(&r->pe->oq[q].r, 0);
        int c = w->color;
        if (w->at > s->now) ref_wake_router(s, ri, w->at);
        else if (r->k.open >> c & 1 && r->k.rx[c] >> DIR_RAMP & 1) add_head(h, &n, (Head){w->at, (uint8_t)c, DIR_RAMP, (uint8_t)q, w});
    }
    return n;
}

static uint32_t uses_of(const Rt *r) { return r->pe ? r->pe->cls->c->uses : 0; }

/* the input queue a word of this color goes to; -1: none is bound and open */
static int queue_of(const Pe *pe, int color)
{
    for (int q = 0; q < N_QUEUE; q++)
        if (pe->iq[q].color == color && pe->iq[q].open) return q;
    return -1;
}

static bool ramp_room(Rt *r, const Head *h, int *q)
{
    const SimWord *w = h->w;
    bool ok;
    *q = r->pe ? queue_of(r->pe, h->color) : -1;
    if (r->chan_from >> h->color & 1) *q = -1, ok = w->control || ref_chan(r, h->color)->want;
    else {
        RampWay way = slots_ramp_way(&r->k, uses_of(r), h->color, w->control, w->data, *q >= 0);
        ok = way == RAMP_GOES || (way == RAMP_IF_PLACE && r->pe->iq[*q].r.n < r->pe->iq[*q].cap);
    }
    if (!ok) r->ramp_waited = true;
    return ok;
}

static Lane *lane_new(Ref *s)
{
    size_t n = (size_t)AP(&s->b.arch, router_slots);
    Lane *l = arena_alloc(s->arena, sizeof(Lane) + n * sizeof(SimWord));
    l->free_at = ARENA_ARR(s->arena, uint64_t, n);
    return l;
}

static bool link_room(Ref *s, uint32_t ri, const Head *h, Dir d)
{
    int64_t to = s->rt[ri].next[d];
    if (to < 0) {
        uint16_t pc = s->rt[ri].pe ? s->rt[ri].pe->main.pc : 0;
        REF_FAULT(s, ri, -1, pc, off_fabric, d_int(h->color), d_str(ref_dir_names[d]));
        return false;
    }
    Lane **l = &s->rt[to].lane[slots_color(&s->rt[to].k, h->color, dir_opposite(d)) * 4 + dir_opposite(d)];
    if (!*l) *l = lane_new(s);
    uint64_t free_at = (*l)->free_at[(*l)->tail];
    if (free_at <= s->now) return true;
    if (free_at == NEVER) (*l)->waited = true;           /* the word's grant will wake us */
    else ref_wake_router(s, ri, free_at);
    return false;
}

/* every branch has room; *q is the input queue for the ramp branch */
static bool room(Ref *s, uint32_t ri, const Head *h, unsigned tx, int *q)
{
    bool ok = true;
    *q = -1;
    for (int d = 0; d < DIR_RAMP; d++)
        if (tx >> d & 1 && !link_room(s, ri, h, (Dir)d)) ok = false;
    if (tx >> DIR_RAMP & 1 && !ramp_room(&s->rt[ri], h, q)) ok = false;
    return ok && !s->b.fault.kind;
}

/* take the word out of the FIFO it waits in */
static SimWord leave(Ref *s, uint32_t ri, const Head *h)
{
    Rt *r = &s->rt[ri];
    if (h->q >= N_QUEUE) {
        Ring *c = &r->chan[h->q - N_QUEUE].r;
        SimWord w = ring_pop(c);
        if (c->n) ref_wake_router(s, ri, s->now + 1);
        return w;
    }
    if (h->dir == DIR_RAMP) {
        OutQ *o = &r->pe->oq[h->q];
        o->granted_at = s->now;
        SimWord w = ring_pop(&o->r);
        if (!o->r.n) r->oqs &= (uint8_t)~(1u << h->q);
        else ref_wake_router(s, ri, s->now + 1);
        ref_wake_pe(s, ri, s->now + (AP(&s->b.arch, fab_op) == 0));
        if (r->pe->regs.flush) ref_wake_pe(s, ri, s->now);
        return w;
    }
    int l = h->color * 4 + h->dir;
    Lane *ln = r->lane[l];
    SimWord w = ln->w[ln->head];
    uint64_t back = s->now + (uint64_t)AP(&s->b.arch, hop_cycles);
    ln->free_at[ln->head] = back;
    ln->head = after(s, ln->head);
    if (--ln->n) ref_wake_router(s, ri, s->now + 1);
    else r->pend[l >> 6] &= ~(1ull << (l & 63));
    if (ln->waited) {
        ln->waited = false;
        ref_wake_router(s, (uint32_t)r->next[h->dir], back);
    }
    return w;
}

static void arrive_link(Ref *s, uint32_t ri, SimWord w, Dir d)
{
    uint32_t to = (uint32_t)s->rt[ri].next[d];
    Rt *n = &s->rt[to];
    w.color = (uint8_t)slots_color(&n->k, w.color, dir_opposite(d));
    int l = w.color * 4 + dir_opposite(d);
    Lane *ln = n->lane[l];
    w.at = s->now + (uint64_t)AP(&s->b.arch, hop_cycles);
    ln->w[ln->tail] = w;
    ln->free_at[ln->tail] = NEVER;
    ln->tail = after(s, ln->tail);
    ln->n++;
    n->pend[l >> 6] |= 1ull << (l & 63);
    s->rt[ri].ct[hop_counter[d]]++;
    ref_active(s, w.at);
    ref_wake_router(s, to, w.at);
}

static void arrive_ramp(Ref *s, uint32_t ri, SimWord w, int q)
{
    Rt *r = &s->rt[ri];
    Pe *pe = r->pe;
    w.at = s->now + (uint64_t)AP(&s->b.arch, ramp_down);
    r->ct[CT_ramp]++;
    if (r->chan_from >> w.color & 1) {                   /* to the host, which has no use for control wavelets */
        Chan *ch = ref_chan(r, w.color);
        if (w.control) return;
        ch->want--;
        ring_push(&ch->r, w);
        ref_active(s, s->now);
        return;
    }
    switch (slots_ramp_fate(&r->k, uses_of(r), w.color, w.control, w.data)) {
    case RAMP_KEPT: r->ct[CT_filtered]++; break;
    case RAMP_VANISHES: break;
    case RAMP_FAULT: REF_FAULT(s, ri, -1, pe ? pe->main.pc : 0, control_task, d_uint(w.data), d_int(w.color)); break;
    case RAMP_TO_CORE:
        if (q < 0) break;
        ref_active(s, w.at);
        ring_push(&pe->iq[q].r, w);
        ref_wake_pe(s, ri, w.at);
    }
    if (!ctrl_tears_down(w.control, w.data) || q < 0) return;
    arrput(pe->effects, ((Effect){w.at, EF_CLOSE, (uint8_t)q}));
    ref_wake_pe(s, ri, w.at);
}

/* a teardown word has passed: the slot holds what comes next */
static void close_slot(Ref *s, uint32_t ri, int c)
{
    Rt *r = &s->rt[ri];
    slots_close(&r->k, c);
    if (!r->pe) return;
    ref_wake_pe(s, ri, s->now);
    const Class *k = r->pe->cls;
    if (!(k->c->uses & USES_TEARDOWN) || !(k->bound >> TASK_TEARDOWN & 1)) return;
    uint64_t at = s->now + (uint64_t)AP(&s->b.arch, ramp_down);
    arrput(r->pe->effects, ((Effect){at, EF_ACT, TASK_TEARDOWN}));
    ref_wake_pe(s, ri, at);
}

/* Send a granted word on all its ways, then do what it says to this router. */
static void pass(Ref *s, uint32_t ri, const Head *h, unsigned tx, int q)
{
    Rt *r = &s->rt[ri];
    int c = h->color;
    SimWord w = leave(s, ri, h);
    const SlotPass p = slots_pass(&r->k, c, w.control, w.advance, w.data);
    w.advance = false;
    r->k.carried |= 1u << c;
    ref_active(s, s->now);
    SimWord on = w;
    on.data = p.on;
    for (int d = 0; d < DIR_RAMP; d++)
        if (tx >> d & 1) arrive_link(s, ri, on, (Dir)d);
    if (tx >> DIR_RAMP & 1) arrive_ramp(s, ri, w, q);
    if (p.moved) {
        slots_move(&r->k, c, p.at);
        ref_wake_router(s, ri, s->now + 1);
    }
    if (p.teardown) close_slot(s, ri, c);
}

/* Two words of one color from two of its inputs in one cycle: nothing says which is first. */
static bool clash(Ref *s, uint32_t ri, const Head *h, int n)
{
    for (int i = 0; i + 1 < n; i++) {
        if (h[i].at != h[i + 1].at || h[i].color != h[i + 1].color || h[i].dir == h[i + 1].dir) continue;
        uint16_t pc = s->rt[ri].pe ? s->rt[ri].pe->main.pc : 0;
        REF_FAULT(s, ri, -1, pc, two_inputs, d_int(h[i].color), d_str(ref_dir_names[h[i].dir]), d_str(ref_dir_names[h[i + 1].dir]));
        return true;
    }
    return false;
}

void ref_router_step(Ref *s, uint32_t ri)
{
    Rt *r = &s->rt[ri];
    Head heads[N_LANE + N_QUEUE + N_COLOR];
    int n = gather(s, r, ri, heads);
    unsigned taken = 0;
    uint32_t done = 0;                                   /* colors that carried a word: a switch may have moved */
    if (clash(s, ri, heads, n)) return;
    for (int i = 0; i < n; i++) {
        Head *h = &heads[i];
        int c = h->color, q;
        unsigned tx = r->k.tx[c];
        if (tx & taken || done >> c & 1) {
            ref_wake_router(s, ri, s->now + 1);
            continue;
        }
        if (!(r->k.open >> c & 1) || !room(s, ri, h, tx, &q)) {
            if (s->b.fault.kind) return;
            continue;
        }
        taken |= tx;
        done |= 1u << c;
        pass(s, ri, h, tx, q);
        if (s->b.fault.kind) return;
    }
}

bool ref_open_slot(Ref *s, Pe *pe, int color, uint16_t word)
{
    Rt *r = pe->rt;
    uint16_t pc = pe->main.pc;
    const SlotFault f = slots_set(&r->k, color, word);
    if (!ref_slot_fault(s, pe->i, pc, &f)) return false;
    ref_wake_router(s, pe->i, s->now + 1);
    return true;
}
