/* runtime/sim/ref_pe.c: one cycle of a PE (docs/machine.md, "The PE").
 *
 *   effects that are due -> look at the main thread -> one issue slot -> pick a task -> when to look again
 *
 * A look has no effect on the program; what a waiting main thread loses is charged when it is looked at next. */
#include "runtime/sim/pe_el.h"
#include "runtime/sim/ref.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { LEVEL_LOW, LEVEL_MAIN, LEVEL_MEDIUM, LEVEL_HIGH };
static const uint8_t level_of[4] = {LEVEL_MEDIUM, LEVEL_LOW, LEVEL_MEDIUM, LEVEL_HIGH};   /* by priority field */

static uint64_t *ct(Pe *pe) { return pe->rt->ct; }
static uint32_t reg(const Pe *pe, int r) { return pe->reg[r]; }

static void set_reg(Pe *pe, int r, uint32_t v, uint64_t ready)
{
    if (!r) return;
    pe->reg[r] = v;
    pe->reg_ready[r] = ready;
}

/* ---- tasks */
static bool task_exists(const Ref *s, int id)
{
    const Arch *a = &s->b.arch;
    if (id & TASK_DATA) return (id & ~TASK_DATA) < AP(a, data_ids);
    return id >= AP(a, local_id_min) && id <= AP(a, local_id_max);
}

static bool check_task(Ref *s, Pe *pe, int id, int thread, uint16_t pc)
{
    if (task_exists(s, id)) return true;
    REF_FAULT(s, pe->i, thread, pc, bad_task, d_int(id));
    return false;
}

bool ref_activate(Ref *s, Pe *pe, int id, int thread, uint16_t pc)
{
    if (!check_task(s, pe, id, thread, pc)) return false;
    if (!(pe->cls->bound >> id & 1)) {
        REF_FAULT(s, pe->i, thread, pc, task_unbound, d_int(id));
        return false;
    }
    pe->active |= 1ull << id;
    return true;
}

static void set_blocked(Ref *s, Pe *pe, int id, bool on, int thread, uint16_t pc)
{
    if (!check_task(s, pe, id, thread, pc)) return;
    if (on) pe->blocked |= 1ull << id;
    else pe->blocked &= ~(1ull << id);
}

static unsigned read_by_microthreads(const Pe *pe)
{
    unsigned qs = 0;
    for (unsigned m = pe->uts; m; m &= m - 1) {
        const Vec *v = &pe->ut[__builtin_ctz(m)];
        if (v->a.kind == OK_IN) qs |= 1u << v->a.idx;
        if (v->b.kind == OK_IN) qs |= 1u << v->b.idx;
    }
    return qs;
}

static int data_task_of(const Ref *s, const Pe *pe, int q)
{
    return TASK_DATA + (s->b.arch.id == ARCH_WSE3 ? q : pe->iq[q].color);
}

/* data tasks with a word at the head of their queue; bit per id */
static uint64_t data_ready(const Ref *s, const Pe *pe)
{
    uint64_t m = 0;
    if (!(pe->cls->bound >> TASK_DATA)) return 0;
    unsigned busy = read_by_microthreads(pe);
    for (int q = 0; q < N_QUEUE; q++) {
        const InQ *k = &pe->iq[q];
        if (!k->r.n || busy >> q & 1 || ring_at(&k->r, 0)->at > s->now || ring_at(&k->r, 0)->control) continue;
        if (s->b.arch.id == ARCH_WSE2 && k->color >= N_COLOR) continue;
        m |= 1ull << data_task_of(s, pe, q);
    }
    return m;
}

static int data_queue(const Ref *s, const Pe *pe, int id)
{
    for (int q = 0; q < N_QUEUE; q++) {
        const InQ *k = &pe->iq[q];
        if (k->r.n && ring_at(&k->r, 0)->at <= s->now && !ring_at(&k->r, 0)->control && data_task_of(s, pe, q) == id) return q;
    }
    return -1;
}

/* Control words that name no task, where no operation takes them: they are dropped. */
static void drop_control(Ref *s, Pe *pe)
{
    for (int q = 0; q < N_QUEUE; q++)
        while (ref_control_head(s, pe, q) && ctrl_task(ring_at(&pe->iq[q].r, 0)->data) == CTRL_NO_TASK && !ref_on_control(pe, q)) {
            ref_take(s, pe, q);
            ref_active(s, s->now);
        }
}

