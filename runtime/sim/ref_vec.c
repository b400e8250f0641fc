/* runtime/sim/ref_vec.c: vector operations, memory, queues (docs/machine.md, "Vector operations").
 *
 * An operation is set up once, when its registers and DSRs are ready: descriptors and registers are captured, length,
 * width and bank conflict decided, the DSRs left as they will be when it has ended.  Then each issue slot does one
 * group of elements. */
#include "runtime/sim/ref.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const char *const file_names[] = {"dest", "src0", "src1"};
static const char *const kind_names[] = {"no", "mem1d", "nested", "fabin", "fabout", "fifo"};

/* ---- memory */
static bool within(uint32_t addr, uint32_t from, uint32_t bytes) { return addr >= from && addr - from < bytes; }

uint32_t ref_data_end(const WsClass *c)
{
    uint32_t text = c->text_bytes ? c->text_addr + c->text_bytes : 0, data = c->data_bytes ? c->data_addr + c->data_bytes : 0;
    uint32_t bss = c->bss_bytes ? c->bss_addr + c->bss_bytes : 0, end = text > data ? text : data;
    return end > bss ? end : bss;
}

/* Checked runs: a load belongs to code, data or the stack in use, a store to data or that stack, or to a register. */
static void check_access(Ref *s, const Pe *pe, uint16_t addr, int bytes, bool store)
{
    const WsClass *c = pe->cls->c;
    uint32_t mem = (uint32_t)AP(&s->b.arch, mem_bytes);
    if (addr >= mem && addr >= REGS_FIRST && c->uses & USES_REGS) return;
    for (int i = 0; i < bytes && !s->stray; i++) {
        uint16_t a = (uint16_t)(addr + i);
        bool ok = within(a, c->data_addr, c->data_bytes) || within(a, c->bss_addr, c->bss_bytes) || (!store && within(a, c->text_addr, c->text_bytes));
        if (ok || (a < mem && a >= pe->reg[REG_SP])) continue;
        s->stray = store ? "a store" : "a load";
        s->stray_at = a;
    }
}

void ref_report_stray(Ref *s, Pe *pe, int thread, uint16_t pc)
{
    if (s->stray) REF_FAULT(s, pe->i, thread, pc, stray, d_str(s->stray), d_uint(s->stray_at));
    s->stray = NULL;
}

static uint32_t half(Ref *s, Pe *pe, uint16_t addr)
{
    uint32_t v;
    addr &= 0xfffe;
    if (addr >= AP(&s->b.arch, mem_bytes)) {
        if (addr >= REGS_FIRST && pe->cls->c->uses & USES_REGS && ref_reg_read(s, pe, addr, &v)) return v;
        pe->rt->ct[CT_stray]++;
        return 0;
    }
    return pe->mem[addr] | (uint32_t)pe->mem[addr + 1] << 8;
}

uint32_t ref_load(Ref *s, Pe *pe, uint16_t addr, int bytes)
{
    if (s->check) check_access(s, pe, bytes > 1 ? addr & 0xfffe : addr, bytes, false);
    if (bytes == 1) return half(s, pe, addr) >> (addr & 1) * 8 & 0xff;
    if (bytes == 2) return half(s, pe, addr);
    return half(s, pe, addr) | half(s, pe, (uint16_t)(addr + 2)) << 16;
}

static void put_byte(Ref *s, Pe *pe, uint16_t addr, uint32_t v)
{
    const WsClass *c = pe->cls->c;
    if ((uint16_t)(addr - c->text_addr) < c->text_bytes) pe->dirty = true;
    pe->mem[addr] = (uint8_t)v;
}

void ref_store(Ref *s, Pe *pe, uint16_t addr, int bytes, uint32_t v)
{
    if (bytes > 1) addr &= 0xfffe;
    if (s->check) check_access(s, pe, addr, bytes, true);
    for (int i = 0; i < bytes; i += 2) {
        uint16_t a = (uint16_t)(addr + i);
        if (a >= AP(&s->b.arch, mem_bytes)) {
            if (bytes > 1 && a >= REGS_FIRST && pe->cls->c->uses & USES_REGS && ref_reg_write(s, pe, a, (uint16_t)(v >> i * 8))) continue;
            pe->rt->ct[CT_stray]++;
            continue;
        }
        put_byte(s, pe, a, v >> i * 8);
        if (bytes > 1) put_byte(s, pe, (uint16_t)(a + 1), v >> (i * 8 + 8));
    }
}

