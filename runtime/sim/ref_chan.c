/* runtime/sim/ref_chan.c: host channels (docs/machine.md, "Host channels"): words between the host and one color of a PE.
 * A channel routes its color from the ramp to the ramp; its words take no queue of the program's. */
#include "runtime/sim/ref.h"

static Rt *at(const Sim *sim, unsigned x, unsigned y)
{
    const Ref *s = (const Ref *)(const void *)sim;
    return &s->rt[y * s->b.w + x];
}

Chan *ref_chan(const Rt *r, int color)
{
    for (ptrdiff_t k = 0; k < arrlen(r->chan); k++)
        if (r->chan[k].color == color) return &r->chan[k];
    return NULL;
}

bool ref_chan_open(Sim *sim, unsigned x, unsigned y, int color, bool to_pe, const char **why)
{
    Rt *r = at(sim, x, y);
    const Chan *c = ref_chan(r, color);
    uint32_t bit = 1u << color;
    if (!r->pe) return *why = "it has no program", false;
    if (c) return *why = "its channel goes the other way", c->to_pe == to_pe;
    if ((r->k.open | r->k.closed) & bit) return *why = "the program routes that color", false;
    arrput(r->chan, ((Chan){.color = (uint8_t)color, .to_pe = to_pe}));
    if (to_pe) r->chan_to |= bit;
    else r->chan_from |= bit;
    slots_route(&r->k, &(WsRoute){.color = (uint8_t)color, .slot = slot_word(DIR_RAMP, 1u << DIR_RAMP)});
    ref_wake_router((Ref *)sim, (uint32_t)(r - ((Ref *)sim)->rt), ((Ref *)sim)->now);
    return true;
}

void ref_chan_send(Sim *sim, unsigned x, unsigned y, int color, const uint32_t *words, size_t n)
{
    Ref *s = (Ref *)sim;
    Rt *r = at(sim, x, y);
    Chan *c = ref_chan(r, color);
    for (size_t i = 0; i < n; i++) ring_push(&c->r, (SimWord){.data = words[i], .color = (uint8_t)color, .at = s->now});
    ref_wake_router(s, (uint32_t)(r - s->rt), s->now);
}

size_t ref_chan_sending(const Sim *sim, unsigned x, unsigned y, int color) { return ref_chan(at(sim, x, y), color)->r.n; }

void ref_chan_want(Sim *sim, unsigned x, unsigned y, int color, size_t n)
{
    Ref *s = (Ref *)sim;
    Rt *r = at(sim, x, y);
    ref_chan(r, color)->want += n;
    ref_wake_router(s, (uint32_t)(r - s->rt), s->now);
}

size_t ref_chan_words(const Sim *sim, unsigned x, unsigned y, int color) { return ref_chan(at(sim, x, y), color)->r.n; }

void ref_chan_take(Sim *sim, unsigned x, unsigned y, int color, uint32_t *words, size_t n)
{
    Chan *c = ref_chan(at(sim, x, y), color);
    for (size_t i = 0; i < n; i++) words[i] = ring_pop(&c->r).data;
}
