/* tests/diff/diff.c: see diff.h.  A difference is narrowed down by running both engines up to a cycle, again and again:
 * what differs first is what is told. */
#include "tests/diff/diff.h"
#include "runtime/observe/observe.h"
#include <stdlib.h>
#include <string.h>

typedef struct { Sim *s; Buf prints; SimStop stop; } Side;

static void on_print(void *user, unsigned x, unsigned y, uint64_t cycle, const char *line)
{
    buf_printf(user, "%llu (%u,%u) %s\n", (unsigned long long)cycle, x, y, line);
}

static bool open_side(Side *d, const char *engine, const WsObj *o, const Arch *a, char **why)
{
    *d = (Side){.s = sim_new_engine(engine, o, a, why)};
    if (!d->s) return false;
    buf_printf(&d->prints, "%s", "");
    sim_on_print(d->s, on_print, &d->prints);
    return true;
}

static void close_side(Side *d)
{
    sim_free(d->s);
    buf_free(&d->prints);
}

/* ---- comparing */
static bool same(Side *p, Side *q) { return strcmp(p->prints.p, q->prints.p) == 0 && obs_same(p->s, p->stop, q->s, q->stop); }

static void tell(Buf *b, Side *p, Side *q)
{
    if (strcmp(p->prints.p, q->prints.p)) buf_printf(b, "prints:\n%s---\n%s", p->prints.p, q->prints.p);
    obs_difference(b, p->s, p->stop, q->s, q->stop);
}

static bool run_to(const WsObj *o, const Arch *a, const DiffHow *how, uint64_t max, Side *p, Side *q)
{
    char *err = NULL;
    if (!open_side(p, how->a, o, a, &err)) ws_die("%s", err);
    if (!open_side(q, how->b, o, a, &err)) ws_die("%s", err);
    p->stop = sim_run(p->s, max);
    q->stop = sim_run(q->s, max);
    return same(p, q);
}

/* the first cycle up to which both differ; both do at hi */
static void narrow(Buf *b, const WsObj *o, const Arch *a, const DiffHow *how, uint64_t hi)
{
    uint64_t lo = 0;
    Side p, q;
    while (hi - lo > 1) {
        uint64_t mid = lo + (hi - lo) / 2;
        if (run_to(o, a, how, mid, &p, &q)) lo = mid;
        else hi = mid;
        close_side(&p);
        close_side(&q);
    }
    if (run_to(o, a, how, hi, &p, &q)) buf_printf(b, "fresh runs up to %llu are equal\n", (unsigned long long)hi);
    else buf_printf(b, "the first difference is seen up to cycle %llu\n", (unsigned long long)hi);
    tell(b, &p, &q);
    close_side(&p);
    close_side(&q);
}

static uint64_t next_random(uint64_t *s)
{
    uint64_t z = (*s += 0x9e3779b97f4a7c15u);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static bool run_alone(const WsObj *o, const Arch *a, const DiffHow *how, DiffSeen *seen, char **why)
{
    Side p;
    if (!open_side(&p, how->a, o, a, why)) return false;
    p.stop = sim_run(p.s, how->max_cycles);
    *seen = (DiffSeen){sim_cycle(p.s), sim_cycle(p.s) * sim_width(p.s) * sim_height(p.s), p.stop};
    close_side(&p);
    return true;
}

bool diff_run(const WsObj *o, const Arch *a, const DiffHow *how, DiffSeen *seen, char **why)
{
    Side p, q;
    char *err[2] = {0};
    *seen = (DiffSeen){0};
    *why = NULL;
    if (!how->b) return run_alone(o, a, how, seen, why);
    bool fine[2] = {open_side(&p, how->a, o, a, &err[0]), open_side(&q, how->b, o, a, &err[1])};
    Buf b = {0};
    if (!fine[0] || !fine[1]) {
        bool eq = !fine[0] && !fine[1] && strcmp(err[0], err[1]) == 0;
        if (!eq) buf_printf(&b, "loading: %s, %s\n", fine[0] ? "fine" : err[0], fine[1] ? "fine" : err[1]);
        if (fine[0]) close_side(&p);
        if (fine[1]) close_side(&q);
        free(err[0]);
        free(err[1]);
        *why = b.p;
        return eq;
    }
    p.stop = sim_run(p.s, how->max_cycles);
    q.stop = sim_run(q.s, how->max_cycles);
    *seen = (DiffSeen){sim_cycle(p.s), sim_cycle(p.s) * sim_width(p.s) * sim_height(p.s), p.stop};
    uint64_t end = sim_cycle(p.s), seed = how->seed;
    bool eq = same(&p, &q);
    if (!eq) {
        buf_printf(&b, "at the end: ");
        tell(&b, &p, &q);
        if (!how->brief) narrow(&b, o, a, how, sim_cycle(p.s) > sim_cycle(q.s) ? sim_cycle(p.s) + 1 : sim_cycle(q.s) + 1);
    }
    close_side(&p);
    close_side(&q);
    if (eq && how->cuts) {                               /* once more, in pieces */
        (void)open_side(&p, how->a, o, a, &err[0]);
        (void)open_side(&q, how->b, o, a, &err[1]);
        uint64_t at = 0;
        for (unsigned i = 0; i < how->cuts && eq; i++) {
            at += 1 + next_random(&seed) % (end / how->cuts * 2 + 1);
            if (at >= end) at = end - (i + 1 < how->cuts ? next_random(&seed) % (end > 8 ? 8 : end) : 0);
            if (at <= sim_cycle(p.s) || at >= end) continue;
            p.stop = sim_run(p.s, at);
            q.stop = sim_run(q.s, at);
            eq = same(&p, &q);
        }
        if (!eq) {
            buf_printf(&b, "cut at %llu: ", (unsigned long long)at);
            tell(&b, &p, &q);
            if (!how->brief) narrow(&b, o, a, how, at);
        }
        if (eq) {
            p.stop = sim_run(p.s, how->max_cycles);
            q.stop = sim_run(q.s, how->max_cycles);
            eq = same(&p, &q) && sim_cycle(p.s) == end;
            if (!eq) buf_printf(&b, "after the cuts: "), tell(&b, &p, &q);
        }
        close_side(&p);
        close_side(&q);
    }
    *why = b.p;
    return eq;
}
