/* runtime/sim/fast.c: the fast engine: making a machine, the time wheel, the run loop (docs/engine.md). */
#define _GNU_SOURCE
#include "runtime/sim/fast.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* ---- the wheel */
static void far_push(FastWheel *w, Far f)
{
    arrput(w->far, f);
    size_t i = (size_t)arrlen(w->far) - 1;
    for (; i && w->far[(i - 1) / 2].at > f.at; i = (i - 1) / 2) w->far[i] = w->far[(i - 1) / 2];
    w->far[i] = f;
}

static void far_pop(FastWheel *w)
{
    Far last = arrpop(w->far);
    size_t n = (size_t)arrlen(w->far), i = 0;
    if (!n) return;
    for (size_t c; (c = 2 * i + 1) < n; i = c) {
        if (c + 1 < n && w->far[c + 1].at < w->far[c].at) c++;
        if (w->far[c].at >= last.at) break;
        w->far[i] = w->far[c];
    }
    w->far[i] = last;
}

void fast_far(FastWheel *w, uint64_t at, uint32_t id) { far_push(w, (Far){at, id}); }

static void wheel_refill(Fast *s, FastWheel *w)
{
    while (arrlen(w->far) && w->far[0].at - s->now < FWHEEL) {
        Far f = w->far[0];
        far_pop(w);
        fast_due(s, w, f.at, f.id);
    }
}

/* the next cycle from `now` on that has entries */
static uint64_t wheel_next(const Fast *s, const FastWheel *w)
{
    unsigned k = (unsigned)(s->now % FWHEEL);
    uint64_t far = arrlen(w->far) ? w->far[0].at : NEVER;
    for (unsigned i = 0; i <= FWHEEL / 64; i++) {
        unsigned word = (k / 64 + i) % (FWHEEL / 64);
        uint64_t m = w->some[word];
        if (i == 0) m &= UINT64_MAX << (k & 63);
        if (i == FWHEEL / 64) m &= ~(UINT64_MAX << (k & 63));
        if (!m) continue;
        uint64_t at = s->now + (word * 64 + (unsigned)__builtin_ctzll(m) + FWHEEL - k) % FWHEEL;
        return at < far ? at : far;
    }
    return far;
}

void fast_wake_router(Fast *s, uint32_t i, uint64_t at)
{
    assert(at >= s->now);
    fast_wake_router_at(s, &s->rt[i], i, at);
}

void fast_wake_core(Fast *s, Core *p, uint64_t at)
{
    if (at >= p->wake) return;
    p->wake = at;
    fast_due(s, &s->cw, at, (uint32_t)(p - s->cores));
}

/* The fault that counts is the first in the order of routers; of one router or PE, the first in time. */
void fast_fault(Fast *s, uint32_t i, int thread, uint16_t pc, SimFaultKind k, int n, const DiagArg *args)
{
    if (s->b.fault.kind && s->fault_at <= i) return;
    s->b.fault.kind = SF_none;
    s->fault_at = i;
    sim_raise(&s->b, k, fast_x(s, i), fast_y(s, i), thread, pc, n, args);
}

/* ---- making */
static char *text(const char *fmt, ...)
{
    Buf b = {0};
    va_list ap;
    va_start(ap, fmt);
    buf_vprintf(&b, fmt, ap);
    va_end(ap);
    return b.p;
}

static char *check_arch(const WsObj *o, const Arch *a)
{
    static const int positive[] = {AP_hop_cycles, AP_router_slots, AP_width_a, AP_width_b, AP_width_c, AP_width_d, AP_width_e,
                                   AP_fabric_width, AP_read_bits, AP_read_bits_each, AP_write_bits};
    if (o->arch.id != a->id) return text("the object is for another architecture");
    for (size_t i = 0; i < sizeof positive / sizeof positive[0]; i++)
        if (a->p[positive[i]] < 1) return text("parameter %s must be at least 1", arch_param_rows[positive[i]].name);
    for (int i = 0; i < AP_COUNT; i++)
        if (a->p[i] < 0 || a->p[i] > 1 << 20) return text("parameter %s: %d is out of range", arch_param_rows[i].name, (int)a->p[i]);
    if (AP(a, mem_bytes) < 4 || AP(a, mem_bytes) > 0x10000 || AP(a, mem_bytes) % 4) return text("parameter mem_bytes: %d is not 4 to 65536 and a multiple of 4", (int)AP(a, mem_bytes));
    if (AP(a, data_ids) > 32 || AP(a, local_id_max) > 31) return text("task ids do not fit into six bits");
    /* limits of the fast engine */
    if (AP(a, router_slots) > 1 << 14) return text("parameter router_slots: the fast engine has at most %d", 1 << 14);
    for (int q = 0; q < N_QUEUE; q++)
        if (arch_iq_words(a, q) > 1 << 14 || arch_oq_words(a, q) > 1 << 15) return text("a queue of %d words is too long", 1 << 14);
    if (!o->w || !o->h) return text("the object has no wafer rectangle");
    return NULL;
}

