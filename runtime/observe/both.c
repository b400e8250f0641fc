/* runtime/observe/both.c: the engine "both" runs an object on the reference engine and on the fast one and compares all that sim.h shows
 * each time a run stops.  What the host sees is the reference's.  A difference is an internal error: it is told and ends the process.
 *
 * The fast engine does each run in two pieces, so that going on is tried too.  Where it does not do what the object or the host
 * asks for, the reference engine runs alone.
 *
 * A build with small limits runs each object by itself before that, on a machine whose queues and router FIFOs hold one word. */
#include "runtime/observe/observe.h"
#include <stdlib.h>
#include <string.h>

typedef struct {
    SimBase b;
    Sim *s, *t;                                          /* reference; fast, NULL: nothing to compare with */
    Buf prints[2];
} Both;

static SimBase *base(Sim *s) { return (SimBase *)(void *)s; }
static Both *both(Sim *s) { return (Both *)(void *)s; }
static const Both *cboth(const Sim *s) { return (const Both *)(const void *)s; }

static void note(Buf *b, unsigned x, unsigned y, uint64_t cycle, const char *line)
{
    buf_printf(b, "%llu (%u,%u) %s\n", (unsigned long long)cycle, x, y, line);
}

static void print_first(void *user, unsigned x, unsigned y, uint64_t cycle, const char *line)
{
    Both *k = user;
    note(&k->prints[0], x, y, cycle, line);
    if (k->b.print) k->b.print(k->b.print_user, x, y, cycle, line);
}

static void print_second(void *user, unsigned x, unsigned y, uint64_t cycle, const char *line) { note(user, x, y, cycle, line); }

static void both_free(Sim *sim)
{
    Both *k = both(sim);
    sim_free(k->s);
    sim_free(k->t);
    buf_free(&k->prints[0]);
    buf_free(&k->prints[1]);
    free(k);
}

static Sim *make(const WsObj *o, const Arch *a, char **err)
{
    Both *k = ws_xmalloc(sizeof *k);
    k->b = (SimBase){.eng = &sim_both, .obj = o, .arch = *a, .w = o->w, .h = o->h};
    k->s = sim_new_engine(sim_reference.name, o, a, err);
    if (!(obj_uses(o) & ~sim_fast.can)) {
        char *why = NULL;
        k->t = sim_new_engine(sim_fast.name, o, a, &why);
        if (!k->s != !k->t || (why && strcmp(why, *err))) ws_die("the engines differ in loading: %s; %s", k->s ? "fine" : *err, k->t ? "fine" : why);
        free(why);
    }
    if (!k->s) {
        free(k);
        return NULL;
    }
    sim_on_print(k->s, print_first, k);
    if (k->t) sim_on_print(k->t, print_second, &k->prints[1]);
    return (Sim *)(void *)k;
}

static bool same_prints(const Both *k)
{
    const Buf *a = &k->prints[0], *b = &k->prints[1];
    return a->len == b->len && (!a->len || memcmp(a->p, b->p, a->len) == 0);
}

static void compare(Both *k, SimStop first, SimStop second)
{
    if (obs_same(k->s, first, k->t, second) && same_prints(k)) {
        k->prints[0].len = k->prints[1].len = 0;
        return;
    }
    Buf b = {0};
    obs_difference(&b, k->s, first, k->t, second);
    if (!same_prints(k)) buf_printf(&b, "prints:\n%s---\n%s", k->prints[0].len ? k->prints[0].p : "", k->prints[1].len ? k->prints[1].p : "");
    ws_die("the engines differ: %s", b.p);
}

/* The object from its boot on, with nobody at the host's end: it stops where it waits for the host, or somewhat later for want of room. */
static void run_tight(const WsObj *o, const Arch *a)
{
    enum { MOST_PE_CYCLES = 200000, MOST_PES = 4096 };
    Arch tight = *a;
    char *why = NULL;
    for (int q = 0; q < N_QUEUE; q++) {
        if (arch_iq_words(a, q)) tight.p[AP_iq0_words + q] = 1;
        if (arch_oq_words(a, q)) tight.p[AP_oq0_words + q] = 1;
    }
    tight.p[AP_router_slots] = 1;
    Sim *k = (uint32_t)o->w * o->h <= MOST_PES ? make(o, &tight, &why) : NULL;
    if (k) sim_run(k, MOST_PE_CYCLES / ((uint32_t)o->w * o->h));
    sim_free(k);
    free(why);
}