/* ---- queues */
uint32_t ref_out_space(const Ref *s, const Pe *pe, int q)
{
    const OutQ *o = &pe->oq[q];
    if (o->color == COLOR_NULL) return UINT32_MAX;
    /* a place freed in cycle g can be filled from g + 1 on: an element issued now enters fab_op later */
    uint32_t used = o->r.n + (AP(&s->b.arch, fab_op) == 0 && o->granted_at == s->now);
    return used < o->cap ? o->cap - used : 0;
}

bool ref_send(Ref *s, Pe *pe, int q, SimWord w, int thread, uint16_t pc)
{
    OutQ *o = &pe->oq[q];
    if (o->color == COLOR_NONE) {
        REF_FAULT(s, pe->i, thread, pc, oq_unbound, d_int(q));
        return false;
    }
    if (o->color == COLOR_NULL) {
        pe->rt->ct[CT_dropped]++;
        return true;
    }
    uint64_t at = s->now + (uint64_t)AP(&s->b.arch, fab_op) + (uint64_t)AP(&s->b.arch, ramp_up);
    if (at == s->now) at++;                              /* the routers of this cycle have passed */
    w.color = o->color, w.at = at;
    ring_push(&o->r, w);
    pe->rt->oqs |= (uint8_t)(1u << q);
    pe->rt->ct[CT_sent]++;
    ref_wake_router(s, pe->i, at);
    return true;
}

/* data words that can be read now, up to want, and to the next control word */
static uint32_t in_words(const Ref *s, const Pe *pe, int q, uint32_t want)
{
    const InQ *k = &pe->iq[q];
    if (!k->r.n) return k->color == COLOR_NULL ? want : 0;
    uint32_t n = 0;
    while (n < want && n < k->r.n && ring_at(&k->r, n)->at <= s->now && !ring_at(&k->r, n)->control) n++;
    return n;
}

/* a control word can be read at the head of the queue */
bool ref_control_head(const Ref *s, const Pe *pe, int q)
{
    const Ring *r = &pe->iq[q].r;
    return r->n && ring_at(r, 0)->control && ring_at(r, 0)->at <= s->now;
}

static bool takes_control(const Opd *o, int q) { return o->kind == OK_IN && o->idx == q && (o->on_end || o->on_act >= 0); }

bool ref_on_control(const Pe *pe, int q)
{
    if (pe->main.v.active && (takes_control(&pe->main.v.a, q) || takes_control(&pe->main.v.b, q))) return true;
    for (unsigned m = pe->uts; m; m &= m - 1) {
        const Vec *v = &pe->ut[__builtin_ctz(m)];
        if (takes_control(&v->a, q) || takes_control(&v->b, q)) return true;
    }
    return false;
}

/* the operand of an operation that has a control word before it and takes it; NULL: none */
static const Opd *control_event(const Ref *s, const Pe *pe, const Vec *v)
{
    const Opd *const src[2] = {&v->a, &v->b};
    for (int i = 0; i < 2 && v->on_control; i++)
        if (src[i]->kind == OK_IN && takes_control(src[i], src[i]->idx) && ref_control_head(s, pe, src[i]->idx)) return src[i];
    return NULL;
}

/* ---- FIFOs in memory */
static uint32_t mem_bytes(const Ref *s) { return (uint32_t)AP(&s->b.arch, mem_bytes); }
static uint32_t room_of(const Ref *s, const Pe *pe, const Opd *o, bool push) { return fifo_room(pe->mem, mem_bytes(s), o->record, push); }

/* address of the element to take or put; moves the record on */
static uint16_t step_fifo(Ref *s, Pe *pe, const Opd *o, bool push)
{
    const FifoStep f = fifo_step(pe->mem, mem_bytes(s), o->record, push, o->esz);
    if (!push) ref_store(s, pe, (uint16_t)(o->record + 2 * FIFO_HEAD), 2, f.head);
    ref_store(s, pe, (uint16_t)(o->record + 2 * FIFO_COUNT), 2, f.count);
    return f.addr;
}

