/* runtime/sim/ref_view.c: the reference engine's state as sim.h shows it, and the host's hands.  Changes nothing but
 * what the host asks to change. */
#include "runtime/sim/ref.h"
#include <string.h>

static const Ref *cref(const Sim *s) { return (const Ref *)(const void *)s; }
static Rt *rt_at(const Sim *s, unsigned x, unsigned y) { return &cref(s)->rt[y * cref(s)->b.w + x]; }
static Pe *pe_at(const Sim *s, unsigned x, unsigned y) { return rt_at(s, x, y)->pe; }

const uint8_t *ref_view_mem(const Sim *s, unsigned x, unsigned y)
{
    const Pe *p = pe_at(s, x, y);
    return p ? p->mem : NULL;
}

bool ref_view_mem_write(Sim *s, unsigned x, unsigned y, uint32_t addr, const void *bytes, size_t len)
{
    Pe *p = pe_at(s, x, y);
    if (!p) return false;
    const WsClass *c = p->cls->c;
    if (len) memcpy(p->mem + addr, bytes, len);
    if (addr < c->text_addr + c->text_bytes && addr + len > c->text_addr) p->dirty = true;
    return true;
}

bool ref_view_call(Sim *s, unsigned x, unsigned y, uint16_t pc, const uint32_t *args, int nargs)
{
    Ref *r = (Ref *)s;
    Pe *p = pe_at(s, x, y);
    if (!p || p->call_pending) return false;
    p->call_pending = true;
    p->call_pc = pc;
    p->call_nargs = (uint32_t)nargs;
    for (int i = 0; i < nargs; i++) p->call_args[i] = args[i];
    ref_wake_pe(r, p->i, r->now);
    return true;
}

bool ref_view_call_pending(const Sim *s, unsigned x, unsigned y) { return pe_at(s, x, y) && pe_at(s, x, y)->call_pending; }
uint32_t ref_view_call_result(const Sim *s, unsigned x, unsigned y) { return pe_at(s, x, y) ? pe_at(s, x, y)->call_result : 0; }

bool ref_view_activate(Sim *s, unsigned x, unsigned y, int task)
{
    Ref *r = (Ref *)s;
    Pe *p = pe_at(s, x, y);
    if (!p || !ref_activate(r, p, task, THREAD_MAIN, p->main.pc)) return false;
    ref_wake_pe(r, p->i, r->now);
    return true;
}

const uint64_t *ref_view_counters(const Sim *s, unsigned x, unsigned y) { return rt_at(s, x, y)->ct; }

void ref_view_memory(const Sim *sim, SimMemory *out)
{
    const Ref *s = (const Ref *)(const void *)sim;
    uint64_t b = sizeof *s + arena_bytes(s->arena) + (uint64_t)s->b.w * s->b.h * sizeof *s->rt;
    *out = (SimMemory){b, sim_resident(s->mem, s->mem_map)};
}

void ref_view_flush(Sim *sim)
{
    Ref *s = (Ref *)sim;
    for (uint32_t i = 0; i < s->b.w * s->b.h; i++) {
        Pe *p = s->rt[i].pe;
        if (!p || !p->line.len) continue;
        if (s->b.print) s->b.print(s->b.print_user, ref_x(s, i), ref_y(s, i), s->b.cycle, p->line.p);
        p->line.len = 0;
    }
}

static void view_vec(const Ref *s, const Pe *p, const Vec *v, SimThread *out)
{
    Wait w = {WAIT_READY, 0, COLOR_NONE, 0, 0};
    if (!ref_vec_ready(s, p, v, &w)) out->queue = w.queue, out->color = w.color;
    out->wait = w.kind;
    out->pc = v->pc;
    out->done = v->done;
    out->total = v->total;
    out->endless = v->endless;
}

bool ref_view_thread(const Sim *sim, unsigned x, unsigned y, int thread, SimThread *out)
{
    const Ref *s = cref(sim);
    const Pe *p = pe_at(sim, x, y);
    if (!p) return false;
    *out = (SimThread){.task = -1, .act = -1, .unb = -1, .color = COLOR_NONE};
    if (thread == THREAD_MAIN) {
        const Main *m = &p->main;
        out->active = m->task >= 0;
        out->task = m->task;
        out->pc = m->pc;
        out->since = m->since;
        if (!out->active) return true;
        out->wait = m->wait.kind, out->queue = m->wait.queue, out->color = m->wait.color;
        if (m->v.active) view_vec(s, p, &m->v, out);
        return true;
    }
    const Vec *v = &p->ut[thread];
    out->active = p->uts >> thread & 1;
    if (!out->active) return true;
    view_vec(s, p, v, out);
    if (p->regs.ut_blocked >> thread & 1) out->wait = WAIT_BLOCKED;
    out->act = v->act, out->unb = v->unb;
    out->since = v->since;
    return true;
}