/* the control task that the head of a queue asks for, if it can start now; -1: none */
static int control_task_of(const Ref *s, const Pe *pe, int q)
{
    if (!ref_control_head(s, pe, q) || ref_on_control(pe, q)) return -1;
    int id = ref_ctrl_task(pe, q), channel = data_task_of(s, pe, q);
    if (channel < N_TASK && pe->blocked >> channel & 1) return -1;
    return pe->cls->ctrl_bound & ~pe->regs.ctrl_blocked & 1ull << id ? id : -1;
}

static uint64_t control_ready(const Ref *s, const Pe *pe)
{
    uint64_t m = 0;
    for (int q = 0; q < N_QUEUE && pe->cls->ctrl_bound; q++) {
        int id = control_task_of(s, pe, q);
        if (id >= 0) m |= 1ull << id;
    }
    return m;
}

static void start_task(Ref *s, Pe *pe, int task, uint16_t pc)
{
    Main *m = &pe->main;
    m->task = (int16_t)task;
    m->pc = pc;
    m->start_at = s->now + (uint64_t)AP(&s->b.arch, task_start);
    m->as_pending = false;
    m->slots_total = m->slots_done = 0;
    pe->left = 0;
    pe->reg[REG_SP] = (uint32_t)AP(&s->b.arch, mem_bytes);
    pe->reg_ready[REG_SP] = 0;
    ct(pe)[CT_tasks]++;
    ref_active(s, s->now);
}

static void start_call(Ref *s, Pe *pe)
{
    pe->call_running = true;
    start_task(s, pe, TASK_CALL, pe->call_pc);
    for (uint32_t i = 0; i < pe->call_nargs; i++) set_reg(pe, 1 + (int)i, pe->call_args[i], 0);
    set_reg(pe, REG_LINK, SIM_CALL_RETURN, 0);
}

/* the first id from `from` on, in the ring of all tasks and control tasks */
static int next_task(const uint64_t m[2], int from)
{
    for (int i = 0; i < N_TASK + N_CONTROL; i++) {
        int id = (from + i) % (N_TASK + N_CONTROL);
        if (m[id / N_TASK] >> id % N_TASK & 1) return id;
    }
    return 0;
}

static void start_control(Ref *s, Pe *pe, int id)
{
    int q = 0;
    while (control_task_of(s, pe, q) != id) q++;
    start_task(s, pe, TASK_CONTROL + id, pe->cls->ctrl_entry_of[id]);
    set_reg(pe, 1, ref_take(s, pe, q) & 0xffff, 0);
}

/* Does the control task of a rotating pair start instead of this data task?  Counts the start. */
static bool rotates(Pe *pe, int id)
{
    const Class *k = pe->cls;
    for (int i = 0; i < k->nrotate; i++) {
        if (k->rotate[i].id != id) continue;
        bool now = pe->starts[i] == k->rotate[i].limit;
        pe->starts[i] = now ? 0 : (uint16_t)(pe->starts[i] + 1);
        return now;
    }
    return false;
}

static void pick(Ref *s, Pe *pe)
{
    if (pe->entry_pending) {
        pe->entry_pending = false;
        start_task(s, pe, TASK_ENTRY, pe->cls->main_addr);
        return;
    }
    if (pe->call_pending && !pe->call_running) {
        start_call(s, pe);
        return;
    }
    uint64_t local = (1ull << TASK_DATA) - 1, high[2] = {pe->regs.high, pe->cls->ctrl_high};
    uint64_t m[2] = {pe->cls->bound & ~pe->blocked & ((pe->active & local) | data_ready(s, pe)), control_ready(s, pe)};
    if (!(m[0] | m[1])) return;
    int hi = (m[0] & high[0]) || (m[1] & high[1]);
    if (hi) m[0] &= high[0], m[1] &= high[1];
    int id = next_task(m, pe->task_turn[hi]);
    pe->task_turn[hi] = (uint8_t)((id + 1) % (N_TASK + N_CONTROL));
    if (id >= N_TASK) {
        start_control(s, pe, id - N_TASK);
        return;
    }
    pe->active &= ~(1ull << id);
    int q = id & TASK_DATA ? data_queue(s, pe, id) : -1;
    if (q >= 0 && rotates(pe, id)) {
        id = pe->cls->ctrl_base[q];
        start_task(s, pe, TASK_CONTROL + id, pe->cls->ctrl_entry_of[id]);
        set_reg(pe, 1, ref_take(s, pe, q) & 0xffff, 0);
        return;
    }
    start_task(s, pe, id, pe->cls->entry_of[id]);
    if (q >= 0) set_reg(pe, 1, ref_take(s, pe, q), 0);
}

