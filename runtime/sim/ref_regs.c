/* runtime/sim/ref_regs.c: the registers of the machine (docs/machine.md, "Registers of the machine"): how a program reads and sets
 * its router, its queues' state, its microthreads and priorities by loads and stores.  Only classes that say so reach them.
 * What a register means is slots.c's. */
#include "runtime/sim/ref.h"

/* The teardown before was to close this queue later: it does not. */
static void keep_open(Pe *pe, int q)
{
    for (ptrdiff_t i = arrlen(pe->effects); i-- > 0;)
        if (pe->effects[i].kind == EF_CLOSE && pe->effects[i].id == q) arrdel(pe->effects, i);
}

static QueueState queue_state(const Pe *pe)
{
    QueueState s = {0};
    for (int q = 0; q < N_QUEUE; q++) {
        const InQ *in = &pe->iq[q];
        const OutQ *out = &pe->oq[q];
        if (in->cap) s.iq_empty |= (uint8_t)((in->r.n == 0) << q), s.iq_full |= (uint8_t)((in->r.n >= in->cap) << q);
        if (out->cap) s.oq_empty |= (uint8_t)((out->r.n == 0) << q), s.oq_full |= (uint8_t)((out->r.n >= out->cap) << q);
        s.iq_color[q] = in->color, s.oq_color[q] = out->color;
    }
    return s;
}

/* Queues that were to report and are empty now: task 29 runs. */
void ref_flush(Ref *s, Pe *pe)
{
    if (!regs_report(&pe->regs, queue_state(pe))) return;
    ref_active(s, s->now);
    if (pe->cls->bound >> TASK_TEARDOWN & 1) ref_activate(s, pe, TASK_TEARDOWN, THREAD_MAIN, pe->main.pc);
}

bool ref_reg_read(Ref *s, Pe *pe, uint16_t addr, uint32_t *v)
{
    (void)s;
    return regs_read(&pe->rt->k, &pe->regs, queue_state(pe), addr, v);
}

bool ref_reg_write(Ref *s, Pe *pe, uint16_t addr, uint16_t v)
{
    SlotFault f;
    RegsDid did;
    if (!regs_write(&pe->rt->k, &pe->regs, &s->b.arch, addr, v, &f, &did)) return false;
    if (!ref_slot_fault(s, pe->i, pe->main.pc, &f)) return true;
    if (did.bind) {
        const int q = did.bind >> 5 & 7;
        const bool in = !(did.bind & SOCK_OUT);
        if (in && q < N_QUEUE / 2 && pe->iq[q + N_QUEUE / 2].lends) did.bind |= SOCK_LEND;
        if (ref_bind(s, pe, did.bind) && in) keep_open(pe, q);
        return true;
    }
    for (int q = 0; q < N_QUEUE && did.opened >= 0; q++)
        if (pe->iq[q].color == did.opened) {                 /* those that a teardown closed, or was about to */
            pe->iq[q].open = true;
            keep_open(pe, q);
        }
    if (did.changed) ref_wake_router(s, pe->i, s->now + 1);
    return true;
}
