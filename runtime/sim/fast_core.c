/* runtime/sim/fast_core.c: a core in its own time (docs/machine.md, "Threads"; docs/engine.md).
 *
 *   run_main   no microthread runs and no effect is due: the main thread goes from instruction to instruction, whole
 *              operations at once, until a word or a place is missing that nobody knows of yet
 *   step       one cycle as the specification has it: effects, one issue slot among all threads, pick; then on to the next
 *              cycle in which anything of this core can change
 *
 * Both stop where the answer is not known (R_UNKNOWN) and where all must be in step: at faults, prints, SETRTR, SETSOCK. */
#include "runtime/sim/fast.h"
#include "runtime/sim/fast_mem.h"
#include "runtime/sim/pe_el.h"
#include <assert.h>
#include <string.h>

enum { OUTSIDE_WORD = 1, OUTSIDE_PLACE = 2 };
enum { LEVEL_LOW, LEVEL_MAIN, LEVEL_MEDIUM, LEVEL_HIGH };
static const uint8_t level_of[4] = {LEVEL_MEDIUM, LEVEL_LOW, LEVEL_MEDIUM, LEVEL_HIGH};   /* by priority field */
static const FWait ready = {WAIT_READY, 0, COLOR_NONE, NO_CAUSE, 0};

static inline void set_reg(Core *p, int r, uint32_t v, uint64_t t, int lat)
{
    if (!r) return;
    p->reg[r] = v;
    p->reg_pend &= ~(1u << r);
    if (lat <= 1) return;                                /* the next instruction is a cycle later anyway */
    p->reg_ready[r] = (uint32_t)(t + (uint64_t)lat);
    p->reg_pend |= 1u << r;
    if (t + (uint64_t)lat > p->reg_max) p->reg_max = t + (uint64_t)lat;
}

/* from when on all of these registers can be read; at most t: now */
static uint64_t regs_ready(Core *p, uint32_t mask, uint64_t t)
{
    if (t >= p->reg_max) {
        p->reg_pend = 0;
        return 0;
    }
    uint64_t at = 0;
    for (mask &= p->reg_pend; mask; mask &= mask - 1) {
        uint64_t r = t + (uint64_t)(int64_t)(int32_t)(p->reg_ready[__builtin_ctz(mask)] - (uint32_t)t);
        if (r > at) at = r;
    }
    return at;
}

/* The cycles up to t are charged to what the thread waits for.  At the end of a run t may lie before `charged`. */
void fast_charge(Core *p, uint64_t t)
{
    if (p->wait.cause >= 0) p->ct[p->wait.cause] += t - p->charged;
    p->charged = t;
}

/* ---- tasks */
static bool task_exists(const Fast *s, int id)
{
    const Arch *a = &s->b.arch;
    if (id & TASK_DATA) return (id & ~TASK_DATA) < AP(a, data_ids);
    return id >= AP(a, local_id_min) && id <= AP(a, local_id_max);
}

bool fast_can_activate(const Fast *s, const Core *p, int id) { return task_exists(s, id) && p->cls->bound >> id & 1; }

bool fast_activate(Fast *s, Core *p, int id, int thread, uint16_t pc)
{
    if (!task_exists(s, id)) FAST_FAULT(s, p->i, thread, pc, bad_task, d_int(id));
    else if (!(p->cls->bound >> id & 1)) FAST_FAULT(s, p->i, thread, pc, task_unbound, d_int(id));
    else {
        p->active |= 1ull << id;
        return true;
    }
    return false;
}

static void set_blocked(Fast *s, Core *p, int id, bool on)
{
    if (!task_exists(s, id)) FAST_FAULT(s, p->i, THREAD_MAIN, p->pc, bad_task, d_int(id));
    else if (on) p->blocked |= 1ull << id;
    else p->blocked &= ~(1ull << id);
}

static unsigned read_by_microthreads(const Core *p)
{
    unsigned qs = 0;
    for (unsigned m = p->uts; m; m &= m - 1) {
        const FVec *v = p->ut[__builtin_ctz(m)];
        if (v->a.kind == OK_IN) qs |= 1u << v->a.idx;
        if (v->b.kind == OK_IN) qs |= 1u << v->b.idx;
    }
    return qs;
}

static int data_task_of(const Fast *s, const Core *p, int q) { return TASK_DATA + (s->b.arch.id == ARCH_WSE3 ? q : p->iq[q].color); }

/* Data tasks with a word at the head of their queue in cycle t, a bit per id.  *unknown: others may have one;
 * *next: when the next word that has come can be read. */
static uint64_t data_ready(const Fast *s, const Core *p, uint64_t t, bool *unknown, uint64_t *next)
{
    uint64_t m = 0;
    *unknown = false;
    *next = NEVER;
    if (!(p->cls->bound >> TASK_DATA)) return 0;
    unsigned busy = read_by_microthreads(p);
    for (int q = 0; q < N_QUEUE; q++) {
        const FIn *k = &p->iq[q];
        if (busy >> q & 1 || (s->b.arch.id == ARCH_WSE2 && k->color >= N_COLOR)) continue;
        uint64_t bit = 1ull << data_task_of(s, p, q);
        if (!(p->cls->bound & ~p->blocked & bit)) continue;
        if (k->pop == k->tail) {
            if (k->color < N_COLOR && t > s->now + s->ramp_down) *unknown = true;
            continue;
        }
        uint64_t at = fast_in_at(k, k->pop);
        if (p->ctl && fast_is_control(p, q, k->pop)) continue;
        if (at <= t) m |= bit;
        else if (at < *next) *next = at;
    }
    return m;
}

static int data_queue(const Fast *s, const Core *p, int id, uint64_t t)
{
    for (int q = 0; q < N_QUEUE; q++) {
        const FIn *k = &p->iq[q];
        if (k->pop != k->tail && fast_in_at(k, k->pop) <= t && !fast_is_control(p, q, k->pop) && data_task_of(s, p, q) == id) return q;
    }
    return -1;
}

static void start_task(Fast *s, Core *p, int task, uint16_t pc, uint64_t t)
{
    p->task = (int16_t)task;
    p->pc = pc;
    p->start_at = t + (uint64_t)AP(&s->b.arch, task_start);
    p->as_pending = false;
    p->slots_total = p->slots_done = 0;
    if (p->more) p->more->left = 0;
    set_reg(p, REG_SP, s->mem_bytes, t, 0);
    p->ct[CT_tasks]++;
    p->wait = (FWait){WAIT_TIME, 0, COLOR_NONE, NO_CAUSE, p->start_at};
    p->charged = t;
    fast_active(s, t);
}