/* ---- effects that come after their cause */
static void effect_now(Ref *s, Pe *pe, const Effect *e)
{
    ref_active(s, s->now);
    switch (e->kind) {
    case EF_ACT: ref_activate(s, pe, e->id, THREAD_MAIN, pe->main.pc); break;
    case EF_UNB: set_blocked(s, pe, e->id, false, THREAD_MAIN, pe->main.pc); break;
    case EF_CLOSE: pe->iq[e->id].open = false; break;
    }
}

static void run_effects(Ref *s, Pe *pe)
{
    for (ptrdiff_t i = 0; i < arrlen(pe->effects);) {
        if (pe->effects[i].at > s->now) {
            i++;
            continue;
        }
        Effect e = pe->effects[i];
        arrdel(pe->effects, i);
        effect_now(s, pe, &e);
    }
}

static void add_effect(Ref *s, Pe *pe, uint64_t at, int kind, int id)
{
    Effect e = {at, (uint8_t)kind, (uint8_t)id};
    if (at <= s->now) effect_now(s, pe, &e);
    else {
        arrput(pe->effects, e);
        ref_wake_pe(s, pe->i, at);
    }
}

/* ---- the main thread: where it stands */
static const Dec *fetch_ins(Ref *s, Pe *pe)
{
    uint16_t pc = pe->main.pc;
    uint32_t off = (uint32_t)pc - pe->cls->c->text_addr;
    if (!pe->dirty && off % 4 == 0 && off / 4 < pe->cls->ndec) return &pe->cls->dec[off / 4];
    if (pc == SIM_CALL_RETURN) return &s->ret;
    if (pc & 1 || pc + 4 > AP(&s->b.arch, mem_bytes)) {
        REF_FAULT(s, pe->i, THREAD_MAIN, pc, bad_pc, d_uint(pc), d_str(pc & 1 ? "odd" : "outside of the memory"));
        return NULL;
    }
    s->scratch = sim_decode(ref_load(s, pe, pc, 4));
    return &s->scratch;
}

static Wait until_time(uint64_t t, int cause) { return (Wait){WAIT_TIME, 0, COLOR_NONE, cause, t}; }
static const Wait ready = {WAIT_READY, 0, COLOR_NONE, CT_COUNT, 0};

static uint64_t regs_ready(const Pe *pe, uint32_t mask)
{
    uint64_t t = 0;
    for (; mask; mask &= mask - 1) {
        uint64_t r = pe->reg_ready[__builtin_ctz(mask)];
        if (r > t) t = r;
    }
    return t;
}

static Wait look_ut(const Ref *s, const Pe *pe, const Dec *d)
{
    int ut = pe->main.as_ut >= 0 ? pe->main.as_ut : ref_vec_ut(s, pe, d);
    if (ut >= 0 && pe->uts >> ut & 1) return (Wait){WAIT_UT, (uint8_t)ut, COLOR_NONE, CT_stall_ut, NEVER};
    return ready;
}

/* entries of a context or socket array that are valid */
static void read_list(Ref *s, Pe *pe, const Dec *d)
{
    Main *m = &pe->main;
    uint16_t at = (uint16_t)reg(pe, d->in.ra);
    bool rtr = d->in.op == OP_SETRTR;
    m->nlist = m->listed = 0;
    for (int i = 0; i < CTX_PAIRS; i++) {
        uint16_t color = rtr ? (uint16_t)ref_load(s, pe, (uint16_t)(at + 4 * i), 2) : 0;
        uint16_t w = (uint16_t)ref_load(s, pe, (uint16_t)(rtr ? at + 4 * i + 2 : at + 2 * i), 2);
        if (!(w & 0x8000)) continue;
        if (rtr) m->list[CTX_PAIRS + m->nlist] = color;
        m->list[m->nlist++] = w;
    }
    int each = AP(&s->b.arch, set_router_cycles);
    if (!rtr) each = AP(&s->b.arch, set_sockets_cycles);
    m->slots_total = m->nlist * (uint32_t)each;
    if (!m->slots_total) m->slots_total = 1;
    if (rtr) pe->rt->k.context = 0;
}

