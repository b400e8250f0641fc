/* runtime/sim/ref.c: the reference engine: making a machine, the wheel, the run loop (docs/machine.md). */
#include "runtime/sim/ref.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* ---- the wheel */
static void wake(Ref *s, Wheel *w, uint32_t i, uint64_t at)
{
    assert(at >= s->now);
    if (at - s->now >= WHEEL) {
        arrput(w->late, ((Late){at, i}));
        if (at < w->late_first) w->late_first = at;
        return;
    }
    uint32_t slot = (uint32_t)(at % WHEEL);
    uint64_t *bits = &w->bits[(size_t)slot * s->nw + i / 64], bit = 1ull << i % 64;
    if (*bits & bit) return;
    *bits |= bit;
    w->cnt[slot]++;
}

/* those that the wheel has come to */
static void draw_near(Ref *s, Wheel *w)
{
    if (w->late_first == NEVER || w->late_first - s->now >= WHEEL) return;
    ptrdiff_t n = 0;
    w->late_first = NEVER;
    for (ptrdiff_t k = 0; k < arrlen(w->late); k++) {
        Late l = w->late[k];
        if (l.at - s->now < WHEEL) {
            wake(s, w, l.i, l.at);
            continue;
        }
        w->late[n++] = l;
        if (l.at < w->late_first) w->late_first = l.at;
    }
    arrsetlen(w->late, (size_t)n);
}

void ref_wake_router(Ref *s, uint32_t i, uint64_t at) { wake(s, &s->rw, i, at); }
void ref_wake_pe(Ref *s, uint32_t i, uint64_t at) { wake(s, &s->pw, i, at); }

void ref_active(Ref *s, uint64_t at)
{
    if (at > s->last_act || s->last_act == NEVER) s->last_act = at;
}

void ref_fault(Ref *s, uint32_t i, int thread, uint16_t pc, SimFaultKind k, int n, const DiagArg *args)
{
    sim_raise(&s->b, k, ref_x(s, i), ref_y(s, i), thread, pc, n, args);
}

bool ref_slot_fault(Ref *s, uint32_t i, uint16_t pc, const SlotFault *f)
{
    if (f->kind) ref_fault(s, i, THREAD_MAIN, pc, f->kind, f->n, f->arg);
    return !s->b.fault.kind;
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
    if (!o->w || !o->h) return text("the object has no wafer rectangle");
    return NULL;
}

static char *make_class(Ref *s, Class *k, const WsClass *c)
{
    k->c = c;
    k->ndec = c->text_bytes / 4;
    k->dec = ARENA_ARR(s->arena, Dec, k->ndec + 1);
    for (uint32_t i = 0; i < k->ndec; i++)
        k->dec[i] = sim_decode((uint32_t)c->text[4 * i] | (uint32_t)c->text[4 * i + 1] << 8 | (uint32_t)c->text[4 * i + 2] << 16 | (uint32_t)c->text[4 * i + 3] << 24);
    size_t room = (size_t)AP(&s->b.arch, mem_bytes);
    if (c->text_addr + (size_t)c->text_bytes > room || c->data_addr + (size_t)c->data_bytes > room || c->bss_addr + (size_t)c->bss_bytes > room)
        return text("class %s does not fit into the memory of a PE", c->name);
    for (uint32_t i = 0; i < c->nboot; i++) {
        const WsBoot *b = &c->boot[i];
        if (b->kind == BOOT_ENTRY) k->has_main = true, k->main_addr = b->addr;
        uint64_t bit = 1ull << (b->id & 63);
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
        k->entry_of[b->id & 63] = b->addr;
        if (b->flags & BOOT_HIGH) k->high |= bit;
        if (b->flags & BOOT_ACTIVE) k->active0 |= bit;
        if (b->flags & BOOT_BLOCKED) k->blocked0 |= bit;
    }
    return NULL;
}

