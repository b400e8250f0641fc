/* runtime/sim/fast_hot.c: the main thread alone, at speed.
 *
 * Runs instruction after instruction from t on while all is plain: code of the class, registers and DSRs that are ready or
 * will be at a known cycle, all words of a vector operation known, space for all that it sends, nothing that observes the
 * clock.  Whatever is not plain is left untouched to fast_core.c, at the cycle in which it comes up: operations that are
 * endless, have two queues as sources or wide queues, addresses that wrap or leave the memory, stores to code, sources that
 * the operation itself writes, and everything near the end of the run. */
#include "runtime/sim/fast_kern.h"
#include "runtime/sim/fast_mem.h"

/* the values of a nested operand, and where it stands behind them */
static void gather_nested(Fast *s, Core *p, const FDsr *r, uint16_t cnt[4], uint16_t *end, uint32_t n, int esz, uint32_t *v)
{
    const FShape *h = &p->nd->xdsr[r->x];
    const uint32_t most = s->mem_bytes - (uint32_t)esz;
    uint16_t addr = r->addr;
    memcpy(cnt, p->nd->cnt[r - p->dsr], 8);
    for (uint32_t i = 0; i < n;) {                       /* a run of the innermost dimension, then the carry */
        const int32_t step = h->stride[0] * esz;
        uint32_t run = !h->ext[0] ? n - i : cnt[0] < h->ext[0] ? (uint32_t)h->ext[0] - cnt[0] : 1;
        if (run > n - i) run = n - i;
        if (esz == 4)
            for (const uint32_t z = i + run; i < z; i++, addr = (uint16_t)(addr + step))
                v[i] = addr <= most && !(addr & 1) ? get4(p->mem + addr) : fast_load(s, p, addr, esz);
        else
            for (const uint32_t z = i + run; i < z; i++, addr = (uint16_t)(addr + step)) v[i] = fast_load(s, p, addr, esz);
        if (!h->ext[0] || (cnt[0] = (uint16_t)(cnt[0] + run)) < h->ext[0]) continue;
        addr = (uint16_t)(addr - h->ext[0] * step);
        cnt[0] = 0;
        for (int k = 1; k < 4; k++) {
            const int32_t far = h->stride[k] * esz;
            addr = (uint16_t)(addr + far);
            if (!h->ext[k] || ++cnt[k] < h->ext[k]) break;
            addr = (uint16_t)(addr - h->ext[k] * far);
            cnt[k] = 0;
        }
    }
    *end = addr;
}

static uint32_t bank_limit(int32_t stride)
{
    static const uint8_t by_mod[8] = {1, 2, 255, 255, 2, 255, 255, 2};
    return stride == 0 || stride == 1 ? 255 : by_mod[stride & 7];
}

/* Elements that take their words as they come, one a cycle: leaves the cycle from which each place is free. */
static inline uint64_t take_times(Core *p, FIn *k, uint32_t n, uint64_t t)
{
    const uint64_t begin = t;
    fast_in_reach(k, later(t, fast_in_at(k, k->pop + n - 1)) + n);
    for (uint32_t i = 0; i < n; i++) {
        FWord *w = fast_in_word(k, k->pop + i);
        t = later(t, k->base + (w->when >> 5)) + 1;
        fast_in_stamp(k, w, t, 0);
    }
    p->ct[CT_stall_input] += t - begin - n;
    p->ct[CT_received] += n;
    return t;
}

/* One vector operation, whole.  HOT_DONE: *tp is the cycle behind it; HOT_LATER: words of the queue *want (number << 3 | queue)
 * are not known yet; HOT_NO: it is not plain.  Nothing has happened in the last two cases. */