/* SETRTR waits for each color of the context, then reads its list.  SETSOCK reads it and waits for each entry's queue. */
static Wait look_router(Ref *s, Pe *pe, const Dec *d)
{
    const Main *m = &pe->main;
    if (d->in.op == OP_SETRTR) {
        uint32_t still = pe->rt->k.context & pe->rt->k.open;
        if (m->slots_total || !still) return ready;
        return (Wait){WAIT_SLOT, 0, (uint8_t)__builtin_ctz(still), CT_stall_router, NEVER};
    }
    if (!m->slots_total) read_list(s, pe, d);
    if (m->listed == m->nlist) return ready;
    uint16_t w = m->list[m->listed];
    const InQ *k = &pe->iq[w >> 5 & 7];
    if (w & SOCK_OUT || k->color >= N_COLOR || !k->open) return ready;
    return (Wait){WAIT_SOCKET, w >> 5 & 7, k->color, CT_stall_router, NEVER};
}

static Wait look_wait(Ref *s, Pe *pe, const Dec *d)
{
    switch (d->in.op) {
    case OP_SETRTR: case OP_SETSOCK: return look_router(s, pe, d);
    case OP_SENDC:
        if (!pe->oq[d->in.q].cap && pe->oq[d->in.q].color != COLOR_NULL)
            REF_FAULT(s, pe->i, THREAD_MAIN, pe->main.pc, no_such_queue, d_str("output"), d_int(d->in.q));
        else if (pe->oq[d->in.q].color == COLOR_NONE) REF_FAULT(s, pe->i, THREAD_MAIN, pe->main.pc, oq_unbound, d_int(d->in.q));
        else if (!ref_out_space(s, pe, d->in.q)) return (Wait){WAIT_OUTPUT, d->in.q, pe->oq[d->in.q].color, CT_stall_output, NEVER};
        return ready;
    case OP_WAITUT: {
        unsigned busy = pe->uts & d->in.imm & 0xff;
        if (busy) return (Wait){WAIT_UT, (uint8_t)__builtin_ctz(busy), COLOR_NONE, CT_stall_ut, NEVER};
        return ready;
    }
    default: return ready;
    }
}

/* Where the main thread stands in this cycle.  Sets a vector operation up as soon as only words or space can be missing. */
static Wait look(Ref *s, Pe *pe, const Dec **dp)
{
    Main *m = &pe->main;
    Wait w = ready;
    if (m->task < 0) return (Wait){WAIT_NOTHING, 0, COLOR_NONE, CT_COUNT, NEVER};
    if (s->now < m->start_at) return until_time(m->start_at, CT_COUNT);
    if (m->v.active) return ref_vec_ready(s, pe, &m->v, &w) ? ready : w;
    const Dec *d = *dp = fetch_ins(s, pe);
    if (!d) return ready;
    if (!d->op) {
        Buf b = {0};
        buf_printf(&b, "%08x", d->word);
        REF_FAULT(s, pe->i, THREAD_MAIN, m->pc, bad_instruction, d_str(b.p));
        buf_free(&b);
        return ready;
    }
    bool vec = d->op->slots == SLOT_VEC;
    if (m->as_pending && !vec) {
        REF_FAULT(s, pe->i, THREAD_MAIN, m->pc, async_not_vector, d_str(d->op->name));
        return ready;
    }
    if (!m->slots_total) {
        uint64_t t = regs_ready(pe, d->reads);
        if (t > s->now) return until_time(t, CT_stall_reg);
    }
    if (!vec) return d->op->flags & F_WAIT ? look_wait(s, pe, d) : ready;
    if (ref_vec_waits(s, pe, d, &w)) return w;
    if (m->as_pending) return look_ut(s, pe, d);
    if (!ref_vec_setup(s, pe, d, m->pc, &m->v)) return ready;
    return ref_vec_ready(s, pe, &m->v, &w) ? ready : w;
}

