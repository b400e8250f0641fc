/* runtime/observe/compare.c: two machines that run the same object under two engines: is all that sim.h shows equal, and if not,
 * what differs. */
#include "runtime/observe/observe.h"
#include <string.h>

/* ---- what differs, in words */
static void core_differs(Buf *b, const Sim *s, const Sim *t, unsigned x, unsigned y)
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
    for (int i = 0; i < TASK_CONTROL + N_CONTROL; i++) {
        SimTask v = {0}, w = {0};
        sim_task(s, x, y, i, &v);
        sim_task(t, x, y, i, &w);
        if (v.active != w.active || v.blocked != w.blocked || v.high != w.high)
            buf_printf(b, "  (%u,%u) task %d: active %d blocked %d high %d, active %d blocked %d high %d\n", x, y, i, v.active, v.blocked, v.high, w.active, w.blocked, w.high);
    }
}

static void word_differs(Buf *b, const char *where, int k, uint32_t i, const SimWord *e, const SimWord *f)
{
    if (e->at == f->at && e->data == f->data && e->color == f->color && e->control == f->control && e->advance == f->advance) return;
    buf_printf(b, "    %s %d word %u: %x of color %u%s at %llu, %x of color %u%s at %llu\n", where, k, i, e->data, e->color, e->control ? " control" : "",
               (unsigned long long)e->at, f->data, f->color, f->control ? " control" : "", (unsigned long long)f->at);
}

static void queues_differ(Buf *b, const Sim *s, const Sim *t, unsigned x, unsigned y)
{
    for (int out = 0; out < 2; out++)
        for (int q = 0; q < N_QUEUE; q++) {
            SimQueue v = {0}, w = {0};
            sim_queue(s, x, y, out, q, &v);
            sim_queue(t, x, y, out, q, &w);
            if (v.color != w.color || v.open != w.open || v.lends != w.lends || v.words != w.words || v.capacity != w.capacity)
                buf_printf(b, "  (%u,%u) %s queue %d: color %d open %d words %u of %u, color %d open %d words %u of %u\n", x, y, out ? "output" : "input",
                           q, v.color, v.open, v.words, v.capacity, w.color, w.open, w.words, w.capacity);
            for (uint32_t i = 0; i < v.words && i < w.words; i++) {
                SimWord e = {0}, f = {0};
                sim_queue_word(s, x, y, out, q, i, &e);
                sim_queue_word(t, x, y, out, q, i, &f);
                word_differs(b, out ? "output queue" : "input queue", q, i, &e, &f);
            }
        }
}

static void router_differs(Buf *b, const Sim *s, const Sim *t, unsigned x, unsigned y)
{
    for (int c = 0; c < N_COLOR; c++) {
        SimSlot v = {0}, w = {0};
        sim_slot(s, x, y, c, &v);
        sim_slot(t, x, y, c, &w);
        if (v.state != w.state || v.slot != w.slot || v.carried != w.carried || v.in_context != w.in_context)
            buf_printf(b, "  (%u,%u) slot of color %d: %d %04x carried %d, %d %04x carried %d\n", x, y, c, v.state, v.slot, v.carried, w.state, w.slot, w.carried);
        if (v.rx != w.rx || v.sw != w.sw || memcmp(&v.filter, &w.filter, sizeof v.filter))
            buf_printf(b, "  (%u,%u) slot of color %d: inputs %02x switch %04x filter at %u, inputs %02x switch %04x filter at %u\n", x, y, c, v.rx, v.sw,
                       v.filter.init, w.rx, w.sw, w.filter.init);
        for (int d = 0; d < 4; d++) {
            if (v.words[d] != w.words[d] || v.in_flight[d] != w.in_flight[d])
                buf_printf(b, "  (%u,%u) color %d from %s: words %u in flight %u, words %u in flight %u\n", x, y, c, obs_dir_name((Dir)d), v.words[d],
                           v.in_flight[d], w.words[d], w.in_flight[d]);
            for (uint32_t i = 0; i < v.words[d] && i < w.words[d]; i++) {
                SimWord e = {0}, f = {0};
                sim_slot_word(s, x, y, c, (Dir)d, i, &e);
                sim_slot_word(t, x, y, c, (Dir)d, i, &f);
                word_differs(b, "color", c, i, &e, &f);
            }
        }
    }
    const uint64_t *m = sim_counters(s, x, y), *n = sim_counters(t, x, y);
    for (int i = 0; i < CT_COUNT; i++)
        if (m[i] != n[i]) buf_printf(b, "  (%u,%u) %s: %llu, %llu\n", x, y, sim_counter_rows[i].name, (unsigned long long)m[i], (unsigned long long)n[i]);
}