/* the first id from `from` on, in the ring of all tasks and, behind them, control tasks */
static int next_task(uint64_t m, uint64_t control, int from)
{
    const uint64_t all[2] = {m, control};
    for (int i = 0; i < N_TASK + N_CONTROL; i++) {
        const int id = (from + i) % (N_TASK + N_CONTROL);
        if (all[id / N_TASK] >> id % N_TASK & 1) return id;
    }
    return 0;
}

static void start_control(Fast *s, Core *p, int id, uint64_t t)
{
    int q = 0;
    while (fast_control_task(s, p, q, t) != id) q++;
    start_task(s, p, TASK_CONTROL + id, p->cls->ctrl_entry_of[id], t);
    set_reg(p, 1, fast_take(s, p, q, t) & 0xffff, t, 0);
}

/* R_READY: a task was picked; R_NO: none can be, *next says when to look again; R_UNKNOWN.  alone: nothing but the pick is left
 * to do in cycle t, and words that nobody knows of yet wake the core. */
static Ready pick(Fast *s, Core *p, uint64_t t, bool alone, uint64_t *next)
{
    *next = NEVER;
    if (p->entry_pending) {
        p->entry_pending = false;
        start_task(s, p, TASK_ENTRY, p->cls->main_addr, t);
        return R_READY;
    }
    if (p->call_pending && !p->call_running) {
        p->call_running = true;
        start_task(s, p, TASK_CALL, p->call_pc, t);
        for (uint32_t i = 0; i < p->call_nargs; i++) set_reg(p, 1 + (int)i, p->call_args[i], t, 0);
        set_reg(p, REG_LINK, SIM_CALL_RETURN, t, 0);
        return R_READY;
    }
    const FClass *k = p->cls;
    bool unknown;
    uint64_t m = data_ready(s, p, t, &unknown, next) | (p->active & ((1ull << TASK_DATA) - 1));
    uint64_t control = k->ctrl_bound ? fast_control_ready(s, p, t, &unknown, next) : 0;
    if (k->tear && t > s->now + s->ramp_down) unknown = true;
    m &= k->bound & ~p->blocked;
    if (unknown && (m | control || !alone)) return R_UNKNOWN;
    if (!(m | control)) return R_NO;
    const uint64_t high = p->more ? p->more->regs.high : k->high;
    int hi = (m & high) != 0 || (control & k->ctrl_high) != 0;
    if (hi) m &= high, control &= k->ctrl_high;
    if (k->ctrl_bound) {
        const int id = next_task(m, control, p->task_turn[hi]);
        p->task_turn[hi] = (uint8_t)((id + 1) % (N_TASK + N_CONTROL));
        if (id >= N_TASK) {
            start_control(s, p, id - N_TASK, t);
            return R_READY;
        }
        m = 1ull << id;
    }
    uint64_t from = m & (UINT64_MAX << (p->task_turn[hi] & 63));
    int id = __builtin_ctzll(from ? from : m);
    if (!k->ctrl_bound) p->task_turn[hi] = (uint8_t)((id + 1) % N_TASK);
    p->active &= ~(1ull << id);
    int q = id & TASK_DATA ? data_queue(s, p, id, t) : -1;
    if (k->nrotate && q >= 0 && fast_rotates(p, id)) {
        start_task(s, p, TASK_CONTROL + k->ctrl_base[q], k->ctrl_entry_of[k->ctrl_base[q]], t);
        set_reg(p, 1, fast_take(s, p, q, t) & 0xffff, t, 0);
        return R_READY;
    }
    start_task(s, p, id, p->cls->entry_of[id], t);
    if (q >= 0) set_reg(p, 1, fast_take(s, p, q, t), t, 0);
    return R_READY;
}

/* ---- effects that come after their cause */
static void apply(Fast *s, Core *p, const FEffect *e)
{
    if (e->kind == EF_ACT) fast_activate(s, p, e->id, THREAD_MAIN, p->pc);
    else set_blocked(s, p, e->id, false);
}

/* false: one is a fault, and t is not now yet */
static bool run_effects(Fast *s, Core *p, uint64_t t)
{
    for (ptrdiff_t i = 0; i < arrlen(p->effects);) {
        FEffect e = p->effects[i];
        if (e.at > t) {
            i++;
            continue;
        }
        if (t > s->now && !(e.kind == EF_ACT ? fast_can_activate(s, p, e.id) : task_exists(s, e.id))) return false;
        arrdel(p->effects, i);
        fast_active(s, e.at);
        apply(s, p, &e);
    }
    return true;
}

static void add_effect(Fast *s, Core *p, uint64_t at, int kind, int id, uint64_t t)
{
    FEffect e = {at, (uint8_t)kind, (uint8_t)id};
    fast_active(s, t);
    if (at <= t) apply(s, p, &e);
    else arrput(p->effects, e);
}

/* ---- instructions */
static const FDec *fetch_ins(Fast *s, Core *p, uint64_t t)
{
    uint16_t pc = p->pc;
    uint32_t off = (uint32_t)pc - p->cls->text_addr;
    if (!p->dirty && off % 4 == 0 && off / 4 < p->cls->ndec) return &p->cls->dec[off / 4];
    if (pc == SIM_CALL_RETURN) return &s->ret;
    if (pc & 1 || pc + 4u > s->mem_bytes) {
        if (t == s->now) FAST_FAULT(s, p->i, THREAD_MAIN, pc, bad_pc, d_uint(pc), d_str(pc & 1 ? "odd" : "outside of the memory"));
        return NULL;
    }
    fast_decode(s, &s->scratch, fast_load(s, p, pc, 4));
    fast_foreign(s, p, &s->scratch);
    return &s->scratch;
}

static void print_value(Fast *s, Core *p, uint32_t v, int k)
{
    Buf *b = &p->line;
    switch (k) {
    case 0:
        for (uint32_t c, i = 0; i < 0x10000 && (c = fast_load(s, p, (uint16_t)(v + i), 1)); i++) print_value(s, p, c, 6);
        break;
    case 1: buf_printf(b, "%d", (int32_t)v); break;
    case 2: buf_printf(b, "%u", v); break;
    case 3: buf_printf(b, "%x", v); break;
    case 4: buf_printf(b, "%.9g", (double)s_of(v)); break;
    case 5: buf_printf(b, "%.5g", (double)h_of(v)); break;
    case 6:
        if ((v & 0xff) != '\n') {
            buf_printf(b, "%c", (int)(v & 0xff));
            break;
        } /* FALLTHROUGH */
    case 7: {
        __typeof__(s->lines[0]) line = {p->i, strdup(b->p ? b->p : "")};
        arrput(s->lines, line);
        b->len = 0;
        if (b->p) b->p[0] = 0;
    }
    }
}

