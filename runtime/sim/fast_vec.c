/* runtime/sim/fast_vec.c: vector operations (docs/machine.md, "Vector operations").
 *
 * fast_vec_issue does one slot in a given cycle, as the specification has it; it serves microthreads and whatever is
 * interleaved.  fast_run.c does all slots of an operation that nothing can interrupt. */
#include "runtime/sim/fast.h"
#include "runtime/sim/fast_mem.h"
#include <assert.h>
#include <string.h>

/* ---- positions */
static inline uint16_t opd_step(const FVec *v, FOpd *o)
{
    uint16_t at = o->addr;
    o->addr = o->nested ? fast_nest_pass(&v->nest[o->role], at, 1) : (uint16_t)(at + o->step);
    return at;
}

/* a block of n things becomes one of more; the new ones are zero */
static void *more(Fast *s, void *old, size_t n, size_t many, size_t each)
{
    void *p = fast_get(s, many * each);
    if (!n) return p;
    memcpy(p, old, n * each);
    fast_put(s, old, n * each);
    return p;
}

static FShape *shape(Fast *s, Core *p, int x)
{
    if (x >= p->nxdsr) {
        p->xdsr = more(s, p->xdsr, p->nxdsr, (size_t)x + 1, sizeof *p->xdsr);
        p->nxdsr = (uint8_t)(x + 1);
    }
    return &p->xdsr[x];
}

void fast_nests(Fast *s, Core *p, FDsr *r)
{
    if (r->nest) return;
    p->cnt = more(s, p->cnt, p->ncnt, p->ncnt + 1u, sizeof *p->cnt);
    r->nest = ++p->ncnt;
}

bool fast_load_dsr(Fast *s, Core *p, int dsr, int x, const uint16_t w[4])
{
    int kind = w[3] & 7;
    FDsr *r = &p->dsr[dsr];
    if (kind == DSD_NONE || kind > (p->cls->c->uses & USES_DSD ? DSD_FIFO : DSD_FABOUT)) return false;
    r->kind = (uint8_t)kind;
    r->x = (uint8_t)x;
    r->addr = w[0];
    memcpy(r->w, w, sizeof r->w);
    if (r->nest) memset(p->cnt[r->nest - 1], 0, sizeof p->cnt[0]);
    if (kind != DSD_MEMND) return true;
    fast_nests(s, p, r);
    FShape *h = shape(s, p, x);
    for (int k = 0; k < 4; k++) {
        h->ext[k] = (uint16_t)fast_load(s, p, (uint16_t)(w[2] + 4 * k), 2);
        h->stride[k] = (int16_t)fast_load(s, p, (uint16_t)(w[2] + 4 * k + 2), 2);
    }
    return true;
}

/* ---- set-up */
void fast_vec_free(Fast *s, FVec *v)
{
    if (v->nest) fast_put(s, v->nest, 3 * sizeof *v->nest);
    fast_put(s, v, sizeof *v);
}

static void dsrs_of(Core *p, const FDec *d, FDsr *r[3])
{
    for (int i = 0; i < 3; i++) r[i] = d->dsr[i] != NO_DSR ? &p->dsr[d->dsr[i]] : NULL;
}

static uint64_t stamp_up(uint32_t low, uint64_t t) { return t + (uint64_t)(int64_t)(int32_t)(low - (uint32_t)t); }

bool fast_vec_waits(const Core *p, const FDec *d, uint64_t t, FWait *w)
{
    uint64_t until = 0;
    for (unsigned m = d->dots; m; m &= m - 1)
        if (p->dot_ready[__builtin_ctz(m)] > until) until = p->dot_ready[__builtin_ctz(m)];
    if (until > t) {
        *w = (FWait){WAIT_TIME, 0, COLOR_NONE, CT_stall_dot, until};
        return true;
    }
    if (p->dsr_max <= t) return false;
    FDsr *r[3];
    dsrs_of((Core *)p, d, r);
    for (int i = 0; i < 3; i++) {
        if (!r[i] || !(p->dsr_pend >> (r[i] - p->dsr) & 1)) continue;
        uint64_t at = stamp_up(r[i]->ready, t);
        if (at > until) until = at;
    }
    if (until <= t) return false;
    *w = (FWait){WAIT_TIME, 0, COLOR_NONE, CT_stall_dsr, until};
    return true;
}

