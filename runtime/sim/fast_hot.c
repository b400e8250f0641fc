/* runtime/sim/fast_hot.c: the main thread alone, at speed.
 *
 * Runs instruction after instruction from t on while all is plain: code of the class, registers and DSRs that are ready or
 * will be at a known cycle, nothing that observes the clock.  Three forms of vector operations with their own count, which
 * most time goes to, are done here, whole; fast_run.c does the others.  Whatever is not plain is left untouched to
 * fast_core.c, at the cycle in which it comes up: so is everything near the end of the run. */
#include "runtime/sim/fast.h"
#include "runtime/sim/fast_mem.h"
#include "runtime/sim/pe_el.h"
#include <string.h>

/* HOT_DONE: *tp is the cycle behind the operation; HOT_LATER: words of the queue *want (number << 3 | queue) are not known yet;
 * HOT_NO: it is not of this form after all.  Nothing has happened in the last two cases. */
typedef enum { HOT_DONE, HOT_NO, HOT_LATER } Hot;

/* n words in memory, `step` bytes apart.  A nested operand: where it counts, its shape; and if its n words were not in one
 * run, they are copied to `words`, and `nest` and `addr` are the position behind them. */
enum { GATHER = 16 };
typedef struct {
    const uint8_t *m;
    int32_t step;
    FDsr *r;
    uint16_t *cnt;
    const FShape *h;
    bool copied;
    uint16_t addr;
    FNest nest;
    uint32_t words[GATHER];
} Place;

static FNest nest_of(const FShape *h, const uint16_t cnt[4])
{
    FNest n;
    for (int k = 0; k < 4; k++) n.ext[k] = h->ext[k], n.cnt[k] = cnt[k], n.step[k] = h->stride[k] * 4;
    return n;
}

static __attribute__((noinline)) bool gather(const Fast *s, const Core *p, uint32_t n, Place *o)
{
    if (n > GATHER) return false;
    o->nest = nest_of(o->h, o->cnt);
    o->addr = o->r->addr;
    for (uint32_t i = 0; i < n;) {
        uint32_t k = fast_nest_run(&o->nest, n - i);
        if (!inside(s, o->addr, o->step, k, 4)) return false;
        const uint8_t *m = p->mem + o->addr;
        o->addr = fast_nest_pass(&o->nest, o->addr, k);
        for (; k; k--, i++, m += o->step) o->words[i] = get4(m);
    }
    o->copied = true;
    o->m = (const uint8_t *)o->words;
    o->step = 4;
    return true;
}

static inline bool place(const Fast *s, Core *p, unsigned dsr, uint32_t n, Place *o)
{
    FDsr *const r = &p->dsr[dsr];
    o->r = r;
    o->h = NULL;
    o->m = p->mem + r->addr;
    o->copied = false;
    if (r->kind == DSD_MEM1D) o->step = (int8_t)(r->w[2] & 0xff) * 4;
    else if (r->kind == DSD_MEMND) {
        o->h = &p->xdsr[r->x];
        o->cnt = p->cnt[r->nest - 1];
        o->step = o->h->stride[0] * 4;
        if (o->h->ext[0] && o->cnt[0] + n > o->h->ext[0]) return gather(s, p, n, o);
    } else return false;
    return inside(s, r->addr, o->step, n, 4);
}

static inline void leave(const Place *o, uint32_t n)
{
    if (o->copied) {
        o->r->addr = o->addr;
        memcpy(o->cnt, o->nest.cnt, sizeof o->nest.cnt);
        return;
    }
    uint16_t at = (uint16_t)(o->r->addr + n * (uint32_t)o->step);
    if (o->h && o->h->ext[0] && (o->cnt[0] = (uint16_t)(o->cnt[0] + n)) == o->h->ext[0]) {
        const FShape *h = o->h;
        at = (uint16_t)(at - h->ext[0] * (uint32_t)o->step);
        o->cnt[0] = 0;
        for (int k = 1; k < 4; k++) {
            const uint32_t far = (uint32_t)h->stride[k] * 4;
            at = (uint16_t)(at + far);
            if (!h->ext[k] || ++o->cnt[k] < h->ext[k]) break;
            at = (uint16_t)(at - h->ext[k] * far);
            o->cnt[k] = 0;
        }
    }
    o->r->addr = at;
}