static bool fifo_operand(Ref *s, Pe *pe, const Vec *v, Opd *o, uint16_t record)
{
    const char *why = fifo_fault(pe->mem, mem_bytes(s), record, o->esz);
    o->kind = OK_FIFO;
    o->record = record;
    if (why) REF_FAULT(s, pe->i, THREAD_MAIN, v->pc, bad_fifo, d_uint(record), d_str(why));
    return !why;
}

uint32_t ref_take(Ref *s, Pe *pe, int q)
{
    InQ *k = &pe->iq[q];
    if (!k->r.n) {
        assert(k->color == COLOR_NULL);
        pe->rt->ct[CT_zeros]++;
        return 0;
    }
    SimWord w = ring_pop(&k->r);
    pe->rt->ct[CT_received]++;
    if (pe->rt->ramp_waited) {
        pe->rt->ramp_waited = false;
        ref_wake_router(s, pe->i, s->now + 1);
    }
    return w.data;
}

/* ---- positions */
static void step(Pos *p, const uint16_t ext[4], const int32_t by[4])
{
    for (int k = 0; k < 4; k++) {
        p->addr = (uint16_t)(p->addr + by[k]);
        if (!ext[k] || ++p->cnt[k] < ext[k]) return;
        p->addr = (uint16_t)(p->addr - ext[k] * by[k]);
        p->cnt[k] = 0;
    }
}

bool ref_load_dsr(Ref *s, Pe *pe, int dsr, int x, const uint16_t w[4])
{
    Dsr *r = &pe->dsr[dsr];
    int kind = w[3] & 7;
    if (kind == DSD_NONE || kind > (pe->cls->c->uses & USES_DSD ? DSD_FIFO : DSD_FABOUT)) {
        REF_FAULT(s, pe->i, THREAD_MAIN, pe->main.pc, bad_descriptor, d_int(kind), d_str(file_names[dsr / N_DSR]), d_int(dsr % N_DSR));
        return false;
    }
    *r = (Dsr){.kind = (uint8_t)kind, .x = (uint8_t)x, .pos.addr = w[0]};
    memcpy(r->w, w, sizeof r->w);
    for (int k = 0; kind == DSD_MEMND && k < 4; k++) {
        pe->xdsr[x].ext[k] = (uint16_t)ref_load(s, pe, (uint16_t)(w[2] + 4 * k), 2);
        pe->xdsr[x].stride[k] = (int16_t)ref_load(s, pe, (uint16_t)(w[2] + 4 * k + 2), 2);
    }
    return true;
}

/* ---- set-up */
static Dsr *dsr_of(Pe *pe, int file, int code) { return &pe->dsr[file * N_DSR + (code - OPD_DSR0)]; }

/* the DSRs of d, a, b in this order; NULL where the operand is none */
static void dsrs_of(Pe *pe, const PeIns *in, Dsr *r[3])
{
    r[0] = opd_is_dsr(in->d) ? dsr_of(pe, DSR_DEST, in->d) : in->d == OPD_SAME_A ? dsr_of(pe, DSR_SRC0, in->a) : NULL;
    r[1] = opd_is_dsr(in->a) ? dsr_of(pe, DSR_SRC0, in->a) : NULL;
    r[2] = opd_is_dsr(in->b) ? dsr_of(pe, DSR_SRC1, in->b) : NULL;
}

bool ref_vec_waits(const Ref *s, const Pe *pe, const Dec *d, Wait *w)
{
    uint64_t until = 0;
    for (unsigned m = d->dots; m; m &= m - 1)
        if (pe->dot_ready[__builtin_ctz(m)] > until) until = pe->dot_ready[__builtin_ctz(m)];
    if (until > s->now) {
        *w = (Wait){WAIT_TIME, 0, COLOR_NONE, CT_stall_dot, until};
        return true;
    }
    Dsr *r[3];
    dsrs_of((Pe *)pe, &d->in, r);
    for (int i = 0; i < 3; i++)
        if (r[i] && r[i]->ready > until) until = r[i]->ready;
    if (until > s->now) {
        *w = (Wait){WAIT_TIME, 0, COLOR_NONE, CT_stall_dsr, until};
        return true;
    }
    return false;
}