static int task_operand(const Core *p, const FDec *d) { return d->op->fmt == FMT_R ? (int)(p->reg[d->in.ra] & 63) : d->in.imm; }

static void read_descriptor(Fast *s, Core *p, const FDec *d, uint16_t w[4])
{
    uint32_t a = p->reg[d->in.ra], b = p->reg[d->in.rb];
    if (d->in.op == OP_LDDSR)
        for (uint32_t i = 0; i < 4; i++) w[i] = (uint16_t)fast_load(s, p, (uint16_t)(a + (uint32_t)d->in.imm * 2 + i * 2), 2);
    else w[0] = (uint16_t)a, w[1] = (uint16_t)(a >> 16), w[2] = (uint16_t)b, w[3] = (uint16_t)(b >> 16);
}

/* Must the last slot of this instruction wait for the clock: a fault, or a line for the host? */
static bool must_meet(Fast *s, Core *p, const FDec *d)
{
    if (p->cls->regs && (d->kind == K_MEM || d->in.op == OP_LDDSR)) {
        const bool mem = d->kind == K_MEM;
        if (fast_leaves(s, p, (uint16_t)(p->reg[d->in.ra] + (uint32_t)d->in.imm * (mem ? 1 : 2)), mem ? 4 : 8)) return true;
        if (mem) return false;
    }
    switch (d->in.op) {
    case OP_TRAP: return true;
    case OP_HOUT: return d->in.imm == 0 || d->in.imm == 7 || (d->in.imm == 6 && (p->reg[d->in.rd] & 0xff) == '\n');
    case OP_ACT: case OP_ACTR: return !fast_can_activate(s, p, task_operand(p, d));
    case OP_BLK: case OP_BLKR: case OP_UNB: case OP_UNBR: return !task_exists(s, task_operand(p, d));
    case OP_LDDSR: case OP_LDDSRR: {
        uint16_t w[4];
        uint64_t stray = p->ct[CT_stray];
        read_descriptor(s, p, d, w);
        p->ct[CT_stray] = stray;
        if ((w[3] & 7) == DSD_MEMND && fast_leaves(s, p, w[2], 16)) return true;
        return (w[3] & 7) == DSD_NONE || (w[3] & 7) > (p->cls->c->uses & USES_DSD ? DSD_FIFO : DSD_FABOUT);
    }
    default: return false;
    }
}

static void exec_task(Fast *s, Core *p, const FDec *d, uint64_t t)
{
    const PeIns *in = &d->in;
    switch (in->op) {
    case OP_DONE:
        if (p->task == TASK_CALL) p->call_pending = p->call_running = false, p->call_result = p->reg[1];
        p->task = -1;
        break;
    case OP_ACT: case OP_ACTR: fast_activate(s, p, task_operand(p, d), THREAD_MAIN, p->pc); break;
    case OP_BLK: case OP_BLKR: set_blocked(s, p, task_operand(p, d), true); break;
    case OP_UNB: case OP_UNBR: set_blocked(s, p, task_operand(p, d), false); break;
    case OP_TSC: set_reg(p, in->rd, (uint32_t)(t >> (16 * in->imm)) & 0xffff, t, d->lat); break;
    case OP_TRAP:
        if (in->imm == 0) FAST_FAULT(s, p->i, THREAD_MAIN, p->pc, assert_failed, d_int(0));
        else if (in->imm == 1) FAST_FAULT(s, p->i, THREAD_MAIN, p->pc, unreachable, d_int(0));
        else FAST_FAULT(s, p->i, THREAD_MAIN, p->pc, trap, d_int(in->imm));
        break;
    case OP_VLEFT: set_reg(p, in->rd, p->more ? p->more->left : 0, t, d->lat); break;
    case OP_HOUT: print_value(s, p, p->reg[in->rd], in->imm); break;
    case OP_ASYNC:
        p->as_pending = true;
        p->as_ut = in->ut, p->as_act = in->act, p->as_unb = in->unb, p->as_prio = in->prio;
        break;
    case OP_WAITUT: break;
    }
}

static void exec_dsr(Fast *s, Core *p, const FDec *d, uint64_t t)
{
    const PeIns *in = &d->in;
    FDsr *r = &p->dsr[d->dsr[0]];
    uint16_t w[4];
    switch (in->op) {
    case OP_LDDSR: case OP_LDDSRR: {
        static const char *const files[] = {"dest", "src0", "src1"};
        read_descriptor(s, p, d, w);
        if (fast_load_dsr(s, p, d->dsr[0], in->x, w)) break;
        FAST_FAULT(s, p->i, THREAD_MAIN, p->pc, bad_descriptor, d_int(w[3] & 7), d_str(files[in->dsr / N_DSR]), d_int(in->dsr % N_DSR));
        return;
    }
    case OP_DSRB:
        r->w[0] = r->addr = (uint16_t)p->reg[in->ra];
        if (r->nest) memset(p->cnt[r->nest - 1], 0, sizeof p->cnt[0]);
        break;
    case OP_DSRX:
        if (r->kind == DSD_FABOUT) {
            fast_nests(s, p, r);
            p->cnt[r->nest - 1][0] = (uint16_t)p->reg[in->ra];
        }
        else if (r->kind == DSD_MEM1D || r->kind == DSD_MEMND) {
            r->addr = (uint16_t)(r->w[0] + 2 * p->reg[in->ra]);
            if (r->nest) memset(p->cnt[r->nest - 1], 0, sizeof p->cnt[0]);
        }
        break;
    case OP_DSRL: r->w[1] = (uint16_t)((r->w[1] & DSD_SAVE) | (p->reg[in->ra] & LEN_ENDLESS)); break;
    }
    fast_dsr_busy(p, d->dsr[0], t, d->lat);
}

static bool branch_taken(const Core *p, const FDec *d) { return d->fn(p->reg[d->in.ra], p->reg[d->in.rb], 0, 0); }

static uint16_t exec_control(Core *p, const FDec *d, uint64_t t)
{
    const PeIns *in = &d->in;
    uint16_t next = (uint16_t)(p->pc + 4), target = (uint16_t)(next + in->imm * 4);
    switch (in->op) {
    case OP_JMP: return target;
    case OP_CALL: set_reg(p, REG_LINK, next, t, 1); return target;
    case OP_JR: return (uint16_t)p->reg[in->ra];
    case OP_CALLR: target = (uint16_t)p->reg[in->ra]; set_reg(p, REG_LINK, next, t, 1); return target;
    case OP_LOOP: p->loop[in->k] = p->reg[in->ra]; return p->loop[in->k] ? next : target;
    case OP_ENDL: return --p->loop[in->k] ? target : next;
    default: return branch_taken(p, d) ? target : next;
    }
}