static void *reserve(size_t n)
{
    void *p = mmap(NULL, n ? n : 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) ws_die("out of memory: %zu bytes cannot be reserved", n);
    return p;
}

static char *make_class(Fast *s, FClass *k, const WsClass *c)
{
    *k = (FClass){.c = c, .ndec = c->text_bytes / 4, .text_addr = c->text_addr, .text_end = c->text_addr + c->text_bytes};
    uint32_t room = s->mem_bytes;
    if (c->text_addr + c->text_bytes > room || c->data_addr + c->data_bytes > room || c->bss_addr + c->bss_bytes > room)
        return text("class %s does not fit into the memory of a PE", c->name);
    k->dec = ARENA_ARR(s->arena, FDec, k->ndec + 1);
    for (uint32_t i = 0; i < k->ndec; i++) {
        const uint8_t *w = c->text + 4 * (size_t)i;
        fast_decode(s, &k->dec[i], w[0] | (uint32_t)w[1] << 8 | (uint32_t)w[2] << 16 | (uint32_t)w[3] << 24);
    }
    fast_place_dsrs(k);
    for (uint32_t i = 0; i < c->nboot; i++) {
        const WsBoot *b = &c->boot[i];
        uint64_t bit = 1ull << (b->id & 63);
        if (b->kind == BOOT_ENTRY) k->has_main = true, k->main_addr = b->addr;
        if (b->kind == BOOT_CTRL) {
            k->ctrl_bound |= bit;
            k->ctrl_entry_of[b->id & 63] = b->addr;
            if (b->flags & BOOT_HIGH) k->ctrl_high |= bit;
            if (b->flags & BOOT_BLOCKED) k->ctrl_blocked0 |= bit;
        }
        if (b->kind == BOOT_IQ) k->ctrl_base[b->id & 7] = (uint8_t)(b->addr & 63);
        if (b->kind == BOOT_ROTATE && k->nrotate < N_ROTATE) {
            k->rotate[k->nrotate].id = b->id & 63;
            k->rotate[k->nrotate].limit = b->addr;
            k->rotate[k->nrotate++].first = b->first;
        }
        if (b->kind != BOOT_TASK) continue;
        k->bound |= bit;
        if (b->flags & BOOT_HIGH) k->high |= bit;
        if (b->flags & BOOT_ACTIVE) k->active0 |= bit;
        if (b->flags & BOOT_BLOCKED) k->blocked0 |= bit;
        k->entry_of[b->id & 63] = b->addr;
    }
    k->regs = c->uses & USES_REGS;
    k->edge = k->regs ? (uint16_t)(room - 4) : UINT16_MAX;
    k->tear = c->uses & USES_TEARDOWN && k->bound >> TASK_TEARDOWN & 1;
    return NULL;
}

/* The class of each PE; those that boot are due in cycle 0. */
static char *make_places(Fast *s)
{
    const WsObj *o = s->b.obj;
    const size_t n = (size_t)s->b.w * s->b.h;
    s->b.cls = ws_xmalloc(n * sizeof *s->b.cls);
    memset(s->b.cls, -1, n * sizeof *s->b.cls);
    for (uint32_t i = 0; i < o->nplaces; i++) {
        const WsPlace *p = &o->places[i];
        if (p->cls >= o->nclasses || p->x + (uint32_t)p->w > s->b.w || p->y + (uint32_t)p->h > s->b.h) return text("a placement is outside of the wafer rectangle");
        char *e = p->w && p->h ? fast_place_class(s, &s->cls[p->cls]) : NULL;
        if (e) return e;
        for (uint32_t y = p->y; y < (uint32_t)p->y + p->h; y++)
            for (uint32_t x = p->x; x < (uint32_t)p->x + p->w; x++) {
                const uint32_t at = y * s->b.w + x;
                if (s->b.cls[at] >= 0) return text("PE (%u, %u) is placed twice", x, y);
                s->b.cls[at] = (int32_t)p->cls;
                if (s->cls[p->cls].boots) fast_due(s, &s->cw, 0, at);
            }
    }
    return NULL;
}

