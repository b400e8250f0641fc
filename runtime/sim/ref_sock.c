/* runtime/sim/ref_sock.c: queue rings, and binding queues to colors (docs/machine.md, "Sockets"). */
#include "runtime/sim/ref.h"
#include <assert.h>
#include <stdlib.h>

void ring_push(Ring *r, SimWord w)
{
    if (r->n == r->size) {                               /* only at first use, or when words are lent */
        uint32_t size = r->size ? r->size * 2 : WS_LIMIT(8, 1);
        SimWord *p = ws_xmalloc(size * sizeof *p);
        for (uint32_t i = 0; i < r->n; i++) p[i] = *ring_at(r, i);
        free(r->w);
        *r = (Ring){p, 0, r->n, size};
    }
    *ring_at(r, r->n++) = w;
}

SimWord ring_pop(Ring *r)
{
    assert(r->n);
    SimWord w = r->w[r->head];
    r->head = (r->head + 1) & (r->size - 1);
    r->n--;
    return w;
}

/* Bind input queue q; with lend, queue q + 4 lends it its words.  false and *why if that cannot be. */
bool ref_bind_in(Ref *s, Pe *pe, int q, uint8_t color, bool lend, const char **why)
{
    const Arch *a = &s->b.arch;
    InQ *k = &pe->iq[q];
    *why = NULL;
    if (lend && q >= N_QUEUE / 2) *why = "only queues 0 to 3 can borrow words";
    else if (lend && pe->iq[q + 4].color < N_COLOR) *why = "the queue that is to lend its words is bound to a color";
    else if (lend && pe->iq[q + 4].r.n) *why = "the queue that is to lend its words holds some";
    else if (k->lends && color < N_COLOR) *why = "it lends its words and cannot be bound to a color";
    if (*why) return false;
    k->color = color;
    k->open = true;
    k->cap = (uint32_t)arch_iq_words(a, q);
    if (k->lends) k->cap = 0;
    if (q < N_QUEUE / 2) {
        InQ *l = &pe->iq[q + 4];
        uint32_t words = (uint32_t)arch_iq_words(a, q + 4);
        l->lends = lend;
        l->cap = lend ? 0 : words;
        if (lend) k->cap += words;
    }
    return true;
}