typedef enum { HOT_DONE, HOT_NO, HOT_LATER } Hot;
static Hot vector(Fast *s, Core *p, const FDec *d, uint64_t *tp, uint32_t *want)
{
    const uint8_t *esz = d->op->esz;
    FDsr *const ra = d->dsr[1] != NO_DSR ? &p->dsr[d->dsr[1]] : NULL, *const rb = d->dsr[2] != NO_DSR ? &p->dsr[d->dsr[2]] : NULL;
    FDsr *const rd = d->dsr[0] != NO_DSR ? &p->dsr[d->dsr[0]] : NULL;
    const int ka = ra ? ra->kind : DSD_NONE, kb = rb ? rb->kind : DSD_NONE, kd = rd ? rd->kind : DSD_NONE;
    uint64_t t = *tp;
    if ((ra && !ka) || (rb && !kb) || (rd && !kd)) return HOT_NO;
    uint32_t n = d->own;
    if (!n) {
        if (ra) n = ra->w[1] & LEN_ENDLESS;
        if (!n && rb) n = rb->w[1] & LEN_ENDLESS;
        if (!n && rd) n = rd->w[1] & LEN_ENDLESS;
        if (n == LEN_ENDLESS) return HOT_NO;
        if (!n) n = 1;
    }
    /* the fabric: at most one source, plain widths */
    FIn *iq = NULL;
    FOut *oq = NULL;
    bool zeros = false;
    uint64_t bound = t;
    if (ka == DSD_FABIN || kb == DSD_FABIN) {
        if (ka == kb || s->fabric_width != 1) return HOT_NO;
        int q = (ka == DSD_FABIN ? ra : rb)->w[0] & 7;
        iq = &p->iq[q];
        uint32_t have = iq->tail - iq->pop;
        if (have >= n) {
            uint64_t at = fast_in_at(iq, iq->pop + n - 1);
            if (at > bound) bound = at;
        } else if (!have && iq->color == COLOR_NULL && d->has_iq[q]) zeros = true;
        else {
            if (iq->color >= N_COLOR || n > iq->cap || kd == DSD_FABOUT || s->catching) return HOT_NO;
            *want = n << 3 | (unsigned)q;
            return HOT_LATER;
        }
    }
    if (ka == DSD_FABOUT || kb == DSD_FABOUT || kd == DSD_FABIN) return HOT_NO;
    if (kd == DSD_FABOUT) {
        int q = rd->w[0] & 7;
        oq = &p->oq[q];
        if (s->fabric_width != 1 || s->fab_op == 0 || rd->w[3] & DSD_CONTROL || oq->color == COLOR_NONE || !oq->cap) return HOT_NO;
        if (fast_space(s, p, q, t) < n) return HOT_NO;
    }
    /* memory */
    uint32_t slots = n;
    const int32_t sa = ka == DSD_MEM1D ? (int8_t)(ra->w[2] & 0xff) * esz[1] : 0, sb = kb == DSD_MEM1D ? (int8_t)(rb->w[2] & 0xff) * esz[2] : 0;
    int32_t sd = 0;
    if (ka == DSD_MEM1D && !inside(s, ra->addr, sa, n, esz[1])) return HOT_NO;
    if (kb == DSD_MEM1D && !inside(s, rb->addr, sb, n, esz[2])) return HOT_NO;
    const bool na = ka == DSD_MEMND, nb = kb == DSD_MEMND;
    if ((na || nb) && n > CHUNK) return HOT_NO;
    if (kd == DSD_MEMND) return HOT_NO;
    if (kd == DSD_MEM1D) {
        sd = (int8_t)(rd->w[2] & 0xff) * esz[0];
        if (!inside(s, rd->addr, sd, n, esz[0])) return HOT_NO;
        int32_t z = rd->addr + sd * (int32_t)(n - 1);
        uint32_t lo = (uint32_t)(z < rd->addr ? z : rd->addr), hi = (uint32_t)(z < rd->addr ? rd->addr : z) + esz[0];
        if (lo < p->cls->text_end && hi > p->cls->text_addr) return HOT_NO;
        if (n > 1) {
            if (na || nb) return HOT_NO;
            if (ka == DSD_MEM1D && overlap(ra->addr, sa, esz[1], rd->addr, sd, esz[0], n)) return HOT_NO;
            if (kb == DSD_MEM1D && overlap(rb->addr, sb, esz[2], rd->addr, sd, esz[0], n)) return HOT_NO;
        }
    }
    uint32_t stall_bank = 0;
    if (n > 1 && !iq) {
        const bool ma = ka == DSD_MEM1D || na, mb = kb == DSD_MEM1D || nb, conflict = ma && mb && ((ra->addr ^ rb->addr) & 6) == 0;
        if (oq) {
            if (conflict) return HOT_NO;
        } else {
            uint32_t w = d->width;
            if (w > 1) {
                uint32_t lim[6];
                const FShape *x = p->nd ? p->nd->xdsr : NULL;
                lim[0] = kd == DSD_MEM1D ? d->port[0][esz[0] == 4] : 255;
                lim[1] = kd == DSD_MEM1D ? bank_limit(sd / esz[0]) : 255;
                lim[2] = ma ? d->port[mb ? 2 : 1][esz[1] == 4] : 255;
                lim[3] = ma ? bank_limit(na ? x[ra->x].stride[0] : sa / esz[1]) : 255;
                lim[4] = mb ? d->port[ma ? 2 : 1][esz[2] == 4] : 255;
                lim[5] = mb ? bank_limit(nb ? x[rb->x].stride[0] : sb / esz[2]) : 255;
                for (int i = 0; i < 6; i++)
                    if (lim[i] < w) w = lim[i];
                if (w > 1) slots = (n + w - 1) / w;
            }
            if (conflict) stall_bank = slots, slots *= 2;
        }
    }
    if (bound + slots + n > s->limit) return HOT_NO;     /* it might not end before the run does */
    /* From here on it is done.  Sources first: where their values are. */
    uint32_t va[CHUNK], vb[CHUNK], r[CHUNK];
    uint16_t cnt_a[4], cnt_b[4];
    uint16_t end_a = 0, end_b = 0;
    Src a, b;
    va[0] = d->dot[0] ? p->dot[d->dot[0] - 1] : p->reg[d->reg[0]];
    vb[0] = d->dot[1] ? p->dot[d->dot[1] - 1] : p->reg[d->reg[1]];
    a = ka == DSD_MEM1D ? (Src){p->mem + ra->addr, sa} : (Src){(const uint8_t *)va, 0};
    b = kb == DSD_MEM1D ? (Src){p->mem + rb->addr, sb} : (Src){(const uint8_t *)vb, 0};
    if (na) gather_nested(s, p, ra, cnt_a, &end_a, n, esz[1], va), a.step = 4;
    if (nb) gather_nested(s, p, rb, cnt_b, &end_b, n, esz[2], vb), b.step = 4;
    const uint32_t pop0 = iq ? iq->pop : 0;
    uint64_t first_free = 0;
    if (iq && !zeros) {
        Src src = {(const uint8_t *)&fast_in_word(iq, pop0)->data, sizeof(FWord)};
        if ((pop0 & iq->mask) + n > iq->mask + 1u) {      /* around the end of the ring */
            uint32_t *v = ka == DSD_FABIN ? va : vb;
            if (n > CHUNK) return HOT_NO;
            for (uint32_t i = 0; i < n; i++) v[i] = fast_in_word(iq, pop0 + i)->data;
            src = (Src){(const uint8_t *)v, 4};
        }
        if (ka == DSD_FABIN) a = src;
        else b = src;
        t = take_times(p, iq, n, t);
        first_free = fast_in_at(iq, pop0);
        iq->pop += n;
    } else {
        if (zeros) {
            if (ka == DSD_FABIN) va[0] = 0;
            else vb[0] = 0;
            p->ct[CT_zeros] += n;
        }
        t += slots;
    }
    p->ct[d->slot_ct] += slots;
    p->ct[CT_slots] += slots;
    p->ct[CT_elements] += n;
    p->ct[CT_instrs]++;
    if (d->flops) sim_count_flops(p->ct, d->flops, n);
    if (stall_bank) p->ct[CT_stall_bank] += stall_bank;
    if (d->dot[3]) {
        uint32_t *acc = &p->dot[d->dot[3] - 1];
        *acc = chain(kern_of(d), d->fresh ? 0 : *acc, a, b, n);
        p->dot_ready[d->dot[3] - 1] = t + s->dot_drain;
    } else {
        const uint32_t c = d->dot[2] ? p->dot[d->dot[2] - 1] : p->reg[d->reg[2]];
        uint8_t *m = p->mem + (rd ? rd->addr : 0);
        for (uint32_t done = 0; done < n;) {
            uint32_t k = n - done < CHUNK ? n - done : CHUNK;
            compute(kern_of(d), r, a, b, c, k);
            a.m += (int64_t)a.step * k, b.m += (int64_t)b.step * k;
            if (kd == DSD_MEM1D) {
                if (esz[0] == 4)
                    for (uint32_t i = 0; i < k; i++, m += sd) memcpy(m, &r[i], 4);
                else
                    for (uint32_t i = 0; i < k; i++, m += sd) memcpy(m, &(uint16_t){(uint16_t)r[i]}, 2);
            } else if (oq)
                for (uint32_t i = 0; i < k; i++)
                    fast_send(s, p, rd->w[0] & 7, r[i], false, iq && !zeros ? fast_in_at(iq, pop0 + done + i) - 1 : t - n + done + i);
            done += k;
        }
        if (!rd && d->in.d) {                            /* a register */
            uint64_t at = t - 1 + (uint64_t)d->lat;
            p->reg[d->in.d] = r[(n - 1) % CHUNK];
            p->reg_ready[d->in.d] = (uint32_t)at;
            p->reg_pend |= 1u << d->in.d;
            if (at > p->reg_max) p->reg_max = at;
        }
    }
    if (iq && iq->waited) fast_places_free(s, p, (int)(iq - p->iq), first_free ? first_free : t);
    if (ka == DSD_MEM1D && (d->own || ra->w[1] & DSD_SAVE)) ra->addr = (uint16_t)(ra->addr + n * (uint32_t)sa);
    if (kb == DSD_MEM1D && (d->own || rb->w[1] & DSD_SAVE)) rb->addr = (uint16_t)(rb->addr + n * (uint32_t)sb);
    if (kd == DSD_MEM1D && !d->same && (d->own || rd->w[1] & DSD_SAVE)) rd->addr = (uint16_t)(rd->addr + n * (uint32_t)sd);
    if (na && (d->own || ra->w[1] & DSD_SAVE)) ra->addr = end_a, memcpy(p->nd->cnt[ra - p->dsr], cnt_a, sizeof cnt_a);
    if (nb && (d->own || rb->w[1] & DSD_SAVE)) rb->addr = end_b, memcpy(p->nd->cnt[rb - p->dsr], cnt_b, sizeof cnt_b);
    *tp = t;
    return HOT_DONE;
}