/* ---- the main thread: one slot */
static void print_value(Ref *s, Pe *pe, uint32_t v, int k)
{
    Buf *b = &pe->line;
    float f;
    memcpy(&f, &v, 4);
    switch (k) {
    case 0:
        for (uint32_t c, i = 0; i < 0x10000 && (c = ref_load(s, pe, (uint16_t)(v + i), 1)); i++) print_value(s, pe, c, 6);
        break;
    case 1: buf_printf(b, "%d", (int32_t)v); break;
    case 2: buf_printf(b, "%u", v); break;
    case 3: buf_printf(b, "%x", v); break;
    case 4: buf_printf(b, "%.9g", (double)f); break;
    case 5: buf_printf(b, "%.5g", (double)h_of(v)); break;
    case 6:
        if ((v & 0xff) != '\n') {
            buf_printf(b, "%c", (int)(v & 0xff));
            break;
        } /* FALLTHROUGH */
    case 7:
        if (s->b.print) s->b.print(s->b.print_user, ref_x(s, pe->i), ref_y(s, pe->i), s->b.cycle, b->p ? b->p : "");
        b->len = 0;
        if (b->p) b->p[0] = 0;
    }
}

static void launch(Ref *s, Pe *pe, const Dec *d)
{
    Main *m = &pe->main;
    int ut = m->as_ut >= 0 ? m->as_ut : ref_vec_ut(s, pe, d);
    const Dsr *fab = ref_vec_fabric(pe, d);
    if (opd_is_reg(d->in.d) || opd_is_dot(d->in.d)) {
        REF_FAULT(s, pe->i, THREAD_MAIN, m->pc, async_register, d_int(0));
        return;
    }
    if (ut < 0) {
        REF_FAULT(s, pe->i, THREAD_MAIN, m->pc, no_microthread, d_int(0));
        return;
    }
    Vec *v = &pe->ut[ut];
    if (!ref_vec_setup(s, pe, d, m->pc, v)) return;
    v->async = true;
    v->act = m->as_act, v->unb = m->as_unb;
    if (v->act < 0 && v->unb < 0 && fab) {
        if (fab->w[2] & 0x40) v->act = fab->w[2] & 63;
        if (fab->w[2] & 0x4000) v->unb = fab->w[2] >> 8 & 63;
    }
    int prio = m->as_prio;
    if (!prio && fab) prio = fab->w[3] >> 8 & 3;
    v->level = level_of[prio];
    v->since = s->now;
    pe->uts |= (uint8_t)(1u << ut);
    m->as_pending = false;
    ct(pe)[CT_slots_tsk]++;
    m->pc = (uint16_t)(m->pc + 4);
}

bool ref_bind(Ref *s, Pe *pe, uint16_t w)
{
    int q = w >> 5 & 7, color = w & 31;
    uint16_t pc = pe->main.pc;
    bool out = w & SOCK_OUT;
    const char *why = NULL;
    if (color >= N_COLOR && color != COLOR_NULL) REF_FAULT(s, pe->i, THREAD_MAIN, pc, bad_color, d_str("a socket word"), d_int(color));
    else if (!(out ? arch_oq_words(&s->b.arch, q) : arch_iq_words(&s->b.arch, q)))
        REF_FAULT(s, pe->i, THREAD_MAIN, pc, no_such_queue, d_str(out ? "output" : "input"), d_int(q));
    else if (out) {
        if (w & SOCK_LEND) why = "output queues do not lend";
        else pe->oq[q].color = (uint8_t)color;
    } else ref_bind_in(s, pe, q, (uint8_t)color, w & SOCK_LEND, &why);
    if (why) REF_FAULT(s, pe->i, THREAD_MAIN, pc, bad_lend, d_str(out ? "output" : "input"), d_int(q), d_str(why));
    ref_wake_router(s, pe->i, s->now + 1);
    return !s->b.fault.kind;
}

/* one slot of SETRTR or SETSOCK: entry k is done in its last slot */
static bool list_slot(Ref *s, Pe *pe, const Dec *d)
{
    Main *m = &pe->main;
    bool rtr = d->in.op == OP_SETRTR;
    uint32_t each = (uint32_t)AP(&s->b.arch, set_router_cycles);
    if (!rtr) each = (uint32_t)AP(&s->b.arch, set_sockets_cycles);
    bool last = m->slots_done == m->slots_total;
    while (m->listed < m->nlist && (last || (m->listed + 1u) * each <= m->slots_done)) {
        uint16_t w = m->list[m->listed];
        if (!(rtr ? ref_open_slot(s, pe, m->list[CTX_PAIRS + m->listed], w) : ref_bind(s, pe, w))) return false;
        m->listed++;
    }
    return true;
}

