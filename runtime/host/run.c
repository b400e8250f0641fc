/* libwsrt: calls, runs, callbacks, and what happened: reports, faults, counters. */
#include "host.h"
#include "runtime/observe/observe.h"

/* ---- running */

int wsrt_call(Wsrt *rt, const char *function, unsigned x, unsigned y, unsigned w, unsigned h, const uint32_t *args, int nargs)
{
    if (w == 0 || h == 0 || x >= rt->obj->w || y >= rt->obj->h || w > rt->obj->w - x || h > rt->obj->h - y)
        return rt_fail(rt, WSRT_E_RANGE, "rectangle %u,%u,%u,%u is not inside the machine of %u x %u PEs", x, y, w, h, rt->obj->w, rt->obj->h);
    if (nargs < 0 || nargs > 8) return rt_fail(rt, WSRT_E_SIZE, "a call has at most 8 arguments, not %d", nargs);
    int e = rt_start(rt);
    if (e) return e;
    if (rt->faulted) return rt_fail(rt, WSRT_E_STATE, "a fault has ended the run");
    for (unsigned py = y; py < y + h; py++)              /* all checks first */
        for (unsigned px = x; px < x + w; px++) {
            const WsSym *s = rt_class_sym(rt, sim_class(rt->sim, px, py), function);
            WsrtSymbol any;
            if (!s && wsrt_symbol(rt, function, &any)) return WSRT_E_NAME;
            if (!s) return rt_fail(rt, WSRT_E_RANGE, "PE (%u, %u) has no function %s", px, py, function);
            if (s->type != WT_FUNC) return rt_fail(rt, WSRT_E_TYPE, "%s is no function", function);
            if (sim_call_pending(rt->sim, px, py)) return rt_fail(rt, WSRT_E_STATE, "a call is pending in PE (%u, %u)", px, py);
        }
    for (unsigned py = y; py < y + h; py++)
        for (unsigned px = x; px < x + w; px++)
            if (!sim_call(rt->sim, px, py, rt_class_sym(rt, sim_class(rt->sim, px, py), function)->addr, args, nargs))
                return rt_fail(rt, WSRT_E_STATE, "PE (%u, %u) does not take a call", px, py);
    return WSRT_OK;
}

WsrtEnd wsrt_run(Wsrt *rt, uint64_t max_cycles)
{
    static const WsrtEnd end_of[] = {[SIM_IDLE] = WSRT_END_IDLE,           [SIM_STALLED] = WSRT_END_STALL,
                                     [SIM_MAX_CYCLES] = WSRT_END_MAX_CYCLES, [SIM_FAULT] = WSRT_END_FAULT,
                                     [SIM_INTERRUPTED] = WSRT_END_INTERRUPTED};
    if (rt->faulted) return WSRT_END_FAULT;
    if (rt_start(rt)) return rt->end = WSRT_END_ERROR;
    rt->end = end_of[sim_run(rt->sim, max_cycles)];
    if (rt->end == WSRT_END_INTERRUPTED) atomic_store(&rt->interrupt, false);
    if (rt->end == WSRT_END_FAULT) rt->faulted = true;
    if (rt->end != WSRT_END_INTERRUPTED && rt->end != WSRT_END_MAX_CYCLES) sim_flush_prints(rt->sim);
    return rt->end;
}

const char *wsrt_end_name(WsrtEnd end)
{
    static const char *const names[] = {"idle", "stall", "fault", "max-cycles", "interrupted", "error"};
    return end <= WSRT_END_ERROR ? names[end] : "unknown";
}

uint64_t wsrt_cycles(const Wsrt *rt) { return rt->sim ? sim_cycle(rt->sim) : 0; }
void wsrt_interrupt(Wsrt *rt) { atomic_store(&rt->interrupt, true); }

void wsrt_on_print(Wsrt *rt, WsrtPrintFn *fn, void *user)
{
    rt->print = fn;
    rt->print_user = user;
    if (rt->sim) sim_on_print(rt->sim, fn, user);
}