FDsr *fast_vec_fabric(Core *p, const FDec *d)
{
    FDsr *r[3];
    dsrs_of(p, d, r);
    for (int i = 0; i < 3; i++)
        if (r[i] && (r[i]->kind == DSD_FABIN || r[i]->kind == DSD_FABOUT)) return r[i];
    for (int i = 0; i < 3; i++)
        if (r[i] && r[i]->kind == DSD_FIFO) return r[i];
    return NULL;
}

int fast_vec_ut(const Core *p, const FDec *d)
{
    const FDsr *r = fast_vec_fabric((Core *)p, d);
    if (!r) return -1;
    return r->w[3] & DSD_UT_VALID ? r->w[3] >> 4 & 7 : r->kind == DSD_FIFO ? -1 : r->w[0] & 7;
}

static const char *const file_names[] = {"dest", "src0", "src1"};
static const char *const kind_names[] = {"no", "mem1d", "nested", "fabin", "fabout", "fifo"};

/* An operand from its code.  role: 0 dest, 1 src0, 2 src1, 3 the fourth.  SF_none, or the fault, raised if t is now. */
static SimFaultKind operand(Fast *s, Core *p, uint16_t pc, int role, int code, int esz, const FDsr *r, FVec *v, FOpd *o, uint64_t t)
{
    o->kind = OK_NONE, o->esz = (uint8_t)esz, o->role = (uint8_t)role, o->control = o->nested = false;
    if (!esz) return SF_none;
    if (opd_is_reg(code)) {
        o->kind = OK_REG;
        o->idx = (uint8_t)code;
        o->val = p->reg[code];
        return SF_none;
    }
    if (opd_is_dot(code)) {
        o->kind = OK_DOT;
        o->idx = (uint8_t)(code - OPD_DOT0);
        o->val = p->dot[o->idx];
        return SF_none;
    }
    assert(opd_is_dsr(code) && role < 3);
    static const uint8_t files[] = {DSR_DEST, DSR_SRC0, DSR_SRC1};
    int file = files[role], i = code - OPD_DSR0;
    if (r->kind == DSD_MEM1D) {
        o->kind = OK_MEM;
        o->addr = r->addr;
        o->step = (int8_t)(r->w[2] & 0xff) * esz;
        return SF_none;
    }
    if (r->kind == DSD_NONE) {
        if (t == s->now) FAST_FAULT(s, p->i, THREAD_MAIN, pc, dsr_unloaded, d_str(file_names[file]), d_int(i));
        return SF_dsr_unloaded;
    }
    if (r->kind == (role ? DSD_FABOUT : DSD_FABIN)) {
        if (t == s->now)
            FAST_FAULT(s, p->i, THREAD_MAIN, pc, dsr_kind, d_str(file_names[file]), d_int(i), d_str(kind_names[r->kind]),
                       d_str(role ? "source" : "destination"));
        return SF_dsr_kind;
    }
    if (r->kind == DSD_MEMND) {
        const FShape *h = &p->xdsr[r->x];
        o->kind = OK_MEM;
        o->nested = true;
        o->addr = r->addr;
        if (!v->nest) v->nest = fast_get(s, 3 * sizeof *v->nest);
        FNest *nest = &v->nest[role];
        for (int k = 0; k < 4; k++) {
            nest->ext[k] = h->ext[k];
            nest->step[k] = h->stride[k] * esz;
            nest->cnt[k] = p->cnt[r->nest - 1][k];
        }
        o->step = nest->step[0];
        return SF_none;
    }
    if (r->kind == DSD_FIFO) {
        o->kind = OK_FIFO;
        o->addr = r->w[0];
        const char *why = fifo_fault(p->mem, s->mem_bytes, o->addr, (unsigned)esz);
        if (why && t == s->now) FAST_FAULT(s, p->i, THREAD_MAIN, pc, bad_fifo, d_uint(o->addr), d_str(why));
        return why ? SF_bad_fifo : SF_none;
    }
    o->kind = r->kind == DSD_FABIN ? OK_IN : OK_OUT;
    o->idx = r->w[0] & 7;
    o->control = role == 0 && r->w[3] & DSD_CONTROL;
    const uint32_t uses = p->cls->c->uses;
    if (role) o->addr = uses & USES_CONTROL ? r->w[0] & 0xff00 : 0;
    else {
        o->addr = r->w[3] & DSD_ADVANCE && uses & USES_DSD;
        o->val = r->nest ? (uint32_t)p->cnt[r->nest - 1][0] << 16 : 0;
    }
    if (role ? arch_iq_words(&s->b.arch, o->idx) : arch_oq_words(&s->b.arch, o->idx)) return SF_none;
    if (t == s->now) FAST_FAULT(s, p->i, THREAD_MAIN, pc, no_such_queue, d_str(role ? "input" : "output"), d_int(o->idx));
    return SF_no_such_queue;
}