static void exec_mem(Fast *s, Core *p, const FDec *d, uint64_t t)
{
    const PeIns *in = &d->in;
    uint16_t addr = (uint16_t)(p->reg[in->ra] + (uint32_t)in->imm);
    int bytes = in->op == OP_LDW || in->op == OP_STW ? 4 : in->op == OP_LDB || in->op == OP_LDBU || in->op == OP_STB ? 1 : 2;
    if (d->op->flags & F_STORE) fast_store(s, p, addr, bytes, p->reg[in->rd]);
    else set_reg(p, in->rd, d->fn(fast_load(s, p, addr, bytes), 0, 0, 0), t, d->lat);
}

/* the effect of a scalar instruction, in its last slot t */
static inline void exec(Fast *s, Core *p, const FDec *d, uint64_t t)
{
    const PeIns *in = &d->in;
    uint16_t next = (uint16_t)(p->pc + 4);
    switch ((InsKind)d->kind) {
    case K_ALU: {
        bool imm = d->op->fmt == FMT_RRI || d->op->fmt == FMT_RI;
        set_reg(p, in->rd, d->fn(p->reg[in->ra], imm ? (uint32_t)in->imm : p->reg[in->rb], p->reg[in->rc], p->reg[in->rd]), t, d->lat);
        if (d->flops) sim_count_flops(p->ct, d->flops, 1);
        break;
    }
    case K_MEM: exec_mem(s, p, d, t); break;
    case K_CTL: next = exec_control(p, d, t); break;
    case K_TSK: exec_task(s, p, d, t); break;
    case K_DSR: exec_dsr(s, p, d, t); break;
    case K_FAB: fast_send(s, p, in->q, p->reg[in->ra], true, t); break;
    case K_RTR: case K_VEC: case K_BAD: break;
    }
    p->pc = next;
    p->ct[CT_instrs]++;
}

/* ---- SETRTR, SETSOCK: always at t == now */
/* entries of a context or socket array that are valid */
static void read_list(Fast *s, Core *p, const FDec *d)
{
    uint16_t at = (uint16_t)p->reg[d->in.ra];
    bool rtr = d->in.op == OP_SETRTR;
    if (!p->list) p->list = ARENA_ARR(s->arena, uint16_t, 2 * CTX_PAIRS);
    p->nlist = p->listed = 0;
    for (int i = 0; i < CTX_PAIRS; i++) {
        uint16_t color = rtr ? (uint16_t)fast_load(s, p, (uint16_t)(at + 4 * i), 2) : 0;
        uint16_t w = (uint16_t)fast_load(s, p, (uint16_t)(rtr ? at + 4 * i + 2 : at + 2 * i), 2);
        if (!(w & 0x8000)) continue;
        if (rtr) p->list[CTX_PAIRS + p->nlist] = color;
        p->list[p->nlist++] = w;
    }
    int each = rtr ? AP(&s->b.arch, set_router_cycles) : AP(&s->b.arch, set_sockets_cycles);
    p->slots_total = p->nlist * (uint32_t)each;
    if (!p->slots_total) p->slots_total = 1;
    Router *r = &s->rt[p->i];
    if (rtr) *(r->x ? &r->x->k.context : &r->context) = 0;
}

static Ready look_router(Fast *s, Core *p, const FDec *d, FWait *w)
{
    const Router *r = &s->rt[p->i];
    if (d->in.op == OP_SETRTR) {
        uint32_t still = r->x ? r->x->k.context & r->x->k.open : r->context & r->open;
        if (p->slots_total || !still) return R_READY;
        *w = (FWait){WAIT_SLOT, 0, (uint8_t)__builtin_ctz(still), CT_stall_router, NEVER};
        return R_NO;
    }
    if (!p->slots_total) read_list(s, p, d);
    if (p->listed == p->nlist) return R_READY;
    uint16_t e = p->list[p->listed];
    const FIn *k = &p->iq[e >> 5 & 7];
    if (e & SOCK_OUT || k->color >= N_COLOR || !k->open) return R_READY;
    *w = (FWait){WAIT_SOCKET, e >> 5 & 7, k->color, CT_stall_router, NEVER};
    return R_NO;
}

bool fast_bind(Fast *s, Core *p, uint16_t w)
{
    int q = w >> 5 & 7, color = w & 31;
    bool out = w & SOCK_OUT, fine = true;
    const char *why = NULL;
    if (color >= N_COLOR && color != COLOR_NULL) {
        FAST_FAULT(s, p->i, THREAD_MAIN, p->pc, bad_color, d_str("a socket word"), d_int(color));
        return false;
    }
    if (!(out ? arch_oq_words(&s->b.arch, q) : arch_iq_words(&s->b.arch, q))) {
        FAST_FAULT(s, p->i, THREAD_MAIN, p->pc, no_such_queue, d_str(out ? "output" : "input"), d_int(q));
        return false;
    }
    if (!out) fine = fast_bind_in(s, p, q, (uint8_t)color, w & SOCK_LEND, &why);
    else if (w & SOCK_LEND) fine = false, why = "output queues do not lend";
    else p->oq[q].color = (uint8_t)color;
    if (!fine) FAST_FAULT(s, p->i, THREAD_MAIN, p->pc, bad_lend, d_str(out ? "output" : "input"), d_int(q), d_str(why));
    Router *r = &s->rt[p->i];
    if (r->x) fast_wake_router(s, p->i, s->now + 1);
    for (uint32_t m = r->ramp_blocked; m; m &= m - 1) fast_relist(s, p->i, __builtin_ctz(m), s->now + 1);
    r->ramp_blocked = 0;
    return fine;
}

/* one slot: entry k is done in its last slot; false: a fault */
static bool list_slot(Fast *s, Core *p, const FDec *d)
{
    bool rtr = d->in.op == OP_SETRTR;
    uint32_t each = (uint32_t)(rtr ? AP(&s->b.arch, set_router_cycles) : AP(&s->b.arch, set_sockets_cycles));
    bool last = p->slots_done == p->slots_total;
    while (p->listed < p->nlist && (last || (p->listed + 1u) * each <= p->slots_done)) {
        uint16_t w = p->list[p->listed];
        if (!(rtr ? fast_open_slot(s, p, p->list[CTX_PAIRS + p->listed], w) : fast_bind(s, p, w))) return false;
        p->listed++;
    }
    return true;
}