/* Colors of each router first, so that it gets room for as many. */
static char *look_at_routes(Fast *s)
{
    const WsObj *o = s->b.obj;
    for (uint32_t i = 0; i < o->nroutes; i++) {
        const WsRoute *r = &o->routes[i];
        if (!slot_valid(r->slot)) continue;
        if (r->color >= N_COLOR || (int)slot_rx(r->slot) >= N_DIR || !slot_tx(r->slot) || r->x + (uint32_t)r->w > s->b.w || r->y + (uint32_t)r->h > s->b.h)
            return text("the route of color %d at (%d, %d) is not sound", r->color, r->x, r->y);
        for (uint32_t y = r->y; y < (uint32_t)r->y + r->h; y++)
            for (uint32_t x = r->x; x < (uint32_t)r->x + r->w; x++) s->routed[y * s->b.w + x] |= 1u << r->color;
    }
    return NULL;
}

static char *make_routes(Fast *s)
{
    const WsObj *o = s->b.obj;
    for (uint32_t i = 0; i < o->nroutes; i++) {
        const WsRoute *r = &o->routes[i];
        if (!slot_valid(r->slot)) continue;
        for (uint32_t y = r->y; y < (uint32_t)r->y + r->h; y++)
            for (uint32_t x = r->x; x < (uint32_t)r->x + r->w; x++) {
                Router *rt = &s->rt[y * s->b.w + x];
                if (rt->x || r->slot & SLOT_MORE || r->rx_more || r->filter.kind) {
                    if (!slots_route(&fast_exact(s, y * s->b.w + x)->k, r)) return text("PE (%u, %u) has more than %d filters", x, y, N_FILTER);
                    continue;
                }
                RSlot *sl = fast_slot(s, rt, r->color);
                sl->word = r->slot;
                sl->rx = (uint8_t)slot_rx(r->slot);
                sl->tx = (uint8_t)slot_tx(r->slot);
                sl->open = true;
                sl->ready = sl->made;
                fast_slot_in(s, rt, sl);
                rt->open |= 1u << r->color;
            }
    }
    for (uint32_t i = 0; i < s->b.w * s->b.h; i++)
        if (s->b.cls[i] >= 0 && o->classes[s->b.cls[i]].uses & (USES_CONTROL | USES_REGS | USES_TEARDOWN)) fast_exact(s, i);
    for (ptrdiff_t i = 0; i < arrlen(s->exacts); i++) slots_order_filters(&s->rt[s->exacts[i]].x->k);
    return NULL;
}

static void make_wheel(FastWheel *w, size_t n)
{
    w->nbits = (uint32_t)((n + 63) / 64);
    w->nsums = (w->nbits + 63) / 64;
    w->bits = reserve((size_t)w->nbits * FWHEEL * 8);
    w->sums = reserve((size_t)w->nsums * FWHEEL * 8);
}

static void free_wheel(FastWheel *w)
{
    if (w->bits) munmap(w->bits, (size_t)w->nbits * FWHEEL * 8);
    if (w->sums) munmap(w->sums, (size_t)w->nsums * FWHEEL * 8);
    arrfree(w->far);
}

static void fast_free(Sim *sim)
{
    Fast *s = (Fast *)sim;
    const size_t n = (size_t)s->b.w * s->b.h;
    uint32_t at = 0;
    for (Core *p; (p = fast_next_made(s, &at));) fast_free_core(p);
    for (ptrdiff_t i = 0; i < arrlen(s->exacts); i++) {
        Exact *x = s->rt[s->exacts[i]].x;
        for (ptrdiff_t k = 0; k < arrlen(x->chan); k++) arrfree(x->chan[k].w);
        arrfree(x->chan);
    }
    arrfree(s->exacts);
    munmap(s->mem, s->mem_map);
    munmap(s->cores, n * sizeof *s->cores);
    munmap(s->made, (n + 63) / 64 * sizeof *s->made);
    munmap(s->rt, n * sizeof *s->rt);
    munmap(s->ct, n * CT_COUNT * sizeof *s->ct);
    munmap(s->lanes, s->max_lanes * s->lane_bytes);
    free_wheel(&s->rw);
    free_wheel(&s->cw);
    munmap(s->run, (n + 8) * sizeof *s->run);
    arrfree(s->lines);
    arrfree(s->log);
    buf_free(&s->log_bytes);
    free(s->shown);
    arena_free(s->arena);
    free(s);
}