Dsr *ref_vec_fabric(Pe *pe, const Dec *d)
{
    Dsr *r[3];
    dsrs_of(pe, &d->in, r);
    for (int i = 0; i < 3; i++)
        if (r[i] && (r[i]->kind == DSD_FABIN || r[i]->kind == DSD_FABOUT)) return r[i];
    for (int i = 0; i < 3; i++)
        if (r[i] && r[i]->kind == DSD_FIFO) return r[i];
    return NULL;
}

int ref_vec_ut(const Ref *s, const Pe *pe, const Dec *d)
{
    const Dsr *r = ref_vec_fabric((Pe *)pe, d);
    if (!r) return -1;
    if (r->w[3] & DSD_UT_VALID) return r->w[3] >> 4 & 7;
    return r->kind == DSD_FIFO ? -1 : r->w[0] & 7;
}

/* An operand from its code.  role: 0 dest, 1 src0, 2 src1, 3 the fourth. */
static bool operand(Ref *s, Pe *pe, const Vec *v, int role, int code, int esz, Opd *o)
{
    *o = (Opd){.esz = (uint8_t)esz, .on_act = -1};
    if (!esz) return true;
    if (opd_is_reg(code) || opd_is_dot(code)) {
        bool dot = opd_is_dot(code);
        o->kind = dot ? OK_DOT : OK_REG;
        o->idx = (uint8_t)(dot ? code - OPD_DOT0 : code);
        o->val = dot ? pe->dot[o->idx] : pe->reg[o->idx];
        return true;
    }
    static const int files[] = {DSR_DEST, DSR_SRC0, DSR_SRC1};
    assert(opd_is_dsr(code) && role < 3);                /* pe_decode allows no other */
    int file = files[role], i = code - OPD_DSR0, thread = THREAD_MAIN;
    const Dsr *r = &pe->dsr[file * N_DSR + i];
    if (r->kind == DSD_NONE) {
        REF_FAULT(s, pe->i, thread, v->pc, dsr_unloaded, d_str(file_names[file]), d_int(i));
        return false;
    }
    if (r->kind == (role ? DSD_FABOUT : DSD_FABIN)) {
        REF_FAULT(s, pe->i, thread, v->pc, dsr_kind, d_str(file_names[file]), d_int(i), d_str(kind_names[r->kind]),
                  d_str(role ? "source" : "destination"));
        return false;
    }
    if (r->kind == DSD_MEM1D || r->kind == DSD_MEMND) {
        o->kind = OK_MEM;
        o->pos = r->pos;
        o->step[0] = (int8_t)(r->w[2] & 0xff) * esz;
        for (int k = 0; r->kind == DSD_MEMND && k < 4; k++) {
            o->ext[k] = pe->xdsr[r->x].ext[k];
            o->step[k] = pe->xdsr[r->x].stride[k] * esz;
        }
        return true;
    }
    if (r->kind == DSD_FIFO) return fifo_operand(s, pe, v, o, r->w[0]);
    o->kind = r->kind == DSD_FABIN ? OK_IN : OK_OUT;
    o->idx = r->w[0] & 7;
    o->control = role == 0 && r->w[3] & DSD_CONTROL;
    o->advance = role == 0 && r->w[3] & DSD_ADVANCE && pe->cls->c->uses & USES_DSD;
    o->record = role == 0 ? r->pos.cnt[0] : 0;
    if (role && pe->cls->c->uses & USES_CONTROL) {
        o->on_end = r->w[0] & ON_CONTROL_END;
        if (r->w[0] & ON_CONTROL_ACT) o->on_act = (int8_t)(r->w[0] >> 8 & 63);
    }
    uint32_t words = (uint32_t)(role ? arch_iq_words(&s->b.arch, o->idx) : arch_oq_words(&s->b.arch, o->idx));
    if (!words) {
        REF_FAULT(s, pe->i, thread, v->pc, no_such_queue, d_str(role ? "input" : "output"), d_int(o->idx));
        return false;
    }
    return true;
}

