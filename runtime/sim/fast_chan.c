/* runtime/sim/fast_chan.c: host channels (docs/machine.md, "Host channels"): words between the host and one color of a PE.  A
 * channel routes its color from the ramp to the ramp; the router of its PE steps cycle by cycle from then on (fast_exact.c). */
#include "runtime/sim/fast.h"
#include <stdlib.h>
#include <string.h>

FChan *fast_chan(const Exact *x, int color)
{
    for (ptrdiff_t k = 0; x && k < arrlen(x->chan); k++)
        if (x->chan[k].color == color) return &x->chan[k];
    return NULL;
}

static uint32_t index_of(const Sim *sim, unsigned x, unsigned y) { return y * ((const Fast *)(const void *)sim)->b.w + x; }
static FChan *at(const Sim *sim, unsigned x, unsigned y, int color)
{
    return fast_chan(((const Fast *)(const void *)sim)->rt[index_of(sim, x, y)].x, color);
}

static void log_it(Sim *sim, FastLogKind kind, unsigned x, unsigned y, int color, const void *bytes, size_t len)
{
    fast_log((Fast *)sim, (FastLog){.kind = kind, .x = (uint16_t)x, .y = (uint16_t)y, .v = (uint32_t)color}, bytes, len);
}

bool fast_chan_open(Sim *sim, unsigned px, unsigned py, int color, bool to_pe, const char **why)
{
    Fast *s = (Fast *)sim;
    const uint32_t i = index_of(sim, px, py), bit = 1u << color;
    const FChan *c = at(sim, px, py, color);
    const Router *r = &s->rt[i];
    if (!fast_core(s, i)) return *why = "it has no program", false;
    if (c) return *why = "its channel goes the other way", c->to_pe == to_pe;
    if ((r->x ? r->x->k.open | r->x->k.closed : r->open | r->closed) & bit) return *why = "the program routes that color", false;
    log_it(sim, to_pe ? LOG_CHAN_TO : LOG_CHAN_FROM, px, py, color, NULL, 0);
    Exact *x = fast_exact(s, i);
    arrput(x->chan, ((FChan){.color = (uint8_t)color, .to_pe = to_pe}));
    if (!to_pe) x->chan_from |= bit;
    slots_route(&x->k, &(WsRoute){.color = (uint8_t)color, .slot = slot_word(DIR_RAMP, 1u << DIR_RAMP)});
    fast_wake_router(s, i, s->now);
    return true;
}

void fast_chan_send(Sim *sim, unsigned x, unsigned y, int color, const uint32_t *words, size_t n)
{
    Fast *s = (Fast *)sim;
    FChan *c = at(sim, x, y, color);
    log_it(sim, LOG_CHAN_SEND, x, y, color, words, n * 4);
    if (c->pop && !fast_chan_waits(c)) {
        arrsetlen(c->w, 0);
        c->pop = 0;
    }
    for (size_t i = 0; i < n; i++) arrput(c->w, ((SimWord){.data = words[i], .color = (uint8_t)color, .at = s->now}));
    fast_wake_router(s, index_of(sim, x, y), s->now);
}

size_t fast_chan_sending(const Sim *sim, unsigned x, unsigned y, int color) { return fast_chan_waits(at(sim, x, y, color)); }

void fast_chan_want(Sim *sim, unsigned x, unsigned y, int color, size_t n)
{
    const uint64_t count = n;
    log_it(sim, LOG_CHAN_WANT, x, y, color, &count, sizeof count);
    at(sim, x, y, color)->want += n;
    fast_wake_router((Fast *)sim, index_of(sim, x, y), ((Fast *)sim)->now);
}

size_t fast_chan_words(const Sim *sim, unsigned x, unsigned y, int color) { return fast_chan_waits(at(sim, x, y, color)); }

void fast_chan_take(Sim *sim, unsigned x, unsigned y, int color, uint32_t *words, size_t n)
{
    FChan *c = at(sim, x, y, color);
    const uint64_t count = n;
    log_it(sim, LOG_CHAN_TAKE, x, y, color, &count, sizeof count);
    for (size_t i = 0; i < n; i++) words[i] = c->w[c->pop++].data;
    if (fast_chan_waits(c)) return;
    arrsetlen(c->w, 0);
    c->pop = 0;
}

void fast_chan_replay(Sim *sim, const FastLog *e, const char *bytes)
{
    const char *why;
    uint64_t n = 0;
    uint32_t *words = NULL;
    switch (e->kind) {
    case LOG_CHAN_TO: case LOG_CHAN_FROM: fast_chan_open(sim, e->x, e->y, (int)e->v, e->kind == LOG_CHAN_TO, &why); break;
    case LOG_CHAN_WANT:
        memcpy(&n, bytes, sizeof n);
        fast_chan_want(sim, e->x, e->y, (int)e->v, n);
        break;
    case LOG_CHAN_TAKE:
        memcpy(&n, bytes, sizeof n);
        words = ws_xmalloc(n * 4 + 1);
        fast_chan_take(sim, e->x, e->y, (int)e->v, words, n);
        break;
    default:
        words = ws_xmalloc(e->len + 1);
        if (e->len) memcpy(words, bytes, e->len);
        fast_chan_send(sim, e->x, e->y, (int)e->v, words, e->len / 4);
    }
    free(words);
}
