/* runtime/sim/fast_view.c: the fast engine's state as sim.h shows it, and the host's hands.  Changes nothing but what the
 * host asks to change. */
#include "runtime/sim/fast.h"
#include <string.h>

static const Fast *cfast(const Sim *s) { return (const Fast *)(const void *)s; }
static uint32_t at_xy(const Sim *s, unsigned x, unsigned y) { return y * cfast(s)->b.w + x; }
/* to change it: made if it was not; NULL: no program there */
static Core *core_at(Sim *s, unsigned x, unsigned y) { return fast_core((Fast *)(void *)s, at_xy(s, x, y)); }
/* to look at it: one that nobody has touched looks like its class */
static const Core *seen_at(const Sim *sim, unsigned x, unsigned y)
{
    const Fast *s = cfast(sim);
    const uint32_t i = at_xy(sim, x, y);
    if (s->b.cls[i] < 0) return NULL;
    return fast_made(s, i) ? &s->cores[i] : s->cls[s->b.cls[i]].blank;
}

const uint8_t *fast_view_mem(const Sim *s, unsigned x, unsigned y)
{
    const Core *p = seen_at(s, x, y);
    if (!p) return NULL;
    return p->mem ? p->mem : fast_untouched((Fast *)(uintptr_t)s, at_xy(s, x, y));
}

bool fast_view_mem_write(Sim *s, unsigned x, unsigned y, uint32_t addr, const void *bytes, size_t len)
{
    Core *p = core_at(s, x, y);
    if (!p) return false;
    fast_log((Fast *)s, (FastLog){.kind = LOG_WRITE, .x = (uint16_t)x, .y = (uint16_t)y, .v = addr}, bytes, len);
    if (len) memcpy(p->mem + addr, bytes, len);
    if (addr < p->cls->text_end && addr + len > p->cls->text_addr) p->dirty = true;
    return true;
}

bool fast_view_call(Sim *sim, unsigned x, unsigned y, uint16_t pc, const uint32_t *args, int nargs)
{
    Fast *s = (Fast *)sim;
    Core *p = core_at(sim, x, y);
    if (!p || p->call_pending) return false;
    fast_log(s, (FastLog){.kind = LOG_CALL, .x = (uint16_t)x, .y = (uint16_t)y, .v = pc}, args, (size_t)nargs * 4);
    if (!p->call_args) p->call_args = ARENA_ARR(s->arena, uint32_t, 8);
    p->call_pending = true;
    p->call_pc = pc;
    p->call_nargs = (uint32_t)nargs;
    for (int i = 0; i < nargs; i++) p->call_args[i] = args[i];
    p->sure = 0;
    fast_tell_router(s, p);
    fast_wake_core(s, p, s->now);
    return true;
}

bool fast_view_call_pending(const Sim *s, unsigned x, unsigned y) { return seen_at(s, x, y) && seen_at(s, x, y)->call_pending; }
uint32_t fast_view_call_result(const Sim *s, unsigned x, unsigned y) { return seen_at(s, x, y) ? seen_at(s, x, y)->call_result : 0; }

bool fast_view_activate(Sim *sim, unsigned x, unsigned y, int task)
{
    Fast *s = (Fast *)sim;
    Core *p = core_at(sim, x, y);
    if (!p || !fast_activate(s, p, task, THREAD_MAIN, p->pc)) return false;
    fast_log(s, (FastLog){.kind = LOG_ACT, .x = (uint16_t)x, .y = (uint16_t)y, .v = (uint32_t)task}, NULL, 0);
    p->sure = 0;
    fast_tell_router(s, p);
    fast_wake_core(s, p, s->now);
    return true;
}

const uint64_t *fast_view_counters(const Sim *s, unsigned x, unsigned y)
{
    static const uint64_t zeros[CT_COUNT];
    const uint32_t i = at_xy(s, x, y);
    if (!fast_made(cfast(s), i)) return zeros;
    fast_count_slots((Fast *)(uintptr_t)cfast(s), i);    /* the same numbers at another place */
    return cfast(s)->ct + (size_t)i * CT_COUNT;
}