static inline void count_vec(Core *p, const FDec *d, uint32_t n, uint32_t slots)
{
    p->ct[d->slot_ct] += slots;
    p->ct[CT_slots] += slots;
    p->ct[CT_elements] += n;
    p->ct[CT_flops] += n * d->flops;
    p->ct[CT_instrs]++;
}

/* A chain of fp32 products, one element a cycle.  A NaN stays one through additions and multiplications, so it is made
 * canonical once, at the end. */
static inline Hot dot_memory(Fast *s, Core *p, const FDec *d, uint64_t *tp)
{
    const uint32_t n = d->own;
    uint32_t slots = n;
    Place a, b;
    if (!place(s, p, d->dsr[1], n, &a) || !place(s, p, d->dsr[2], n, &b) || *tp + 4 * n > s->limit) return HOT_NO;
    if (n > 1 && ((a.r->addr ^ b.r->addr) & 6) == 0) {
        p->ct[CT_stall_bank] += n;
        slots = 2 * n;
    }
    uint32_t *acc = &p->dot[d->dot[3] - 1];
    float f = s_of(d->fresh ? 0 : *acc);
    for (uint32_t i = 0; i < n; i++) f = f + s_of(get4(a.m + (int32_t)i * a.step)) * s_of(get4(b.m + (int32_t)i * b.step));
    *acc = of_s(f);
    p->dot_ready[d->dot[3] - 1] = *tp + slots + s->dot_drain;
    leave(&a, n);
    leave(&b, n);
    count_vec(p, d, n, slots);
    *tp += slots;
    return HOT_DONE;
}

/* the same with one source from the null color */
static __attribute__((noinline)) Hot dot_zeros(Fast *s, Core *p, const FDec *d, unsigned m, uint64_t *tp)
{
    const uint32_t n = d->own;
    Place b;
    if (!place(s, p, m, n, &b) || *tp + 2 * n > s->limit) return HOT_NO;
    uint32_t *acc = &p->dot[d->dot[3] - 1];
    float f = s_of(d->fresh ? 0 : *acc);
    for (uint32_t i = 0; i < n; i++) f = f + s_of(0) * s_of(get4(b.m + (int32_t)i * b.step));
    *acc = of_s(f);
    *tp += n;
    p->dot_ready[d->dot[3] - 1] = *tp + s->dot_drain;
    leave(&b, n);
    p->ct[CT_zeros] += n;
    count_vec(p, d, n, n);
    return HOT_DONE;
}

/* the same with one source, r, from a queue; m: the DSR of the other */
static inline Hot dot_words(Fast *s, Core *p, const FDec *d, const FDsr *r, unsigned m, uint64_t *tp, uint32_t *want)
{
    const uint32_t n = d->own, q = r->w[0] & 7;
    FIn *const k = &p->iq[q];
    const uint64_t begin = *tp;
    uint64_t t = begin;
    Place b;
    if (k->tail - k->pop < n) {
        if (k->color == COLOR_NULL && k->tail == k->pop && s->has_iq[q]) return dot_zeros(s, p, d, m, tp);
        const uint8_t kind = p->dsr[m].kind;
        if (k->color >= N_COLOR || n > k->cap || s->catching || (kind != DSD_MEM1D && kind != DSD_MEMND)) return HOT_NO;
        *want = n << 3 | q;
        return HOT_LATER;
    }
    const uint64_t at = later(fast_in_at(k, k->pop + n - 1), t);
    if (at + 2 * n > s->limit || !place(s, p, m, n, &b)) return HOT_NO;
    fast_in_reach(k, at + n);
    uint32_t *acc = &p->dot[d->dot[3] - 1];
    float f = s_of(d->fresh ? 0 : *acc);
    const uint32_t pop = k->pop, mask = k->mask;
    uint32_t u = (uint32_t)(t - k->base), begun = 0;     /* t since base */
    for (uint32_t i = 0; i < n; i++, b.m += b.step) {
        FWord *w = &k->w[(pop + i) & mask];
        const uint32_t came = w->when >> 5;
        u = (u > came ? u : came) + 1;
        w->when = u << 5;
        if (!i) begun = u;
        f = f + s_of(w->data) * s_of(get4(b.m));
    }
    k->pop = pop + n;
    const uint64_t first = k->base + begun;
    t = k->base + u;
    *acc = of_s(f);
    p->dot_ready[d->dot[3] - 1] = t + s->dot_drain;
    leave(&b, n);
    p->ct[CT_stall_input] += t - begin - n;
    p->ct[CT_received] += n;
    count_vec(p, d, n, n);
    *tp = t;
    if (k->waited) fast_places_free(s, p, (int)q, first);
    return HOT_DONE;
}