static bool own_one(int op) { return op == OP_FMACS1 || op == OP_FMSS1 || op == OP_FMACH1; }

/* rule P1 */
static void length(FVec *v, const FDec *d, FDsr *const r[3])
{
    v->total = 0;
    v->own = true;
    if (d->op->fmt == FMT_V3 && d->in.imm) v->total = (uint16_t)d->in.imm;
    else if (own_one(d->in.op)) v->total = 1;
    else {
        static const uint8_t order[3] = {1, 2, 0};
        v->own = false;
        for (int i = 0; i < 3 && !v->total; i++)
            if (r[order[i]]) v->total = r[order[i]]->w[1] & LEN_ENDLESS;
    }
    v->endless = !v->own && v->total == LEN_ENDLESS;
    if (!v->total) v->total = 1;
}

static uint32_t stride_width(int stride)                 /* elements per cycle that the banks allow; 0: any number */
{
    static const uint8_t by_mod[8] = {1, 2, 0, 0, 2, 0, 0, 2};
    return stride == 0 || stride == 1 ? 0 : by_mod[stride & 7];
}

static void width(const Fast *s, FVec *v, const FDec *d)
{
    const Arch *a = &s->b.arch;
    const FOpd *const all[3] = {&v->d, &v->a, &v->b};
    int sources = (v->a.kind == OK_MEM || v->a.kind == OK_FIFO) + (v->b.kind == OK_MEM || v->b.kind == OK_FIFO);
    bool queue = false;
    uint32_t w = (uint32_t)pe_width(a, d->op->vclass);
    v->fabric = v->fifo = v->on_control = false;
    for (int i = 0; i < 3; i++) {
        const FOpd *o = all[i];
        if (o->kind == OK_IN || o->kind == OK_OUT) v->fabric = queue = true;
        if (o->kind == OK_FIFO) v->fabric = v->fifo = true;
        if (i && o->kind == OK_IN && o->addr & (ON_CONTROL_ACT | ON_CONTROL_END)) v->on_control = true;
        if ((o->kind != OK_MEM && o->kind != OK_FIFO) || w <= 1) continue;
        int bits = i == 0 ? AP(a, write_bits) : sources == 2 ? AP(a, read_bits_each) : AP(a, read_bits);
        uint32_t port = (uint32_t)bits / (8u * o->esz), bank = o->kind == OK_MEM ? stride_width(o->step / o->esz) : 0;
        if (port < w) w = port;
        if (bank && bank < w) w = bank;
    }
    if (queue && s->fabric_width < w) w = s->fabric_width;
    v->width = w ? w : 1;
    v->conflict = v->a.kind == OK_MEM && v->b.kind == OK_MEM && v->total >= 2 && ((v->a.addr ^ v->b.addr) & 6) == 0;
}