void fast_view_memory(const Sim *sim, SimMemory *out)
{
    const Fast *s = cfast(sim);
    const size_t n = (size_t)s->b.w * s->b.h;
    uint64_t b = sizeof *s + arena_bytes(s->arena) + sim_resident(s->rt, n * sizeof *s->rt) + sim_resident(s->ct, n * CT_COUNT * sizeof *s->ct) +
                 sim_resident(s->cores, n * sizeof *s->cores) + sim_resident(s->made, (n + 63) / 64 * sizeof *s->made) + (s->shown ? s->mem_bytes : 0) +
                 sim_resident(s->lanes, (size_t)s->nlanes * s->lane_bytes) +
                 sim_resident(s->run, n * sizeof *s->run);
    const FastWheel *w[] = {&s->rw, &s->cw};
    for (int i = 0; i < 2; i++) b += sim_resident(w[i]->bits, (size_t)w[i]->nbits * FWHEEL * 8) + sim_resident(w[i]->sums, (size_t)w[i]->nsums * FWHEEL * 8);
    *out = (SimMemory){b, sim_resident(s->mem, s->mem_map)};
}

const char *fast_view_slow(const Sim *sim, int i, uint64_t *n)
{
    static const char *const names[] = {
#define SLOW(name, doc) #name,
#include "runtime/sim/slow.def"
    };
    if (i >= SLOW_COUNT) return NULL;
    *n = cfast(sim)->slow[i];
    return names[i];
}

void fast_view_flush(Sim *sim)
{
    Fast *s = (Fast *)sim;
    uint32_t at = 0;
    for (Core *p; (p = fast_next_made(s, &at));) {
        if (!p->line.len) continue;
        if (s->b.print) s->b.print(s->b.print_user, fast_x(s, p->i), fast_y(s, p->i), s->b.cycle, p->line.p);
        p->line.len = 0;
    }
}

static void view_vec(const Fast *s, const Core *p, const FVec *v, SimThread *out)
{
    FWait w;
    out->wait = WAIT_READY;
    if (fast_vec_ready(s, p, v, s->now, &w) == R_NO) out->wait = w.kind, out->queue = w.queue, out->color = w.color;
    out->pc = v->pc;
    out->done = v->done;
    out->total = v->total;
    out->endless = v->endless;
}

bool fast_view_thread(const Sim *sim, unsigned x, unsigned y, int thread, SimThread *out)
{
    const Fast *s = cfast(sim);
    const Core *p = seen_at(sim, x, y);
    if (!p) return false;
    *out = (SimThread){.task = -1, .act = -1, .unb = -1, .color = COLOR_NONE};
    if (thread == THREAD_MAIN) {
        out->active = p->task >= 0;
        out->task = p->task;
        out->pc = p->pc;
        out->since = p->since;
        if (!out->active) return true;
        out->wait = p->wait.kind, out->queue = p->wait.queue, out->color = p->wait.color;
        if (p->v && p->v->active) view_vec(s, p, p->v, out);
        return true;
    }
    out->active = p->uts >> thread & 1;
    if (!out->active) return true;
    const FVec *v = p->ut[thread];
    view_vec(s, p, v, out);
    if (p->more && p->more->regs.ut_blocked >> thread & 1) out->wait = WAIT_BLOCKED;
    out->act = v->act, out->unb = v->unb;
    out->since = v->since;
    return true;
}

bool fast_view_task(const Sim *s, unsigned x, unsigned y, int id, SimTask *out)
{
    const Core *p = seen_at(s, x, y);
    if (!p) return false;
    const FClass *k = p->cls;
    const CoreRegs regs = p->more ? p->more->regs : (CoreRegs){.high = k->high};
    if (id >= TASK_CONTROL) {
        const int c = id - TASK_CONTROL;
        *out = (SimTask){k->ctrl_bound >> c & 1, false, regs.ctrl_blocked >> c & 1, k->ctrl_high >> c & 1, k->ctrl_entry_of[c]};
        for (int q = 0; p->ctl && q < N_QUEUE; q++)
            if (fast_control_head(p, q, cfast(s)->now) && fast_task_named(p, q) == c) out->active = true;
        return true;
    }
    *out = (SimTask){p->cls->bound >> id & 1, p->active >> id & 1, p->blocked >> id & 1, regs.high >> id & 1, p->cls->entry_of[id]};
    return true;
}

bool fast_view_queue(const Sim *s, unsigned x, unsigned y, bool output, int q, SimQueue *out)
{
    const Core *p = seen_at(s, x, y);
    if (!p) return false;
    if (output) *out = (SimQueue){p->oq[q].color, true, false, p->oq[q].tail - p->oq[q].pop, p->oq[q].cap};
    else *out = (SimQueue){p->iq[q].color, p->iq[q].open, p->iq[q].lends, p->iq[q].tail - p->iq[q].pop, p->iq[q].cap};
    return true;
}