static Sim *both_make(const WsObj *o, const Arch *a, char **err)
{
    if (WS_LIMIT(0, 1)) run_tight(o, a);
    return make(o, a, err);
}

/* What the host set in the outer machine holds for the reference engine; lines that it printed are the host's. */
static SimStop both_run(Sim *sim, uint64_t max)
{
    Both *k = both(sim);
    SimBase *s = base(k->s);
    const uint64_t begin = k->b.cycle;
    s->interrupt = k->b.interrupt;
    s->progress = k->b.progress, s->progress_user = k->b.progress_user;
    s->progress_every = k->b.progress_every, s->progress_next = k->b.progress_next;
    SimStop first = sim_run(k->s, max);
    k->b.progress_next = s->progress_next;
    k->b.cycle = sim_cycle(k->s);
    k->b.fault = *sim_fault(k->s);
    if (!k->t) return first;
    SimStop as = first == SIM_INTERRUPTED ? SIM_MAX_CYCLES : first;     /* the fast one is not interrupted: it goes as far */
    if (first == SIM_INTERRUPTED) max = k->b.cycle;
    if (first == SIM_INTERRUPTED && max == begin) return first;
    uint64_t half = begin + (k->b.cycle - begin) / 2;
    SimStop second = half > begin ? sim_run(k->t, half) : SIM_MAX_CYCLES;
    if (second == SIM_MAX_CYCLES) second = sim_run(k->t, max);
    compare(k, as, second);
    return first;
}

/* the same answer, or they differ */
static bool agreed(const Both *k, bool first, bool second, const char *what)
{
    if (k->t && first != second) ws_die("the engines differ: %s: %d and %d", what, first, second);
    return first;
}

static bool both_mem_write(Sim *s, unsigned x, unsigned y, uint32_t addr, const void *bytes, size_t len)
{
    Both *k = both(s);
    bool fine = sim_mem_write(k->s, x, y, addr, bytes, len);
    return agreed(k, fine, k->t && sim_mem_write(k->t, x, y, addr, bytes, len), "a write by the host");
}

static bool both_call(Sim *s, unsigned x, unsigned y, uint16_t pc, const uint32_t *args, int nargs)
{
    Both *k = both(s);
    bool fine = sim_call(k->s, x, y, pc, args, nargs);
    return agreed(k, fine, k->t && sim_call(k->t, x, y, pc, args, nargs), "a call by the host");
}

static bool both_activate(Sim *s, unsigned x, unsigned y, int task)
{
    Both *k = both(s);
    bool fine = sim_activate(k->s, x, y, task);
    k->b.fault = *sim_fault(k->s);                       /* of a task without code */
    return agreed(k, fine, k->t && sim_activate(k->t, x, y, task), "a task that the host activates");
}

static void both_flush(Sim *s)
{
    Both *k = both(s);
    sim_flush_prints(k->s);
    if (k->t) sim_flush_prints(k->t);
    if (k->t && !same_prints(k)) ws_die("the engines differ in lines not ended:\n%s---\n%s", k->prints[0].p, k->prints[1].p);
    k->prints[0].len = k->prints[1].len = 0;
}

/* ---- host channels */
static bool both_channel_open(Sim *s, unsigned x, unsigned y, int color, bool to_pe, const char **why)
{
    Both *k = both(s);
    const char *other;
    bool fine = sim_channel_open(k->s, x, y, color, to_pe, why);
    return agreed(k, fine, k->t && sim_channel_open(k->t, x, y, color, to_pe, &other), "a channel that the host opens");
}

static void both_channel_send(Sim *s, unsigned x, unsigned y, int color, const uint32_t *words, size_t n)
{
    Both *k = both(s);
    sim_channel_send(k->s, x, y, color, words, n);
    if (k->t) sim_channel_send(k->t, x, y, color, words, n);
}

static size_t both_channel_sending(const Sim *s, unsigned x, unsigned y, int color)
{
    const Both *k = cboth(s);
    size_t n = sim_channel_sending(k->s, x, y, color);
    if (k->t && sim_channel_sending(k->t, x, y, color) != n) ws_die("the engines differ in the words that wait in channel %d of (%u, %u)", color, x, y);
    return n;
}

