/* runtime/sim/fast_run.c: all slots of an operation of the main thread, while no microthread runs.
 *
 * Operands in memory are read and written in pieces in which each goes by a constant step; a piece that leaves the memory,
 * wraps, writes code, or writes what it reads is done element by element.  Operations with a queue go element by element, each
 * in its own cycle, as far as words and places are known. */
#include "runtime/sim/fast.h"
#include "runtime/sim/fast_mem.h"
#include "runtime/sim/pe_el.h"
#include <string.h>

enum { CHUNK = WS_LIMIT(64, 2) };
typedef struct { const uint8_t *m; int32_t step; } Src;            /* values from m on, step bytes apart */

/* What an operation computes.  plain: fn is the body of pe_el.h with multiply-adds rounded twice. */
typedef struct { ElFn *fn; uint8_t op, ea, eb; bool plain; } Kern;

/* sources of a size, results into r (or the last one only, chains); a step of 0 repeats the value */
#define LOOP(LA, LB, EXPR)                                                                                                    \
    for (uint32_t i = 0; i < n; i++, a.m += a.step, b.m += b.step) {                                                          \
        uint32_t x = LA, y = LB;                                                                                              \
        (void)x, (void)y;                                                                                                     \
        EXPR;                                                                                                                 \
    }
/* A NaN stays one through additions and multiplications, so it is made canonical once, at the end. */
static uint32_t chain(Kern k, uint32_t acc, Src a, Src b, uint32_t n)
{
    if (k.plain && k.ea == 4) {
        float f = s_of(acc);
        if (k.op == OP_DOTNS) LOOP(get4(a.m), get4(b.m), f = f - s_of(x) * s_of(y))
        else LOOP(get4(a.m), get4(b.m), f = f + s_of(x) * s_of(y))
        return of_s(f);
    }
    if (k.ea == 4) LOOP(get4(a.m), get4(b.m), acc = k.fn(x, y, 0, acc))
    else LOOP(0, get4(b.m), acc = k.fn(0, y, 0, acc))
    return acc;
}

