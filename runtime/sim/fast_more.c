/* runtime/sim/fast_more.c: what only some classes have (docs/machine.md): control words in input queues and what becomes of them,
 * registers of the machine, FIFOs in memory.  Core.more holds their state; it is NULL in a core of a plain class. */
#include "runtime/sim/fast.h"
#include "runtime/sim/fast_mem.h"

FMore *fast_more_new(Fast *s, const FClass *k)
{
    const uint32_t any = USES_CONTROL | USES_REGS | USES_DSD | USES_TEARDOWN;
    if (!(k->c->uses & any) && !k->nrotate) return NULL;
    FMore *m = ARENA_NEW(s->arena, FMore);
    m->regs = (CoreRegs){.high = k->high, .ctrl_blocked = k->ctrl_blocked0};
    for (int r = 0; r < k->nrotate; r++) m->starts[r] = k->rotate[r].first;
    return m;
}

void fast_more_free(FMore *m)
{
    if (m) arrfree(m->control);
}

/* ---- control words in input queues */
void fast_control_comes(Core *p, int q)
{
    arrput(p->more->control, ((FControl){p->iq[q].tail, (uint8_t)q}));
}

bool fast_is_control(const Core *p, int q, uint32_t nr)
{
    for (ptrdiff_t i = 0; p->ctl && i < arrlen(p->more->control); i++)
        if (p->more->control[i].q == q && p->more->control[i].nr == nr) return true;
    return false;
}

/* words before the first control word of the queue */
uint32_t fast_before_control(const Core *p, int q)
{
    uint32_t n = UINT32_MAX;
    for (ptrdiff_t i = 0; i < arrlen(p->more->control); i++) {
        const uint32_t k = p->more->control[i].nr - p->iq[q].pop;
        if (p->more->control[i].q == q && k < n) n = k;
    }
    return n;
}

/* word nr of queue q is taken in cycle t */
void fast_control_taken(Core *p, int q, uint32_t nr, uint64_t t)
{
    FMore *m = p->more;
    m->head_from[q] = t + 1;
    for (ptrdiff_t i = 0; i < arrlen(m->control); i++)
        if (m->control[i].q == q && m->control[i].nr == nr) {
            arrdel(m->control, i);
            return;
        }
}

bool fast_control_head(const Core *p, int q, uint64_t t)
{
    const FIn *k = &p->iq[q];
    return k->pop != k->tail && fast_in_at(k, k->pop) <= t && fast_is_control(p, q, k->pop);
}

static bool takes_control(const FOpd *o, int q) { return o->kind == OK_IN && o->idx == q && o->addr & (ON_CONTROL_ACT | ON_CONTROL_END); }

/* an operation takes control words of the queue */
static bool on_control(const Core *p, int q)
{
    if (p->v && p->v->active && (takes_control(&p->v->a, q) || takes_control(&p->v->b, q))) return true;
    for (unsigned m = p->uts; m; m &= m - 1) {
        const FVec *v = p->ut[__builtin_ctz(m)];
        if (takes_control(&v->a, q) || takes_control(&v->b, q)) return true;
    }
    return false;
}

const FOpd *fast_control_event(const Fast *s, const Core *p, const FVec *v, uint64_t t, bool *unknown)
{
    const FOpd *const src[2] = {&v->a, &v->b};
    for (int i = 0; i < 2; i++) {
        if (!takes_control(src[i], src[i]->idx)) continue;   /* an operand of another kind has an idx that is no queue */
        const FIn *k = &p->iq[src[i]->idx];
        if (k->pop == k->tail && k->color < N_COLOR && t > s->now + s->ramp_down) *unknown = true;
        if (*unknown) return NULL;
        if (fast_control_head(p, src[i]->idx, t)) return src[i];
    }
    return NULL;
}

void fast_control_ends(Core *p, const FVec *v, uint64_t t)
{
    const FOpd *const src[2] = {&v->a, &v->b};
    for (int i = 0; i < 2; i++)
        if (src[i]->kind == OK_IN && takes_control(src[i], src[i]->idx)) p->more->drop_from[src[i]->idx] = t + 1;
}

/* The cycle in which the word at the head, a control word that names no task, is dropped; NEVER: there is none. */
static uint64_t drop_at(const Core *p, int q)
{
    const FIn *k = &p->iq[q];
    const FMore *m = p->more;
    if (k->pop == k->tail || !fast_is_control(p, q, k->pop)) return NEVER;
    if (ctrl_task(fast_in_word(k, k->pop)->data) != CTRL_NO_TASK || on_control(p, q)) return NEVER;
    return later(fast_in_at(k, k->pop), later(m->head_from[q], m->drop_from[q]));
}

