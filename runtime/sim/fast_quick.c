/* runtime/sim/fast_quick.c: the common vector operations of a main thread that runs alone, at once: all times, then all data.
 *
 * Takes an operation that has not begun and whose registers and DSRs are ready.  Does it whole and says when it ended, or
 * does nothing and leaves it to fast_vec.c: Q_LATER if only words are missing that are still to come.  What is left out:
 * endless ones, two queues as sources, wide queues, both bank conflict and queue, addresses that wrap, leave the memory or
 * change code, sources that the operation itself writes. */
#include "runtime/sim/fast.h"
#include "runtime/sim/fast_mem.h"
#include "runtime/sim/pe_el.h"
#include <string.h>

enum { CHUNK = 64 };
typedef struct {
    uint8_t kind, esz;                   /* OpdKind */
    uint8_t q;
    bool nested, moves;                  /* the DSR keeps the advanced position */
    uint16_t addr;
    int32_t step;
    uint32_t val;
    FDsr *r;
    FNest n;                             /* nested only */
} Quick;

static void nest_of(Core *p, Quick *o)
{
    const FShape *h = &p->nd->xdsr[o->r->x];
    const uint16_t *cnt = p->nd->cnt[o->r - p->dsr];
    for (int k = 0; k < 4; k++) {
        o->n.ext[k] = h->ext[k];
        o->n.step[k] = h->stride[k] * o->esz;
        o->n.cnt[k] = cnt[k];
    }
    o->step = o->n.step[0];
}

static bool operand(Core *p, int code, int file, int esz, Quick *o)
{
    o->kind = OK_NONE, o->esz = (uint8_t)esz, o->nested = false, o->r = NULL;
    if (!esz) return true;
    if (opd_is_reg(code)) {
        o->kind = OK_REG, o->val = p->reg[code];
        return true;
    }
    if (opd_is_dot(code)) {
        o->kind = OK_DOT, o->val = p->dot[code - OPD_DOT0];
        return true;
    }
    FDsr *r = o->r = &p->dsr[file * N_DSR + (code - OPD_DSR0)];
    switch (r->kind) {
    case DSD_MEM1D:
        o->kind = OK_MEM, o->addr = r->addr, o->step = (int8_t)(r->w[2] & 0xff) * esz;
        return true;
    case DSD_MEMND:
        o->kind = OK_MEM, o->addr = r->addr, o->nested = true;
        nest_of(p, o);
        return true;
    case DSD_FABIN: o->kind = OK_IN, o->q = r->w[0] & 7; return file != DSR_DEST && p->iq[o->q].cap;
    case DSD_FABOUT: o->kind = OK_OUT, o->q = r->w[0] & 7; return file == DSR_DEST && p->oq[o->q].cap && !(r->w[3] & DSD_CONTROL);
    default: return false;
    }
}

/* all n elements lie in the memory, and the addresses do not wrap */
static bool inside(const Fast *s, const Quick *o, uint32_t n, int32_t *lo, int32_t *hi)
{
    if (o->nested) return false;
    int32_t a = o->addr & 0xfffe, z = a + o->step * (int32_t)(n - 1);
    *lo = a < z ? a : z;
    *hi = (a < z ? z : a) + o->esz;
    return *lo >= 0 && *hi <= (int32_t)s->mem_bytes;
}

static uint32_t stride_limit(int32_t stride)
{
    static const uint8_t by_mod[8] = {1, 2, 255, 255, 2, 255, 255, 2};
    return stride == 0 || stride == 1 ? 255 : by_mod[stride & 7];
}

static uint32_t width_of(const FDec *d, const Quick *qd, const Quick *qa, const Quick *qb)
{
    const Quick *const all[3] = {qd, qa, qb};
    bool both = qa->kind == OK_MEM && qb->kind == OK_MEM;
    uint32_t w = d->width;
    for (int i = 0; i < 3 && w > 1; i++) {
        if (all[i]->kind != OK_MEM) continue;
        uint32_t port = d->port[i == 0 ? 0 : both ? 2 : 1][all[i]->esz == 4], bank = stride_limit(all[i]->step / all[i]->esz);
        if (port < w) w = port;
        if (bank < w) w = bank;
    }
    return w ? w : 1;
}