static void numbers(Fast *s)
{
    const Arch *a = &s->b.arch;
    s->mem_bytes = (uint32_t)AP(a, mem_bytes);
    s->S = (uint32_t)AP(a, router_slots);
    s->hop = (uint32_t)AP(a, hop_cycles);
    s->ramp_up = (uint32_t)AP(a, ramp_up);
    s->ramp_down = (uint32_t)AP(a, ramp_down);
    s->fab_op = (uint32_t)AP(a, fab_op);
    s->dot_drain = (uint32_t)AP(a, dot_drain);
    uint32_t up = s->fab_op + s->ramp_up ? s->fab_op + s->ramp_up : 1;
    s->foresee = (s->hop < up ? s->hop : up) - 1;        /* arrivals of so many cycles more are known, from links and from the core */
    s->sure_input = (uint8_t)(s->ramp_down < 255 ? s->ramp_down : 255);
    s->fabric_width = (uint32_t)AP(a, fabric_width);
    s->branch_taken = (uint32_t)(AP(a, branch_taken) < 1 ? 1 : AP(a, branch_taken));
    s->branch_not_taken = (uint32_t)(AP(a, branch_not_taken) < 1 ? 1 : AP(a, branch_not_taken));
    for (int q = 0; q < N_QUEUE; q++) s->has_iq[q] = arch_iq_words(a, q) > 0;
    for (unsigned tx = 0; tx < 1u << N_DIR; tx++) {
        const uint32_t link = tx & ((1u << DIR_RAMP) - 1) ? s->hop : 0, ramp = tx >> DIR_RAMP ? s->ramp_down : 0;
        s->after[tx] = (uint32_t)later(link, ramp);
    }
}

static Sim *fast_make(const WsObj *o, const Arch *a, char **err)
{
    *err = check_arch(o, a);
    if (*err) return NULL;
    Fast *s = ws_xmalloc(sizeof *s);
    s->b = (SimBase){.eng = &sim_fast, .obj = o, .arch = *a, .w = o->w, .h = o->h};
    s->arena = arena_new();
    s->last_act = NEVER;
    numbers(s);
    size_t n = (size_t)s->b.w * s->b.h;
    s->rt = reserve(n * sizeof *s->rt);
    s->ct = reserve(n * CT_COUNT * sizeof *s->ct);
    s->cores = reserve(n * sizeof *s->cores);
    s->made = reserve((n + 63) / 64 * sizeof *s->made);
    s->mem_map = n * s->mem_bytes;
    s->mem = reserve(s->mem_map);
    s->run = reserve((n + 8) * sizeof *s->run);
    make_wheel(&s->rw, n);
    make_wheel(&s->cw, n);
    s->lane_bytes = (sizeof(Lane) + s->S * 12 + 15) & ~(size_t)15;
    if (s->lane_bytes > 48) s->lane_bytes = (s->lane_bytes + 63) & ~(size_t)63;
    s->max_lanes = (uint32_t)(n * N_COLOR * 4 + 1);
    s->lanes = reserve(s->max_lanes * s->lane_bytes);
    s->nlanes = 1;                                       /* 0 is none */
    sim_tables(&s->b.arch, &s->tab);
    s->vec = fast_get(s, sizeof *s->vec);
    fast_decode(s, &s->ret, (uint32_t)OP_DONE << 24);
    s->cls = ARENA_ARR(s->arena, FClass, o->nclasses + 1);
    for (uint32_t i = 0; i < o->nclasses && !*err; i++) *err = make_class(s, &s->cls[i], &o->classes[i]);
    if (!*err) *err = make_places(s);
    s->routed = reserve(n * sizeof *s->routed);
    if (!*err) *err = look_at_routes(s);
    if (!*err) *err = make_routes(s);
    munmap(s->routed, n * sizeof *s->routed);
    s->routed = NULL;
    if (!*err) return (Sim *)s;
    free(s->b.cls);
    fast_free((Sim *)s);
    return NULL;
}