void wsrt_on_progress(Wsrt *rt, uint64_t every_cycles, WsrtProgressFn *fn, void *user)
{
    rt->progress = fn;
    rt->progress_user = user;
    rt->progress_every = every_cycles ? every_cycles : 1;
    if (rt->sim) sim_on_progress(rt->sim, rt->progress_every, fn, user);
}

/* ---- what happened */

const char *wsrt_report(Wsrt *rt)
{
    rt->text.len = 0;
    buf_add(&rt->text, "", 0);
    if (rt_start(rt)) return "";
    if (rt->end == WSRT_END_STALL) obs_stall_report(&rt->text, rt->sim);
    else obs_where_report(&rt->text, rt->sim);
    return rt->text.p;
}

int wsrt_fault(Wsrt *rt, WsrtFault *out)
{
    const SimFault *f = rt->sim ? sim_fault(rt->sim) : NULL;
    if (!f || f->kind == SF_none) return rt_fail(rt, WSRT_E_STATE, "there was no fault");
    const SimFaultRow *row = &sim_fault_rows[f->kind];
    uint32_t line;
    *out = (WsrtFault){.id = row->id, .name = row->name, .kind = sim_fault_class_name(row->cls), .text = f->text, .x = f->x, .y = f->y,
                       .cycle = f->cycle, .pc = f->pc, .thread = f->thread};
    obs_source(rt->sim, f->x, f->y, f->pc, &out->file, &line, &out->function);
    out->line = line;
    return WSRT_OK;
}

/* ---- counters */

const char *wsrt_counter_name(unsigned i) { return i < CT_COUNT ? sim_counter_rows[i].name : NULL; }
const char *wsrt_counter_unit(unsigned i) { return i < CT_COUNT ? sim_counter_rows[i].unit : NULL; }
const char *wsrt_counter_doc(unsigned i) { return i < CT_COUNT ? sim_counter_rows[i].doc : NULL; }

int wsrt_counter(Wsrt *rt, unsigned i, unsigned x, unsigned y, uint64_t *value)
{
    if (i >= CT_COUNT) return rt_fail(rt, WSRT_E_NAME, "there is no counter %u", i);
    if (x >= rt->obj->w || y >= rt->obj->h) return rt_fail(rt, WSRT_E_RANGE, "PE (%u, %u) is not inside the machine of %u x %u PEs", x, y, rt->obj->w, rt->obj->h);
    int e = rt_start(rt);
    if (!e) *value = sim_counters(rt->sim, x, y)[i];
    return e;
}

int wsrt_counter_sum(Wsrt *rt, unsigned i, WsrtCounter *out)
{
    if (i >= CT_COUNT) return rt_fail(rt, WSRT_E_NAME, "there is no counter %u", i);
    int e = rt_start(rt);
    if (e) return e;
    bool first = true;
    *out = (WsrtCounter){0};
    for (unsigned y = 0; y < rt->obj->h; y++)
        for (unsigned x = 0; x < rt->obj->w; x++) {
            uint64_t v = sim_counters(rt->sim, x, y)[i];
            out->total += v;
            if (sim_class(rt->sim, x, y) < 0) continue;
            if (first || v < out->min) out->min = v, out->min_x = x, out->min_y = y;
            if (first || v > out->max) out->max = v, out->max_x = x, out->max_y = y;
            first = false;
        }
    return WSRT_OK;
}

int wsrt_memory(Wsrt *rt, WsrtMemory *out)
{
    int e = rt_start(rt);
    if (e) return e;
    SimMemory m;
    sim_memory(rt->sim, &m);
    *out = (WsrtMemory){m.state_bytes, m.touched_bytes};
    return WSRT_OK;
}

const char *wsrt_slow(Wsrt *rt, unsigned i, uint64_t *count)
{
    *count = 0;
    return i > INT32_MAX || rt_start(rt) ? NULL : sim_slow(rt->sim, (int)i, count);
}

uint64_t wsrt_state_hash(Wsrt *rt) { return rt_start(rt) ? 0 : sim_state_hash(rt->sim); }