static uint16_t nest_next(FNest *n, uint16_t addr)
{
    for (int k = 0; k < 4; k++) {
        addr = (uint16_t)(addr + n->step[k]);
        if (!n->ext[k] || ++n->cnt[k] < n->ext[k]) break;
        addr = (uint16_t)(addr - n->ext[k] * n->step[k]);
        n->cnt[k] = 0;
    }
    return addr;
}

static inline uint32_t get(const uint8_t *m, int esz)
{
    return esz == 4 ? m[0] | (uint32_t)m[1] << 8 | (uint32_t)m[2] << 16 | (uint32_t)m[3] << 24 : m[0] | (uint32_t)m[1] << 8;
}

/* n values of a source, from where it stands */
static inline void gather(Fast *s, Core *p, Quick *o, uint32_t n, uint32_t *v)
{
    switch (o->kind) {
    case OK_IN: {
        FIn *k = &p->iq[o->q];
        if (k->pop == k->tail) {
            memset(v, 0, n * sizeof *v);
            return;
        }
        for (uint32_t i = 0; i < n; i++) v[i] = k->w[k->pop++ & k->mask].data;
        return;
    }
    case OK_MEM:
        if (o->nested) {
            for (uint32_t i = 0; i < n; i++) {
                v[i] = fast_load(s, p, o->addr, o->esz);
                o->addr = nest_next(&o->n, o->addr);
            }
            return;
        }
        {
            const uint8_t *m = p->mem + (o->addr & 0xfffe);
            const int32_t step = o->step;
            if (o->esz == 4)
                for (uint32_t i = 0; i < n; i++, m += step) v[i] = get(m, 4);
            else
                for (uint32_t i = 0; i < n; i++, m += step) v[i] = get(m, 2);
            o->addr = (uint16_t)(o->addr + n * (uint32_t)step);
        }
        return;
    default:
        for (uint32_t i = 0; i < n; i++) v[i] = o->val;
    }
}

static uint32_t chain(const FDec *d, uint32_t acc, const uint32_t *a, const uint32_t *b, uint32_t n)
{
    ElFn *fn = d->fn;
    if (fn == d->plain && (d->in.op == OP_DOTS || d->in.op == OP_DOTAS)) {
        for (uint32_t i = 0; i < n; i++) acc = el_DOTAS(a[i], b[i], 0, acc);
        return acc;
    }
    for (uint32_t i = 0; i < n; i++) acc = fn(a[i], b[i], 0, acc);
    return acc;
}

static void compute(const FDec *d, uint32_t *r, const uint32_t *a, const uint32_t *b, uint32_t c, uint32_t n)
{
    ElFn *fn = d->fn;
#define CASE(name)                                                                                                                \
    case OP_##name:                                                                                                               \
        for (uint32_t i = 0; i < n; i++) r[i] = el_##name(a[i], b[i], c, 0);                                                      \
        return;
    if (fn == d->plain) switch (d->in.op) {
        CASE(FMOVS) CASE(MOV32) CASE(FADDS) CASE(FSUBS) CASE(FMULS) CASE(FMACS) CASE(FMACS1) CASE(FMSS) CASE(FMSS1) CASE(ADD16) CASE(MOV16)
    default: break;
    }
#undef CASE
    for (uint32_t i = 0; i < n; i++) r[i] = fn(a[i], b[i], c, 0);
}

static void scatter(Core *p, Quick *o, uint32_t n, const uint32_t *v)
{
    uint8_t *m = p->mem + (o->addr & 0xfffe);
    for (uint32_t i = 0; i < n; i++, m += o->step) {
        m[0] = (uint8_t)v[i], m[1] = (uint8_t)(v[i] >> 8);
        if (o->esz == 4) m[2] = (uint8_t)(v[i] >> 16), m[3] = (uint8_t)(v[i] >> 24);
    }
    o->addr = (uint16_t)(o->addr + n * (uint32_t)o->step);
}