/* leave the DSR as it will be after the operation */
static void advance_dsr(Core *p, FDsr *r, const FVec *v, const FOpd *o)
{
    if (o->kind != OK_MEM || v->endless) return;
    if (!v->own && !(r->w[1] & DSD_SAVE)) return;
    if (!o->nested) {
        r->addr = (uint16_t)(r->addr + v->total * (uint32_t)o->step);
        return;
    }
    FNest n = v->nest[o->role];
    uint16_t at = r->addr;
    for (uint32_t left = v->total; left;) {
        uint32_t k = fast_nest_run(&n, left);
        at = fast_nest_pass(&n, at, k);
        left -= k;
    }
    r->addr = at;
    memcpy(p->cnt[r->nest - 1], n.cnt, sizeof n.cnt);
}

SimFaultKind fast_vec_setup(Fast *s, Core *p, const FDec *d, uint16_t pc, FVec *v, uint64_t t)
{
    const PeIns *in = &d->in;
    const uint8_t *esz = d->op->esz;
    SimFaultKind f;
    FDsr *r[3];
    dsrs_of(p, d, r);
    if ((f = operand(s, p, pc, 1, in->a, esz[1], r[1], v, &v->a, t)) || (f = operand(s, p, pc, 2, in->b, esz[2], r[2], v, &v->b, t))) return f;
    v->cval = !esz[3] ? 0 : opd_is_dot(in->c) ? p->dot[in->c - OPD_DOT0] : p->reg[in->c];
    v->same = in->d == OPD_SAME_A;
    if (v->same) {
        if (v->a.kind != OK_MEM) {
            if (t == s->now)
                FAST_FAULT(s, p->i, THREAD_MAIN, pc, dsr_kind, d_str("src0"), d_int(in->a - OPD_DSR0), d_str(v->a.kind == OK_FIFO ? "fifo" : "fabin"), d_str("destination"));
            return SF_dsr_kind;
        }
        v->d = v->a;
        v->d.esz = esz[0];
        v->d.role = 0;
        if (v->a.nested) v->nest[0] = v->nest[1];
    } else if ((f = operand(s, p, pc, 0, in->d, esz[0], r[0], v, &v->d, t))) return f;
    v->op = in->op;
    v->pc = pc;
    v->slot_ct = d->slot_ct;
    v->flops = d->flops;
    v->act = v->unb = -1;
    v->sub = false;
    v->done = 0;
    v->chain = v->d.kind == OK_DOT;
    length(v, d, r);
    width(s, v, d);
    v->async = false;
    v->meet = fast_vec_meets(s, p, v);
    if (in->op == OP_DOTS || in->op == OP_SUMS) p->dot[v->d.idx] = 0;
    if (r[1]) advance_dsr(p, r[1], v, &v->a);
    if (r[2]) advance_dsr(p, r[2], v, &v->b);
    if (r[0] && !v->same) advance_dsr(p, r[0], v, &v->d);
    v->active = true;
    return SF_none;
}

/* ---- issue */
/* elements that words, FIFOs and space allow in cycle t, at most want; *w says what is missing if none */
static uint32_t fabric_elements(const Fast *s, const Core *p, const FVec *v, uint64_t t, uint32_t want, bool *unknown, FWait *w)
{
    uint32_t n = want;
    bool twice = v->a.kind == OK_IN && v->b.kind == OK_IN && v->a.idx == v->b.idx;
    bool both = v->a.kind == OK_FIFO && v->b.kind == OK_FIFO && v->a.addr == v->b.addr;
    const FOpd *const src[2] = {&v->a, &v->b};
    for (int i = 0; i < 2; i++) {
        if (src[i]->kind == OK_FIFO) {
            uint32_t k = fast_fifo_room(s, p, src[i], false) / (both ? 2 : 1);
            if (k < n) n = k;
            if (n) continue;
            *w = (FWait){WAIT_FIFO, 0, COLOR_NONE, CT_stall_input, NEVER};
            return 0;
        }
        if (src[i]->kind != OK_IN) continue;
        uint64_t until;
        int q = src[i]->idx;
        uint32_t k = fast_words(s, p, q, t, twice ? 2 * n : n, unknown, &until);
        if (twice) k /= 2;
        if (k < n) n = k;
        if (n) continue;
        *w = (FWait){WAIT_INPUT, (uint8_t)q, p->iq[q].color, CT_stall_input, until};
        return 0;
    }
    if (v->d.kind == OK_OUT) {
        uint32_t room = fast_space(s, p, v->d.idx, t);
        if (room < n) {
            n = room;
            if (t > s->now) *unknown = true;
        }
        if (!n) *w = (FWait){WAIT_OUTPUT, v->d.idx, p->oq[v->d.idx].color, CT_stall_output, fast_space_until(s, p, v->d.idx, t)};
    }
    if (v->d.kind == OK_FIFO) {
        uint32_t room = fast_fifo_room(s, p, &v->d, true);
        if (room < n) n = room;
        if (!n) *w = (FWait){WAIT_FIFO, 1, COLOR_NONE, CT_stall_output, NEVER};
    }
    return n;
}