static inline Hot dot_step(Fast *s, Core *p, const FDec *d, uint64_t *tp, uint32_t *want)
{
    const FDsr *const ra = &p->dsr[d->dsr[1]], *const rb = &p->dsr[d->dsr[2]];
    if (p->ctl && (ra->kind == DSD_FABIN || rb->kind == DSD_FABIN)) return HOT_NO;
    if (ra->kind == DSD_FABIN) return rb->kind == DSD_FABIN ? HOT_NO : dot_words(s, p, d, ra, d->dsr[2], tp, want);
    return rb->kind == DSD_FABIN ? dot_words(s, p, d, rb, d->dsr[1], tp, want) : dot_memory(s, p, d, tp);
}

/* words of memory to an output queue that has room for all of them */
static inline Hot send_step(Fast *s, Core *p, const FDec *d, uint64_t *tp)
{
    const FDsr *const r = &p->dsr[d->dsr[0]];
    const uint32_t n = d->own, q = r->w[0] & 7;
    const uint64_t t = *tp;
    Place b;
    if (r->kind != DSD_FABOUT || r->w[3] & (DSD_CONTROL | DSD_ADVANCE) || p->oq[q].color == COLOR_NONE || !p->oq[q].cap || t + 2 * n > s->limit) return HOT_NO;
    if (!place(s, p, d->dsr[2], n, &b) || fast_space(s, p, (int)q, t) < n) return HOT_NO;
    for (uint32_t i = 0; i < n; i++) fast_send(s, p, (int)q, get4(b.m + (int32_t)i * b.step), false, t + i);
    leave(&b, n);
    count_vec(p, d, n, n);
    *tp = t + n;
    return HOT_DONE;
}

/* one element from memory and registers to memory or a register */
static inline Hot single(Fast *s, Core *p, const FDec *d, uint64_t *tp)
{
    FDsr *const ra = d->dsr[1] != NO_DSR ? &p->dsr[d->dsr[1]] : NULL, *const rb = d->dsr[2] != NO_DSR ? &p->dsr[d->dsr[2]] : NULL;
    FDsr *const rd = d->dsr[0] != NO_DSR ? &p->dsr[d->dsr[0]] : NULL;
    const uint64_t t = *tp;
    uint32_t a, b;
    if (t + 4 > s->limit) return HOT_NO;
    if (rd) {
        if (rd->kind != DSD_MEM1D || !inside(s, rd->addr, 0, 1, 4)) return HOT_NO;
        if (rd->addr < p->cls->text_end && rd->addr + 4u > p->cls->text_addr) return HOT_NO;
    }
    if (ra && (ra->kind != DSD_MEM1D || !inside(s, ra->addr, 0, 1, 4))) return HOT_NO;
    if (rb && (rb->kind != DSD_MEM1D || !inside(s, rb->addr, 0, 1, 4))) return HOT_NO;
    a = ra ? get4(p->mem + ra->addr) : d->dot[0] ? p->dot[d->dot[0] - 1] : p->reg[d->reg[0]];
    b = rb ? get4(p->mem + rb->addr) : d->dot[1] ? p->dot[d->dot[1] - 1] : p->reg[d->reg[1]];
    uint32_t r = d->fn(a, b, d->dot[2] ? p->dot[d->dot[2] - 1] : p->reg[d->reg[2]], 0);
    if (rd) memcpy(p->mem + rd->addr, &r, 4);            /* before a moves: it may be the same DSR */
    if (ra) ra->addr = (uint16_t)(ra->addr + (int8_t)(ra->w[2] & 0xff) * 4);
    if (rb) rb->addr = (uint16_t)(rb->addr + (int8_t)(rb->w[2] & 0xff) * 4);
    if (rd) {
        if (!d->same) rd->addr = (uint16_t)(rd->addr + (int8_t)(rd->w[2] & 0xff) * 4);
    } else if (d->in.d) {
        uint64_t at = t + (uint64_t)d->lat;
        p->reg[d->in.d] = r;
        p->reg_ready[d->in.d] = (uint32_t)at;
        p->reg_pend |= 1u << d->in.d;
        if (at > p->reg_max) p->reg_max = at;
    }
    count_vec(p, d, 1, 1);
    *tp = t + 1;
    return HOT_DONE;
}