/* ---- launching */
/* false: a fault; raised if t is now */
static bool launch(Fast *s, Core *p, const FDec *d, uint64_t t)
{
    int ut = p->as_ut >= 0 ? p->as_ut : fast_vec_ut(p, d);
    const FDsr *fab = fast_vec_fabric(p, d);
    if (opd_is_reg(d->in.d) || opd_is_dot(d->in.d)) {
        if (t == s->now) FAST_FAULT(s, p->i, THREAD_MAIN, p->pc, async_register, d_int(0));
        return false;
    }
    if (ut < 0) {
        if (t == s->now) FAST_FAULT(s, p->i, THREAD_MAIN, p->pc, no_microthread, d_int(0));
        return false;
    }
    if (!p->ut) p->ut = fast_get(s, N_UT * sizeof *p->ut);
    if (!p->ut[ut]) p->ut[ut] = fast_get(s, sizeof *p->ut[ut]);
    FVec *v = p->ut[ut];
    if (fast_vec_setup(s, p, d, p->pc, v, t)) return false;
    v->async = true;
    v->act = p->as_act, v->unb = p->as_unb;
    if (v->act < 0 && v->unb < 0 && fab) {
        if (fab->w[2] & 0x40) v->act = fab->w[2] & 63;
        if (fab->w[2] & 0x4000) v->unb = fab->w[2] >> 8 & 63;
    }
    v->bad_action = (v->act >= 0 && !fast_can_activate(s, p, v->act)) || (v->unb >= 0 && !task_exists(s, v->unb));
    int prio = p->as_prio;
    if (!prio && fab) prio = fab->w[3] >> 8 & 3;
    v->level = level_of[prio];
    v->since = t;
    p->uts |= (uint8_t)(1u << ut);
    p->as_pending = false;
    p->ct[CT_slots_tsk]++;
    p->pc = (uint16_t)(p->pc + 4);
    return true;
}

/* ---- sleeping */
/* until the clock reaches t */
static bool meet(Fast *s, Core *p, uint64_t t)
{
    s->slow[SLOW_clock_waits]++;
    p->t = t;
    fast_wake_core(s, p, t > s->now ? t : s->now + 1);
    return false;
}

static bool far_ahead(Fast *s, Core *p, uint64_t t)
{
    p->t = t;
    fast_wake_core(s, p, t >= s->limit ? t : t - WINDOW / 2);
    return false;
}

/* the answer for cycle t will be known, or an event tells it before */
static bool park(Fast *s, Core *p, uint64_t t)
{
    s->slow[SLOW_word_waits]++;
    p->t = t;
    p->want_in = p->want_out = 0xff;
    p->want_slot = true;
    fast_wake_core(s, p, t > s->now + s->ramp_down + 1 ? t - s->ramp_down : s->now + 1);
    return false;
}

/* until a word or a place is there */
static bool sleep_vec(Fast *s, Core *p, uint64_t t, const FWait *w)
{
    const FVec *v = p->v;
    p->t = t;
    p->wait = *w;
    p->charged = t;
    if (w->kind == WAIT_FIFO) return false;
    if (w->kind == WAIT_OUTPUT) {
        p->want_out = (uint8_t)(1u << w->queue);
        return false;
    }
    p->want_in = (uint8_t)(1u << w->queue);
    p->sure = s->sure_input;
    /* Nothing but the places in the queue depends on when its words are taken, and these matter only when it is full:
     * sleep until all that the operation needs is there. */
    if (v->d.kind != OK_OUT && !v->fifo && !v->meet && !p->ctl && v->width == 1 && (v->a.kind == OK_IN) != (v->b.kind == OK_IN)) {
        uint32_t left = v->total - v->done, cap = p->iq[w->queue].cap;
        if (v->endless || left > cap) left = cap;
        if (left > 1) p->want_n = (uint16_t)left, p->lazy = true;
    }
    return false;
}

/* Until all words are there that an operation takes; it has not been set up. */
static bool sleep_hot(const Fast *s, Core *p, uint64_t t, uint32_t want)
{
    int q = want & 7;
    p->t = t;
    p->wait = (FWait){WAIT_INPUT, (uint8_t)q, p->iq[q].color, CT_stall_input, NEVER};
    p->charged = t;
    p->want_in = (uint8_t)(1u << q);
    p->want_n = (uint16_t)(want >> 3);
    p->sure = s->sure_input;
    p->lazy = true;
    return false;
}

/* No task can be picked in cycle t; a word that has been granted makes one eligible in `next`.  true: nothing comes before. */
static bool idle(Fast *s, Core *p, uint64_t t, uint64_t next, uint64_t lim)
{
    p->wait = (FWait){WAIT_NOTHING, 0, COLOR_NONE, NO_CAUSE, NEVER};
    p->charged = t;
    if (next <= s->now + s->ramp_down && next < lim) return true;
    p->t = t;
    p->sure = s->sure_input;
    if (p->cls->bound >> TASK_DATA || p->ctl) p->want_in = 0xff;
    if (next != NEVER) fast_wake_core(s, p, later(next - s->ramp_down, s->now + 1));
    return false;
}

/* ---- the main thread alone */
/* why an instruction comes up that fast_hot.c did not do; NULL: an operation goes on */
static int why_slow(const FDec *d)
{
    if (!d) return SLOW_vector_ins;
    switch ((InsKind)d->kind) {
    case K_VEC: return SLOW_vector_ins;
    case K_TSK: return SLOW_task_ins;
    case K_RTR: return SLOW_router_ins;
    case K_FAB: return SLOW_send_ins;
    default: return SLOW_other_ins;
    }
}

/* What only some classes have, at the start of cycle t.  true: queues are to report, so it goes cycle by cycle. */
static bool run_more(Fast *s, Core *p, uint64_t t)
{
    if (arrlen(p->more->control)) fast_drop_control(s, p, t);
    if (!p->more->regs.flush) return false;
    p->t = t;
    return true;
}