static uint32_t group(const FVec *v)
{
    uint32_t left = v->total - v->done;
    return v->endless || left > v->width ? v->width : left;
}

/* A control word or a FIFO that ends or disturbs the operation in cycle t.  R_NO: none does. */
static Ready event_ready(const Fast *s, const Core *p, const FVec *v, uint64_t t)
{
    bool unknown = false;
    FWait w = {.kind = WAIT_READY};
    FifoAction act;
    const FOpd *o = v->on_control ? fast_control_event(s, p, v, t, &unknown) : NULL;
    if (unknown) return R_UNKNOWN;
    if (o) return t > s->now && o->addr & ON_CONTROL_ACT && !fast_can_activate(s, p, o->addr >> 8 & 63) ? R_MEET : R_READY;
    if (!v->fifo) return R_NO;
    if (t > s->now && !fast_fifo_fine(s, p, v)) return R_MEET;
    if (fabric_elements(s, p, v, t, 1, &unknown, &w) || w.kind != WAIT_FIFO) return unknown ? R_UNKNOWN : R_NO;
    if (unknown) return R_UNKNOWN;
    if (!fast_fifo_event(s, p, v, &w, &act)) return R_NO;
    return act == FIFO_FAULT && t > s->now ? R_MEET : R_READY;
}

Ready fast_vec_ready(const Fast *s, const Core *p, const FVec *v, uint64_t t, FWait *w)
{
    if (v->meet && t > s->now) return R_MEET;
    if (!v->fabric || (v->conflict && !v->sub)) return R_READY;
    bool unknown = false;
    w->kind = WAIT_READY;
    if (v->on_control || v->fifo) {
        const Ready r = event_ready(s, p, v, t);
        if (r != R_NO) return r;
    }
    uint32_t n = fabric_elements(s, p, v, t, group(v), &unknown, w);
    if (unknown) return R_UNKNOWN;
    if (!n) return R_NO;
    return v->d.kind == OK_OUT && p->oq[v->d.idx].color == COLOR_NONE ? R_FAULT : R_READY;
}

static uint32_t fetch(Fast *s, Core *p, const FVec *v, FOpd *o, uint64_t t)
{
    switch (o->kind) {
    case OK_REG: case OK_DOT: return o->val;
    case OK_IN: return fast_take(s, p, o->idx, t);
    case OK_MEM: return fast_load(s, p, opd_step(v, o), o->esz);
    case OK_FIFO: return fast_load(s, p, fast_fifo_step(s, p, o, false), o->esz);
    default: return 0;
    }
}

void fast_vec_element(Fast *s, Core *p, FVec *v, uint64_t t)
{
    uint32_t a = fetch(s, p, v, &v->a, t), b = fetch(s, p, v, &v->b, t);
    uint32_t r = s->tab.fn[v->op](a, b, v->cval, v->chain ? p->dot[v->d.idx] : 0);
    switch (v->d.kind) {
    case OK_REG:
        if (v->d.idx) p->reg[v->d.idx] = r;
        break;
    case OK_DOT: p->dot[v->d.idx] = r; break;
    case OK_MEM: fast_store(s, p, opd_step(v, &v->d), v->d.esz, r); break;
    case OK_OUT: fast_send(s, p, v->d.idx, v->d.esz == 2 ? (r & 0xffff) | v->d.val : r, v->d.control, t); break;
    case OK_FIFO: fast_store(s, p, fast_fifo_step(s, p, &v->d, true), v->d.esz, r); break;
    default: break;
    }
}