/* words next to each other, or one value: loops that the compiler makes vectors of */
#define ROW(NAME, XI, YI) for (uint32_t i = 0; i < n; i++) r[i] = el_##NAME(get4(a.m + XI), get4(b.m + YI), c, 0);
#define ROWS(NAME)                                                                                                            \
    case OP_##NAME:                                                                                                           \
        if (a.step == 4 && b.step == 4) ROW(NAME, 4 * i, 4 * i)                                                               \
        else if (a.step == 4 && b.step == 0) ROW(NAME, 4 * i, 0)                                                              \
        else if (a.step == 0 && b.step == 4) ROW(NAME, 0, 4 * i)                                                              \
        else LOOP(get4(a.m), get4(b.m), r[i] = el_##NAME(x, y, c, 0))                                                         \
        return;
static void compute(Kern k, uint32_t *r, Src a, Src b, uint32_t c, uint32_t n)
{
    if (k.plain) switch (k.op) {
        case OP_FMOVS: case OP_MOV32:
            if (b.step == 4) memcpy(r, b.m, (size_t)4 * n);
            else LOOP(0, get4(b.m), r[i] = y)
            return;
        ROWS(FADDS) ROWS(FSUBS) ROWS(FMULS) ROWS(FMACS) ROWS(FMSS)
    default: break;
    }
    ElFn *fn = k.fn;
    if (k.ea == 4 && k.eb == 4) LOOP(get4(a.m), get4(b.m), r[i] = fn(x, y, c, 0))
    else if (k.ea == 2 && k.eb == 2) LOOP(get2(a.m), get2(b.m), r[i] = fn(x, y, c, 0))
    else LOOP(k.ea == 4 ? get4(a.m) : k.ea ? get2(a.m) : 0, k.eb == 4 ? get4(b.m) : k.eb ? get2(b.m) : 0, r[i] = fn(x, y, c, 0))
}
#undef ROWS
#undef ROW
static bool overlap(uint16_t a, int32_t sa, uint32_t ea, uint16_t d, int32_t sd, uint32_t ed, uint32_t n)
{
    int32_t az = a + sa * (int32_t)(n - 1), dz = d + sd * (int32_t)(n - 1);
    int32_t alo = a < az ? a : az, ahi = (a < az ? az : a) + (int32_t)ea, dlo = d < dz ? d : dz, dhi = (d < dz ? dz : d) + (int32_t)ed;
    return alo < dhi && dlo < ahi && !(a == d && sa == sd && ea == ed && sa);
}

static bool is_value(const FOpd *o) { return o->kind == OK_REG || o->kind == OK_DOT; }

/* elements before the operand's step changes, at most `most` */
static uint32_t opd_run(const FVec *v, const FOpd *o, uint32_t most)
{
    return o->kind == OK_MEM && o->nested ? fast_nest_run(&v->nest[o->role], most) : most;
}

static void opd_pass(const FVec *v, FOpd *o, uint32_t k)
{
    if (o->kind != OK_MEM) return;
    o->addr = o->nested ? fast_nest_pass(&v->nest[o->role], o->addr, k) : (uint16_t)(o->addr + k * (uint32_t)o->step);
}

/* where a source is; false: not in one piece */
static bool source(const Fast *s, const Core *p, const FOpd *o, uint32_t n, Src *src)
{
    *src = (Src){(const uint8_t *)&o->val, 0};
    if (o->kind != OK_MEM) return is_value(o) || o->kind == OK_NONE;
    *src = (Src){p->mem + o->addr, o->step};
    return inside(s, o->addr, o->step, n, o->esz);
}

static bool clash(const FOpd *o, const FOpd *d, uint32_t n)
{
    return o->kind == OK_MEM && overlap(o->addr, o->step, o->esz, d->addr, d->step, d->esz, n);
}

/* may the piece be stored after all of it has been read? */
static bool target(const Fast *s, const Core *p, const FVec *v, uint32_t n)
{
    const FOpd *d = &v->d;
    if (d->kind != OK_MEM) return d->kind == OK_REG || d->kind == OK_DOT;
    if (!inside(s, d->addr, d->step, n, d->esz)) return false;
    int32_t z = d->addr + d->step * (int32_t)(n - 1);
    uint32_t lo = (uint32_t)(z < d->addr ? z : d->addr), hi = (uint32_t)(z < d->addr ? d->addr : z) + d->esz;
    if (lo < p->cls->text_end && hi > p->cls->text_addr) return false;
    return n == 1 || (!clash(&v->a, d, n) && !clash(&v->b, d, n));
}

static void store_piece(Core *p, const FOpd *d, const uint32_t *r, uint32_t n)
{
    uint8_t *m = p->mem + d->addr;
    if (d->esz == 4 && d->step == 4) memcpy(m, r, (size_t)4 * n);
    else if (d->esz == 4)
        for (uint32_t i = 0; i < n; i++, m += d->step) memcpy(m, &r[i], 4);
    else
        for (uint32_t i = 0; i < n; i++, m += d->step) memcpy(m, &(uint16_t){(uint16_t)r[i]}, 2);
}

/* n elements that touch no queue */
static void elements(Fast *s, Core *p, FVec *v, uint32_t n, uint64_t t)
{
    const Kern k = {s->tab.fn[v->op], v->op, v->a.esz, v->b.esz, s->tab.fn[v->op] == s->tab.plain[v->op]};
    uint32_t r[CHUNK];
    while (n) {
        Src a, b;
        uint32_t m = opd_run(v, &v->a, opd_run(v, &v->b, opd_run(v, &v->d, n < CHUNK ? n : CHUNK)));
        n -= m;
        if (!target(s, p, v, m) || !source(s, p, &v->a, m, &a) || !source(s, p, &v->b, m, &b)) {
            while (m--) fast_vec_element(s, p, v, t);
            continue;
        }
        if (v->chain) p->dot[v->d.idx] = chain(k, p->dot[v->d.idx], a, b, m);
        else {
            compute(k, r, a, b, v->cval, m);
            if (v->d.kind == OK_MEM) store_piece(p, &v->d, r, m);
            else if (v->d.kind == OK_REG && v->d.idx) p->reg[v->d.idx] = r[m - 1];
        }
        opd_pass(v, &v->a, m);
        opd_pass(v, &v->b, m);
        opd_pass(v, &v->d, m);
    }
}

static void count(Core *p, FVec *v, uint32_t n, uint64_t slots)
{
    p->ct[v->slot_ct] += slots;
    p->ct[CT_slots] += slots;
    p->ct[CT_elements] += n;
    sim_count_flops(p->ct, v->flops, n);
    v->done += n;
}

/* no queue: the time is known from the start */
static uint64_t run_memory(Fast *s, Core *p, FVec *v, uint64_t t, uint64_t lim)
{
    uint32_t per = v->conflict ? 2 : 1;
    while (t < lim && (v->endless || v->done < v->total)) {
        uint32_t left = v->endless ? v->width * 64 : v->total - v->done;
        uint64_t slots = (uint64_t)((left + v->width - 1) / v->width) * per - v->sub;
        uint32_t n = left;
        if (slots > lim - t) {                           /* only whole groups, and perhaps the first slot of another */
            slots = lim - t;
            uint64_t groups = (slots + v->sub) / per;
            n = (uint32_t)groups * v->width;
            if (v->conflict) p->ct[CT_stall_bank] += (slots + v->sub + 1) / 2 - v->sub;
            v->sub = (slots + v->sub) % per;
        } else {
            if (v->conflict) p->ct[CT_stall_bank] += slots / 2;
            v->sub = false;
        }
        elements(s, p, v, n, t);
        count(p, v, n, slots);
        t += slots;
        v->since = t - 1;
    }
    return t;
}

/* ---- with a queue, an element a cycle */
typedef struct { FIn *k; FOut *o; uint8_t q; bool zeros; } Fabric;

/* false: two queues as sources, or several elements a cycle: slot by slot */
static bool fabric_of(Core *p, const FVec *v, Fabric *f)
{
    *f = (Fabric){0};
    if (v->width != 1 || v->conflict || v->fifo || v->meet || p->ctl || (v->d.kind == OK_OUT && v->d.addr) || (v->a.kind == OK_IN && v->b.kind == OK_IN)) return false;
    if (v->a.kind == OK_IN || v->b.kind == OK_IN) {
        f->q = v->a.kind == OK_IN ? v->a.idx : v->b.idx;
        f->k = &p->iq[f->q];
        f->zeros = f->k->color == COLOR_NULL && f->k->pop == f->k->tail;
        if (f->k->color == COLOR_NULL && !f->zeros) return false;
    }
    if (v->d.kind != OK_OUT) return true;
    f->o = &p->oq[v->d.idx];
    return f->o->color != COLOR_NONE;
}

/* As many elements as have their word and their place in a known cycle before lim; the cycle behind the last. */
static uint64_t run_fabric(Fast *s, Core *p, FVec *v, uint64_t t, uint64_t lim)
{
    Fabric f;
    if (!fabric_of(p, v, &f)) return t;
    const bool in = f.k && !f.zeros;
    uint32_t n = 0, room = 0, left = v->endless ? UINT32_MAX : v->total - v->done;
    uint64_t waited = 0;
    for (; left; left--) {
        uint64_t u = t;
        if (in) {
            if (f.k->pop == f.k->tail) break;
            u = later(t, fast_in_at(f.k, f.k->pop));
        }
        if (u >= lim || (f.o && !room && !(room = fast_space(s, p, v->d.idx, u)))) break;
        room--;
        waited += u - t;
        fast_vec_element(s, p, v, u);
        n++;
        t = u + 1;
    }
    if (!n) return t;
    if (waited) p->ct[CT_stall_input] += waited;
    count(p, v, n, n);
    v->since = t - 1;
    return t;
}

/* Runs from *t on; R_READY: it has ended or *t is the limit, else *w says why not. */
Ready fast_vec_run(Fast *s, Core *p, FVec *v, uint64_t *tp, uint64_t lim, FWait *w)
{
    uint64_t t = *tp;
    if (!v->fabric && !v->meet) {
        t = run_memory(s, p, v, t, lim);
        if (!v->endless && v->done == v->total) fast_vec_finish(s, p, v, t - 1);
        *tp = t;
        return R_READY;
    }
    t = run_fabric(s, p, v, t, lim);
    Ready r = R_READY;
    bool last = !v->endless && v->done == v->total;
    if (last) fast_vec_finish(s, p, v, t - 1);
    while (!last && t < lim && (r = fast_vec_ready(s, p, v, t, w)) == R_READY) {
        p->ct[v->slot_ct]++;
        p->ct[CT_slots]++;
        s->slow[v->meet ? SLOW_register_slots : v->fifo ? SLOW_fifo_slots : p->ctl ? SLOW_control_slots : SLOW_queue_slots]++;
        last = fast_vec_issue(s, p, v, t);
        t++;
        if (s->b.fault.kind && s->fault_at == p->i) break;
    }
    *tp = t;
    return r;
}