/* true: look again (in the other mode); false: the core sleeps */
static bool run_main(Fast *s, Core *p)
{
    const uint64_t lim = s->limit - s->now > WINDOW ? s->now + WINDOW : s->limit;
    uint64_t t = p->t;
    for (;;) {
        if (t >= lim) return far_ahead(s, p, t);
        if (p->more && run_more(s, p, t)) return true;
        if (p->wait.kind != WAIT_READY || p->wait.cause >= 0) {
            fast_charge(p, t);
            if (p->wait.kind == WAIT_TIME && p->wait.until == t) fast_active(s, t);
            p->wait = ready;
        }
        if (p->task < 0) {
            uint64_t next;
            Ready r = pick(s, p, t, true, &next);
            if (r == R_UNKNOWN) return park(s, p, t);
            if (r == R_READY) t = p->start_at > t ? p->start_at : t + 1;
            else {
                if (!idle(s, p, t, next, lim)) return false;
                t = next;
            }
            continue;
        }
        if (t < p->start_at) {
            p->wait = (FWait){WAIT_TIME, 0, COLOR_NONE, NO_CAUSE, p->start_at};
            p->charged = t;
            t = p->start_at;
            continue;
        }
        if (!p->v->active && !p->slots_total && !p->as_pending && !p->dirty) {
            uint32_t want;
            t = fast_hot(s, p, t, lim, &want);
            if (want) return sleep_hot(s, p, t, want);
            if (t >= lim) continue;
        }
        const FDec *d = NULL;
        FWait w;
        if (!p->v->active) {
            if (!(d = fetch_ins(s, p, t))) return meet(s, p, t);
            if (d->kind == K_BAD) {
                if (t > s->now) return meet(s, p, t);
                Buf b = {0};
                buf_printf(&b, "%08x", d->word);
                FAST_FAULT(s, p->i, THREAD_MAIN, p->pc, bad_instruction, d_str(b.p));
                buf_free(&b);
                return false;
            }
            if (p->as_pending && d->kind != K_VEC) {
                if (t > s->now) return meet(s, p, t);
                FAST_FAULT(s, p->i, THREAD_MAIN, p->pc, async_not_vector, d_str(d->op->name));
                return false;
            }
            if (d->reads & p->reg_pend && !p->slots_total) {
                uint64_t at = regs_ready(p, d->reads, t);
                if (at > t) {
                    p->wait = (FWait){WAIT_TIME, 0, COLOR_NONE, CT_stall_reg, at};
                    p->charged = t;
                    t = at;
                    continue;
                }
            }
        }
        s->slow[why_slow(d)]++;
        if (p->v->active || d->kind == K_VEC) {
            if (!p->v->active) {
                if (fast_vec_waits(p, d, t, &w)) {
                    p->wait = w;
                    p->charged = t;
                    t = w.until;
                    continue;
                }
                if (p->as_pending) {
                    if (!launch(s, p, d, t)) return s->b.fault.kind ? false : meet(s, p, t);
                    p->ct[CT_slots]++;
                    p->since = t;
                    fast_active(s, t);
                    p->t = t + 1;
                    return true;
                }
                if (fast_vec_setup(s, p, d, p->pc, p->v, t)) return t > s->now ? meet(s, p, t) : false;
            }
            uint64_t from = t;
            Ready r = fast_vec_run(s, p, p->v, &t, lim, &w);
            if (s->b.fault.kind && s->fault_at == p->i) return false;
            if (t > from) {
                p->since = t - 1;
                fast_active(s, t - 1);
            }
            if (!p->v->active) {
                p->pc = (uint16_t)(p->pc + 4);
                continue;
            }
            if (r == R_READY) continue;                  /* the limit */
            if (r == R_MEET) return meet(s, p, t);
            if (r == R_FAULT) {
                if (t > s->now) return meet(s, p, t);
                FAST_FAULT(s, p->i, THREAD_MAIN, p->v->pc, oq_unbound, d_int(p->v->d.idx));
                return false;
            }
            if (w.kind == WAIT_READY) return park(s, p, t);         /* some of a group's words are known, not how many */
            if (w.until == NEVER) return sleep_vec(s, p, t, &w);
            p->wait = w;
            p->charged = t;
            t = w.until;
            continue;
        }
        if (d->kind == K_RTR) {
            if (t > s->now) return meet(s, p, t);
            if (look_router(s, p, d, &w) == R_NO) {
                p->t = t;
                p->wait = w;
                p->charged = t;
                p->want_slot = true;
                return false;
            }
            if (!p->slots_total) read_list(s, p, d);     /* SETRTR */
            p->ct[CT_slots_rtr]++;
            p->ct[CT_slots]++;
            p->since = t;
            fast_active(s, t);
            p->slots_done++;
            if (!list_slot(s, p, d)) return false;
            if (p->slots_done == p->slots_total) {
                p->slots_done = p->slots_total = 0;
                exec(s, p, d, t);
            }
            t++;
            continue;
        }
        if (d->kind == K_FAB) {
            FOut *o = &p->oq[d->in.q];
            if (o->color == COLOR_NONE || (!o->cap && o->color != COLOR_NULL)) {
                if (t > s->now) return meet(s, p, t);
                if (!o->cap) FAST_FAULT(s, p->i, THREAD_MAIN, p->pc, no_such_queue, d_str("output"), d_int(d->in.q));
                else FAST_FAULT(s, p->i, THREAD_MAIN, p->pc, oq_unbound, d_int(d->in.q));
                return false;
            }
            if (!fast_space(s, p, d->in.q, t)) {
                p->wait = (FWait){WAIT_OUTPUT, d->in.q, o->color, CT_stall_output, fast_space_until(s, p, d->in.q, t)};
                p->charged = t;
                if (p->wait.until != NEVER) {
                    t = p->wait.until;
                    continue;
                }
                p->t = t;
                p->want_out = (uint8_t)(1u << d->in.q);
                return false;
            }
        }
        if (!p->slots_total) {
            int n = d->slots;
            if (n == SLOT_BRANCH) n = branch_taken(p, d) ? AP(&s->b.arch, branch_taken) : AP(&s->b.arch, branch_not_taken);
            p->slots_total = n < 1 ? 1 : (uint32_t)n;
        }
        uint64_t k = p->slots_total - p->slots_done;
        bool whole = true;
        if (k > s->limit - t) k = s->limit - t, whole = false;
        if ((d->kind == K_TSK || d->kind == K_DSR || (d->kind == K_MEM && p->cls->regs)) && whole && t + k - 1 > s->now && must_meet(s, p, d)) k--, whole = false;
        p->ct[d->slot_ct] += k;
        p->ct[CT_slots] += k;
        t += k;
        if (k) {
            p->since = t - 1;
            fast_active(s, t - 1);
        }
        if (!whole) {
            p->slots_done += (uint32_t)k;
            return meet(s, p, t);
        }
        p->slots_done = p->slots_total = 0;
        exec(s, p, d, t - 1);
        if (s->b.fault.kind && s->fault_at == p->i) return false;
        if (p->task < 0) {                               /* DONE: the pick is in the same cycle */
            uint64_t next;
            Ready r = pick(s, p, t - 1, true, &next);
            if (r == R_READY) t = p->start_at > t ? p->start_at : t;
            else if (r == R_UNKNOWN) {
                return park(s, p, t - 1);                /* nothing but the pick is left of that cycle */
            } else {
                if (!idle(s, p, t - 1, next, lim)) return false;
                if (next > t) t = next;
            }
        }
    }
}