/* The two forms that most time goes to, with their own count: a dot step of one element a cycle, from a queue or from
 * memory; and one element from memory and registers to memory or a register.  HOT_NO: see vector(). */
static inline Hot dot_step(Fast *s, Core *p, const FDec *d, uint64_t *tp, uint32_t *want)
{
    FDsr *const ra = &p->dsr[d->dsr[1]], *const rb = &p->dsr[d->dsr[2]];
    const uint32_t n = d->own;
    const int32_t sb = (int8_t)(rb->w[2] & 0xff) * 4;
    uint64_t t = *tp;
    if (rb->kind != DSD_MEM1D || !inside(s, rb->addr, sb, n, 4)) return HOT_NO;
    const uint8_t *b = p->mem + rb->addr;
    float f = s_of(d->fresh ? 0 : p->dot[d->dot[3] - 1]);
    uint32_t slots = n;
    if (ra->kind == DSD_FABIN) {
        FIn *k = &p->iq[ra->w[0] & 7];
        if (k->tail - k->pop < n) {
            if (k->color >= N_COLOR || n > k->cap || s->catching) return HOT_NO;
            *want = n << 3 | (ra->w[0] & 7u);
            return HOT_LATER;
        }
        uint64_t at = fast_in_at(k, k->pop + n - 1), waited = t;
        if ((at > t ? at : t) + 2 * n > s->limit || k->waited || s->fabric_width != 1) return HOT_NO;
        fast_in_reach(k, later(at, t) + n);
        for (uint32_t i = 0; i < n; i++, b += sb) {
            FWord *w = fast_in_word(k, k->pop++);
            t = later(t, k->base + (w->when >> 5)) + 1;
            fast_in_stamp(k, w, t, 0);
            f = f + s_of(w->data) * s_of(get4(b));
        }
        waited = t - waited - n;
        if (waited) p->ct[CT_stall_input] += waited;
        p->ct[CT_received] += n;
    } else if (ra->kind == DSD_MEM1D) {
        const int32_t sa = (int8_t)(ra->w[2] & 0xff) * 4;
        if (!inside(s, ra->addr, sa, n, 4) || t + 4 * n > s->limit) return HOT_NO;
        if (n > 1 && ((ra->addr ^ rb->addr) & 6) == 0) {
            p->ct[CT_stall_bank] += n;
            slots = 2 * n;
        }
        const uint8_t *a = p->mem + ra->addr;
        for (uint32_t i = 0; i < n; i++, a += sa, b += sb) f = f + s_of(get4(a)) * s_of(get4(b));
        ra->addr = (uint16_t)(ra->addr + n * (uint32_t)sa);
        t += slots;
    } else return HOT_NO;
    rb->addr = (uint16_t)(rb->addr + n * (uint32_t)sb);
    p->dot[d->dot[3] - 1] = of_s(f);
    p->dot_ready[d->dot[3] - 1] = t + s->dot_drain;
    p->ct[CT_slots_fpu] += slots;
    p->ct[CT_slots] += slots;
    p->ct[CT_elements] += n;
    p->ct[CT_flops] += 2 * n;
    p->ct[CT_instrs]++;
    *tp = t;
    return HOT_DONE;
}

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
    p->ct[d->slot_ct]++;
    p->ct[CT_slots]++;
    p->ct[CT_elements]++;
    p->ct[CT_flops] += d->flops;
    p->ct[CT_instrs]++;
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

