/* runtime/sim/sim.c: the engine-independent part: tables, dispatch, fault texts, totals and the state hash. */
#define _DEFAULT_SOURCE
#include "runtime/sim/sim.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

const SimCounterRow sim_counter_rows[CT_COUNT] = {
#define COUNTER(name, unit, doc) {#name, unit, doc},
#include "runtime/sim/counters.def"
};
const SimFaultRow sim_fault_rows[SF_COUNT] = {
    {"S000", "none", "", FC_INTERNAL},
#define FAULT(id, cls, name, text) {#id, #name, text, FC_##cls},
#include "runtime/sim/faults.def"
};
const char *const sim_wait_names[] = {"nothing", "ready", "time", "input", "output", "microthread", "slot", "socket", "fifo", "blocked"};
_Static_assert(sizeof sim_wait_names / sizeof sim_wait_names[0] == WAIT_BLOCKED + 1, "a name per SimWait");
static const SimEngine *const engines[] = {&sim_reference, &sim_fast, &sim_both};
enum { N_ENGINE = sizeof engines / sizeof engines[0] };
#ifndef WS_DEFAULT_ENGINE
#define WS_DEFAULT_ENGINE "fast"
#endif

const char *sim_fault_class_name(SimFaultClass c)
{
    static const char *const names[] = {"unsupported", "not implemented", "program fault", "internal error"};
    return names[c];
}

const char *sim_stop_name(SimStop s)
{
    static const char *const names[] = {"idle", "stalled", "max-cycles", "fault", "interrupted"};
    return names[s];
}

const char *sim_engine_default(void) { return WS_DEFAULT_ENGINE; }
const char *sim_engine_at(int i) { return i >= 0 && i < N_ENGINE ? engines[i]->name : NULL; }

static SimBase *base(Sim *s) { return (SimBase *)(void *)s; }
static const SimBase *cbase(const Sim *s) { return (const SimBase *)(const void *)s; }
static bool inside(const Sim *s, unsigned x, unsigned y) { return x < cbase(s)->w && y < cbase(s)->h; }

static const SimEngine *engine_named(const char *engine)
{
    if (!engine) engine = WS_DEFAULT_ENGINE;
    for (int i = 0; i < N_ENGINE; i++)
        if (strcmp(engines[i]->name, engine) == 0) return engines[i];
    return NULL;
}

char *sim_engine_lacks(const char *engine, const WsObj *o)
{
    const SimEngine *e = engine_named(engine);
    uint32_t lacks = e ? obj_uses(o) & ~e->can : 0;
    Buf b = {0};
    for (int k = 0; k < N_USES; k++)
        if (lacks >> k & 1) buf_printf(&b, "%s%s", b.len ? ", " : "", ws_uses_names[k]);
    return b.p;
}

/* Rectangles of a large layout may be as many as PEs: a map, not a search. */
static void map_classes(SimBase *b)
{
    const WsObj *o = b->obj;
    const size_t n = (size_t)b->w * b->h;
    b->cls = ws_xmalloc(n * sizeof *b->cls);
    for (size_t i = 0; i < n; i++) b->cls[i] = -1;
    for (uint32_t i = o->nplaces; i-- > 0;) {
        const WsPlace *p = &o->places[i];
        for (uint32_t y = p->y; y < (uint32_t)p->y + p->h; y++)
            for (uint32_t x = p->x; x < (uint32_t)p->x + p->w; x++) b->cls[(size_t)y * b->w + x] = (int32_t)p->cls;
    }
}