void fast_drop_control(Fast *s, Core *p, uint64_t t)
{
    for (int q = 0; q < N_QUEUE && arrlen(p->more->control); q++)
        for (uint64_t at; (at = drop_at(p, q)) <= t && at < s->limit;) {
            fast_take_slow(s, p, q, at);
            p->more->head_from[q] = at;                  /* the next one goes in the same cycle */
            fast_active(s, at);
        }
}

void fast_drop_later(Fast *s, Core *p)
{
    fast_drop_control(s, p, p->t);
    for (int q = 0; q < N_QUEUE && arrlen(p->more->control); q++) {
        const uint64_t at = drop_at(p, q);
        if (at != NEVER) fast_wake_core(s, p, later(at, s->now + 1));
    }
}

bool fast_rotates(Core *p, int id)
{
    const FClass *k = p->cls;
    for (int i = 0; i < k->nrotate; i++) {
        uint16_t *n = &p->more->starts[i];
        if (k->rotate[i].id != id) continue;
        const bool now = *n == k->rotate[i].limit;
        *n = now ? 0 : (uint16_t)(*n + 1);
        return now;
    }
    return false;
}

/* the control task that the word at the head of the queue names */
int fast_task_named(const Core *p, int q)
{
    return (ctrl_task(fast_in_word(&p->iq[q], p->iq[q].pop)->data) + p->cls->ctrl_base[q]) % N_CONTROL;
}

int fast_control_task(const Fast *s, const Core *p, int q, uint64_t t)
{
    if (!fast_control_head(p, q, t) || on_control(p, q)) return -1;
    const int id = fast_task_named(p, q), channel = TASK_DATA + (s->b.arch.id == ARCH_WSE3 ? q : p->iq[q].color);
    if (channel < N_TASK && p->blocked >> channel & 1) return -1;
    return p->cls->ctrl_bound & ~p->more->regs.ctrl_blocked & 1ull << id ? id : -1;
}

/* control tasks that can start in cycle t, a bit each; unknown and next as of data_ready */
uint64_t fast_control_ready(const Fast *s, const Core *p, uint64_t t, bool *unknown, uint64_t *next)
{
    uint64_t m = 0;
    for (int q = 0; q < N_QUEUE; q++) {
        const FIn *k = &p->iq[q];
        const int id = fast_control_task(s, p, q, t);
        if (id >= 0) m |= 1ull << id;
        else if (k->pop == k->tail) *unknown |= k->color < N_COLOR && t > s->now + s->ramp_down;
        else if (fast_in_at(k, k->pop) > t && fast_in_at(k, k->pop) < *next) *next = fast_in_at(k, k->pop);
    }
    return m;
}

/* ---- registers: only in a core that stands at the clock, whose router steps cycle by cycle */
static QueueState queue_state(const Core *p)
{
    QueueState s = {0};
    for (int q = 0; q < N_QUEUE; q++) {
        const FIn *in = &p->iq[q];
        const FOut *out = &p->oq[q];
        const uint32_t n = in->tail - in->pop, m = out->tail - out->pop;
        if (in->cap) s.iq_empty |= (uint8_t)((n == 0) << q), s.iq_full |= (uint8_t)((n >= in->cap) << q);
        if (out->cap) s.oq_empty |= (uint8_t)((m == 0) << q), s.oq_full |= (uint8_t)((m >= out->cap) << q);
        s.iq_color[q] = in->color, s.oq_color[q] = out->color;
    }
    return s;
}

bool fast_reg_read(Fast *s, Core *p, uint16_t addr, uint32_t *v)
{
    return addr >= REGS_FIRST && p->cls->regs && regs_read(&s->rt[p->i].x->k, &p->more->regs, queue_state(p), addr, v);
}

/* The teardown before was to close this queue later: it does not. */
static void keep_open(Core *p, int q)
{
    for (ptrdiff_t i = arrlen(p->closes); i-- > 0;)
        if (p->closes[i].id == q) arrdel(p->closes, i);
}

bool fast_reg_write(Fast *s, Core *p, uint16_t addr, uint16_t v)
{
    SlotFault f;
    RegsDid did;
    if (addr < REGS_FIRST || !p->cls->regs) return false;
    if (!regs_write(&s->rt[p->i].x->k, &p->more->regs, &s->b.arch, addr, v, &f, &did)) return false;
    if (!fast_slot_fault(s, p, &f)) return true;
    if (did.bind) {
        const int q = did.bind >> 5 & 7;
        const bool in = !(did.bind & SOCK_OUT);
        if (in && q < N_QUEUE / 2 && p->iq[q + N_QUEUE / 2].lends) did.bind |= SOCK_LEND;
        if (fast_bind(s, p, did.bind) && in) keep_open(p, q);
        return true;
    }
    for (int q = 0; q < N_QUEUE && did.opened >= 0; q++) {   /* those that a teardown closed, or was about to */
        if (p->iq[q].color != did.opened) continue;
        p->iq[q].open = true;
        keep_open(p, q);
    }
    if (did.opened >= 0) fast_queue_colors(s, p);
    if (did.changed) fast_wake_router(s, p->i, s->now + 1);
    return true;
}