static bool own_one(int op) { return op == OP_FMACS1 || op == OP_FMSS1 || op == OP_FMACH1; }

/* rule P1 */
static void length(Vec *v, const Dec *d, Dsr *const r[3])
{
    if (d->op->fmt == FMT_V3 && d->in.imm) v->total = (uint32_t)d->in.imm, v->own = true;
    else if (own_one(d->in.op)) v->total = 1, v->own = true;
    static const int order[3] = {1, 2, 0};
    for (int i = 0; i < 3 && !v->total; i++)
        if (r[order[i]]) v->total = r[order[i]]->w[1] & LEN_ENDLESS;
    v->endless = !v->own && v->total == LEN_ENDLESS;
    if (!v->total) v->total = 1;
}

static uint32_t stride_width(int stride)                 /* elements per cycle that the banks allow; 0: any number */
{
    static const uint8_t by_mod[8] = {1, 2, 0, 0, 2, 0, 0, 2};
    return stride == 0 || stride == 1 ? 0 : by_mod[stride & 7];
}

static void at_most(uint32_t *w, uint32_t limit)
{
    if (limit < *w) *w = limit;
}

static void width(const Ref *s, Vec *v, const Dec *d)
{
    const Arch *a = &s->b.arch;
    const Opd *const all[3] = {&v->d, &v->a, &v->b};
    int sources = (v->a.kind == OK_MEM || v->a.kind == OK_FIFO) + (v->b.kind == OK_MEM || v->b.kind == OK_FIFO);
    bool queue = false;
    v->width = (uint32_t)pe_width(a, d->op->vclass);
    for (int i = 0; i < 3; i++) {
        const Opd *o = all[i];
        if (o->kind == OK_IN || o->kind == OK_OUT) v->fabric = queue = true;
        if (o->kind == OK_FIFO) v->fabric = v->fifo = true;
        if (i && o->kind == OK_IN && (o->on_end || o->on_act >= 0)) v->on_control = true;
        if (o->kind != OK_MEM && o->kind != OK_FIFO) continue;
        int bits = i == 0 ? AP(a, write_bits) : sources == 2 ? AP(a, read_bits_each) : AP(a, read_bits);
        at_most(&v->width, (uint32_t)bits / (8u * o->esz));
        uint32_t lim = o->kind == OK_MEM ? stride_width(o->step[0] / o->esz) : 0;
        if (lim) at_most(&v->width, lim);
    }
    if (queue) at_most(&v->width, (uint32_t)AP(a, fabric_width));
    if (!v->width) v->width = 1;
    v->conflict = v->a.kind == OK_MEM && v->b.kind == OK_MEM && v->total >= 2 && ((v->a.pos.addr ^ v->b.pos.addr) & 6) == 0;
}

/* leave the DSR as it will be after the operation */
static void advance_dsr(Dsr *r, const Vec *v, const Opd *o)
{
    if (o->kind != OK_MEM || v->endless) return;
    if (!v->own && !(r->w[1] & DSD_SAVE)) return;
    for (uint32_t i = 0; i < v->total; i++) step(&r->pos, o->ext, o->step);
}

bool ref_vec_setup(Ref *s, Pe *pe, const Dec *d, uint16_t pc, Vec *v)
{
    const PeIns *in = &d->in;
    *v = (Vec){.opcode = in->op, .pc = pc, .fn = s->tab.fn[in->op], .act = -1, .unb = -1, .same = in->d == OPD_SAME_A};
    Dsr *r[3];
    dsrs_of(pe, in, r);
    const uint8_t *esz = d->op->esz;
    if (!operand(s, pe, v, 1, in->a, esz[1], &v->a) || !operand(s, pe, v, 2, in->b, esz[2], &v->b) ||
        !operand(s, pe, v, 3, in->c, esz[3], &v->c))
        return false;
    if (v->same) {
        v->d = v->a;
        v->d.esz = esz[0];
        if (v->a.kind != OK_MEM) {
            REF_FAULT(s, pe->i, THREAD_MAIN, pc, dsr_kind, d_str("src0"), d_int(in->a - OPD_DSR0), d_str(v->a.kind == OK_FIFO ? "fifo" : "fabin"), d_str("destination"));
            return false;
        }
    } else if (!operand(s, pe, v, 0, in->d, esz[0], &v->d)) return false;
    v->chain = v->d.kind == OK_DOT;
    length(v, d, r);
    width(s, v, d);
    if (in->op == OP_DOTS || in->op == OP_SUMS) pe->dot[v->d.idx] = 0;
    if (r[1]) advance_dsr(r[1], v, &v->a);
    if (r[2]) advance_dsr(r[2], v, &v->b);
    if (r[0] && !v->same) advance_dsr(r[0], v, &v->d);
    v->active = true;
    return true;
}