bool ref_view_task(const Sim *s, unsigned x, unsigned y, int id, SimTask *out)
{
    const Pe *p = pe_at(s, x, y);
    if (!p) return false;
    if (id >= TASK_CONTROL) {
        int c = id - TASK_CONTROL;
        *out = (SimTask){p->cls->ctrl_bound >> c & 1, false, p->regs.ctrl_blocked >> c & 1, p->cls->ctrl_high >> c & 1, p->cls->ctrl_entry_of[c]};
        for (int q = 0; q < N_QUEUE; q++)
            if (ref_control_head(cref(s), p, q) && ref_ctrl_task(p, q) == c) out->active = true;
        return true;
    }
    *out = (SimTask){p->cls->bound >> id & 1, p->active >> id & 1, p->blocked >> id & 1, p->regs.high >> id & 1, p->cls->entry_of[id]};
    return true;
}

bool ref_view_queue(const Sim *s, unsigned x, unsigned y, bool output, int q, SimQueue *out)
{
    const Pe *p = pe_at(s, x, y);
    if (!p) return false;
    if (output) *out = (SimQueue){p->oq[q].color, true, false, p->oq[q].r.n, p->oq[q].cap};
    else *out = (SimQueue){p->iq[q].color, p->iq[q].open, p->iq[q].lends, p->iq[q].r.n, p->iq[q].cap};
    return true;
}

bool ref_view_queue_word(const Sim *s, unsigned x, unsigned y, bool output, int q, uint32_t i, SimWord *out)
{
    const Pe *p = pe_at(s, x, y);
    *out = *ring_at(output ? &p->oq[q].r : &p->iq[q].r, i);
    return true;
}

/* words on their way to, or in, the neighbour's FIFO, and slots whose credit is not back yet */
static uint32_t in_flight(const Ref *s, uint32_t i, int color, Dir d)
{
    int64_t to = s->rt[i].next[d];
    uint32_t n = 0;
    if (to >= 0) color = slots_color(&s->rt[to].k, color, dir_opposite(d));
    const Lane *l = to < 0 ? NULL : s->rt[to].lane[color * 4 + dir_opposite(d)];
    for (int k = 0; l && k < AP(&s->b.arch, router_slots); k++) n += l->free_at[k] > s->now;
    return n;
}

bool ref_view_slot(const Sim *sim, unsigned x, unsigned y, int color, SimSlot *out)
{
    const Ref *s = cref(sim);
    const Rt *r = rt_at(sim, x, y);
    slots_view(&r->k, color, out);
    for (int d = 0; d < DIR_RAMP; d++) {
        const Lane *l = r->lane[color * 4 + d];
        out->words[d] = l ? l->n : 0;
        out->in_flight[d] = in_flight(s, y * s->b.w + x, color, (Dir)d);
    }
    return true;
}

bool ref_view_slot_word(const Sim *s, unsigned x, unsigned y, int color, Dir from, uint32_t i, SimWord *out)
{
    const Lane *l = rt_at(s, x, y)->lane[color * 4 + from];
    *out = l->w[(l->head + i) % (uint32_t)AP(&cref(s)->b.arch, router_slots)];
    return true;
}

bool ref_view_dsr(const Sim *s, unsigned x, unsigned y, int dsr, SimDsr *out)
{
    const Pe *p = pe_at(s, x, y);
    if (!p) return false;
    const Dsr *r = &p->dsr[dsr];
    *out = (SimDsr){.kind = r->kind, .addr = r->pos.addr, .xdsr = r->x, .ready = r->ready};
    memcpy(out->w, r->w, sizeof out->w);
    memcpy(out->count, r->pos.cnt, sizeof out->count);
    return true;
}

bool ref_view_reg(const Sim *s, unsigned x, unsigned y, int r, uint32_t *value)
{
    const Pe *p = pe_at(s, x, y);
    if (!p) return false;
    if (r < 32) *value = p->reg[r];
    else if (r < 36) *value = p->dot[r - 32];
    else if (r < 40) *value = p->loop[r - 36];
    else {
        const Shape *h = &p->xdsr[(r - 40) / 4];
        *value = h->ext[(r - 40) % 4] | (uint32_t)(uint16_t)h->stride[(r - 40) % 4] << 16;
    }
    return true;
}