/* ---- all threads, cycle by cycle */
static Ready look_wait(Fast *s, Core *p, const FDec *d, uint64_t t, FWait *w)
{
    switch (d->in.op) {
    case OP_SETRTR: case OP_SETSOCK: return t > s->now ? R_UNKNOWN : look_router(s, p, d, w);
    case OP_SENDC: {
        int q = d->in.q;
        const FOut *o = &p->oq[q];
        if (o->color == COLOR_NONE || (!o->cap && o->color != COLOR_NULL)) {
            if (t > s->now) return R_FAULT;
            if (!o->cap) FAST_FAULT(s, p->i, THREAD_MAIN, p->pc, no_such_queue, d_str("output"), d_int(q));
            else FAST_FAULT(s, p->i, THREAD_MAIN, p->pc, oq_unbound, d_int(q));
            return R_FAULT;
        }
        if (fast_space(s, p, q, t)) return R_READY;
        *w = (FWait){WAIT_OUTPUT, (uint8_t)q, o->color, CT_stall_output, fast_space_until(s, p, q, t)};
        return t > s->now ? R_UNKNOWN : R_NO;
    }
    case OP_WAITUT: {
        unsigned busy = p->uts & d->in.imm & 0xff;
        if (!busy) return R_READY;
        *w = (FWait){WAIT_UT, (uint8_t)__builtin_ctz(busy), COLOR_NONE, CT_stall_ut, NEVER};
        return R_NO;
    }
    default: return R_READY;
    }
}

/* An element for an unbound queue is ready like any; it is a fault when it is issued. */
static Ready look_vec(const Fast *s, const Core *p, uint64_t t, FWait *w)
{
    Ready r = fast_vec_ready(s, p, p->v, t, w);
    return r == R_FAULT ? R_READY : r;
}

/* Where the main thread stands in cycle t.  R_FAULT: a fault, raised if t is now. */
static Ready look(Fast *s, Core *p, uint64_t t, const FDec **dp, FWait *w)
{
    *w = (FWait){WAIT_NOTHING, 0, COLOR_NONE, NO_CAUSE, NEVER};
    if (p->task < 0) return R_NO;
    *w = (FWait){WAIT_TIME, 0, COLOR_NONE, NO_CAUSE, p->start_at};
    if (t < p->start_at) return R_NO;
    if (p->v->active) return look_vec(s, p, t, w);
    const FDec *d = *dp = fetch_ins(s, p, t);
    if (!d) return R_FAULT;
    if (d->kind == K_BAD) {
        if (t > s->now) return R_FAULT;
        Buf b = {0};
        buf_printf(&b, "%08x", d->word);
        FAST_FAULT(s, p->i, THREAD_MAIN, p->pc, bad_instruction, d_str(b.p));
        buf_free(&b);
        return R_FAULT;
    }
    if (p->as_pending && d->kind != K_VEC) {
        if (t == s->now) FAST_FAULT(s, p->i, THREAD_MAIN, p->pc, async_not_vector, d_str(d->op->name));
        return R_FAULT;
    }
    if (!p->slots_total) {
        uint64_t at = regs_ready(p, d->reads, t);
        *w = (FWait){WAIT_TIME, 0, COLOR_NONE, CT_stall_reg, at};
        if (at > t) return R_NO;
    }
    if (d->kind != K_VEC) return d->op->flags & F_WAIT ? look_wait(s, p, d, t, w) : R_READY;
    if (fast_vec_waits(p, d, t, w)) return R_NO;
    if (p->as_pending) {
        int ut = p->as_ut >= 0 ? p->as_ut : fast_vec_ut(p, d);
        if (ut < 0 || !(p->uts >> ut & 1)) return R_READY;
        *w = (FWait){WAIT_UT, (uint8_t)ut, COLOR_NONE, CT_stall_ut, NEVER};
        return R_NO;
    }
    if (fast_vec_setup(s, p, d, p->pc, p->v, t)) return R_FAULT;
    return look_vec(s, p, t, w);
}

/* one slot of the main thread; false: the clock must come to t first, or a fault */
static bool main_slot(Fast *s, Core *p, const FDec *d, uint64_t t)
{
    if (p->v->active) {
        FWait w;
        if (p->v->d.kind == OK_OUT && fast_vec_ready(s, p, p->v, t, &w) == R_FAULT) {
            if (t == s->now) FAST_FAULT(s, p->i, THREAD_MAIN, p->v->pc, oq_unbound, d_int(p->v->d.idx));
            return false;
        }
        p->ct[p->v->slot_ct]++;
        if (fast_vec_issue(s, p, p->v, t)) p->pc = (uint16_t)(p->pc + 4);
    } else if (p->as_pending) {
        if (!launch(s, p, d, t)) return false;
    } else {
        uint32_t total = p->slots_total;
        if (!total) {
            int n = d->slots;
            if (n == SLOT_BRANCH) n = branch_taken(p, d) ? AP(&s->b.arch, branch_taken) : AP(&s->b.arch, branch_not_taken);
            if (n == SLOT_SETRTR) read_list(s, p, d), total = p->slots_total;
            else total = n < 1 ? 1 : (uint32_t)n;
        }
        bool last = p->slots_done + 1 == total;
        if (last && t > s->now && (d->kind == K_TSK || d->kind == K_DSR || (d->kind == K_MEM && p->cls->regs)) && must_meet(s, p, d)) return false;
        p->slots_total = total;
        p->ct[d->slot_ct]++;
        p->slots_done++;
        if (d->kind == K_RTR && !list_slot(s, p, d)) return false;
        if (last) {
            p->slots_done = p->slots_total = 0;
            exec(s, p, d, t);
        }
    }
    p->since = t;
    return true;
}

static void ut_slot(Fast *s, Core *p, int k, uint64_t t)
{
    FVec *v = p->ut[k];
    p->ct[CT_slots_ut]++;
    p->ct[v->slot_ct]++;
    p->turn[v->level] = (uint8_t)((k + 1) % N_UT);
    if (!fast_vec_issue(s, p, v, t)) return;
    p->uts &= (uint8_t)~(1u << k);
    uint64_t at = t + (v->d.kind == OK_OUT ? s->fab_op : 0);
    if (v->act >= 0) add_effect(s, p, at, EF_ACT, v->act, t);
    if (v->unb >= 0) add_effect(s, p, at, EF_UNB, v->unb, t);
    fast_vec_free(s, v);
    p->ut[k] = NULL;
}

/* A thread cannot issue: when to look again, or what event to wait for. */
static void note_wait(Core *p, const FWait *w, uint64_t *next)
{
    if (w->until < *next) *next = w->until;
    if (w->until != NEVER) return;
    if (w->kind == WAIT_INPUT) p->outside |= OUTSIDE_WORD;
    if (w->kind == WAIT_OUTPUT || w->kind == WAIT_SLOT || w->kind == WAIT_SOCKET) p->outside |= OUTSIDE_PLACE;
}