/* ---- issue */
/* elements that words and space allow now, at most want; *w says what is missing if none */
static uint32_t fabric_elements(const Ref *s, const Pe *pe, const Vec *v, uint32_t want, Wait *w)
{
    uint32_t n = want;
    bool twice = v->a.kind == OK_IN && v->b.kind == OK_IN && v->a.idx == v->b.idx;
    const Opd *const src[2] = {&v->a, &v->b};
    bool both = v->a.kind == OK_FIFO && v->b.kind == OK_FIFO && v->a.record == v->b.record;
    for (int i = 0; i < 2 && n; i++) {
        if (src[i]->kind == OK_FIFO) {
            at_most(&n, both ? room_of(s, pe, src[i], false) / 2 : room_of(s, pe, src[i], false));
            if (!n && w) *w = (Wait){WAIT_FIFO, 0, COLOR_NONE, CT_stall_input, NEVER};
        }
        if (src[i]->kind != OK_IN) continue;
        uint32_t k = in_words(s, pe, src[i]->idx, twice ? 2 * n : n);
        at_most(&n, twice ? k / 2 : k);
        if (!n && w) *w = (Wait){WAIT_INPUT, src[i]->idx, pe->iq[src[i]->idx].color, CT_stall_input, NEVER};
    }
    if (n && v->d.kind == OK_OUT) {
        at_most(&n, ref_out_space(s, pe, v->d.idx));
        if (!n && w) *w = (Wait){WAIT_OUTPUT, v->d.idx, pe->oq[v->d.idx].color, CT_stall_output, NEVER};
    }
    if (n && v->d.kind == OK_FIFO) {
        at_most(&n, room_of(s, pe, &v->d, true));
        if (!n && w) *w = (Wait){WAIT_FIFO, 1, COLOR_NONE, CT_stall_output, NEVER};
    }
    return n;
}

/* The FIFO that holds an operation up, if that is not to wait; NULL: a queue holds it up, or it waits. */
static const Opd *fifo_event(const Ref *s, const Pe *pe, const Vec *v, FifoAction *a)
{
    Wait w = {WAIT_NOTHING, 0, COLOR_NONE, 0, 0};
    if (!v->fifo || fabric_elements(s, pe, v, 1, &w) || w.kind != WAIT_FIFO) return NULL;
    const Opd *o = w.queue ? &v->d : v->a.kind == OK_FIFO && !room_of(s, pe, &v->a, false) ? &v->a : v->b.kind == OK_FIFO ? &v->b : &v->a;
    *a = fifo_action(pe->mem, mem_bytes(s), o->record, w.queue, v->async);
    return *a == FIFO_WAIT ? NULL : o;
}

static uint32_t group(const Vec *v)
{
    uint32_t left = v->total - v->done;
    return v->endless || left > v->width ? v->width : left;
}

bool ref_vec_ready(const Ref *s, const Pe *pe, const Vec *v, Wait *w)
{
    FifoAction a;
    if (!v->fabric || (v->conflict && !v->sub)) return true;
    if (control_event(s, pe, v) || fifo_event(s, pe, v, &a)) return true;
    return fabric_elements(s, pe, v, group(v), w) > 0;
}

static uint32_t fetch(Ref *s, Pe *pe, Opd *o)
{
    switch (o->kind) {
    case OK_REG: case OK_DOT: return o->val;
    case OK_IN: return ref_take(s, pe, o->idx);
    case OK_MEM: {
        uint32_t x = ref_load(s, pe, o->pos.addr, o->esz);
        step(&o->pos, o->ext, o->step);
        return x;
    }
    case OK_FIFO: return ref_load(s, pe, step_fifo(s, pe, o, false), o->esz);
    default: return 0;
    }
}