static void keep(Core *p, const FDec *d, const Quick *o, bool own)
{
    if (o->kind != OK_MEM || (!own && !(o->r->w[1] & DSD_SAVE))) return;
    o->r->addr = o->addr;
    if (o->nested) memcpy(p->nd->cnt[o->r - p->dsr], o->n.cnt, sizeof o->n.cnt);
}

static bool length(const FDec *d, const Quick *qd, const Quick *qa, const Quick *qb, uint32_t *n)
{
    if (d->own) {
        *n = d->own;
        return true;
    }
    const Quick *const order[3] = {qa, qb, qd};
    *n = 0;
    for (int i = 0; i < 3 && !*n; i++)
        if (order[i]->r) *n = order[i]->r->w[1] & LEN_ENDLESS;
    if (*n == LEN_ENDLESS) return false;
    if (!*n) *n = 1;
    return true;
}

/* Elements that take their words as they come, one a cycle: leaves the cycle from which each place is free. */
static uint64_t take_times(Core *p, FIn *k, uint32_t n, uint64_t t)
{
    uint64_t waited = 0;
    for (uint32_t i = 0; i < n; i++) {
        SimWord *w = &k->w[(k->pop + i) & k->mask];
        if (w->at > t) waited += w->at - t, t = w->at;
        w->at = ++t;
    }
    p->ct[CT_stall_input] += waited;
    p->ct[CT_received] += n;
    return t;
}