uint64_t fast_hot(Fast *s, Core *p, uint64_t t, uint64_t lim, uint32_t *want)
{
    const FClass *k = p->cls;
    uint64_t ended = 0, slots = 0, instrs = 0;           /* ended: of the last wait for time */
    uint16_t pc = p->pc;
    const uint64_t begin = t;
    uint64_t last = 0;                                   /* cycle of the last slot + 1 */
    *want = 0;
    while (t < lim) {
        uint32_t off = (uint32_t)pc - k->text_addr;
        if (off & 3 || off / 4 >= k->ndec) break;
        const FDec *d = &k->dec[off / 4];
        if (d->reads & p->reg_pend) {
            uint64_t at = regs_ready(p, d->reads, t);
            if (at > t) {
                if (at >= lim) break;
                p->ct[CT_stall_reg] += at - t;
                ended = t = at;
            }
        }
        if (d->kind == K_VEC) {
            FWait w;
            bool late = false;
            while ((d->dots || t < p->dsr_max) && fast_vec_waits(p, d, t, &w)) {
                if (w.until >= lim) {
                    late = true;
                    break;
                }
                p->ct[w.cause] += w.until - t;
                ended = t = w.until;
            }
            if (late) break;
            Hot h = d->form == FORM_DOT ? dot_step(s, p, d, &t, want) : d->form == FORM_SINGLE ? single(s, p, d, &t) : HOT_NO;
            if (h == HOT_NO) h = vector(s, p, d, &t, want);
            if (h != HOT_DONE) break;
            pc = (uint16_t)(pc + 4);
            last = t;
            continue;
        }
        if (d->kind > K_CTL) break;
        const PeIns *in = &d->in;
        uint32_t n = (uint32_t)d->slots;
        uint16_t next = (uint16_t)(pc + 4);
        switch ((InsKind)d->kind) {
        case K_ALU: {
            if (t + n > s->limit) goto out;
            uint32_t v = d->fn(p->reg[in->ra], d->imm ? (uint32_t)in->imm : p->reg[in->rb], p->reg[in->rc], p->reg[in->rd]);
            if (d->flops) sim_count_flops(p->ct, d->flops, 1);
            set_reg(p, in->rd, v, t + n - 1, d->lat);
            break;
        }
        case K_MEM: {
            uint16_t addr = (uint16_t)(p->reg[in->ra] + (uint32_t)in->imm);
            int bytes = d->mem_bytes;
            if (t + n > s->limit) goto out;
            if (d->store) {
                if (addr < k->text_end && addr + 4u > k->text_addr) goto out;
                fast_store(s, p, addr, bytes, p->reg[in->rd]);
            } else set_reg(p, in->rd, d->fn(fast_load(s, p, addr, bytes), 0, 0, 0), t + n - 1, d->lat);
            break;
        }
        case K_CTL: {
            uint16_t target = (uint16_t)(next + in->imm * 4);
            switch (in->op) {
            case OP_JMP: next = target; break;
            case OP_CALL: case OP_CALLR: case OP_JR: goto out;
            case OP_LOOP:
                p->loop[in->k] = p->reg[in->ra];
                if (!p->loop[in->k]) next = target;
                break;
            case OP_ENDL:
                if (--p->loop[in->k]) next = target;
                break;
            default: {
                bool taken = d->fn(p->reg[in->ra], p->reg[in->rb], 0, 0);
                n = taken ? s->branch_taken : s->branch_not_taken;
                if (taken) next = target;
            }
            }
            if (t + n > s->limit) {
                if (in->op == OP_ENDL) p->loop[in->k]++;     /* LOOP sets again what it has set */
                goto out;
            }
            break;
        }
        default: goto out;
        }
        p->ct[d->slot_ct] += n;
        slots += n;
        instrs++;
        t += n;
        last = t;
        pc = next;
    }
out:
    p->pc = pc;
    p->ct[CT_slots] += slots;
    p->ct[CT_instrs] += instrs;
    if (last > begin) {
        p->since = last - 1;
        fast_active(s, last - 1);
    }
    if (ended) fast_active(s, ended);
    return t;
}
