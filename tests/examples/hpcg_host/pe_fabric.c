/* The machine under pe_model: see pe_fabric.h. */
#include "pe_fabric.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Fabric fab;
static int *list, list_head, list_n;
static bool lending;

void stop(const Pe *p, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    printf("pe_model: ");
    if (p)
        printf("PE (%d, %d) [grid row %d]: ", p->col, p->row, fab.V - 1 - p->row);
    vprintf(fmt, ap);
    printf("\n");
    va_end(ap);
    exit(1);
}

uint32_t chance(uint32_t n)
{
    static uint32_t s;
    if (!s)
        s = fab.seed * 2654435761u | 1;
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    return s % n;
}

void fabric_init(int H, int V, uint32_t seed, bool wse2, bool lend)
{
    static const uint8_t wse3_words[QUEUES] = {8, 8, 4, 4, 4, 4, 4, 4}, wse2_words[QUEUES] = {6, 6, 4, 4, 2, 2, 2, 2};
    size_t n = (size_t)H * (size_t)V;
    fab = (Fabric){H, V, calloc(n, sizeof(Pe)), seed, wse2 ? wse2_words : wse3_words, wse2 ? 2 : 4, 0};
    uint8_t *mem = calloc(n, MEM_BYTES);
    list = calloc(n, sizeof *list);
    lending = lend;
    if (!fab.pe || !mem || !list)
        stop(NULL, "out of memory");
    for (size_t i = 0; i < n; i++) {
        Pe *p = &fab.pe[i];
        p->id = (int)i;
        p->col = (int)i % H;
        p->row = (int)i / H;
        p->mem = mem + i * MEM_BYTES;
        p->oq.cap = wse2 ? 2 : 8;
        p->oq_color = NULL_COLOR;
        for (int q = 0; q < QUEUES; q++) {
            p->iq[q].color = NULL_COLOR;
            p->iq[q].r.cap = fab.iq_words[q];
        }
    }
}

static void push(Ring *r, Word w)
{
    r->w[(r->head + r->n++) % RING_MAX] = w;
}

static Word pop(Ring *r)
{
    Word w = r->w[r->head];
    r->head = (uint8_t)((r->head + 1) % RING_MAX);
    r->n--;
    return w;
}

/* ---- work list ------------------------------------------------------------------------------------------------------------ */
static void wake(Pe *p)
{
    if (p->queued)
        return;
    p->queued = true;
    list[(list_head + list_n++) % (fab.H * fab.V)] = p->id;
}

static Pe *next_pe(void)
{
    int n = fab.H * fab.V, i = fab.seed ? (int)chance((uint32_t)list_n) : 0, at = (list_head + i) % n, id = list[at];
    list[at] = list[list_head]; /* the first takes the place of the chosen one */
    list_head = (list_head + 1) % n;
    list_n--;
    fab.pe[id].queued = false;
    return &fab.pe[id];
}

static Pe *neighbour(const Pe *p, int d)
{
    int x = p->col + (d == EAST) - (d == WEST), y = p->row + (d == SOUTH) - (d == NORTH);
    return x < 0 || x >= fab.H || y < 0 || y >= fab.V ? NULL : &fab.pe[y * fab.H + x];
}

/* ---- router --------------------------------------------------------------------------------------------------------------- */
static InQueue *ramp_queue(Pe *p, int color)
{
    for (int q = 0; q < QUEUES; q++)
        if (p->iq[q].color == color && p->iq[q].open)
            return &p->iq[q];
    return NULL;
}

/* Is there a place on every branch? */
static bool places(Pe *p, const Word *w)
{
    for (int d = 0; d < 5; d++) {
        if (!(p->slot[w->color] >> (3 + d) & 1))
            continue;
        if (d == RAMP) {
            const InQueue *q = ramp_queue(p, w->color);
            if (!q || (!w->teardown && q->r.n >= q->r.cap))
                return false;
            continue;
        }
        const Pe *to = neighbour(p, d);
        if (!to)
            stop(p, "color %d leaves the array", w->color);
        if (to->lane[w->color][d ^ 1].n >= fab.router_slots)
            return false;
    }
    return true;
}