bool fast_view_queue_word(const Sim *s, unsigned x, unsigned y, bool output, int q, uint32_t i, SimWord *out)
{
    const Core *p = seen_at(s, x, y);
    if (output) {
        const FOutWord *w = &p->oq[q].w[(p->oq[q].pop + i) & p->oq[q].mask];
        *out = (SimWord){.data = w->data, .color = w->color, .control = w->control, .at = w->at, .advance = w->advance};
    } else {
        const FIn *k = &p->iq[q];
        *out = (SimWord){.data = fast_in_word(k, k->pop + i)->data, .color = fast_in_word(k, k->pop + i)->when & 31, .at = fast_in_at(k, k->pop + i),
                         .control = fast_is_control(p, q, k->pop + i)};
    }
    return true;
}

static const Lane *lane_at(const Fast *s, uint32_t i, int color, Dir d)
{
    const Router *r = &s->rt[i];
    uint32_t k = r->slot_of[color] ? r->lanes[r->slot_of[color] - 1].lane[d] : 0;
    return k ? fast_lane(s, k) : NULL;
}

/* places in the neighbour's FIFO that cannot be filled yet */
static uint32_t in_flight(const Fast *s, uint32_t i, int color, Dir d)
{
    int64_t to = fast_next(s, i, d);
    const Exact *x = to < 0 ? NULL : s->rt[to].x;
    if (x) color = slots_color(&x->k, color, dir_opposite(d));
    const Lane *l = to < 0 ? NULL : lane_at(s, (uint32_t)to, color, dir_opposite(d));
    if (!l) return 0;
    uint32_t n = l->n;
    for (uint32_t k = l->n; k < s->S; k++) n += l->stamp[(l->head + k) % s->S] >> 1 > s->now;
    return n;
}

bool fast_view_slot(const Sim *sim, unsigned x, unsigned y, int color, SimSlot *out)
{
    const Fast *s = cfast(sim);
    uint32_t i = at_xy(sim, x, y), bit = 1u << color;
    const Router *r = &s->rt[i];
    const RSlot *sl = r->slot_of[color] ? &r->slots[r->slot_of[color] - 1] : NULL;
    *out = (SimSlot){.state = r->open & bit ? SLOT_OPEN : r->closed & bit ? SLOT_CLOSED : SLOT_NONE, .slot = sl ? sl->word : 0,
                     .carried = sl && (sl->carried || sl->sent), .in_context = r->context & bit};
    if (r->x) slots_view(&r->x->k, color, out);
    for (int d = 0; d < DIR_RAMP; d++) {
        const Lane *l = lane_at(s, i, color, (Dir)d);
        out->words[d] = l ? l->n : 0;
        out->in_flight[d] = in_flight(s, i, color, (Dir)d);
    }
    return true;
}

bool fast_view_slot_word(const Sim *sim, unsigned x, unsigned y, int color, Dir from, uint32_t i, SimWord *out)
{
    const Fast *s = cfast(sim);
    const Lane *l = lane_at(s, at_xy(sim, x, y), color, from);
    uint32_t k = (l->head + i) % s->S;
    *out = (SimWord){.data = lane_data(s, (Lane *)l)[k], .color = (uint8_t)color, .control = l->stamp[k] & 1, .at = l->stamp[k] >> 1};
    return true;
}

bool fast_view_dsr(const Sim *sim, unsigned x, unsigned y, int dsr, SimDsr *out)
{
    const Core *p = seen_at(sim, x, y);
    if (!p) return false;
    const unsigned at = p->cls->dsr_at[dsr];
    *out = (SimDsr){0};
    if (at >= p->ndsr) return true;
    const FDsr *r = &p->dsr[at];
    *out = (SimDsr){.kind = r->kind, .addr = r->addr, .xdsr = r->x};
    if (p->dsr_pend >> at & 1) out->ready = p->dsr_max + (uint64_t)(int64_t)(int32_t)(r->ready - (uint32_t)p->dsr_max);
    memcpy(out->w, r->w, sizeof out->w);
    if (r->nest) memcpy(out->count, p->cnt[r->nest - 1], sizeof out->count);
    return true;
}

bool fast_view_reg(const Sim *s, unsigned x, unsigned y, int r, uint32_t *value)
{
    const Core *p = seen_at(s, x, y);
    if (!p) return false;
    if (r < 32) *value = p->reg[r];
    else if (r < 36) *value = p->dot[r - 32];
    else if (r < 40) *value = p->loop[r - 36];
    else {
        const FShape *h = (r - 40) / 4 < p->nxdsr ? &p->xdsr[(r - 40) / 4] : NULL;
        *value = h ? h->ext[(r - 40) % 4] | (uint32_t)(uint16_t)h->stride[(r - 40) % 4] << 16 : 0;
    }
    return true;
}