/* The microthread of a level that issues in cycle t.  *next: when to look again. */
static Ready find_ut(const Fast *s, Core *p, int level, uint64_t t, int *which, uint64_t *next)
{
    for (int i = 0; i < N_UT; i++) {
        int k = (p->turn[level] + i) % N_UT;
        if (!(p->uts >> k & 1) || p->ut[k]->level != level || (p->more && p->more->regs.ut_blocked >> k & 1)) continue;
        FWait w;
        Ready r = fast_vec_ready(s, p, p->ut[k], t, &w);
        *which = k;
        if (r != R_NO) return r;
        note_wait(p, &w, next);
    }
    return R_NO;
}

/* Issue one slot in cycle t.  R_READY: done; R_NO: nobody can; R_UNKNOWN, R_FAULT: come back (or a fault was raised). */
static Ready issue(Fast *s, Core *p, const FDec *d, bool main_ready, uint64_t t, uint64_t *next)
{
    for (int level = LEVEL_HIGH; level >= LEVEL_LOW; level--) {
        if (level == LEVEL_MAIN) {
            if (!main_ready) continue;
            return main_slot(s, p, d, t) ? R_READY : R_FAULT;
        }
        int k = 0;
        Ready r = p->uts ? find_ut(s, p, level, t, &k, next) : R_NO;
        if (r == R_NO) continue;
        if (r == R_UNKNOWN) return r;
        if (r == R_MEET) return R_FAULT;
        FVec *v = p->ut[k];
        if (r == R_FAULT || v->bad_action) {
            if (t > s->now) return R_FAULT;
            if (r == R_FAULT) {
                FAST_FAULT(s, p->i, k, v->pc, oq_unbound, d_int(v->d.idx));
                return r;
            }
        }
        ut_slot(s, p, k, t);
        if (main_ready) p->wait.cause = CT_stall_slot;
        return R_READY;
    }
    return R_NO;
}

/* Queues are to report when they are empty: the core stands at the clock. */
static bool reports(const Core *p) { return p->more && p->more->regs.flush; }

static bool step(Fast *s, Core *p)
{
    const uint64_t t = p->t;
    if (t >= s->limit || t > s->now + WINDOW) {
        if (p->cls->tear) run_effects(s, p, (t < s->limit ? t : s->limit) - 1);    /* of a teardown in a cycle that the core has passed */
        return far_ahead(s, p, t);
    }
    if (reports(p) && t > s->now) return meet(s, p, t);
    s->slow[p->picking ? SLOW_pick_steps : p->uts ? SLOW_ut_steps : arrlen(p->effects) ? SLOW_effect_steps : SLOW_report_steps]++;
    uint64_t next = NEVER;
    p->outside = 0;
    if (!p->picking) {
        const FDec *d = NULL;
        FWait w;
        if (!run_effects(s, p, t)) return meet(s, p, t);
        if (p->ctl) fast_drop_control(s, p, t);
        if (reports(p)) fast_report(s, p);
        fast_charge(p, t);
        if (s->b.fault.kind && s->fault_at == p->i) return false;
        if (p->wait.kind == WAIT_TIME && p->wait.until == t) fast_active(s, t);
        Ready r = look(s, p, t, &d, &w);
        if (r == R_UNKNOWN) return park(s, p, t);
        if (r == R_FAULT || r == R_MEET) return t > s->now ? meet(s, p, t) : false;
        FWait before = p->wait;
        p->wait = r == R_NO ? w : ready;
        if (r == R_NO) note_wait(p, &w, &next);
        Ready got = issue(s, p, d, r == R_READY, t, &next);
        if (s->b.fault.kind && s->fault_at == p->i) return false;
        if (got == R_UNKNOWN || got == R_FAULT) {
            p->wait = before;
            return got == R_FAULT ? meet(s, p, t) : park(s, p, t);
        }
        if (got == R_READY) {
            p->ct[CT_slots]++;
            fast_active(s, t);
            next = t + 1;
        }
    } else {
        next = t + 1;
        if (p->cls->tear) run_effects(s, p, t);          /* of a teardown, told since */
    }
    /* Nothing but the pick is left to do: a word that nobody knows of yet wakes the core, which then looks at this cycle again. */
    const bool alone = next == NEVER && !arrlen(p->effects);
    bool again = false;
    p->picking = false;
    if (p->task < 0) {
        uint64_t at;
        Ready r = pick(s, p, t, alone, &at);
        if (r == R_UNKNOWN) {
            p->picking = true;
            return park(s, p, t);
        }
        if (r == R_READY) at = p->start_at > t ? p->start_at : t + 1;
        else if (p->cls->bound >> TASK_DATA || p->ctl) {
            p->outside |= OUTSIDE_WORD;
            again = t > s->now + s->ramp_down;
        }
        if (at < next) next = at;
    }
    for (ptrdiff_t i = 0; i < arrlen(p->effects); i++)
        if (p->effects[i].at < next) next = p->effects[i].at;
    if (reports(p)) p->outside |= OUTSIDE_PLACE;
    /* Words and places that nobody knows of yet may come before `next`. */
    uint64_t sure = p->outside & OUTSIDE_PLACE ? s->now : p->outside ? s->now + s->ramp_down : NEVER;
    if (next <= t + 1 || (next != NEVER && next <= sure)) {
        p->t = next > t ? next : t + 1;
        return true;
    }
    p->t = again ? t : t + 1;
    p->want_in = p->want_out = 0xff;
    p->want_slot = true;
    if (next != NEVER) fast_wake_core(s, p, sure == s->now ? next : next - s->ramp_down);
    return false;
}

/* input queues that close now */
void fast_core_closes(Fast *s, Core *p)
{
    for (ptrdiff_t i = 0; i < arrlen(p->closes);) {
        if (p->closes[i].at > s->now) {
            fast_wake_core(s, p, p->closes[i++].at);
            continue;
        }
        p->iq[p->closes[i].id].open = false;
        fast_active(s, s->now);
        arrdel(p->closes, i);
    }
    fast_queue_colors(s, p);
}

void fast_core_run(Fast *s, Core *p)
{
    p->want_in = p->want_out = 0;
    p->want_slot = false;
    p->want_n = 1;
    p->sure = 0;
    if (!p->lazy && p->t < s->now) p->t = s->now;
    p->lazy = false;
    if (!p->v) p->v = s->vec;
    if (p->ctl) fast_drop_control(s, p, p->t);
    while (p->uts || arrlen(p->effects) || p->picking || reports(p) ? step(s, p) : run_main(s, p)) {}
    if (p->ctl) fast_drop_later(s, p);
    if (p->v->active) {
        if (p->v == s->vec) s->vec = fast_get(s, sizeof *s->vec);
    } else {
        if (p->v != s->vec) fast_vec_free(s, p->v);
        p->v = NULL;
    }
    if (!p->uts) fast_rings_rest(s, p);
}