/* ---- running */
static bool core_unfinished(const Core *p)
{
    if (p->task >= 0 || p->call_pending) return true;
    for (int t = 0; t < N_UT; t++)
        if (p->uts >> t & 1 && !p->ut[t]->endless) return true;
    for (int q = 0; q < N_QUEUE; q++)
        if (p->iq[q].tail != p->iq[q].pop || p->oq[q].tail != p->oq[q].pop) return true;
    return false;
}

static bool unfinished(const Fast *s)
{
    uint32_t at = 0;
    for (const Core *p; (p = fast_next_made(s, &at));)
        if (core_unfinished(p)) return true;
    for (uint32_t i = 1; i < s->nlanes; i++)
        if (fast_lane(s, (uint32_t)(i * (s->lane_bytes / 16)))->n) return true;
    for (ptrdiff_t i = 0; i < arrlen(s->exacts); i++) {
        const Exact *x = s->rt[s->exacts[i]].x;
        for (ptrdiff_t k = 0; k < arrlen(x->chan); k++)
            if (x->chan[k].to_pe && fast_chan_waits(&x->chan[k])) return true;
    }
    return false;
}

static int by_place(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;   /* the index stands first in a line */
    return x < y ? -1 : x > y;
}

/* lines printed in this cycle, in the order of PEs; of one PE, in the order in which they came */
static void pass_lines(Fast *s)
{
    size_t n = (size_t)arrlen(s->lines);
    for (size_t i = 1; i < n; i++)
        for (size_t k = i; k && by_place(&s->lines[k - 1], &s->lines[k]) > 0; k--) {
            __typeof__(s->lines[0]) t = s->lines[k];
            s->lines[k] = s->lines[k - 1];
            s->lines[k - 1] = t;
        }
    for (size_t i = 0; i < n; i++) {
        bool after = s->b.fault.kind && s->lines[i].i > s->fault_at;
        if (s->b.print && !after) s->b.print(s->b.print_user, fast_x(s, s->lines[i].i), fast_y(s, s->lines[i].i), s->b.cycle, s->lines[i].text);
        free(s->lines[i].text);
    }
    arrsetlen(s->lines, 0);
}

/* Take what is due now out of the wheel, in ascending order; entries behind the last repeat it, for those who look ahead. */
static uint32_t take_due(Fast *s, FastWheel *w)
{
    unsigned k = (unsigned)(s->now % FWHEEL);
    if (!(w->some[k / 64] >> k % 64 & 1)) return 0;
    w->some[k / 64] &= ~(1ull << k % 64);
    uint32_t n = 0;
    uint64_t *bits = w->bits + (size_t)k * w->nbits, *sums = w->sums + (size_t)k * w->nsums;
    for (uint32_t i = 0; i < w->nsums; i++) {
        for (uint64_t m = sums[i]; m; m &= m - 1) {
            uint32_t at = i * 64 + (uint32_t)__builtin_ctzll(m);
            for (uint64_t b = bits[at]; b; b &= b - 1) s->run[n++] = at * 64 + (uint32_t)__builtin_ctzll(b);
            bits[at] = 0;
        }
        sums[i] = 0;
    }
    for (uint32_t i = 0; i < 8; i++) s->run[n + i] = s->run[n ? n - 1 : 0];
    return n;
}

/* Machines are larger than the cache: what the next ones need is on its way while this one works. */
static inline void prefetch_router(const Fast *s, uint32_t k)
{
    const Router *far = &s->rt[s->run[k + 6]];
    __builtin_prefetch(far);
    __builtin_prefetch((const char *)far + 64);
    __builtin_prefetch((const char *)far + 128);
    const Router *near = &s->rt[s->run[k + 3]];
    if (near->nlist) __builtin_prefetch(&near->slots[near->keys[0] >> 5 & 31]);
    const Router *next = &s->rt[s->run[k + 1]];
    if (next->nlist) {
        const RSlot *sl = &next->slots[next->keys[0] >> 5 & 31];
        if (sl->in) __builtin_prefetch(fast_lane(s, sl->in));
        for (unsigned m = sl->tx & sl->made; m; m &= m - 1) __builtin_prefetch(fast_lane(s, sl->out[__builtin_ctz(m)]));
        if (sl->iq >= 0) __builtin_prefetch(&s->cores[s->run[k + 1]].iq[sl->iq]);
    }
}

