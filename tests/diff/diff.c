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

/* ---- what differs, in words */
static void core_differs(Buf *b, Sim *s, Sim *t, unsigned x, unsigned y)
{
    const uint8_t *m = sim_mem(s, x, y), *n = sim_mem(t, x, y);
    for (int i = 0, told = 0; m && n && i < AP(sim_arch(s), mem_bytes) && told < 4; i += 2)
        if (memcmp(m + i, n + i, 2)) told++, buf_printf(b, "  (%u,%u) memory 0x%04x: %02x%02x, %02x%02x\n", x, y, (unsigned)i, m[i + 1], m[i], n[i + 1], n[i]);
    for (int i = 0; i < SIM_N_REG; i++) {
        uint32_t v = 0, w = 0;
        sim_register(s, x, y, i, &v);
        sim_register(t, x, y, i, &w);
        if (v != w) buf_printf(b, "  (%u,%u) register %d: %x, %x\n", x, y, i, v, w);
    }
    for (int i = 0; i < 3 * N_DSR; i++) {
        SimDsr v = {0}, w = {0};
        sim_dsr(s, x, y, i, &v);
        sim_dsr(t, x, y, i, &w);
        if (v.kind != w.kind || v.addr != w.addr || memcmp(v.w, w.w, sizeof v.w) || memcmp(v.count, w.count, sizeof v.count))
            buf_printf(b, "  (%u,%u) DSR %d: kind %d addr %x count %d, kind %d addr %x count %d\n", x, y, i, (int)v.kind, v.addr, v.count[0], (int)w.kind, w.addr, w.count[0]);
    }
    for (int i = 0; i < N_THREAD; i++) {
        SimThread v = {0}, w = {0};
        sim_thread(s, x, y, i, &v);
        sim_thread(t, x, y, i, &w);
        if (v.active != w.active || (v.active && (v.pc != w.pc || v.done != w.done || v.task != w.task)))
            buf_printf(b, "  (%u,%u) thread %d: active %d task %d pc %x done %u %s, active %d task %d pc %x done %u %s\n", x, y, i, v.active, v.task,
                       v.pc, v.done, sim_wait_names[v.wait], w.active, w.task, w.pc, w.done, sim_wait_names[w.wait]);
    }
    for (int i = 0; i < N_TASK; i++) {
        SimTask v = {0}, w = {0};
        sim_task(s, x, y, i, &v);
        sim_task(t, x, y, i, &w);
        if (v.active != w.active || v.blocked != w.blocked) buf_printf(b, "  (%u,%u) task %d: active %d blocked %d, active %d blocked %d\n", x, y, i, v.active, v.blocked, w.active, w.blocked);
    }
}

static void router_differs(Buf *b, Sim *s, Sim *t, unsigned x, unsigned y)
{
    for (int out = 0; out < 2; out++)
        for (int q = 0; q < N_QUEUE; q++) {
            SimQueue v = {0}, w = {0};
            sim_queue(s, x, y, out, q, &v);
            sim_queue(t, x, y, out, q, &w);
            if (v.color != w.color || v.open != w.open || v.words != w.words || v.capacity != w.capacity)
                buf_printf(b, "  (%u,%u) %s queue %d: color %d open %d words %u of %u, color %d open %d words %u of %u\n", x, y, out ? "output" : "input",
                           q, v.color, v.open, v.words, v.capacity, w.color, w.open, w.words, w.capacity);
            for (uint32_t i = 0; i < v.words && i < w.words; i++) {
                SimWord e = {0}, f = {0};
                sim_queue_word(s, x, y, out, q, i, &e);
                sim_queue_word(t, x, y, out, q, i, &f);
                if (e.at != f.at || e.data != f.data || e.color != f.color)
                    buf_printf(b, "  (%u,%u) %s queue %d word %u: %x at %llu, %x at %llu\n", x, y, out ? "output" : "input", q, i, e.data,
                               (unsigned long long)e.at, f.data, (unsigned long long)f.at);
            }
        }
    for (int c = 0; c < N_COLOR; c++) {
        SimSlot v = {0}, w = {0};
        sim_slot(s, x, y, c, &v);
        sim_slot(t, x, y, c, &w);
        if (v.state != w.state || v.slot != w.slot || v.carried != w.carried || v.in_context != w.in_context)
            buf_printf(b, "  (%u,%u) slot of color %d: %d %04x carried %d, %d %04x carried %d\n", x, y, c, v.state, v.slot, v.carried, w.state, w.slot, w.carried);
        for (int d = 0; d < 4; d++) {
            if (v.words[d] != w.words[d] || v.in_flight[d] != w.in_flight[d])
                buf_printf(b, "  (%u,%u) color %d from %s: words %u in flight %u, words %u in flight %u\n", x, y, c, obs_dir_name((Dir)d), v.words[d],
                           v.in_flight[d], w.words[d], w.in_flight[d]);
        }
    }
    const uint64_t *m = sim_counters(s, x, y), *n = sim_counters(t, x, y);
    for (int i = 0; i < CT_COUNT; i++)
        if (m[i] != n[i]) buf_printf(b, "  (%u,%u) %s: %llu, %llu\n", x, y, sim_counter_rows[i].name, (unsigned long long)m[i], (unsigned long long)n[i]);
}