Sim *sim_new_engine(const char *engine, const WsObj *o, const Arch *a, char **err)
{
    const SimEngine *e = engine_named(engine);
    uint32_t uses = obj_uses(o);
    for (int i = 0; e && !engine && uses & ~e->can && i < N_ENGINE; i++)
        if (!(uses & ~engines[i]->can)) e = engines[i];
    if (e && !(uses & ~e->can)) {
        Sim *s = e->make(o, a, err);
        if (s && !base(s)->cls) map_classes(base(s));
        return s;
    }
    Buf b = {0};
    char *lacks = e ? sim_engine_lacks(e->name, o) : NULL;
    if (e) buf_printf(&b, "the %s engine does not do %s, which the object uses; the reference engine does", e->name, lacks);
    else buf_printf(&b, "no engine named '%s'", engine);
    free(lacks);
    *err = b.p;
    return NULL;
}

void sim_free(Sim *s)
{
    if (!s) return;
    free(base(s)->cls);
    base(s)->eng->free(s);
}

SimStop sim_run(Sim *s, uint64_t max_cycles)
{
    if (cbase(s)->fault.kind) return SIM_FAULT;
    const uint64_t begin = cbase(s)->cycle;
    SimStop stop = cbase(s)->eng->run(s, max_cycles ? max_cycles : UINT64_MAX);
    /* an engine may have been told to look again in that cycle, in vain, or not */
    bool over = (stop == SIM_IDLE || stop == SIM_STALLED) && cbase(s)->cycle == max_cycles && max_cycles > begin;
    return over ? SIM_MAX_CYCLES : stop;
}

const char *sim_engine_name(const Sim *s) { return cbase(s)->eng->name; }
uint64_t sim_cycle(const Sim *s) { return cbase(s)->cycle; }
const SimFault *sim_fault(const Sim *s) { return &cbase(s)->fault; }
unsigned sim_width(const Sim *s) { return cbase(s)->w; }
unsigned sim_height(const Sim *s) { return cbase(s)->h; }
const Arch *sim_arch(const Sim *s) { return &cbase(s)->arch; }
const WsObj *sim_obj(const Sim *s) { return cbase(s)->obj; }
int32_t sim_class(const Sim *s, unsigned x, unsigned y) { return inside(s, x, y) ? cbase(s)->cls[(size_t)y * cbase(s)->w + x] : -1; }
void sim_set_interrupt(Sim *s, const atomic_bool *flag) { base(s)->interrupt = flag; }
void sim_on_print(Sim *s, SimPrintFn *fn, void *user) { base(s)->print = fn, base(s)->print_user = user; }

void sim_on_progress(Sim *s, uint64_t every_cycles, SimProgressFn *fn, void *user)
{
    SimBase *b = base(s);
    b->progress = every_cycles ? fn : NULL;
    b->progress_user = user;
    b->progress_every = every_cycles;
    b->progress_next = b->cycle + every_cycles;
}

void sim_flush_prints(Sim *s) { cbase(s)->eng->flush_prints(s); }
const uint8_t *sim_mem(const Sim *s, unsigned x, unsigned y) { return inside(s, x, y) ? cbase(s)->eng->mem(s, x, y) : NULL; }

bool sim_mem_write(Sim *s, unsigned x, unsigned y, uint32_t addr, const void *bytes, size_t len)
{
    size_t room = (size_t)AP(&cbase(s)->arch, mem_bytes);
    if (!inside(s, x, y) || addr > room || len > room - addr) return false;
    return cbase(s)->eng->mem_write(s, x, y, addr, bytes, len);
}

bool sim_call(Sim *s, unsigned x, unsigned y, uint16_t pc, const uint32_t *args, int nargs)
{
    return inside(s, x, y) && nargs >= 0 && nargs <= 8 && cbase(s)->eng->call(s, x, y, pc, args, nargs);
}

bool sim_call_pending(const Sim *s, unsigned x, unsigned y) { return inside(s, x, y) && cbase(s)->eng->call_pending(s, x, y); }
uint32_t sim_call_result(const Sim *s, unsigned x, unsigned y) { return inside(s, x, y) ? cbase(s)->eng->call_result(s, x, y) : 0; }

bool sim_activate(Sim *s, unsigned x, unsigned y, int task)
{
    return inside(s, x, y) && task >= 0 && task < N_TASK && cbase(s)->eng->activate(s, x, y, task);
}

