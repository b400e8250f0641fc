/* runtime/sim/fast_pe.c: PEs that nothing has touched cost nothing (docs/engine.md, "PEs that sleep").
 *
 * A PE is made when it is first touched: when it boots, when a router of its own steps, when the host writes to it or calls
 * it.  Until then it looks like its class: `blank`, a core that nothing has run, and the memory of the class with the data
 * of the PE from the image. */
#include "runtime/sim/fast.h"
#include <stdlib.h>
#include <string.h>

static char *text(const char *fmt, ...)
{
    Buf b = {0};
    va_list ap;
    va_start(ap, fmt);
    buf_vprintf(&b, fmt, ap);
    va_end(ap);
    return b.p;
}

static char *boot_queue(Fast *s, Core *p, const WsBoot *b)
{
    int q = b->id & 7;
    bool out = b->kind == BOOT_OQ;
    const char *why = NULL, *cls = p->cls->c->name;
    if (b->color >= N_COLOR && b->color != COLOR_NULL) return text("class %s: a queue is bound to color %d, which cannot be routed", cls, b->color);
    if (!(out ? arch_oq_words(&s->b.arch, q) : arch_iq_words(&s->b.arch, q))) return text("class %s: this machine has no %s queue %d", cls, out ? "output" : "input", q);
    if (out) p->oq[q].color = b->color;
    else fast_bind_in(s, p, q, b->color, b->flags & BOOT_LEND, &why);
    return why ? text("class %s: input queue %d: %s", cls, q, why) : NULL;
}

/* A core that boots is as before cycle 0; any other sleeps, as one that has looked and found no task. */
static char *make_blank(Fast *s, FClass *k)
{
    const WsClass *c = k->c;
    Core *p = (Core *)(((uintptr_t)arena_alloc(s->arena, sizeof(Core) + 63) + 63) & ~(uintptr_t)63);    /* as Core wants it */
    *p = (Core){.cls = k, .wake = NEVER, .task = -1, .entry_pending = k->has_main, .active = k->active0, .blocked = k->blocked0,
                .wait = {.color = COLOR_NONE, .cause = NO_CAUSE, .until = NEVER}};
    p->ndsr = k->ndsr;
    p->dsr = ARENA_ARR(s->arena, FDsr, k->ndsr + 1u);
    p->more = fast_more_new(s, k);
    p->ctl = c->uses & USES_CONTROL;
    k->boots = k->has_main || k->active0;
    if (!k->boots) {
        p->want_in = k->bound >> TASK_DATA ? 0xff : 0;
        p->want_n = 1;
        p->sure = s->sure_input;
    }
    for (int q = 0; q < N_QUEUE; q++) {
        p->iq[q].color = p->oq[q].color = COLOR_NONE;
        p->iq[q].cap = (uint16_t)arch_iq_words(&s->b.arch, q);
        p->oq[q].cap = (uint16_t)arch_oq_words(&s->b.arch, q);
    }
    for (uint32_t j = 0; j < c->nboot; j++) {
        char *e = c->boot[j].kind == BOOT_IQ || c->boot[j].kind == BOOT_OQ ? boot_queue(s, p, &c->boot[j]) : NULL;
        if (e) return e;
    }
    fast_queue_colors(s, p);
    k->blank = p;
    return NULL;
}

/* What a class that is placed needs before its first PE; NULL, or why it cannot be. */
char *fast_place_class(Fast *s, FClass *k)
{
    const WsObj *o = s->b.obj;
    if (k->blank) return NULL;
    k->fills = ARENA_ARR(s->arena, FFill, o->npe + 1);
    for (uint32_t i = 0; i < o->npe; i++) {
        const WsSym *y = cls_sym(k->c, o->pe[i].symbol);
        const size_t n = o->pe[i].elem_bytes_per_pe, room = s->mem_bytes;
        if (!y) continue;
        if (n > room || y->addr > room - n) return text("the data of %s do not fit into the memory of a PE", o->pe[i].symbol);
        k->fills[k->nfills++] = (FFill){y->addr, (uint32_t)n, o->pe[i].bytes};
    }
    return make_blank(s, k);
}

static void fill(const FClass *k, uint8_t *mem, uint32_t i)
{
    for (uint32_t f = 0; f < k->nfills; f++) memcpy(mem + k->fills[f].addr, k->fills[f].bytes + (size_t)k->fills[f].n * i, k->fills[f].n);
}

static void class_memory(const WsClass *c, uint8_t *mem)
{
    if (c->text_bytes) memcpy(mem + c->text_addr, c->text, c->text_bytes);
    if (c->data_bytes) memcpy(mem + c->data_addr, c->data, c->data_bytes);
}

/* Router i is used for the first time: its core is made.  NULL: there is no program. */
Core *fast_touch(Fast *s, uint32_t i)
{
    Router *r = &s->rt[i];
    if (r->core) return NULL;                            /* CORE_NONE */
    s->made[i / 64] |= 1ull << i % 64;
    if (s->b.cls[i] < 0) {
        r->core = CORE_NONE;
        return NULL;
    }
    FClass *k = &s->cls[s->b.cls[i]];
    Core *p = &s->cores[i];
    *p = *k->blank;
    p->i = i;
    if (p->ndsr) p->dsr = ARENA_ARR(s->arena, FDsr, p->ndsr);
    p->more = fast_more_new(s, k);
    p->ct = s->ct + (size_t)i * CT_COUNT;
    p->mem = s->mem + (size_t)s->mem_bytes * i;
    class_memory(k->c, p->mem);
    fill(k, p->mem, i);
    if (k->boots) p->wake = 0;                           /* the wheel has it; what boots is made in cycle 0 at the latest */
    r->core = CORE_MADE;
    fast_tell_router(s, p);
    return p;
}

/* The memory of a PE that is not made, in a buffer that the next call may change. */
const uint8_t *fast_untouched(Fast *s, uint32_t i)
{
    const FClass *k = &s->cls[s->b.cls[i]];
    if (!s->shown) s->shown = ws_xmalloc(s->mem_bytes), s->shown_cls = NULL;
    if (s->shown_cls != k) {
        memset(s->shown, 0, s->mem_bytes);
        s->shown_cls = k;
    } else
        for (uint32_t f = 0; f < k->nfills; f++) memset(s->shown + k->fills[f].addr, 0, k->fills[f].n);
    class_memory(k->c, s->shown);
    fill(k, s->shown, i);
    return s->shown;
}

void fast_free_core(Core *p)
{
    arrfree(p->effects);
    arrfree(p->closes);
    fast_more_free(p->more);
    buf_free(&p->line);
}