static inline void prefetch_core(const Fast *s, uint32_t k)
{
    const char *far = (const char *)&s->cores[s->run[k + 4]];
    for (int i = 0; i < 8; i++) __builtin_prefetch(far + 64 * i);
    const Core *third = &s->cores[s->run[k + 3]], *second = &s->cores[s->run[k + 2]];
    if (third->uts) {
        __builtin_prefetch(third->ut);
        for (int q = 0; q < N_QUEUE; q += 2) __builtin_prefetch(&third->oq[q]);
    }
    for (unsigned m = second->uts; m; m &= m - 1) __builtin_prefetch(second->ut[__builtin_ctz(m)]);
    const Core *next = &s->cores[s->run[k + 1]];
    if (!next->cls) return;
    uint32_t off = ((uint32_t)next->pc - next->cls->text_addr) / 4;
    if (off >= next->cls->ndec) return;
    const FDec *d = &next->cls->dec[off];
    for (int i = 0; i < 3; i++)
        if (d->dsr[i] != NO_DSR) __builtin_prefetch(&next->dsr[d->dsr[i]]);
}

static void cycle(Fast *s)
{
    wheel_refill(s, &s->rw);
    wheel_refill(s, &s->cw);
    uint32_t n = take_due(s, &s->rw);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t i = s->run[k];
        prefetch_router(s, k);
        if (s->rt[i].wake_1 != s->now + 1) continue;
        s->rt[i].wake_1 = 0;
        fast_router_step(s, i);
    }
    if (s->b.fault.kind) return;
    n = take_due(s, &s->cw);
    for (uint32_t k = 0; k < n; k++) {
        Core *p = &s->cores[s->run[k]];
        prefetch_core(s, k);
        if (!p->cls) fast_touch(s, s->run[k]);
        if (p->wake != s->now) continue;
        p->wake = NEVER;
        if (arrlen(p->closes)) fast_core_closes(s, p);
        fast_core_run(s, p);
        fast_tell_router(s, p);
    }
    if (arrlen(s->lines)) pass_lines(s);
}

/* Cores that sleep until several words are there have not looked at the ones that are. */
static void catch_up(Fast *s)
{
    s->catching = true;
    uint32_t at = 0;
    for (Core *p; (p = fast_next_made(s, &at));)
        if (p->lazy) {
            fast_core_run(s, p);
            fast_tell_router(s, p);
        }
    s->catching = false;
}

static uint64_t next_event(const Fast *s)
{
    uint64_t a = wheel_next(s, &s->rw), b = wheel_next(s, &s->cw);
    return a < b ? a : b;
}

static SimStop stop(Fast *s, uint64_t at, SimStop why)
{
    s->now = s->b.cycle = at;
    uint32_t i = 0;
    for (Core *p; (p = fast_next_made(s, &i));) {
        if (why == SIM_FAULT && p->charged > at) continue;          /* after a fault some are ahead */
        fast_charge(p, at);
        if (p->t < at || why == SIM_IDLE || why == SIM_STALLED) p->t = at;       /* it has looked at cycles in which nothing came */
    }
    return why;
}

/* An interrupt ends the run in a cycle that no core and no router has passed. */
static uint64_t common_cut(const Fast *s)
{
    uint64_t c = s->last_act != NEVER && s->last_act >= s->now ? s->last_act + 1 : s->now;       /* routers are ahead too */
    uint32_t at = 0;
    for (const Core *p; (p = fast_next_made(s, &at));)
        if (p->t > c) c = p->t;
    return c;
}

/* ---- after a fault: the machine as it was then
 * Cores have run ahead of the fault.  So the run is done again on a new machine that stops in the cycle of the fault: what
 * the host did is in the log.  Not if that took long: then other PEs are seen up to WINDOW cycles ahead. */
void fast_log(Fast *s, FastLog e, const void *bytes, size_t len)
{
    if (s->log_full) return;
    if (s->log_bytes.len + len > LOG_MAX_BYTES || arrlen(s->log) > 1 << 20) {
        s->log_full = true;
        buf_free(&s->log_bytes);
        arrfree(s->log);
        return;
    }
    e.at = s->log_bytes.len;
    e.len = (uint32_t)len;
    if (len) buf_add(&s->log_bytes, bytes, len);
    arrput(s->log, e);
}

static SimStop run(Fast *s, uint64_t max);