bool sim_check(Sim *s)
{
    if (!cbase(s)->eng->check) return false;
    cbase(s)->eng->check(s);
    return true;
}

const char *sim_engine_with_check(const WsObj *o)
{
    for (int i = 0; i < N_ENGINE; i++)
        if (engines[i]->check && !(obj_uses(o) & ~engines[i]->can)) return engines[i]->name;
    return NULL;
}

bool sim_channel_open(Sim *s, unsigned x, unsigned y, int color, bool to_pe, const char **why)
{
    *why = "it is outside of the machine";
    return inside(s, x, y) && color >= 0 && color < N_COLOR && cbase(s)->eng->channel_open(s, x, y, color, to_pe, why);
}

/* the rest only of channels that are open */
void sim_channel_send(Sim *s, unsigned x, unsigned y, int color, const uint32_t *words, size_t n) { cbase(s)->eng->channel_send(s, x, y, color, words, n); }
size_t sim_channel_sending(const Sim *s, unsigned x, unsigned y, int color) { return cbase(s)->eng->channel_sending(s, x, y, color); }
void sim_channel_want(Sim *s, unsigned x, unsigned y, int color, size_t n) { cbase(s)->eng->channel_want(s, x, y, color, n); }
size_t sim_channel_words(const Sim *s, unsigned x, unsigned y, int color) { return cbase(s)->eng->channel_words(s, x, y, color); }
void sim_channel_take(Sim *s, unsigned x, unsigned y, int color, uint32_t *words, size_t n) { cbase(s)->eng->channel_take(s, x, y, color, words, n); }

const uint64_t *sim_counters(const Sim *s, unsigned x, unsigned y)
{
    static const uint64_t zeros[CT_COUNT];
    return inside(s, x, y) ? cbase(s)->eng->counters(s, x, y) : zeros;
}

void sim_counters_total(const Sim *s, uint64_t total[CT_COUNT])
{
    memset(total, 0, CT_COUNT * sizeof total[0]);
    for (unsigned y = 0; y < sim_height(s); y++)
        for (unsigned x = 0; x < sim_width(s); x++) {
            const uint64_t *c = sim_counters(s, x, y);
            for (int i = 0; i < CT_COUNT; i++) total[i] += c[i];
        }
}

void sim_memory(const Sim *s, SimMemory *out)
{
    *out = (SimMemory){0};
    cbase(s)->eng->memory(s, out);
}

const char *sim_slow(const Sim *s, int i, uint64_t *n) { return cbase(s)->eng->slow && i >= 0 ? cbase(s)->eng->slow(s, i, n) : NULL; }

uint64_t sim_resident(const void *map, size_t len)
{
    enum { CHUNK = WS_LIMIT(4096, 1) };                               /* pages that are asked for at once */
    unsigned char in[CHUNK];
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint64_t n = 0;
    for (size_t at = 0; map && at < len; at += CHUNK * page) {
        size_t k = len - at < CHUNK * page ? len - at : CHUNK * page;
        if (mincore((char *)(uintptr_t)map + at, k, in)) return len;
        for (size_t i = 0; i < (k + page - 1) / page; i++) n += (in[i] & 1) * page;
    }
    return n;
}

bool sim_thread(const Sim *s, unsigned x, unsigned y, int thread, SimThread *out)
{
    return inside(s, x, y) && thread >= 0 && thread < N_THREAD && cbase(s)->eng->thread(s, x, y, thread, out);
}

bool sim_task(const Sim *s, unsigned x, unsigned y, int id, SimTask *out)
{
    bool control = id >= TASK_CONTROL && id < TASK_CONTROL + N_CONTROL && cbase(s)->eng->can & USES_CONTROL;
    return inside(s, x, y) && ((id >= 0 && id < N_TASK) || control) && cbase(s)->eng->task(s, x, y, id, out);
}