/* Queues that were to report and are empty now: task 29 runs. */
void fast_report(Fast *s, Core *p)
{
    if (!regs_report(&p->more->regs, queue_state(p))) return;
    fast_active(s, s->now);
    if (p->cls->bound >> TASK_TEARDOWN & 1) fast_activate(s, p, TASK_TEARDOWN, THREAD_MAIN, p->pc);
}

/* May an access of so many bytes reach a register? */
bool fast_leaves(const Fast *s, const Core *p, uint16_t addr, unsigned bytes)
{
    return p->cls->regs && addr + bytes > s->mem_bytes;
}

/* May the operand leave the memory? */
static bool opd_leaves(const Fast *s, const Core *p, const FVec *v, const FOpd *o)
{
    if (o->kind == OK_FIFO) {
        const uint32_t base = fifo_word(p->mem, s->mem_bytes, o->addr, FIFO_BASE), cap = fifo_word(p->mem, s->mem_bytes, o->addr, FIFO_CAP);
        return o->addr + 2u * FIFO_WORDS > s->mem_bytes || base + cap * o->esz > s->mem_bytes;
    }
    if (o->kind != OK_MEM) return false;
    int64_t reach = 0;
    const FNest *n = o->nested ? &v->nest[o->role] : NULL;
    for (int k = 0; k < (n ? 4 : 1); k++) {
        const int64_t step = n ? n->step[k] : o->step, by = step < 0 ? -step : step;
        const bool last = !n || !n->ext[k];
        if (last && v->endless && by) return true;
        reach += by * (last ? (int64_t)v->total : n->ext[k] + n->cnt[k]);
        if (last) break;
    }
    return o->addr - reach < 0 || o->addr + reach + o->esz > (int64_t)s->mem_bytes;
}

bool fast_vec_meets(const Fast *s, const Core *p, const FVec *v)
{
    return p->cls->regs && (opd_leaves(s, p, v, &v->a) || opd_leaves(s, p, v, &v->b) || opd_leaves(s, p, v, &v->d));
}

/* ---- FIFOs */
uint32_t fast_fifo_room(const Fast *s, const Core *p, const FOpd *o, bool push) { return fifo_room(p->mem, s->mem_bytes, o->addr, push); }

/* address of the element to take or put; moves the record on */
uint16_t fast_fifo_step(Fast *s, Core *p, const FOpd *o, bool push)
{
    const FifoStep f = fifo_step(p->mem, s->mem_bytes, o->addr, push, o->esz);
    if (!push) fast_store(s, p, (uint16_t)(o->addr + 2 * FIFO_HEAD), 2, f.head);
    fast_store(s, p, (uint16_t)(o->addr + 2 * FIFO_COUNT), 2, f.count);
    return f.addr;
}

static int task_of(const Fast *s, const Core *p, const FVec *v, int i)
{
    const FOpd *const opd[3] = {&v->a, &v->b, &v->d};
    return opd[i]->kind == OK_FIFO ? fifo_task(p->mem, s->mem_bytes, opd[i]->addr, i == 2) : -1;
}

/* tasks that a FIFO activates when elements come or go */
void fast_fifo_tasks(Fast *s, Core *p, const FVec *v, int thread)
{
    for (int i = 0; i < 3; i++) {
        const int id = task_of(s, p, v, i);
        if (id >= 0) fast_activate(s, p, id, thread, v->pc);
    }
}

bool fast_fifo_fine(const Fast *s, const Core *p, const FVec *v)
{
    for (int i = 0; i < 3; i++) {
        const int id = task_of(s, p, v, i);
        if (id >= 0 && !fast_can_activate(s, p, id)) return false;
    }
    return true;
}

/* The FIFO that holds an operation up, as w says, if that is not to wait; NULL: it waits. */
const FOpd *fast_fifo_event(const Fast *s, const Core *p, const FVec *v, const FWait *w, FifoAction *a)
{
    const FOpd *o = w->queue ? &v->d : v->a.kind == OK_FIFO && !fast_fifo_room(s, p, &v->a, false) ? &v->a : v->b.kind == OK_FIFO ? &v->b : &v->a;
    *a = fifo_action(p->mem, s->mem_bytes, o->addr, w->queue, v->async);
    return *a == FIFO_WAIT ? NULL : o;
}