static void replay(Fast *s)
{
    char *err = NULL;
    const uint64_t cycle = s->b.cycle;
    if (s->log_full || s->visits > REPLAY_MAX_VISITS) return;
    Sim *sim = sim_fast.make(s->b.obj, &s->b.arch, &err);
    Fast *n = (Fast *)sim;
    assert(n);
    for (ptrdiff_t i = 0; i < arrlen(s->log); i++) {
        const FastLog *e = &s->log[i];
        const char *bytes = s->log_bytes.p ? s->log_bytes.p + e->at : "";
        uint32_t args[8] = {0};
        if (e->kind == LOG_CALL && e->len) memcpy(args, bytes, e->len);
        switch (e->kind) {
        case LOG_WRITE: fast_view_mem_write(sim, e->x, e->y, e->v, bytes, e->len); break;
        case LOG_CALL: fast_view_call(sim, e->x, e->y, (uint16_t)e->v, args, (int)(e->len / 4)); break;
        case LOG_ACT: fast_view_activate(sim, e->x, e->y, (int)e->v); break;
        case LOG_RUN: run(n, e->cycle); break;
        case LOG_CHAN_TO: case LOG_CHAN_FROM: case LOG_CHAN_SEND: case LOG_CHAN_WANT: case LOG_CHAN_TAKE: fast_chan_replay(sim, e, bytes); break;
        }
    }
    run(n, cycle);
    if (!n->b.fault.kind) run(n, cycle + 1);
    assert(n->b.fault.kind == s->b.fault.kind && n->b.cycle == cycle);
    SimBase b = s->b;
    b.fault = n->b.fault;
    free(n->b.cls);
    Fast old = *s;
    *s = *n;
    s->b = b;
    *n = old;
    sim_fast.free(sim);
}

static SimStop fast_run(Sim *sim, uint64_t max)
{
    Fast *s = (Fast *)sim;
    SimStop why = run(s, max);
    if (why == SIM_FAULT) replay(s);
    else if (s->b.cycle) fast_log(s, (FastLog){.kind = LOG_RUN, .cycle = s->b.cycle}, NULL, 0);
    return why;
}

static SimStop run(Fast *s, uint64_t max)
{
    const uint64_t begin = s->b.cycle;
    SimStop at_limit = SIM_MAX_CYCLES;
    s->limit = max;
    for (uint32_t n = 0;; n++) {
        s->visits++;
        if (n % WS_LIMIT(1024, 1) == 0 && at_limit == SIM_MAX_CYCLES && s->b.interrupt && atomic_load_explicit(s->b.interrupt, memory_order_relaxed)) {
            uint64_t cut = common_cut(s);
            if (cut < s->limit) s->limit = cut, at_limit = SIM_INTERRUPTED;
        }
        uint64_t t = next_event(s);
        if (t == NEVER || t >= s->limit) {
            catch_up(s);
            t = next_event(s);
        }
        if (t == NEVER) {
            bool moved = s->last_act != NEVER && s->last_act >= begin;
            uint64_t end = moved ? s->last_act + 1 : begin;
            if (end <= s->limit) return stop(s, end, unfinished(s) ? SIM_STALLED : SIM_IDLE);
        }
        if (t >= s->limit) return stop(s, s->now > s->limit ? s->now : s->limit, at_limit);
        s->now = s->b.cycle = t;
        if (s->b.progress && t >= s->b.progress_next) {
            s->b.progress_next = t + s->b.progress_every;
            s->b.progress(s->b.progress_user, t);
        }
        cycle(s);
        if (s->b.fault.kind) return stop(s, t, SIM_FAULT);
        s->now = t + 1;
    }
}

const SimEngine sim_fast = {
    .name = "fast", .doc = "event-driven: equal to the reference, and quick", .can = (1u << N_USES) - 1,
    .make = fast_make, .free = fast_free, .run = fast_run,
    .mem = fast_view_mem, .mem_write = fast_view_mem_write, .call = fast_view_call, .call_pending = fast_view_call_pending,
    .call_result = fast_view_call_result, .activate = fast_view_activate,
    .channel_open = fast_chan_open, .channel_send = fast_chan_send, .channel_sending = fast_chan_sending, .channel_want = fast_chan_want,
    .channel_words = fast_chan_words, .channel_take = fast_chan_take, .counters = fast_view_counters,
    .memory = fast_view_memory, .slow = fast_view_slow, .flush_prints = fast_view_flush, .thread = fast_view_thread, .task = fast_view_task, .queue = fast_view_queue,
    .queue_word = fast_view_queue_word, .slot = fast_view_slot, .slot_word = fast_view_slot_word, .dsr = fast_view_dsr, .reg = fast_view_reg,
};