QuickResult fast_quick(Fast *s, Core *p, const FDec *d, uint64_t *tp, uint32_t *want)
{
    const PeIns *in = &d->in;
    const uint8_t *esz = d->op->esz;
    Quick qd, qa, qb;
    uint64_t t = *tp;
    uint32_t n;
    if (!operand(p, in->a, DSR_SRC0, esz[1], &qa) || !operand(p, in->b, DSR_SRC1, esz[2], &qb)) return Q_NO;
    bool same = in->d == OPD_SAME_A;
    if (same) {
        if (qa.kind != OK_MEM || qa.nested) return Q_NO;
        qd = qa;
        qd.esz = esz[0];
    } else if (!operand(p, in->d, DSR_DEST, esz[0], &qd)) return Q_NO;
    if (!length(d, &qd, &qa, &qb, &n)) return Q_NO;
    const Quick *src = qa.kind == OK_IN ? &qa : &qb;
    FIn *iq = src->kind == OK_IN ? &p->iq[src->q] : NULL;
    FOut *oq = qd.kind == OK_OUT ? &p->oq[qd.q] : NULL;
    bool zeros = false, null_out = false;
    uint64_t bound = t;
    if (iq) {
        if ((qa.kind == OK_IN && qb.kind == OK_IN) || s->fabric_width != 1) return Q_NO;
        uint32_t have = iq->tail - iq->pop;
        zeros = !have && iq->color == COLOR_NULL;
        if (!zeros && have < n) {
            if (iq->color >= N_COLOR || n > iq->cap || oq || s->catching) return Q_NO;
            *want = n;
            return Q_LATER;
        }
        if (!zeros) {
            uint64_t at = iq->w[(iq->pop + n - 1) & iq->mask].at;
            if (at > bound) bound = at;
        }
    }
    if (oq) {
        null_out = oq->color == COLOR_NULL;
        if (oq->color == COLOR_NONE || s->fabric_width != 1 || (!null_out && fast_space(s, p, qd.q, t) < n) || s->fab_op == 0) return Q_NO;
    }
    bool both = qa.kind == OK_MEM && qb.kind == OK_MEM;
    bool conflict = both && n >= 2 && ((qa.addr ^ qb.addr) & 6) == 0;
    if (conflict && oq) return Q_NO;
    int32_t alo = 0, ahi = 0, blo = 0, bhi = 0, dlo, dhi;
    if (qa.kind == OK_MEM && !inside(s, &qa, n, &alo, &ahi) && !(qa.nested && qd.kind != OK_MEM)) return Q_NO;
    if (qb.kind == OK_MEM && !inside(s, &qb, n, &blo, &bhi) && !(qb.nested && qd.kind != OK_MEM)) return Q_NO;
    if (qd.kind == OK_MEM) {
        if (!inside(s, &qd, n, &dlo, &dhi)) return Q_NO;
        if (dlo < (int32_t)p->cls->text_end && dhi > (int32_t)p->cls->text_addr) return Q_NO;
        if (n > 1 && qa.kind == OK_MEM && dlo < ahi && dhi > alo && !(qa.addr == qd.addr && qa.step == qd.step && qa.step)) return Q_NO;
        if (n > 1 && qb.kind == OK_MEM && dlo < bhi && dhi > blo && !(qb.addr == qd.addr && qb.step == qd.step && qb.step)) return Q_NO;
    }
    uint32_t slots = n;
    if (!iq && !oq) {
        uint32_t w = n > 1 ? width_of(d, &qd, &qa, &qb) : 1;
        if (w > 1) slots = (n + w - 1) / w;
        if (conflict) p->ct[CT_stall_bank] += slots, slots *= 2;
    }
    if (bound + n * 2 > s->limit) {                      /* it might not end before the limit; n * 2 >= slots */
        if (conflict && !iq && !oq) p->ct[CT_stall_bank] -= slots / 2;
        return Q_NO;
    }
    /* from here on it is done */
    p->ct[d->slot_ct] += slots;
    p->ct[CT_slots] += slots;
    p->ct[CT_elements] += n;
    p->ct[d->flops & 0x80 ? CT_flops_half : CT_flops] += (uint64_t)n * (d->flops & 0x7f);
    p->ct[CT_instrs]++;
    uint32_t a[CHUNK], b[CHUNK], r[CHUNK];
    uint64_t first = t;
    uint32_t pop0 = iq ? iq->pop : 0;
    if (iq && !zeros) t = take_times(p, iq, n, t);
    else t += slots;
    if (zeros) p->ct[CT_zeros] += n;
    uint32_t c = !esz[3] ? 0 : opd_is_dot(in->c) ? p->dot[in->c - OPD_DOT0] : p->reg[in->c];
    bool is_chain = qd.kind == OK_DOT;
    uint32_t acc = is_chain && in->op != OP_DOTS && in->op != OP_SUMS ? p->dot[in->d - OPD_DOT0] : 0;
    for (uint32_t done = 0; done < n;) {
        uint32_t k = n - done < CHUNK ? n - done : CHUNK;
        if (qa.kind) gather(s, p, &qa, k, a);
        if (qb.kind) gather(s, p, &qb, k, b);
        if (is_chain) acc = chain(d, acc, a, b, k);
        else {
            compute(d, r, a, b, c, k);
            if (qd.kind == OK_MEM) scatter(p, &qd, k, r);
            else if (oq)
                for (uint32_t i = 0; i < k; i++) {
                    uint64_t at = iq && !zeros ? iq->w[(pop0 + done + i) & iq->mask].at - 1 : first + done + i;
                    fast_send(s, p, qd.q, r[i], false, at);
                }
        }
        done += k;
    }
    if (iq && !zeros && iq->waited) fast_places_free(s, p, src->q, iq->w[pop0 & iq->mask].at);
    if (is_chain) {
        p->dot[in->d - OPD_DOT0] = acc;
        p->dot_ready[in->d - OPD_DOT0] = t + s->dot_drain;
    } else if (qd.kind == OK_REG && in->d) {
        uint64_t at = t - 1 + (uint64_t)d->lat;
        p->reg[in->d] = r[(n - 1) % CHUNK];
        p->reg_ready[in->d] = (uint32_t)at;
        p->reg_pend |= 1u << in->d;
        if (at > p->reg_max) p->reg_max = at;
    }
    bool own = d->own != 0;
    keep(p, d, &qa, own);
    keep(p, d, &qb, own);
    if (!same) keep(p, d, &qd, own);
    *tp = t;
    return Q_DONE;
}