static bool element(Ref *s, Pe *pe, Vec *v, bool last, int thread)
{
    uint32_t a = fetch(s, pe, &v->a), b = fetch(s, pe, &v->b);
    uint32_t r = v->fn(a, b, v->c.val, v->chain ? pe->dot[v->d.idx] : 0);
    switch (v->d.kind) {
    case OK_REG:
        if (v->d.idx) pe->reg[v->d.idx] = r;
        break;
    case OK_DOT: pe->dot[v->d.idx] = r; break;
    case OK_MEM:
        ref_store(s, pe, v->d.pos.addr, v->d.esz, r);
        step(&v->d.pos, v->d.ext, v->d.step);
        break;
    case OK_FIFO: ref_store(s, pe, step_fifo(s, pe, &v->d, true), v->d.esz, r); break;
    case OK_OUT:
        if (v->d.esz == 2) r = (r & 0xffff) | (uint32_t)v->d.record << 16;
        return ref_send(s, pe, v->d.idx, (SimWord){.data = r, .control = v->d.control, .advance = last && v->d.advance}, thread, v->pc);
    default: break;
    }
    return true;
}

/* the operation ends in this slot, with its last element or before */
static bool finish(Ref *s, Pe *pe, Vec *v)
{
    v->active = false;
    if (!v->async && v->fifo) pe->left = v->endless ? 0 : v->total - v->done;
    pe->rt->ct[CT_instrs]++;
    if (v->d.kind == OK_REG) pe->reg_ready[v->d.idx] = s->now + (uint64_t)s->tab.lat[v->opcode];
    if (v->chain) pe->dot_ready[v->d.idx] = s->now + 1 + (uint64_t)AP(&s->b.arch, dot_drain);
    return true;
}

/* the slot takes a control word instead of elements */
static bool take_control(Ref *s, Pe *pe, Vec *v, const Opd *o, int thread)
{
    ref_take(s, pe, o->idx);
    if (o->on_act >= 0) ref_activate(s, pe, o->on_act, thread, v->pc);
    return o->on_end && finish(s, pe, v);
}

/* tasks that a FIFO activates when elements come or go */
static void fifo_tasks(Ref *s, Pe *pe, const Vec *v, int thread)
{
    const Opd *const opd[3] = {&v->a, &v->b, &v->d};
    for (int i = 0; i < 3; i++) {
        if (opd[i]->kind != OK_FIFO) continue;
        int act = fifo_task(pe->mem, mem_bytes(s), opd[i]->record, i == 2);
        if (act >= 0) ref_activate(s, pe, act, thread, v->pc);
    }
}

bool ref_vec_issue(Ref *s, Pe *pe, Vec *v, int thread)
{
    uint64_t *ct = pe->rt->ct;
    v->since = s->now;
    FifoAction act;
    const Opd *o = v->conflict && !v->sub ? NULL : control_event(s, pe, v);
    if (o) return take_control(s, pe, v, o, thread);
    o = fifo_event(s, pe, v, &act);
    if (o && act == FIFO_FAULT) REF_FAULT(s, pe->i, thread, v->pc, fifo_blocked, d_uint(o->record), d_str(o == &v->d ? "full" : "empty"));
    if (o) return act == FIFO_END && finish(s, pe, v);
    if (v->conflict) {
        v->sub = !v->sub;
        if (v->sub) {                                    /* the first of the group's two slots */
            ct[CT_stall_bank]++;
            return false;
        }
    }
    uint32_t n = group(v);
    if (v->fabric) n = fabric_elements(s, pe, v, n, NULL);
    assert(n);
    for (uint32_t i = 0; i < n; i++)
        if (!element(s, pe, v, !v->endless && v->done + i + 1 == v->total, thread)) return false;
    if (v->fifo) fifo_tasks(s, pe, v, thread);
    ct[CT_elements] += n;
    sim_count_flops(ct, s->tab.flops[v->opcode], n);
    v->done += n;
    if (v->endless || v->done < v->total) return false;
    return finish(s, pe, v);
}