static bool branch_taken(Ref *s, Pe *pe, const Dec *d) { return s->tab.fn[d->in.op](reg(pe, d->in.ra), reg(pe, d->in.rb), 0, 0); }

static void exec_task(Ref *s, Pe *pe, const Dec *d)
{
    const PeIns *in = &d->in;
    Main *m = &pe->main;
    int id = d->op->fmt == FMT_R ? (int)(reg(pe, in->ra) & 63) : in->imm;
    switch (in->op) {
    case OP_DONE:
        if (m->task == TASK_CALL) pe->call_pending = pe->call_running = false, pe->call_result = pe->reg[1];
        m->task = -1;
        break;
    case OP_ACT: case OP_ACTR: ref_activate(s, pe, id, THREAD_MAIN, m->pc); break;
    case OP_BLK: case OP_BLKR: set_blocked(s, pe, id, true, THREAD_MAIN, m->pc); break;
    case OP_UNB: case OP_UNBR: set_blocked(s, pe, id, false, THREAD_MAIN, m->pc); break;
    case OP_TSC: set_reg(pe, in->rd, (uint32_t)(s->now >> (16 * in->imm)) & 0xffff, s->now + (uint64_t)s->tab.lat[in->op]); break;
    case OP_TRAP:
        if (in->imm == 0) REF_FAULT(s, pe->i, THREAD_MAIN, m->pc, assert_failed, d_int(0));
        else if (in->imm == 1) REF_FAULT(s, pe->i, THREAD_MAIN, m->pc, unreachable, d_int(0));
        else REF_FAULT(s, pe->i, THREAD_MAIN, m->pc, trap, d_int(in->imm));
        break;
    case OP_VLEFT: set_reg(pe, in->rd, pe->left, s->now + (uint64_t)s->tab.lat[in->op]); break;
    case OP_HOUT: print_value(s, pe, reg(pe, in->rd), in->imm); break;
    case OP_ASYNC:
        m->as_pending = true;
        m->as_ut = in->ut, m->as_act = in->act, m->as_unb = in->unb, m->as_prio = in->prio;
        break;
    case OP_WAITUT: break;
    }
}

static void exec_dsr(Ref *s, Pe *pe, const Dec *d)
{
    const PeIns *in = &d->in;
    Dsr *r = &pe->dsr[in->dsr];
    uint32_t a = reg(pe, in->ra);
    uint16_t w[4];
    switch (in->op) {
    case OP_LDDSR:
        for (int i = 0; i < 4; i++) w[i] = (uint16_t)ref_load(s, pe, (uint16_t)(a + (uint32_t)in->imm * 2 + (uint32_t)i * 2), 2);
        if (!ref_load_dsr(s, pe, in->dsr, in->x, w)) return;
        break;
    case OP_LDDSRR:
        w[0] = (uint16_t)a, w[1] = (uint16_t)(a >> 16), w[2] = (uint16_t)reg(pe, in->rb), w[3] = (uint16_t)(reg(pe, in->rb) >> 16);
        if (!ref_load_dsr(s, pe, in->dsr, in->x, w)) return;
        break;
    case OP_DSRB:
        r->w[0] = (uint16_t)a;
        r->pos = (Pos){.addr = (uint16_t)a};
        break;
    case OP_DSRX:
        if (r->kind == DSD_FABOUT) r->pos.cnt[0] = (uint16_t)a;
        else if (r->kind == DSD_MEM1D || r->kind == DSD_MEMND) r->pos = (Pos){.addr = (uint16_t)(r->w[0] + 2 * a)};
        break;
    case OP_DSRL: r->w[1] = (uint16_t)((r->w[1] & DSD_SAVE) | (a & LEN_ENDLESS)); break;
    }
    r->ready = s->now + (uint64_t)s->tab.lat[in->op];
}

