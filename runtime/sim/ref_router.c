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
            else if (r->open >> c & 1 && (int)slot_rx(r->slot[c]) == (l & 3)) add_head(h, &n, (Head){w->at, (uint8_t)c, l & 3, 0, w});
        }
    for (unsigned m = r->oqs; m; m &= m - 1) {
        int q = __builtin_ctz(m);
        SimWord *w = ring_at(&r->pe->oq[q].r, 0);
        int c = w->color;
        if (w->at > s->now) ref_wake_router(s, ri, w->at);
        else if (r->open >> c & 1 && slot_rx(r->slot[c]) == DIR_RAMP) add_head(h, &n, (Head){w->at, (uint8_t)c, DIR_RAMP, (uint8_t)q, w});
    }
    return n;
}

static bool is_teardown(const SimWord *w) { return w->control && (w->data >> 22 & 3) == 3; }
static bool not_to_core(const SimWord *w) { return w->data >> 24 & 1; }

/* the input queue a word of this color goes to; -1: none is bound and open */
static int queue_of(const Pe *pe, int color)
{
    for (int q = 0; q < N_QUEUE; q++)
        if (pe->iq[q].color == color && pe->iq[q].open) return q;
    return -1;
}

/* Room on the ramp.  A control wavelet that is not for the core vanishes there and needs none; a teardown wavelet
 * needs a queue to close, but no room in it. */
static bool ramp_room(Rt *r, const Head *h, int *q)
{
    *q = -1;
    if (h->w->control && not_to_core(h->w) && !is_teardown(h->w)) return true;
    if (r->pe) {
        *q = queue_of(r->pe, h->color);
        if (*q >= 0 && (h->w->control || r->pe->iq[*q].r.n < r->pe->iq[*q].cap)) return true;
    }
    r->ramp_waited = true;
    return false;
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
    Lane **l = &s->rt[to].lane[h->color * 4 + dir_opposite(d)];
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
    if (h->dir == DIR_RAMP) {
        OutQ *o = &r->pe->oq[h->q];
        o->granted_at = s->now;
        SimWord w = ring_pop(&o->r);
        if (!o->r.n) r->oqs &= (uint8_t)~(1u << h->q);
        else ref_wake_router(s, ri, s->now + 1);
        ref_wake_pe(s, ri, s->now + (AP(&s->b.arch, fab_op) == 0));
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
    if (!w.control) {
        ref_active(s, w.at);
        ring_push(&pe->iq[q].r, w);
    } else if (!not_to_core(&w)) REF_FAULT(s, ri, -1, pe ? pe->main.pc : 0, control_task, d_uint(w.data), d_int(w.color));
    else if (is_teardown(&w)) arrput(pe->effects, ((Effect){w.at, EF_CLOSE, (uint8_t)q}));
    if (pe) ref_wake_pe(s, ri, w.at);
}

void ref_router_step(Ref *s, uint32_t ri)
{
    Rt *r = &s->rt[ri];
    Head heads[N_LANE + N_QUEUE];
    int n = gather(s, r, ri, heads);
    unsigned taken = 0;
    for (int i = 0; i < n; i++) {
        Head *h = &heads[i];
        int c = h->color, q;
        unsigned tx = slot_tx(r->slot[c]);
        if (tx & taken) {
            ref_wake_router(s, ri, s->now + 1);
            continue;
        }
        if (!(r->open >> c & 1) || !room(s, ri, h, tx, &q)) {
            if (s->b.fault.kind) return;
            continue;
        }
        taken |= tx;
        SimWord w = leave(s, ri, h);
        r->carried |= 1u << c;
        ref_active(s, s->now);
        for (int d = 0; d < DIR_RAMP; d++)
            if (tx >> d & 1) arrive_link(s, ri, w, (Dir)d);
        if (tx >> DIR_RAMP & 1) arrive_ramp(s, ri, w, q);
        if (is_teardown(&w)) {                           /* after it has passed */
            r->open &= ~(1u << c);
            r->closed |= 1u << c;
            if (r->pe) ref_wake_pe(s, ri, s->now);
        }
    }
}

bool ref_open_slot(Ref *s, Pe *pe, int color, uint16_t word)
{
    Rt *r = pe->rt;
    uint16_t pc = pe->main.pc;
    uint32_t bit = 1u << (color & 31);
    if (color >= N_COLOR) REF_FAULT(s, pe->i, THREAD_MAIN, pc, bad_color, d_str("a router slot"), d_int(color));
    else if (word & 0x100) REF_FAULT(s, pe->i, THREAD_MAIN, pc, switches, d_uint(word), d_int(color));
    else if ((int)slot_rx(word) >= N_DIR)
        REF_FAULT(s, pe->i, THREAD_MAIN, pc, bad_slot, d_uint(word), d_int(color), d_str("an input that is no direction"));
    else if (!slot_tx(word)) REF_FAULT(s, pe->i, THREAD_MAIN, pc, bad_slot, d_uint(word), d_int(color), d_str("no output"));
    else if (r->open & r->carried & bit) REF_FAULT(s, pe->i, THREAD_MAIN, pc, slot_open, d_int(color));
    if (s->b.fault.kind) return false;
    r->slot[color] = word;
    r->open |= bit, r->context |= bit;
    r->closed &= ~bit, r->carried &= ~bit;
    ref_wake_router(s, pe->i, s->now + 1);
    return true;
}