static void both_channel_want(Sim *s, unsigned x, unsigned y, int color, size_t n)
{
    Both *k = both(s);
    sim_channel_want(k->s, x, y, color, n);
    if (k->t) sim_channel_want(k->t, x, y, color, n);
}

static size_t both_channel_words(const Sim *s, unsigned x, unsigned y, int color)
{
    const Both *k = cboth(s);
    size_t n = sim_channel_words(k->s, x, y, color);
    if (k->t && sim_channel_words(k->t, x, y, color) != n) ws_die("the engines differ in the words that came out of channel %d of (%u, %u)", color, x, y);
    return n;
}

static void both_channel_take(Sim *s, unsigned x, unsigned y, int color, uint32_t *words, size_t n)
{
    Both *k = both(s);
    sim_channel_take(k->s, x, y, color, words, n);
    if (!k->t) return;
    uint32_t *other = ws_xmalloc(n * sizeof *other + 1);
    sim_channel_take(k->t, x, y, color, other, n);
    if (n && memcmp(words, other, n * sizeof *other)) ws_die("the engines differ in the words of channel %d of (%u, %u)", color, x, y);
    free(other);
}

/* ---- readers: the reference's */
#define FIRST (cboth(s)->s)
static const uint8_t *both_mem(const Sim *s, unsigned x, unsigned y) { return sim_mem(FIRST, x, y); }
static bool both_call_pending(const Sim *s, unsigned x, unsigned y) { return sim_call_pending(FIRST, x, y); }
static uint32_t both_call_result(const Sim *s, unsigned x, unsigned y) { return sim_call_result(FIRST, x, y); }
static const uint64_t *both_counters(const Sim *s, unsigned x, unsigned y) { return sim_counters(FIRST, x, y); }
static bool both_thread(const Sim *s, unsigned x, unsigned y, int thread, SimThread *out) { return sim_thread(FIRST, x, y, thread, out); }
static bool both_task(const Sim *s, unsigned x, unsigned y, int id, SimTask *out) { return sim_task(FIRST, x, y, id, out); }
static bool both_queue(const Sim *s, unsigned x, unsigned y, bool output, int q, SimQueue *out) { return sim_queue(FIRST, x, y, output, q, out); }
static bool both_slot(const Sim *s, unsigned x, unsigned y, int color, SimSlot *out) { return sim_slot(FIRST, x, y, color, out); }
static bool both_dsr(const Sim *s, unsigned x, unsigned y, int dsr, SimDsr *out) { return sim_dsr(FIRST, x, y, dsr, out); }
static bool both_reg(const Sim *s, unsigned x, unsigned y, int r, uint32_t *value) { return sim_register(FIRST, x, y, r, value); }
static bool both_queue_word(const Sim *s, unsigned x, unsigned y, bool output, int q, uint32_t i, SimWord *out)
{
    return sim_queue_word(FIRST, x, y, output, q, i, out);
}
static bool both_slot_word(const Sim *s, unsigned x, unsigned y, int color, Dir from, uint32_t i, SimWord *out)
{
    return sim_slot_word(FIRST, x, y, color, from, i, out);
}

static void both_memory(const Sim *s, SimMemory *out)
{
    SimMemory more = {0};
    sim_memory(FIRST, out);
    if (cboth(s)->t) sim_memory(cboth(s)->t, &more);
    out->state_bytes += more.state_bytes, out->touched_bytes += more.touched_bytes;
}

const SimEngine sim_both = {
    .name = "both", .doc = "the reference and the fast engine, compared at each stop", .can = (1u << N_USES) - 1,
    .make = both_make, .free = both_free, .run = both_run, .mem = both_mem, .mem_write = both_mem_write,
    .call = both_call, .call_pending = both_call_pending, .call_result = both_call_result, .activate = both_activate,
    .channel_open = both_channel_open, .channel_send = both_channel_send, .channel_sending = both_channel_sending,
    .channel_want = both_channel_want, .channel_words = both_channel_words, .channel_take = both_channel_take,
    .counters = both_counters, .memory = both_memory, .flush_prints = both_flush, .thread = both_thread, .task = both_task,
    .queue = both_queue, .queue_word = both_queue_word, .slot = both_slot, .slot_word = both_slot_word, .dsr = both_dsr, .reg = both_reg,
};