/* the next pc of a control instruction */
static uint16_t exec_control(Ref *s, Pe *pe, const Dec *d)
{
    const PeIns *in = &d->in;
    uint16_t next = (uint16_t)(pe->main.pc + 4), target = (uint16_t)(next + in->imm * 4);
    switch (in->op) {
    case OP_JMP: return target;
    case OP_CALL: set_reg(pe, REG_LINK, next, s->now + 1); return target;
    case OP_JR: return (uint16_t)reg(pe, in->ra);
    case OP_CALLR: target = (uint16_t)reg(pe, in->ra); set_reg(pe, REG_LINK, next, s->now + 1); return target;
    case OP_LOOP: pe->loop[in->k] = reg(pe, in->ra); return pe->loop[in->k] ? next : target;
    case OP_ENDL: return --pe->loop[in->k] ? target : next;
    default: return branch_taken(s, pe, d) ? target : next;
    }
}

static void exec_mem(Ref *s, Pe *pe, const Dec *d)
{
    const PeIns *in = &d->in;
    uint16_t addr = (uint16_t)(reg(pe, in->ra) + (uint32_t)in->imm);
    int bytes = in->op == OP_LDW || in->op == OP_STW ? 4 : in->op == OP_LDB || in->op == OP_LDBU || in->op == OP_STB ? 1 : 2;
    if (s->check && in->ra == REG_SP && reg(pe, REG_SP) < ref_data_end(pe->cls->c)) {
        REF_FAULT(s, pe->i, THREAD_MAIN, pe->main.pc, stack_overflow, d_uint(reg(pe, REG_SP)), d_uint(ref_data_end(pe->cls->c)));
        return;
    }
    if (d->op->flags & F_STORE) ref_store(s, pe, addr, bytes, reg(pe, in->rd));
    else set_reg(pe, in->rd, s->tab.fn[in->op](ref_load(s, pe, addr, bytes), 0, 0, 0), s->now + (uint64_t)s->tab.lat[in->op]);
}

/* the effect of a scalar instruction, in its last slot */
static void exec(Ref *s, Pe *pe, const Dec *d)
{
    const PeIns *in = &d->in;
    uint16_t next = (uint16_t)(pe->main.pc + 4);
    switch (d->op->unit) {
    case UNIT_MEM: exec_mem(s, pe, d); break;
    case UNIT_CTL: next = exec_control(s, pe, d); break;
    case UNIT_TSK: exec_task(s, pe, d); break;
    case UNIT_DSR: exec_dsr(s, pe, d); break;
    case UNIT_RTR: break;
    case UNIT_FAB: ref_send(s, pe, in->q, (SimWord){.data = reg(pe, in->ra), .control = true}, THREAD_MAIN, pe->main.pc); break;
    case UNIT_INT: case UNIT_FPU: {
        bool imm = d->op->fmt == FMT_RRI || d->op->fmt == FMT_RI;
        uint32_t v = s->tab.fn[in->op](reg(pe, in->ra), imm ? (uint32_t)in->imm : reg(pe, in->rb), reg(pe, in->rc), reg(pe, in->rd));
        set_reg(pe, in->rd, v, s->now + (uint64_t)s->tab.lat[in->op]);
        sim_count_flops(ct(pe), s->tab.flops[in->op], 1);
    }
    }
    if (s->b.fault.kind) return;                         /* the pc stays at the instruction */
    pe->main.pc = next;
    ct(pe)[CT_instrs]++;
}

static void scalar_slot(Ref *s, Pe *pe, const Dec *d)
{
    Main *m = &pe->main;
    if (!m->slots_total) {
        int n = s->tab.slots[d->in.op];
        if (n == SLOT_BRANCH) n = branch_taken(s, pe, d) ? AP(&s->b.arch, branch_taken) : AP(&s->b.arch, branch_not_taken);
        if (n == SLOT_SETRTR) read_list(s, pe, d);
        else m->slots_total = n < 1 ? 1 : (uint32_t)n;
    }
    ct(pe)[s->tab.slot_ct[d->in.op]]++;
    m->slots_done++;
    if (d->op->unit == UNIT_RTR && !list_slot(s, pe, d)) return;
    if (m->slots_done < m->slots_total) return;
    m->slots_done = m->slots_total = 0;
    exec(s, pe, d);
}