bool sim_queue(const Sim *s, unsigned x, unsigned y, bool output, int q, SimQueue *out)
{
    return inside(s, x, y) && q >= 0 && q < N_QUEUE && cbase(s)->eng->queue(s, x, y, output, q, out);
}

bool sim_queue_word(const Sim *s, unsigned x, unsigned y, bool output, int q, uint32_t i, SimWord *out)
{
    SimQueue k;
    return sim_queue(s, x, y, output, q, &k) && i < k.words && cbase(s)->eng->queue_word(s, x, y, output, q, i, out);
}

bool sim_slot(const Sim *s, unsigned x, unsigned y, int color, SimSlot *out)
{
    if (!inside(s, x, y) || color < 0 || color >= N_COLOR || !cbase(s)->eng->slot(s, x, y, color, out)) return false;
    if (!out->rx && out->state != SLOT_NONE) out->rx = (uint8_t)(1u << slot_rx(out->slot));
    return true;
}

bool sim_slot_word(const Sim *s, unsigned x, unsigned y, int color, Dir from, uint32_t i, SimWord *out)
{
    SimSlot k;
    return (int)from >= 0 && from < DIR_RAMP && sim_slot(s, x, y, color, &k) && i < k.words[from] &&
           cbase(s)->eng->slot_word(s, x, y, color, from, i, out);
}

bool sim_dsr(const Sim *s, unsigned x, unsigned y, int dsr, SimDsr *out)
{
    return inside(s, x, y) && dsr >= 0 && dsr < 3 * N_DSR && cbase(s)->eng->dsr(s, x, y, dsr, out);
}

bool sim_register(const Sim *s, unsigned x, unsigned y, int r, uint32_t *value)
{
    return inside(s, x, y) && r >= 0 && r < SIM_N_REG && cbase(s)->eng->reg(s, x, y, r, value);
}

/* ---- faults: "%0".."%5" are replaced by the arguments */
static void put_arg(Buf *b, const DiagArg *a)
{
    switch (a->kind) {
    case DA_STR: buf_printf(b, "%s", a->v.s); break;
    case DA_INT: buf_printf(b, "%lld", (long long)a->v.i); break;
    case DA_UINT: buf_printf(b, "0x%llx", (unsigned long long)a->v.u); break;   /* words and addresses */
    case DA_FLT: buf_printf(b, "%g", a->v.f); break;
    case DA_CHR: buf_printf(b, "%c", (int)a->v.i); break;
    }
}

void sim_raise(SimBase *b, SimFaultKind k, unsigned x, unsigned y, int thread, uint16_t pc, int nargs, const DiagArg *args)
{
    if (b->fault.kind) return;
    b->fault = (SimFault){.kind = k, .x = (uint16_t)x, .y = (uint16_t)y, .pc = pc, .thread = (int8_t)thread, .cycle = b->cycle};
    Buf t = {0};
    for (const char *p = sim_fault_rows[k].text; *p; p++) {
        int n = p[0] == '%' ? p[1] - '0' : -1;
        if (n >= 0 && n < nargs) put_arg(&t, &args[n]), p++;
        else buf_printf(&t, "%c", *p);
    }
    if (t.p) snprintf(b->fault.text, sizeof b->fault.text, "%s", t.p);
    buf_free(&t);
}

/* ---- state hash: everything the readers show, in one fixed order */
static uint64_t mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

static uint64_t hash_mem(uint64_t h, const uint8_t *p, size_t n)
{
    for (; n >= 8; p += 8, n -= 8) {
        uint64_t v = 0;
        for (int i = 7; i >= 0; i--) v = v << 8 | p[i];
        h = mix(h, v);
    }
    for (; n; p++, n--) h = mix(h, *p);
    return h;
}

static uint64_t hash_word(uint64_t h, const SimWord *w)
{
    return mix(mix(h, (uint64_t)w->data << 16 | (unsigned)w->advance << 9 | (unsigned)w->color << 1 | w->control), w->at);
}