static inline void set_reg(Core *p, int r, uint32_t v, uint64_t t, int lat)
{
    if (!r) return;
    p->reg[r] = v;
    p->reg_pend &= ~(1u << r);
    if (lat <= 1) return;
    p->reg_ready[r] = (uint32_t)(t + (uint64_t)lat);
    p->reg_pend |= 1u << r;
    if (t + (uint64_t)lat > p->reg_max) p->reg_max = t + (uint64_t)lat;
}

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

/* any other vector operation, as far as words and places are known; false: it has not ended */
static bool general(Fast *s, Core *p, const FDec *d, uint16_t pc, uint64_t *tp, uint64_t lim, uint64_t *last)
{
    const uint64_t from = *tp;
    FWait w;
    if (fast_vec_setup(s, p, d, pc, p->v, from)) return false;
    if (!p->v->meet) fast_vec_run(s, p, p->v, tp, lim, &w);
    if (*tp > from) *last = *tp;
    return !p->v->active;
}

/* A DSR is loaded or moved, or gets another length; t: the last slot.  false: a fault, nothing has happened. */
static bool set_dsr(Fast *s, Core *p, const FDec *d, uint64_t t)
{
    const PeIns *in = &d->in;
    FDsr *r = &p->dsr[d->dsr[0]];
    const uint32_t a = p->reg[in->ra], b = p->reg[in->rb];
    const uint16_t at = (uint16_t)(a + (uint32_t)in->imm * 2);
    if (p->cls->regs && (in->op == OP_LDDSR || in->op == OP_LDDSRR)) return false;
    uint16_t w[4] = {(uint16_t)a, (uint16_t)(a >> 16), (uint16_t)b, (uint16_t)(b >> 16)};
    switch (in->op) {
    case OP_LDDSR:
        if (at & 1 || at + 8u > s->mem_bytes) return false;
        memcpy(w, p->mem + at, sizeof w); /* FALLTHROUGH */
    case OP_LDDSRR:
        if (!fast_load_dsr(s, p, d->dsr[0], in->x, w)) return false;
        break;
    case OP_DSRB:
        r->w[0] = r->addr = (uint16_t)a;
        if (r->nest) memset(p->cnt[r->nest - 1], 0, sizeof p->cnt[0]);
        break;
    case OP_DSRL: r->w[1] = (uint16_t)((r->w[1] & DSD_SAVE) | (a & LEN_ENDLESS)); break;
    default: return false;
    }
    fast_dsr_busy(p, d->dsr[0], t, d->lat);
    return true;
}

/* A jump or a branch in cycle t.  *at: the instruction's number, then that of the next one; its slots, or 0: left to fast_core.c. */
static inline uint32_t control(Fast *s, Core *p, const FClass *k, const FDec *d, uint64_t t, uint32_t *at)
{
    const PeIns *in = &d->in;
    uint32_t n = (uint32_t)d->slots, next = *at + 1, target = next + (uint32_t)in->imm, to;
    switch (in->op) {
    case OP_JMP: next = target; break;
    case OP_CALL: break;
    case OP_CALLR: case OP_JR:
        to = (uint16_t)p->reg[in->ra] - k->text_addr;
        if (to & 3 || to / 4 >= k->ndec) return 0;
        target = to / 4;
        if (in->op == OP_JR) next = target;
        break;
    case OP_LOOP: case OP_ENDL: break;
    default: {
        const bool taken = d->fn(p->reg[in->ra], p->reg[in->rb], 0, 0);
        n = taken ? s->branch_taken : s->branch_not_taken;
        if (taken) next = target;
    }
    }
    if (t + n > s->limit) return 0;
    if (in->op == OP_LOOP) {
        p->loop[in->k] = p->reg[in->ra];
        if (!p->loop[in->k]) next = target;
    } else if (in->op == OP_ENDL) {
        if (--p->loop[in->k]) next = target;
    } else if (in->op == OP_CALL || in->op == OP_CALLR) {
        set_reg(p, REG_LINK, (uint16_t)(k->text_addr + 4 * next), t + n - 1, 1);
        next = target;
    }
    *at = next;
    return n;
}