static void deliver(Pe *p, Word w)
{
    for (int d = 0; d < 5; d++) {
        if (!(p->slot[w.color] >> (3 + d) & 1))
            continue;
        if (d == RAMP) {
            InQueue *q = ramp_queue(p, w.color);
            if (w.teardown)
                q->closing = true;
            else
                push(&q->r, w);
            continue;
        }
        Pe *to = neighbour(p, d);
        Lane *l = &to->lane[w.color][d ^ 1];
        l->w[(l->head + l->n++) % 4] = w;
        to->pending[d ^ 1] |= 1u << w.color;
        wake(to);
    }
    p->carried |= 1u << w.color;
    if (w.teardown)
        p->open &= ~(1u << w.color);
    fab.moves++;
}

static bool may_go(Pe *p, const Word *w, int from)
{
    return p->open >> w->color & 1 && (p->slot[w->color] & 7) == from && places(p, w);
}

static bool move_lane(Pe *p, int color, int d)
{
    Lane *l = &p->lane[color][d];
    Word w = l->w[l->head];
    if (!may_go(p, &w, d))
        return false;
    l->head = (l->head + 1) % 4;
    if (--l->n == 0)
        p->pending[d] &= ~(1u << color);
    deliver(p, w);
    wake(neighbour(p, d)); /* a place is free */
    return true;
}

static bool move_router(Pe *p)
{
    bool any = false;
    for (int d = 0; d < 4; d++)
        for (uint32_t m = p->pending[d] & p->open; m; m &= m - 1) {
            int color = __builtin_ctz(m);
            while (p->pending[d] >> color & 1 && (!fab.seed || p->budget > 0) && move_lane(p, color, d)) {
                any = true;
                p->budget--;
            }
        }
    while (p->oq.n && (!fab.seed || p->budget > 0) && may_go(p, &p->oq.w[p->oq.head], RAMP)) {
        deliver(p, pop(&p->oq));
        any = true;
        p->budget--;
    }
    return any;
}

/* The closing of a queue comes a little after the teardown word has passed: at once here, some time later with a seed. */
static bool close_queues(Pe *p)
{
    bool any = false;
    for (int q = 0; q < QUEUES; q++) {
        if (!p->iq[q].closing)
            continue;
        if (fab.seed && chance(3)) {
            wake(p);
            continue;
        }
        p->iq[q].closing = p->iq[q].open = false;
        any = true;
    }
    return any;
}

/* ---- what a PE can do ----------------------------------------------------------------------------------------------------- */
/* With a seed a PE stops now and then before a word. */
static bool tired(Pe *p)
{
    if (!fab.seed || p->budget-- > 0)
        return false;
    wake(p);
    return true;
}

bool recv_word(Pe *p, int q, uint32_t *bits)
{
    InQueue *k = &p->iq[q];
    *bits = 0;
    if (k->r.n == 0)
        return k->color == NULL_COLOR;
    if (tired(p))
        return false;
    *bits = pop(&k->r).bits;
    return true;
}

static bool out(Pe *p, uint32_t bits, bool teardown)
{
    if (p->oq_color == NULL_COLOR)
        return true;
    if (p->oq.n >= p->oq.cap || tired(p))
        return false;
    push(&p->oq, (Word){bits, p->oq_color, teardown});
    return true;
}

bool send_word(Pe *p, uint32_t bits) { return out(p, bits, false); }
bool send_teardown(Pe *p) { return out(p, 0, true); }