static uint64_t hash_queues(uint64_t h, const Sim *s, unsigned x, unsigned y)
{
    SimQueue k;
    SimWord w;
    for (int out = 0; out < 2; out++)
        for (int q = 0; q < N_QUEUE; q++) {
            if (!sim_queue(s, x, y, out, q, &k)) continue;
            h = mix(h, k.color | k.open << 8 | k.lends << 9 | (uint64_t)k.words << 16 | (uint64_t)k.capacity << 40);
            for (uint32_t i = 0; i < k.words; i++)
                if (sim_queue_word(s, x, y, out, q, i, &w)) h = hash_word(h, &w);
        }
    return h;
}

static uint64_t hash_router(uint64_t h, const Sim *s, unsigned x, unsigned y)
{
    SimSlot k;
    SimWord w;
    for (int c = 0; c < N_COLOR; c++) {
        if (!sim_slot(s, x, y, c, &k)) continue;
        h = mix(h, k.state | k.carried << 2 | k.in_context << 3 | (uint64_t)k.slot << 8);
        if (k.sw || k.filter.kind) h = mix(h, k.sw | (uint64_t)k.filter.init << 16 | (uint64_t)k.filter.max << 32 | (uint64_t)k.filter.limit << 48);
        if (k.filter.kind == FILTER_SPARSE) h = mix(h, k.filter.limit2 | (uint64_t)k.filter.counts << 16);
        for (int d = 0; d < DIR_RAMP; d++) {
            h = mix(h, (uint64_t)k.words[d] << 32 | k.in_flight[d]);
            for (uint32_t i = 0; i < k.words[d]; i++)
                if (sim_slot_word(s, x, y, c, (Dir)d, i, &w)) h = hash_word(h, &w);
        }
    }
    return h;
}

static uint64_t hash_core(uint64_t h, const Sim *s, unsigned x, unsigned y)
{
    SimThread t;
    SimTask k;
    SimDsr r;
    uint32_t v;
    for (int i = 0; i < SIM_N_REG; i++)
        if (sim_register(s, x, y, i, &v)) h = mix(h, v);
    for (int i = 0; i < 3 * N_DSR; i++)
        if (sim_dsr(s, x, y, i, &r) && r.kind) {
            h = mix(h, (uint64_t)r.w[0] << 48 | (uint64_t)r.w[1] << 32 | (uint64_t)r.w[2] << 16 | r.w[3]);
            h = mix(h, (uint64_t)i << 32 | r.addr | (uint64_t)r.xdsr << 16);
            h = mix(h, (uint64_t)r.count[0] << 48 | (uint64_t)r.count[1] << 32 | (uint64_t)r.count[2] << 16 | r.count[3]);
        }
    for (int i = 0; i < N_THREAD; i++)
        if (sim_thread(s, x, y, i, &t) && t.active)
            h = mix(mix(h, (uint64_t)i << 48 | (uint64_t)t.pc << 32 | t.done), (uint16_t)t.task);
    for (int i = 0; i < TASK_CONTROL + N_CONTROL; i++)
        if (sim_task(s, x, y, i, &k) && (k.bound_code || k.active || k.blocked))
            h = mix(h, (uint64_t)i << 32 | k.bound_code | k.active << 1 | k.blocked << 2 | k.high << 3);
    return h;
}

uint64_t sim_state_hash(const Sim *s)
{
    uint64_t h = mix(1, sim_cycle(s));
    for (unsigned y = 0; y < sim_height(s); y++)
        for (unsigned x = 0; x < sim_width(s); x++) {
            const uint8_t *mem = sim_mem(s, x, y);
            if (mem) h = hash_core(hash_mem(h, mem, (size_t)AP(sim_arch(s), mem_bytes)), s, x, y);
            h = hash_router(hash_queues(h, s, x, y), s, x, y);
            const uint64_t *c = sim_counters(s, x, y);
            for (int i = 0; i < CT_COUNT; i++) h = mix(h, c[i]);
        }
    return h;
}