static char *boot_queue(Ref *s, Pe *pe, const WsBoot *b)
{
    int q = b->id & 7;
    bool out = b->kind == BOOT_OQ;
    const char *why = NULL, *cls = pe->cls->c->name;
    if (b->color >= N_COLOR && b->color != COLOR_NULL) return text("class %s: a queue is bound to color %d, which cannot be routed", cls, b->color);
    if (!(out ? arch_oq_words(&s->b.arch, q) : arch_iq_words(&s->b.arch, q))) return text("class %s: this machine has no %s queue %d", cls, out ? "output" : "input", q);
    if (out) pe->oq[q].color = b->color;
    else ref_bind_in(s, pe, q, b->color, b->flags & BOOT_LEND, &why);
    return why ? text("class %s: input queue %d: %s", cls, q, why) : NULL;
}

static char *make_pe(Ref *s, Pe *pe, uint32_t i, Class *k)
{
    const WsClass *c = k->c;
    *pe = (Pe){.i = i, .cls = k, .rt = &s->rt[i], .mem = s->mem + (size_t)AP(&s->b.arch, mem_bytes) * (size_t)(pe - s->pes),
               .entry_pending = k->has_main, .active = k->active0, .blocked = k->blocked0, .regs = {.high = k->high, .ctrl_blocked = k->ctrl_blocked0}};
    for (int r = 0; r < k->nrotate; r++) pe->starts[r] = k->rotate[r].first;
    pe->main.task = -1;
    pe->main.wait.cause = CT_COUNT;
    s->rt[i].pe = pe;
    if (c->text_bytes) memcpy(pe->mem + c->text_addr, c->text, c->text_bytes);
    if (c->data_bytes) memcpy(pe->mem + c->data_addr, c->data, c->data_bytes);
    for (int q = 0; q < N_QUEUE; q++) {
        pe->iq[q].color = pe->oq[q].color = COLOR_NONE;
        pe->iq[q].cap = (uint32_t)arch_iq_words(&s->b.arch, q);
        pe->oq[q].cap = (uint32_t)arch_oq_words(&s->b.arch, q);
        pe->oq[q].granted_at = NEVER;
    }
    for (uint32_t j = 0; j < c->nboot; j++) {
        char *e = c->boot[j].kind == BOOT_IQ || c->boot[j].kind == BOOT_OQ ? boot_queue(s, pe, &c->boot[j]) : NULL;
        if (e) return e;
    }
    ref_wake_pe(s, i, 0);
    return NULL;
}