static void state_differs(Buf *b, Sim *s, Sim *t)
{
    for (unsigned y = 0; y < sim_height(s); y++)
        for (unsigned x = 0; x < sim_width(s) && b->len < 6000; x++) {
            core_differs(b, s, t, x, y);
            router_differs(b, s, t, x, y);
        }
}

/* ---- comparing */
static bool same_stop(const Side *p, const Side *q)
{
    if (sim_cycle(p->s) != sim_cycle(q->s)) return false;
    return p->stop == q->stop;
}

static bool same_fault(const SimFault *f, const SimFault *g)
{
    return f->kind == g->kind && f->x == g->x && f->y == g->y && f->pc == g->pc && f->thread == g->thread && f->cycle == g->cycle && strcmp(f->text, g->text) == 0;
}

static bool same_report(const Side *p, const Side *q)
{
    if (p->stop != SIM_STALLED && p->stop != SIM_IDLE) return true;
    Buf a = {0}, b = {0};
    if (p->stop == SIM_STALLED) obs_stall_report(&a, p->s), obs_stall_report(&b, q->s);
    else obs_where_report(&a, p->s), obs_where_report(&b, q->s);
    bool same = a.len == b.len && (!a.len || memcmp(a.p, b.p, a.len) == 0);
    buf_free(&a);
    buf_free(&b);
    return same;
}

static bool same(Side *p, Side *q)
{
    if (!same_stop(p, q) || strcmp(p->prints.p, q->prints.p)) return false;
    if (p->stop == SIM_FAULT) return same_fault(sim_fault(p->s), sim_fault(q->s));
    return sim_state_hash(p->s) == sim_state_hash(q->s) && same_report(p, q);
}

static void tell(Buf *b, Side *p, Side *q)
{
    buf_printf(b, "%s: %s at %llu, %s: %s at %llu\n", sim_engine_name(p->s), sim_stop_name(p->stop), (unsigned long long)sim_cycle(p->s),
               sim_engine_name(q->s), sim_stop_name(q->stop), (unsigned long long)sim_cycle(q->s));
    const SimFault *f = sim_fault(p->s), *g = sim_fault(q->s);
    if (f->kind || g->kind)
        buf_printf(b, "  fault (%u,%u) pc %x thread %d cycle %llu %s\n  fault (%u,%u) pc %x thread %d cycle %llu %s\n", f->x, f->y, f->pc, f->thread,
                   (unsigned long long)f->cycle, f->text, g->x, g->y, g->pc, g->thread, (unsigned long long)g->cycle, g->text);
    if (strcmp(p->prints.p, q->prints.p)) buf_printf(b, "prints:\n%s---\n%s", p->prints.p, q->prints.p);
    if (!f->kind && !g->kind) state_differs(b, p->s, q->s);
    if (!same_report(p, q)) {
        buf_printf(b, "reports differ:\n");
        obs_where_report(b, p->s);
        buf_printf(b, "---\n");
        obs_where_report(b, q->s);
    }
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

bool diff_run(const WsObj *o, const Arch *a, const DiffHow *how, DiffSeen *seen, char **why)
{
    Side p, q;
    char *err[2] = {0};
    bool fine[2] = {open_side(&p, how->a, o, a, &err[0]), open_side(&q, how->b, o, a, &err[1])};
    Buf b = {0};
    *seen = (DiffSeen){0};
    *why = NULL;
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
        narrow(&b, o, a, how, sim_cycle(p.s) > sim_cycle(q.s) ? sim_cycle(p.s) + 1 : sim_cycle(q.s) + 1);
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
            narrow(&b, o, a, how, at);
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