static void main_slot(Ref *s, Pe *pe, const Dec *d)
{
    Main *m = &pe->main;
    uint16_t pc = m->pc;
    m->since = s->now;
    if (m->v.active) {
        ct(pe)[s->tab.slot_ct[m->v.opcode]]++;
        if (ref_vec_issue(s, pe, &m->v, THREAD_MAIN)) m->pc = (uint16_t)(m->pc + 4);
    } else if (m->as_pending) launch(s, pe, d);
    else scalar_slot(s, pe, d);
    if (s->check) ref_report_stray(s, pe, THREAD_MAIN, pc);
}

/* ---- microthreads */
static void ut_slot(Ref *s, Pe *pe, int t)
{
    Vec *v = &pe->ut[t];
    ct(pe)[CT_slots_ut]++;
    ct(pe)[s->tab.slot_ct[v->opcode]]++;
    pe->turn[v->level] = (uint8_t)((t + 1) % N_UT);
    bool last = ref_vec_issue(s, pe, v, t);
    if (s->check) ref_report_stray(s, pe, t, v->pc);
    if (!last) return;
    pe->uts &= (uint8_t)~(1u << t);
    uint64_t at = s->now + (v->d.kind == OK_OUT ? (uint64_t)AP(&s->b.arch, fab_op) : 0);
    if (v->act >= 0) add_effect(s, pe, at, EF_ACT, v->act);
    if (v->unb >= 0) add_effect(s, pe, at, EF_UNB, v->unb);
}

/* the microthread of a level that issues next; -1: none can */
static int ut_ready(const Ref *s, const Pe *pe, int level)
{
    for (int i = 0; i < N_UT; i++) {
        int t = (pe->turn[level] + i) % N_UT;
        if (pe->uts >> t & 1 && !(pe->regs.ut_blocked >> t & 1) && pe->ut[t].level == level && ref_vec_ready(s, pe, &pe->ut[t], NULL)) return t;
    }
    return -1;
}

/* ---- the cycle */
void ref_charge(Ref *s, Pe *pe, uint64_t now)
{
    Main *m = &pe->main;
    assert(now >= m->charged);
    if (m->wait.cause != CT_COUNT) ct(pe)[m->wait.cause] += now - m->charged;
    m->charged = now;
}

static bool issue(Ref *s, Pe *pe, const Dec *d)
{
    bool main_ready = pe->main.wait.kind == WAIT_READY;
    for (int level = LEVEL_HIGH; level >= LEVEL_LOW; level--) {
        if (level == LEVEL_MAIN) {
            if (!main_ready) continue;
            main_slot(s, pe, d);
            return true;
        }
        int t = pe->uts ? ut_ready(s, pe, level) : -1;
        if (t < 0) continue;
        ut_slot(s, pe, t);
        if (main_ready) pe->main.wait.cause = CT_stall_slot;
        return true;
    }
    return false;
}

void ref_pe_step(Ref *s, Pe *pe)
{
    Main *m = &pe->main;
    const Dec *d = NULL;
    if (arrlen(pe->effects)) run_effects(s, pe);
    if (pe->cls->c->uses & USES_CONTROL) drop_control(s, pe);
    if (pe->regs.flush) ref_flush(s, pe);
    ref_charge(s, pe, s->now);
    if (s->b.fault.kind) return;
    if (m->wait.kind == WAIT_TIME && s->now == m->wait.until) ref_active(s, s->now);
    m->wait = look(s, pe, &d);
    if (s->b.fault.kind) return;
    bool issued = issue(s, pe, d);
    if (s->b.fault.kind) return;
    if (issued) {
        ct(pe)[CT_slots]++;
        ref_active(s, s->now);
        ref_wake_pe(s, pe->i, s->now + 1);
    } else if (m->wait.until != NEVER && m->wait.kind == WAIT_TIME) ref_wake_pe(s, pe->i, m->wait.until);
    if (m->task < 0) {
        pick(s, pe);
        if (m->task >= 0) {
            m->wait = until_time(m->start_at, CT_COUNT);
            ref_wake_pe(s, pe->i, m->start_at > s->now ? m->start_at : s->now + 1);
            if (pe->cls->c->uses & USES_CONTROL || pe->regs.flush) ref_wake_pe(s, pe->i, s->now + 1);     /* the word behind the task's */
        }
    }
    for (ptrdiff_t i = 0; i < arrlen(pe->effects); i++) ref_wake_pe(s, pe->i, pe->effects[i].at);
}