bool set_router(Pe *p, const uint16_t *pairs)
{
    if (p->context & p->open)
        return false;
    p->context = 0;
    for (int i = 0; i < CTX_WORDS; i += 2) {
        unsigned color = pairs[i], w = pairs[i + 1];
        if (!(w >> 15))
            continue;
        if (color >= COLORS || (w & 7) > RAMP || !(w & 0xf8))
            stop(p, "slot word 0x%04x of color %u", w, color);
        if (p->open & p->carried & 1u << color)
            stop(p, "color %u is opened while it is OPEN", color);
        p->slot[color] = (uint16_t)w;
        p->open |= 1u << color;
        p->carried &= ~(1u << color);
        p->context |= 1u << color;
    }
    return true;
}

static void bind(Pe *p, unsigned w)
{
    int q = w >> 5 & 7, color = w & 31;
    if (w & 1 << 8) {
        p->oq_color = (uint8_t)color;
        return;
    }
    InQueue *k = &p->iq[q];
    bool lend = w >> 9 & 1;
    if (lend && (q > 3 || (p->iq[q + 4].color != NULL_COLOR && p->iq[q + 4].color < COLORS) || p->iq[q + 4].r.n))
        stop(p, "queue %d cannot borrow", q);
    if (k->lends && color < COLORS)
        stop(p, "queue %d lends its words and cannot be bound to color %d", q, color);
    k->color = (uint8_t)color;
    k->open = true;
    if (q > 3)
        return;
    p->iq[q + 4].lends = lend;
    k->r.cap = (uint8_t)(fab.iq_words[q] + (lend && lending ? fab.iq_words[q + 4] : 0));
}

bool set_sockets(Pe *p, const uint16_t *socks)
{
    for (; p->sock_at < SOCK_WORDS; p->sock_at++) {
        unsigned w = socks[p->sock_at], q = w >> 5 & 7;
        if (!(w >> 15))
            continue;
        if (!(w & 1 << 8) && p->iq[q].color < COLORS && p->iq[q].open)
            return false; /* its teardown word is still to come */
        bind(p, w);
    }
    p->sock_at = 0;
    return true;
}

/* ---- run ------------------------------------------------------------------------------------------------------------------ */
static bool left_over(const Pe *p)
{
    int words = p->oq.n;
    for (int q = 0; q < QUEUES; q++)
        words += p->iq[q].r.n;
    return words || p->pending[0] | p->pending[1] | p->pending[2] | p->pending[3];
}

bool fabric_run(bool (*step)(Pe *), void (*about)(Pe *))
{
    int n = fab.H * fab.V, waiting = 0;
    for (int i = 0; i < n; i++)
        wake(&fab.pe[i]);
    bool *ended = calloc((size_t)n, sizeof *ended);
    while (list_n) {
        Pe *p = next_pe();
        p->budget = fab.seed ? 1 + (int)chance(24) : 0;
        bool again = true;
        while (again) {
            again = move_router(p);
            again |= close_queues(p);
            if (!ended[p->id]) {
                ended[p->id] = step(p);
                again |= move_router(p);
            }
        }
        if (fab.seed && p->budget <= 0)
            wake(p);
    }
    for (int i = 0; i < n; i++) {
        Pe *p = &fab.pe[i];
        if (ended[i] && !left_over(p) && !(p->open & p->context))
            continue;
        if (waiting++ < 4) {
            printf("pe_model: PE (%d, %d) [grid row %d] %s:", p->col, p->row, fab.V - 1 - p->row, ended[i] ? "ended" : "waits");
            about(p);
            printf("   open slots 0x%06x; queues", p->open & p->context);
            for (int q = 0; q < QUEUES; q++)
                printf(" %d:%d%s", p->iq[q].color, p->iq[q].r.n, p->iq[q].open ? "" : "c");
            printf("; out %d:%d\n", p->oq_color, p->oq.n);
        }
    }
    free(ended);
    if (waiting)
        printf("pe_model: %d of %d PEs are stuck, or something is left over\n", waiting, n);
    return waiting == 0;
}