static void count_elements(Core *p, const FVec *v, uint32_t n)
{
    p->ct[CT_elements] += n;
    sim_count_flops(p->ct, v->flops, n);
}

void fast_vec_finish(Fast *s, Core *p, FVec *v, uint64_t t)
{
    v->active = false;
    if (!v->async && v->fifo) p->more->left = v->endless ? 0 : v->total - v->done;
    if (v->on_control) fast_control_ends(p, v, t);
    p->ct[CT_instrs]++;
    if (v->d.kind == OK_REG && v->d.idx) {
        uint64_t at = t + (uint64_t)s->tab.lat[v->op];
        p->reg_ready[v->d.idx] = (uint32_t)at;
        p->reg_pend |= 1u << v->d.idx;
        if (at > p->reg_max) p->reg_max = at;
    }
    if (v->chain) p->dot_ready[v->d.idx] = t + 1 + s->dot_drain;
}

static int thread_of(const Core *p, const FVec *v)
{
    for (unsigned m = p->uts; m; m &= m - 1)
        if (p->ut[__builtin_ctz(m)] == v) return __builtin_ctz(m);
    return THREAD_MAIN;
}

/* The slot belongs to a control word or to a FIFO that holds the operation up; *last: it ends.  false: to elements. */
static bool event_slot(Fast *s, Core *p, FVec *v, uint64_t t, bool *last)
{
    bool unknown = false;
    FWait w = {.kind = WAIT_READY};
    FifoAction act;
    const FOpd *o = v->on_control ? fast_control_event(s, p, v, t, &unknown) : NULL;
    *last = false;
    if (o) {
        fast_take(s, p, o->idx, t);
        if (o->addr & ON_CONTROL_ACT) fast_activate(s, p, o->addr >> 8 & 63, thread_of(p, v), v->pc);
        *last = o->addr & ON_CONTROL_END;
    } else {
        if (!v->fifo || fabric_elements(s, p, v, t, 1, &unknown, &w) || w.kind != WAIT_FIFO) return false;
        if (!(o = fast_fifo_event(s, p, v, &w, &act))) return false;
        if (act == FIFO_FAULT) FAST_FAULT(s, p->i, thread_of(p, v), v->pc, fifo_blocked, d_uint(o->addr), d_str(o == &v->d ? "full" : "empty"));
        *last = act == FIFO_END;
    }
    if (*last) fast_vec_finish(s, p, v, t);
    return true;
}

bool fast_vec_issue(Fast *s, Core *p, FVec *v, uint64_t t)
{
    bool ends;
    v->since = t;
    if ((v->on_control || v->fifo) && !(v->conflict && !v->sub) && event_slot(s, p, v, t, &ends)) return ends;
    if (v->conflict) {
        v->sub = !v->sub;
        if (v->sub) {                                    /* the first of the group's two slots */
            p->ct[CT_stall_bank]++;
            return false;
        }
    }
    uint32_t n = group(v);
    bool unknown = false;
    FWait w;
    if (v->fabric) n = fabric_elements(s, p, v, t, n, &unknown, &w);
    assert(n && !unknown);
    for (uint32_t i = 0; i < n; i++) fast_vec_element(s, p, v, t);
    count_elements(p, v, n);
    v->done += n;
    if (v->d.kind == OK_OUT && v->d.addr && !v->endless && v->done == v->total) fast_advances(p, v->d.idx);
    if (v->fifo) fast_fifo_tasks(s, p, v, thread_of(p, v));
    if (v->endless || v->done < v->total) return false;
    fast_vec_finish(s, p, v, t);
    return true;
}