/* The operation waits for DSRs and dot registers, *t moves on; false: until lim or later. */
static __attribute__((noinline)) bool vec_may_issue(Core *p, const FDec *d, uint64_t *t, uint64_t lim, uint64_t *ended)
{
    FWait w;
    while ((d->dots || (*t < p->dsr_max && p->dsr_pend & d->dsrs)) && fast_vec_waits(p, d, *t, &w)) {
        if (w.until >= lim) return false;
        p->ct[w.cause] += w.until - *t;
        *ended = *t = w.until;
    }
    return true;
}

uint64_t fast_hot(Fast *s, Core *p, uint64_t t, uint64_t lim, uint32_t *want)
{
    const FClass *k = p->cls;
    const uint64_t begin = t;
    uint64_t ended = 0, slots = 0, instrs = 0, last = 0;  /* ended: of the last wait for time; last: of the last slot, + 1 */
    uint32_t at = ((uint32_t)p->pc - k->text_addr) / 4;
    *want = 0;
    if (((uint32_t)p->pc - k->text_addr) & 3) return t;
    while (t < lim && at < k->ndec) {
        const FDec *d = &k->dec[at];
        if (d->reads & p->reg_pend) {
            uint64_t z = regs_ready(p, d->reads, t);
            if (z > t) {
                if (z >= lim) break;
                p->ct[CT_stall_reg] += z - t;
                ended = t = z;
            }
        }
        const PeIns *in = &d->in;
        uint32_t n = (uint32_t)d->slots;
        switch ((InsKind)d->kind) {
        case K_VEC: {
            if ((d->dots || (t < p->dsr_max && p->dsr_pend & d->dsrs)) && !vec_may_issue(p, d, &t, lim, &ended)) goto out;
            Hot h = HOT_NO;
            switch (d->form) {
            case FORM_DOT: h = dot_step(s, p, d, &t, want); break;
            case FORM_SINGLE: h = single(s, p, d, &t); break;
            case FORM_SEND: h = send_step(s, p, d, &t); break;
            default: break;
            }
            if (h == HOT_DONE) last = t;
            else if (h == HOT_LATER || !general(s, p, d, (uint16_t)(k->text_addr + 4 * at), &t, lim, &last)) goto out;
            at++;
            if (p->dirty) goto out;
            continue;
        }
        case K_ALU: {
            if (t + n > s->limit) goto out;
            uint32_t v = d->fn(p->reg[in->ra], d->imm ? (uint32_t)in->imm : p->reg[in->rb], p->reg[in->rc], p->reg[in->rd]);
            if (d->flops) sim_count_flops(p->ct, d->flops, 1);
            set_reg(p, in->rd, v, t + n - 1, d->lat);
            at++;
            break;
        }
        case K_MEM: {
            uint16_t addr = (uint16_t)(p->reg[in->ra] + (uint32_t)in->imm);
            if (t + n > s->limit || addr > k->edge) goto out;
            if (d->store) {
                if (addr < k->text_end && addr + 4u > k->text_addr) goto out;
                fast_store(s, p, addr, d->mem_bytes, p->reg[in->rd]);
            } else set_reg(p, in->rd, d->fn(fast_load(s, p, addr, d->mem_bytes), 0, 0, 0), t + n - 1, d->lat);
            at++;
            break;
        }
        case K_CTL:
            if (!(n = control(s, p, k, d, t, &at))) goto out;
            break;
        case K_DSR:
            if (t + n > s->limit || !set_dsr(s, p, d, t + n - 1)) goto out;
            at++;
            break;
        default: goto out;
        }
        p->ct[d->slot_ct] += n;
        slots += n;
        instrs++;
        t += n;
        last = t;
    }
out:
    p->pc = (uint16_t)(k->text_addr + 4 * at);
    p->ct[CT_slots] += slots;
    p->ct[CT_instrs] += instrs;
    if (last > begin) {
        p->since = last - 1;
        fast_active(s, last - 1);
    }
    if (ended) fast_active(s, ended);
    return t;
}