static char *make_pes(Ref *s)
{
    const WsObj *o = s->b.obj;
    uint64_t n = 0;
    for (uint32_t i = 0; i < o->nplaces; i++) n += (uint64_t)o->places[i].w * o->places[i].h;
    if (n > (uint64_t)s->b.w * s->b.h) return text("placements overlap");
    s->mem_map = (size_t)n * (size_t)AP(&s->b.arch, mem_bytes);
    s->pes = ARENA_ARR(s->arena, Pe, n + 1);
    if (n) s->mem = mmap(NULL, s->mem_map, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (s->mem == MAP_FAILED) ws_die("out of memory for %llu PEs", (unsigned long long)n);
    for (uint32_t i = 0; i < o->nplaces; i++) {
        const WsPlace *p = &o->places[i];
        if (p->cls >= o->nclasses || p->x + (uint32_t)p->w > s->b.w || p->y + (uint32_t)p->h > s->b.h) return text("a placement is outside of the wafer rectangle");
        for (uint32_t y = p->y; y < (uint32_t)p->y + p->h; y++)
            for (uint32_t x = p->x; x < (uint32_t)p->x + p->w; x++) {
                uint32_t at = y * s->b.w + x;
                if (s->rt[at].pe) return text("PE (%u, %u) is placed twice", x, y);
                char *e = make_pe(s, &s->pes[s->npes++], at, &s->cls[p->cls]);
                if (e) return e;
            }
    }
    return NULL;
}

static char *make_routes(Ref *s)
{
    const WsObj *o = s->b.obj;
    for (uint32_t i = 0; i < o->nroutes; i++) {
        const WsRoute *r = &o->routes[i];
        if (!slot_valid(r->slot)) continue;
        if (r->color >= N_COLOR || (int)slot_rx(r->slot) >= N_DIR || !slot_tx(r->slot) || r->x + (uint32_t)r->w > s->b.w || r->y + (uint32_t)r->h > s->b.h)
            return text("the route of color %d at (%d, %d) is not sound", r->color, r->x, r->y);
        for (uint32_t y = r->y; y < (uint32_t)r->y + r->h; y++)
            for (uint32_t x = r->x; x < (uint32_t)r->x + r->w; x++)
                if (!slots_route(&s->rt[y * s->b.w + x].k, r)) return text("PE (%u, %u) has more than %d filters", x, y, N_FILTER);
    }
    for (uint32_t i = 0; i < s->b.w * s->b.h; i++)
        if (s->rt[i].k.nfilter > 1) slots_order_filters(&s->rt[i].k);
    return NULL;
}

static char *fill(Ref *s)
{
    const WsObj *o = s->b.obj;
    for (uint32_t i = 0; i < o->npe; i++)
        for (uint32_t k = 0; k < s->npes; k++) {
            const WsSym *y = cls_sym(s->pes[k].cls->c, o->pe[i].symbol);
            if (!y) continue;
            size_t n = o->pe[i].elem_bytes_per_pe, room = (size_t)AP(&s->b.arch, mem_bytes);
            if (n > room || y->addr > room - n) return text("the data of %s do not fit into the memory of a PE", o->pe[i].symbol);
            memcpy(s->pes[k].mem + y->addr, o->pe[i].bytes + n * s->pes[k].i, n);
        }
    return NULL;
}

static void ref_free(Sim *sim)
{
    Ref *s = (Ref *)sim;
    for (uint32_t i = 0; i < s->npes; i++) {
        Pe *p = &s->pes[i];
        for (int q = 0; q < N_QUEUE; q++) free(p->iq[q].r.w), free(p->oq[q].r.w);
        arrfree(p->effects);
        buf_free(&p->line);
    }
    for (uint32_t i = 0; s->rt && i < s->b.w * s->b.h; i++) {
        for (ptrdiff_t k = 0; k < arrlen(s->rt[i].chan); k++) free(s->rt[i].chan[k].r.w);
        arrfree(s->rt[i].chan);
    }
    if (s->mem) munmap(s->mem, s->mem_map);
    free(s->rt);
    arrfree(s->rw.late);
    arrfree(s->pw.late);
    arena_free(s->arena);
    free(s);
}

static Sim *ref_make(const WsObj *o, const Arch *a, char **err)
{
    *err = check_arch(o, a);
    if (*err) return NULL;
    Ref *s = ws_xmalloc(sizeof *s);
    s->b = (SimBase){.eng = &sim_reference, .obj = o, .arch = *a, .w = o->w, .h = o->h};
    s->arena = arena_new();
    s->last_act = NEVER;
    uint32_t n = s->b.w * s->b.h;
    s->nw = (n + 63) / 64;
    s->rt = ws_xmalloc((size_t)n * sizeof *s->rt);
    s->rw.bits = ARENA_ARR(s->arena, uint64_t, (size_t)s->nw * WHEEL);
    s->rw.late_first = s->pw.late_first = NEVER;
    s->pw.bits = ARENA_ARR(s->arena, uint64_t, (size_t)s->nw * WHEEL);
    for (uint32_t i = 0; i < n; i++) {
        int64_t *next = s->rt[i].next;
        next[DIR_WEST] = ref_x(s, i) ? (int64_t)i - 1 : -1;
        next[DIR_EAST] = ref_x(s, i) + 1 < s->b.w ? (int64_t)i + 1 : -1;
        next[DIR_NORTH] = ref_y(s, i) ? (int64_t)i - s->b.w : -1;
        next[DIR_SOUTH] = ref_y(s, i) + 1 < s->b.h ? (int64_t)i + s->b.w : -1;
    }
    sim_tables(&s->b.arch, &s->tab);
    s->ret = sim_decode((uint32_t)OP_DONE << 24);
    s->cls = ARENA_ARR(s->arena, Class, o->nclasses + 1);
    for (uint32_t i = 0; i < o->nclasses && !*err; i++) *err = make_class(s, &s->cls[i], &o->classes[i]);
    if (!*err) *err = make_pes(s);
    if (!*err) *err = make_routes(s);
    if (!*err) *err = fill(s);
    if (!*err) return (Sim *)s;
    ref_free((Sim *)s);
    return NULL;
}

/* ---- running */
static bool core_unfinished(const Pe *p)
{
    if (p->main.task >= 0 || p->call_pending) return true;
    for (int t = 0; t < N_UT; t++)
        if (p->uts >> t & 1 && !p->ut[t].endless) return true;
    for (int q = 0; q < N_QUEUE; q++)
        if (p->iq[q].r.n || p->oq[q].r.n) return true;
    return false;
}

/* something is half-done: a task or an operation that is not endless, a word in a buffer, a host command */
static bool unfinished(const Ref *s)
{
    for (uint32_t i = 0; i < s->b.w * s->b.h; i++) {
        const Rt *r = &s->rt[i];
        if (r->pend[0] | r->pend[1] || (r->pe && core_unfinished(r->pe))) return true;
        for (ptrdiff_t k = 0; k < arrlen(r->chan); k++)
            if (r->chan[k].to_pe && r->chan[k].r.n) return true;
    }
    return false;
}

static void cycle(Ref *s)
{
    uint32_t slot = (uint32_t)(s->now % WHEEL);
    draw_near(s, &s->rw);
    draw_near(s, &s->pw);
    for (int pass = 0; pass < 2; pass++) {
        Wheel *w = pass ? &s->pw : &s->rw;
        uint64_t *bits = &w->bits[(size_t)slot * s->nw];
        for (uint32_t k = 0; k < s->nw && w->cnt[slot]; k++)
            while (bits[k]) {
                uint32_t i = k * 64 + (uint32_t)__builtin_ctzll(bits[k]);
                bits[k] &= bits[k] - 1;
                w->cnt[slot]--;
                if (pass) {
                    if (s->rt[i].pe) ref_pe_step(s, s->rt[i].pe);
                } else ref_router_step(s, i);
                if (s->b.fault.kind) return;
            }
    }
}

static uint64_t next_event(Ref *s)
{
    draw_near(s, &s->rw);
    draw_near(s, &s->pw);
    for (uint64_t t = s->now; t < s->now + WHEEL; t++)
        if (s->rw.cnt[t % WHEEL] | s->pw.cnt[t % WHEEL]) return t;
    return s->rw.late_first < s->pw.late_first ? s->rw.late_first : s->pw.late_first;
}

static SimStop stop(Ref *s, uint64_t at, SimStop why)
{
    s->now = s->b.cycle = at;
    for (uint32_t i = 0; i < s->npes; i++) ref_charge(s, &s->pes[i], at);
    return why;
}

static SimStop ref_run(Sim *sim, uint64_t max)
{
    Ref *s = (Ref *)sim;
    const uint64_t begin = s->b.cycle;
    for (uint32_t n = 0;; n++) {
        uint64_t t = next_event(s);
        if (t == NEVER) {
            bool moved = s->last_act != NEVER && s->last_act >= begin;
            return stop(s, moved ? s->last_act + 1 : begin, unfinished(s) ? SIM_STALLED : SIM_IDLE);
        }
        if (n % WS_LIMIT(1024, 1) == 0 && s->b.interrupt && atomic_load_explicit(s->b.interrupt, memory_order_relaxed)) return stop(s, s->now, SIM_INTERRUPTED);
        if (t >= max) return stop(s, s->now > max ? s->now : max, SIM_MAX_CYCLES);
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

static void ref_check(Sim *s) { ((Ref *)(void *)s)->check = true; }

const SimEngine sim_reference = {
    .name = "reference", .doc = "cycle by cycle: the specification made runnable", .can = (1u << N_USES) - 1,
    .make = ref_make, .free = ref_free, .run = ref_run,
    .mem = ref_view_mem, .mem_write = ref_view_mem_write, .call = ref_view_call, .call_pending = ref_view_call_pending,
    .call_result = ref_view_call_result, .activate = ref_view_activate,
    .channel_open = ref_chan_open, .channel_send = ref_chan_send, .channel_sending = ref_chan_sending, .channel_want = ref_chan_want,
    .channel_words = ref_chan_words, .channel_take = ref_chan_take, .counters = ref_view_counters,
    .memory = ref_view_memory, .flush_prints = ref_view_flush, .thread = ref_view_thread, .task = ref_view_task, .queue = ref_view_queue,
    .queue_word = ref_view_queue_word, .slot = ref_view_slot, .slot_word = ref_view_slot_word, .dsr = ref_view_dsr, .reg = ref_view_reg, .check = ref_check,
};