static void state_differs(Buf *b, const Sim *s, const Sim *t)
{
    for (unsigned y = 0; y < sim_height(s); y++)
        for (unsigned x = 0; x < sim_width(s) && b->len < 6000; x++) {
            core_differs(b, s, t, x, y);
            queues_differ(b, s, t, x, y);
            router_differs(b, s, t, x, y);
        }
}

/* ---- comparing */
static bool same_fault(const SimFault *f, const SimFault *g)
{
    return f->kind == g->kind && f->x == g->x && f->y == g->y && f->pc == g->pc && f->thread == g->thread && f->cycle == g->cycle && strcmp(f->text, g->text) == 0;
}

static void report(Buf *b, const Sim *s, SimStop stop)
{
    if (stop == SIM_STALLED) obs_stall_report(b, s);
    else if (stop == SIM_IDLE) obs_where_report(b, s);
}

static bool same_report(const Sim *s, const Sim *t, SimStop stop)
{
    Buf a = {0}, b = {0};
    report(&a, s, stop);
    report(&b, t, stop);
    bool same = a.len == b.len && (!a.len || memcmp(a.p, b.p, a.len) == 0);
    buf_free(&a);
    buf_free(&b);
    return same;
}

static bool same_calls(const Sim *s, const Sim *t)
{
    for (unsigned y = 0; y < sim_height(s); y++)
        for (unsigned x = 0; x < sim_width(s); x++) {
            if (sim_call_pending(s, x, y) != sim_call_pending(t, x, y)) return false;
            if (sim_call_result(s, x, y) != sim_call_result(t, x, y)) return false;
        }
    return true;
}

bool obs_same(const Sim *s, SimStop stop, const Sim *t, SimStop other)
{
    if (stop != other || sim_cycle(s) != sim_cycle(t)) return false;
    if (stop == SIM_FAULT) return same_fault(sim_fault(s), sim_fault(t));
    return sim_state_hash(s) == sim_state_hash(t) && same_calls(s, t) && same_report(s, t, stop);
}

void obs_difference(Buf *b, const Sim *s, SimStop stop, const Sim *t, SimStop other)
{
    buf_printf(b, "%s: %s at %llu, %s: %s at %llu\n", sim_engine_name(s), sim_stop_name(stop), (unsigned long long)sim_cycle(s),
               sim_engine_name(t), sim_stop_name(other), (unsigned long long)sim_cycle(t));
    const SimFault *f = sim_fault(s), *g = sim_fault(t);
    if (f->kind || g->kind)
        buf_printf(b, "  fault (%u,%u) pc %x thread %d cycle %llu %s\n  fault (%u,%u) pc %x thread %d cycle %llu %s\n", f->x, f->y, f->pc, f->thread,
                   (unsigned long long)f->cycle, f->text, g->x, g->y, g->pc, g->thread, (unsigned long long)g->cycle, g->text);
    else state_differs(b, s, t);
    if (stop != other || same_report(s, t, stop)) return;
    buf_printf(b, "reports differ:\n");
    report(b, s, stop);
    buf_printf(b, "---\n");
    report(b, t, stop);
}
