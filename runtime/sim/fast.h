/* runtime/sim/fast.h: state of the fast engine.  Internal to fast*.c; docs/engine.md explains it.
 *
 * Event-driven.  The clock `now` visits only cycles in which a router or a core has something to do.  A core runs ahead of
 * the clock: it executes an instruction as soon as the words it needs are *known*, each with the cycle from which it can be
 * read, and leaves stamps for the routers: the cycle from which a word can be granted, the cycle from which a place is
 * free.  What it does carries its own time T >= now.  It stops where an answer is not known yet:
 *
 *   a word of queue q in cycle T    known once the grants of cycle T - ramp_down are made
 *   space in output queue q in T    a place is known to be free, or the grants of cycle T are made
 *   router slots, sockets, prints, faults: only at T == now, in the order of the specification */
#ifndef WS_SIM_FAST_H
#define WS_SIM_FAST_H
#include "runtime/sim/dec.h"
#include "runtime/sim/slots.h"

#define NEVER UINT64_MAX
static inline uint64_t later(uint64_t a, uint64_t b) { return a > b ? a : b; }
enum { FWHEEL = WS_LIMIT(256, 64), WINDOW = WS_LIMIT(4096, 8), NO_DSR = 255 };    /* cycles of the wheel; how far a core runs ahead of the clock at most */

/* ---- decoded instructions, one per word of a class's text */
enum { FORM_ANY, FORM_DOT, FORM_SINGLE, FORM_SEND };
typedef enum { K_BAD, K_ALU, K_MEM, K_CTL, K_TSK, K_DSR, K_RTR, K_FAB, K_VEC } InsKind;
typedef struct {
    uint8_t kind, form, slot_ct;         /* InsKind; for fast_hot.c: what it might be; counter of its slots */
    uint8_t flops;                       /* per element; FLOPS_HALF: fp16 */
    uint32_t reads;                      /* general registers it reads, a bit each */
    int32_t slots, lat;                  /* slots: SLOT_BRANCH, SLOT_VEC, ... or a number */
    ElFn *fn;
    PeIns in;
    bool imm, store;                     /* scalar: the immediate is the second source; it is a store */
    uint8_t mem_bytes;
    /* vector operations */
    uint8_t own, dots;                   /* own count, or 0; dot registers that must have drained */
    uint8_t dsr[3];                      /* places of the DSRs of d, a, b in Core.dsr (K_DSR: the first); NO_DSR: none */
    uint8_t reg[3], dot[4];              /* registers of a, b, c; dot registers of a, b, c and d, plus 1; 0: none */
    bool same, fresh;                    /* d is a's DSR; a chain begins */
    uint64_t dsrs;                       /* these places, a bit each */
    const PeOp *op;                      /* NULL: not an instruction */
    uint32_t word;
} FDec;

typedef struct { uint16_t addr; uint32_t n; const uint8_t *bytes; } FFill;       /* data of each PE: n bytes, one PE after the other */
typedef struct {
    const WsClass *c;
    struct Core *blank;                  /* a core that nothing has run yet */
    FFill *fills; uint32_t nfills;       /* in their order */
    bool boots;                          /* it has something to do in cycle 0 */
    uint8_t ndsr, dsr_at[3 * N_DSR];     /* DSRs that the code names; the place of each DSR, first those */
    FDec *dec;
    uint32_t ndec, text_addr, text_end;
    uint64_t bound, high, active0, blocked0;
    uint16_t entry_of[N_TASK];
    uint64_t ctrl_bound, ctrl_high, ctrl_blocked0;       /* the same of control tasks */
    uint16_t ctrl_entry_of[N_CONTROL];
    uint8_t ctrl_base[N_QUEUE];          /* added to the control tasks that words of the queue name */
    struct { uint8_t id; uint16_t limit, first; } rotate[N_ROTATE];
    uint8_t nrotate;
    bool regs, tear;                     /* loads and stores reach registers; a teardown may activate task 29 */
    uint16_t edge;                       /* a scalar access at a higher address may be one of a register */
    bool has_main;
    uint16_t main_addr;
} FClass;

/* ---- blocks that come and go: what was given back is given out again, the last one first */
enum { POOL_KINDS = 32, POOL_CHUNK = WS_LIMIT(1 << 14, 256) };
typedef struct { void *free[POOL_KINDS]; uint8_t *at, *end; } FPool;    /* by size: 16 << kind / 2, and half as much more */

/* ---- queues.  A ring of words by running numbers: [pop, tail) are there; a place behind pop keeps in `at` the cycle from
 * which the router may fill it again.  Word k + cap needs the place of word k. */
typedef struct { uint32_t data, when; } FWord;           /* when: cycles since FIn.base << 5 | color */
typedef struct {
    FWord *w;                            /* NULL: there is no word, and all places are free */
    uint64_t base;
    uint32_t pop, tail;
    uint16_t mask, cap;
    uint8_t color;
    bool open, lends, waited;            /* waited: the router holds a word back for want of a place */
} FIn;
_Static_assert(sizeof(FIn) == 32, "two input queues are a cache line");
#define IN_REACH (1ull << 27)
typedef struct { uint32_t data; uint8_t color; bool control, advance; uint64_t at; } FOutWord;
_Static_assert(sizeof(FOutWord) == 16, "four words are a cache line");
enum { OUT_FEW = 4 };                                    /* words of a ring to begin with */
typedef struct {
    FOutWord *w;                         /* NULL: there is no word, and the places of all that were are free */
    uint32_t pop, tail;
    uint16_t mask, cap;
    uint8_t color;
    bool listed;                         /* its head is among the router's candidates */
    uint64_t next;                       /* cycle after the last grant; words that are gone keep the cycle of theirs in `at` */
} FOut;

/* ---- DSRs and vector operations */
typedef struct { uint16_t ext[4]; int16_t stride[4]; } FShape;
typedef struct { uint16_t ext[4], cnt[4]; int32_t step[4]; } FNest;      /* position of a nested operand; bytes */
/* nest: place + 1 in Core.cnt, once it has been nested */
typedef struct { uint16_t w[4], addr; uint8_t kind : 4, x : 4, nest; uint32_t ready; } FDsr;
_Static_assert(sizeof(FDsr) == 16, "four DSRs are a cache line");

typedef enum { OK_NONE, OK_REG, OK_DOT, OK_MEM, OK_IN, OK_OUT, OK_FIFO } OpdKind;
typedef struct {
    uint8_t kind : 3, role : 2;          /* role: 0 d, 1 a, 2 b: its place in FVec.nest */
    bool control : 1, nested : 1;
    uint8_t idx : 5, esz : 3;            /* idx: register, dot register or queue */
    uint16_t addr;                       /* FIFO: of its record; input: ON_CONTROL_ bits and the task; output: it advances the switch */
    union {
        int32_t step;                    /* memory: bytes; nested: of the innermost dimension */
        uint32_t val;                    /* register sources: captured; output: index << 16 */
    };
} FOpd;
typedef struct {
    bool fifo : 1, on_control : 1, async : 1, meet : 1;   /* fabric: queues or FIFOs; meet: at clock time only */
    bool active : 1, own : 1, same : 1, chain : 1, endless : 1, conflict : 1, sub : 1, fabric : 1, bad_action : 1;
    uint8_t op, level, slot_ct, flops;
    int8_t act, unb;
    uint16_t pc, total;
    uint32_t done, width, cval;
    uint64_t since;
    FOpd d, a, b;
    FNest *nest;                         /* by role, from the first nested operand on */
} FVec;
_Static_assert(sizeof(FVec) == 64, "an operation under way is a cache line");

typedef enum { R_READY, R_NO, R_UNKNOWN, R_FAULT, R_MEET } Ready;          /* MEET: not before the clock is there */
/* why a thread cannot issue; until: when to look again, NEVER if an event tells */
typedef struct { uint8_t kind, queue, color; int8_t cause; uint64_t until; } FWait;
enum { NO_CAUSE = -1 };

typedef struct { uint64_t at; uint8_t kind, id; } FEffect;
enum { EF_ACT, EF_UNB };

typedef struct { uint32_t nr; uint8_t q; } FControl;     /* word nr of input queue q is a control word */
typedef struct {                         /* of classes that do more than the plain machine */
    CoreRegs regs;
    FControl *control;                   /* stb array: control words in input queues */
    uint64_t head_from[N_QUEUE];         /* since when the head is there, but for its arrival */
    uint64_t drop_from[N_QUEUE];         /* no operation has taken control words since */
    uint16_t starts[N_ROTATE];           /* of the rotating data tasks, since their control task */
    uint32_t left;                       /* elements that the last synchronous operation left at a FIFO */
} FMore;

typedef struct Core {
    /* what a word that comes looks at */
    FIn iq[N_QUEUE];
    uint64_t t;                          /* its time: all before is done */
    uint64_t wake;                       /* cycle of the wheel in which it runs; NEVER: none */
    uint8_t want_in, want_out;           /* queues whose words or places wake it */
    uint16_t want_n;                     /* words of the queue that wake it */
    uint16_t pc;
    int16_t task;                        /* -1: none */
    uint8_t uts;                         /* running microthreads */
    uint8_t sure;                        /* asleep: so many cycles from the clock on it changes nothing that its router sees */
    uint8_t outside;                     /* what threads wait for that comes from elsewhere */
    bool want_slot, lazy, picking, dirty, as_pending, entry_pending;
    bool ctl;                            /* control words come into its queues */
    uint16_t rings;                      /* queues that have a ring: input, then output */
    uint32_t i;                          /* its router */
    uint32_t reg_pend;                   /* registers that may not be ready, by reg_ready (low bits of a cycle) */
    FEffect *closes;                     /* stb array: input queues to close, at clock time */
    uint8_t *mem;
    uint64_t *ct;
    FClass *cls;
    FVec *v;                             /* the operation under way; NULL while it sleeps outside of any */
    FVec **ut;                           /* of microthreads that run; made with the first */
    FEffect *effects;                    /* stb array */
    uint64_t active, blocked;
    int8_t as_ut, as_act, as_unb;
    uint8_t as_prio;
    uint8_t turn[4], task_turn[2];
    uint8_t iqc[N_QUEUE];                /* color of the input queues that are bound to one and open, else COLOR_NONE */
    /* the main thread */
    FWait wait;                          /* of the last look, charged until `charged` */
    uint64_t charged, start_at, since;
    uint64_t reg_max, dsr_max, dsr_pend; /* all are ready from reg_max, dsr_max on */
    uint32_t slots_done, slots_total;
    uint64_t dot_ready[N_DOT];
    uint32_t dot[N_DOT], loop[N_LOOP];
    uint32_t reg[N_GPR];
    FDsr *dsr;                           /* in the order of FClass.dsr_at */
    FShape *xdsr;                        /* up to the last that was loaded */
    uint16_t (*cnt)[4];                  /* elements done of nested DSRs, in each dimension */
    uint8_t ndsr, nxdsr, ncnt;
    FOut oq[N_QUEUE];
    FMore *more;                         /* NULL: a plain class */
    uint32_t reg_ready[N_GPR];
    uint16_t *list;                      /* SETRTR, SETSOCK: 2 * CTX_PAIRS */
    uint8_t nlist, listed;
    bool call_pending, call_running;
    uint16_t call_pc;
    uint32_t call_nargs, call_result, *call_args;
    Buf line;
} __attribute__((aligned(64))) Core;

/* ---- routers.  A lane is the FIFO of one color from one link; stamp: cycle << 1 | control of a word that is there, else
 * cycle << 1 from which the sender may fill the place.  Lanes are named by their offset in units of 16 bytes. */
typedef struct {
    uint32_t low;                        /* key of a head without its arrival, the outputs above it (fast_router.c); LANE_LIVE: open, and rx is its direction */
    uint32_t rt;                         /* the router it belongs to */
    uint16_t head, tail, n;
    bool listed;                         /* its head is a candidate */
    bool waited;                         /* the sender waits for a place */
    uint64_t stamp[];                    /* router_slots; then as many data words: 64 bytes with 4 */
} Lane;
_Static_assert(sizeof(Lane) == 16, "a lane with 4 places is a cache line");
#define LANE_LIVE (1u << 31)
typedef struct {
    uint32_t in;                         /* the lane of direction rx; 0: none, or the ramp */
    uint8_t tx;
    uint8_t made, ready;                 /* directions whose `out` is there; the same while it is open, else 0 */
    int8_t iq;                           /* input queue on the ramp, of an open slot; IQ_UNKNOWN: look it up */
    uint32_t sent;                       /* words that went, since fast_count_slot() */
    uint8_t color : 5, rx : 3;
    bool open : 1, carried : 1;          /* carried: it has sent others */
    uint16_t word;
    uint32_t out[4];                     /* the neighbours' lanes, by direction; 0: none yet */
} RSlot;
_Static_assert(sizeof(RSlot) == 32, "two slots are a cache line");
typedef struct { uint32_t lane[4]; } RLanes;             /* of a slot, by direction: the router's own; 0: none yet */
/* Candidates are the heads of FIFOs, at most one of each color and one of each output queue.  key: arrival << 21 | color << 16 |
 * direction << 13 | queue << 10 | slot << 5 | its place in the list; from: it cannot be granted earlier, << 5 | its outputs.  Keys stand in any order,
 * NEVER in the places behind them; there is room for a multiple of FEW. */
enum { FEW = 4, MAX_HEADS = 32 };
_Static_assert(N_COLOR + N_QUEUE <= MAX_HEADS, "the place of a candidate has five bits");
typedef struct {
    uint64_t wake_1;                     /* cycle of the wheel + 1; 0: not in the wheel */
    uint64_t *keys, *froms;
    RSlot *slots;
    uint32_t core;                       /* CORE_UNSEEN, CORE_NONE, CORE_MADE */
    uint16_t nlist, cap;
    uint64_t base, busy;                 /* outputs given away in the cycles from `base` on: a byte a cycle */
    uint64_t until;                      /* what its core does from this cycle on is not known */
    uint32_t open;                       /* this and the next four: a bit per color */
    uint32_t ramp_blocked, credit_blocked, closed, context;          /* blocked: heads that left the list, why */
    uint8_t sure;                        /* Core.sure */
    uint8_t nslot, room;                 /* of slots and lanes */
    uint8_t slot_of[N_COLOR];            /* index + 1 into slots */
    RLanes *lanes;
    struct Exact *x;                     /* what fast_exact.c needs; NULL: a plain router */
    uint64_t few[2][FEW];                /* keys and froms, until there are more */
} __attribute__((aligned(64))) Router;
_Static_assert(sizeof(Router) == 192, "a router is three cache lines");
enum { IQ_UNKNOWN = -2, CORE_UNSEEN = 0, CORE_NONE, CORE_MADE };

/* A router that steps cycle by cycle.  A channel's words to the PE count as a queue of the ramp side; those from it wait for the host. */
typedef struct { SimWord *w; size_t pop, want; uint8_t color; bool to_pe; } FChan;   /* w: stb array; want: words that may still come */
static inline size_t fast_chan_waits(const FChan *c) { return (size_t)arrlen(c->w) - c->pop; }
typedef struct Exact {
    RtSlots k;
    uint32_t out[N_COLOR][4];            /* the neighbours' lanes; 0: not used yet */
    FChan *chan;                         /* stb array, one a color */
    uint32_t chan_from;                  /* a bit per color: channels from the PE */
} Exact;

/* The wheel: who is due in each of the next FWHEEL cycles, a bit each, and a bit for each 64 of these words; all later in a
 * heap.  A bit counts only if its cycle is still the one that its owner notes in `wake`. */
typedef struct { uint64_t at; uint32_t id; } Far;
typedef struct { uint64_t *bits, *sums; uint32_t nbits, nsums; uint64_t some[FWHEEL / 64]; Far *far; } FastWheel;

/* why the quick way was left (slow.def) */
enum {
#define SLOW(name, doc) SLOW_##name,
#include "runtime/sim/slow.def"
    SLOW_COUNT
};

typedef enum { LOG_WRITE, LOG_CALL, LOG_ACT, LOG_RUN, LOG_CHAN_TO, LOG_CHAN_FROM, LOG_CHAN_SEND, LOG_CHAN_WANT, LOG_CHAN_TAKE } FastLogKind;
typedef struct { FastLogKind kind; uint16_t x, y; uint32_t v, len; uint64_t cycle; size_t at; } FastLog;
enum { LOG_MAX_BYTES = 1 << 28, REPLAY_MAX_VISITS = 1 << 20 };

typedef struct {
    SimBase b;
    Arena *arena;
    uint64_t now, limit, last_act;
    Router *rt;
    uint8_t *lanes; uint32_t nlanes, max_lanes; size_t lane_bytes;
    uint32_t *exacts;                    /* stb array: routers with an Exact */
    Core *cores;                         /* by router; zeros where none is made */
    uint64_t *made;                      /* a bit per router that was touched: its core is made, if it has one */
    uint8_t *shown; const FClass *shown_cls;             /* what fast_untouched showed last */
    uint8_t *mem; size_t mem_map;
    uint64_t *ct;
    FClass *cls;
    FastWheel rw, cw;
    uint32_t *run;                       /* routers or cores of this cycle */
    uint32_t *routed;                    /* while the routes are made: colors of each router, a bit each */
    uint32_t fault_at;                   /* router index of the fault that counts */
    struct { uint32_t i; char *text; } *lines;           /* stb array: lines printed in this cycle */
    bool catching;                       /* the run stops: sleepers look at what is there */
    uint64_t visits;                     /* cycles that the clock has visited */
    FastLog *log; Buf log_bytes; bool log_full;          /* what the host did: stb array, its bytes */
    /* numbers of the machine */
    uint32_t mem_bytes, S, hop, foresee, ramp_up, ramp_down, fab_op, dot_drain, fabric_width, branch_taken, branch_not_taken;
    uint32_t after[1 << N_DIR];          /* of a grant: when it has all arrived, by outputs */
    uint8_t sure_input;                  /* Core.sure of one that waits for a word: ramp_down, at most 255 */
    bool has_iq[N_QUEUE];
    SimTables tab;
    FDec scratch, ret;
    FPool pool;
    uint64_t slow[SLOW_COUNT];
    FVec *vec;                           /* lent to the core that runs; kept by one that sleeps within an operation */
} Fast;

/* fast.c */
void fast_log(Fast *s, FastLog e, const void *bytes, size_t len);
void fast_wake_router(Fast *s, uint32_t i, uint64_t at);
void fast_far(FastWheel *w, uint64_t at, uint32_t id);
static inline void fast_due(Fast *s, FastWheel *w, uint64_t at, uint32_t id)
{
    if (__builtin_expect(at - s->now >= FWHEEL, 0)) {
        fast_far(w, at, id);
        return;
    }
    unsigned k = (unsigned)(at % FWHEEL);
    w->bits[(size_t)k * w->nbits + id / 64] |= 1ull << id % 64;
    w->sums[(size_t)k * w->nsums + id / 4096] |= 1ull << id / 64 % 64;
    w->some[k / 64] |= 1ull << k % 64;
}
static inline void fast_wake_router_at(Fast *s, Router *r, uint32_t i, uint64_t at)
{
    if (at >= r->wake_1 - 1) return;
    r->wake_1 = at + 1;
    fast_due(s, &s->rw, at, i);
}
void fast_wake_core(Fast *s, Core *p, uint64_t at);
void fast_fault(Fast *s, uint32_t i, int thread, uint16_t pc, SimFaultKind k, int n, const DiagArg *args);
#define FAST_FAULT(s, i, thread, pc, kind, ...)                                                                        \
    fast_fault(s, i, thread, pc, SF_##kind, (int)(sizeof((DiagArg[]){__VA_ARGS__}) / sizeof(DiagArg)), (DiagArg[]){__VA_ARGS__})
static inline void fast_active(Fast *s, uint64_t at)
{
    if (at > s->last_act || s->last_act == NEVER) s->last_act = at;
}
static inline uint32_t fast_x(const Fast *s, uint32_t i) { return i % s->b.w; }
static inline uint32_t fast_y(const Fast *s, uint32_t i) { return i / s->b.w; }

/* fast_pe.c */
char *fast_place_class(Fast *s, FClass *k);
Core *fast_touch(Fast *s, uint32_t i);
const uint8_t *fast_untouched(Fast *s, uint32_t i);
void fast_free_core(Core *p);
/* the core of router i, made if it was not; NULL: no program there */
static inline Core *fast_core(Fast *s, uint32_t i) { return __builtin_expect(s->rt[i].core == CORE_MADE, 1) ? &s->cores[i] : fast_touch(s, i); }
static inline bool fast_made(const Fast *s, uint32_t i) { return s->made[i / 64] >> i % 64 & 1; }
/* The next core that is made, from *at on, which moves behind it; NULL: no more. */
static inline Core *fast_next_made(const Fast *s, uint32_t *at)
{
    const uint32_t n = s->b.w * s->b.h;
    while (*at < n) {
        const uint64_t m = s->made[*at / 64] >> *at % 64;
        if (!m) {
            *at = (*at | 63) + 1;
            continue;
        }
        Core *p = &s->cores[*at + (uint32_t)__builtin_ctzll(m)];
        *at = (uint32_t)(p - s->cores) + 1;
        if (p->cls) return p;
    }
    return NULL;
}

/* fast_more.c */
FMore *fast_more_new(Fast *s, const FClass *k);
void fast_more_free(FMore *m);
void fast_control_comes(Core *p, int q);                             /* the word that comes next is a control word */
bool fast_is_control(const Core *p, int q, uint32_t nr);
uint32_t fast_before_control(const Core *p, int q);
void fast_control_taken(Core *p, int q, uint32_t nr, uint64_t t);
bool fast_control_head(const Core *p, int q, uint64_t t);            /* a control word can be read at the head */
const FOpd *fast_control_event(const Fast *s, const Core *p, const FVec *v, uint64_t t, bool *unknown);   /* the operand that takes one; NULL: none */
void fast_control_ends(Core *p, const FVec *v, uint64_t t);
void fast_drop_control(Fast *s, Core *p, uint64_t t);                /* those that name no task, up to cycle t */
void fast_drop_later(Fast *s, Core *p);
bool fast_rotates(Core *p, int id);                                  /* its control task starts instead of data task id; counts the start */
int fast_task_named(const Core *p, int q);
int fast_control_task(const Fast *s, const Core *p, int q, uint64_t t);
uint64_t fast_control_ready(const Fast *s, const Core *p, uint64_t t, bool *unknown, uint64_t *next);
bool fast_reg_read(Fast *s, Core *p, uint16_t addr, uint32_t *v);    /* false: no such register */
bool fast_reg_write(Fast *s, Core *p, uint16_t addr, uint16_t v);
void fast_report(Fast *s, Core *p);
bool fast_leaves(const Fast *s, const Core *p, uint16_t addr, unsigned bytes);
bool fast_vec_meets(const Fast *s, const Core *p, const FVec *v);
uint32_t fast_fifo_room(const Fast *s, const Core *p, const FOpd *o, bool push);
uint16_t fast_fifo_step(Fast *s, Core *p, const FOpd *o, bool push);
void fast_fifo_tasks(Fast *s, Core *p, const FVec *v, int thread);
bool fast_fifo_fine(const Fast *s, const Core *p, const FVec *v);    /* its FIFOs activate tasks that there are */
const FOpd *fast_fifo_event(const Fast *s, const Core *p, const FVec *v, const FWait *w, FifoAction *a);

/* fast_dec.c */
void fast_decode(Fast *s, FDec *d, uint32_t word);
void fast_place_dsrs(FClass *k);                                     /* when all code of the class is decoded */
void fast_foreign(Fast *s, Core *p, FDec *d);                        /* an instruction that is not the class's: its DSRs get their places */

/* fast_router.c */
static inline Lane *fast_lane(const Fast *s, uint32_t k) { return (Lane *)(void *)(s->lanes + (size_t)k * 16); }
static inline uint32_t *lane_data(const Fast *s, Lane *l) { return (uint32_t *)(void *)&l->stamp[s->S]; }
int64_t fast_next(const Fast *s, uint32_t i, Dir d);                 /* neighbour; -1: off the machine */
RSlot *fast_slot(Fast *s, Router *r, int color);                     /* made if there is none */
void fast_slot_in(Fast *s, Router *r, RSlot *sl);                     /* after rx and tx are set */
void fast_router_step(Fast *s, uint32_t i);
void fast_count_slot(Fast *s, uint32_t i, RSlot *sl);                /* what it has sent goes into the counters of router i */
void fast_count_slots(Fast *s, uint32_t i);
/* What the core does from now on: the router must know before it steps again. */
static inline void fast_tell_router(Fast *s, const Core *p)
{
    Router *r = &s->rt[p->i];
    const bool closes = p->closes && arrlen(p->closes);
    r->until = closes ? 0 : p->t;
    r->sure = closes ? 0 : p->sure;
}
void fast_relist(Fast *s, uint32_t i, int color, uint64_t at);       /* heads of a color are candidates again, from `at` on */
void fast_forget_queues(Fast *s, uint32_t i);                        /* queues are bound anew, or close */
void fast_list_out(Fast *s, Core *p, int q);                         /* the head of an output queue is new */
bool fast_open_slot(Fast *s, Core *p, int color, uint16_t word);
uint32_t fast_lane_of(Fast *s, uint32_t i, int color, Dir d);        /* its FIFO of a color that comes in from the neighbour as `color` */
void fast_arrive_link(Fast *s, Lane *l, uint64_t at, bool control, uint32_t data);
void fast_unlist_all(Fast *s, uint32_t i);                           /* no head is a candidate any more */

/* fast_exact.c */
Exact *fast_exact(Fast *s, uint32_t i);                              /* from now on the router steps cycle by cycle */
void fast_exact_step(Fast *s, uint32_t i);
bool fast_exact_open(Fast *s, Core *p, int color, uint16_t word);
bool fast_slot_fault(Fast *s, const Core *p, const SlotFault *f);    /* raise it if there is one: false */

/* fast_chan.c */
FChan *fast_chan(const Exact *x, int color);                         /* NULL: none */
bool fast_chan_open(Sim *s, unsigned x, unsigned y, int color, bool to_pe, const char **why);
void fast_chan_send(Sim *s, unsigned x, unsigned y, int color, const uint32_t *words, size_t n);
size_t fast_chan_sending(const Sim *s, unsigned x, unsigned y, int color);
void fast_chan_want(Sim *s, unsigned x, unsigned y, int color, size_t n);
size_t fast_chan_words(const Sim *s, unsigned x, unsigned y, int color);
void fast_chan_take(Sim *s, unsigned x, unsigned y, int color, uint32_t *words, size_t n);
void fast_chan_replay(Sim *s, const FastLog *e, const char *bytes);

/* fast_pool.c */
void *fast_get(Fast *s, size_t bytes);                               /* zeroed, a cache line if it is as large as one */
void fast_put(Fast *s, void *p, size_t bytes);

/* fast_queue.c: memory, queues, sockets */
uint32_t fast_load_slow(Fast *s, Core *p, uint16_t addr, int bytes);
void fast_store_slow(Fast *s, Core *p, uint16_t addr, int bytes, uint32_t v);
bool fast_bind(Fast *s, Core *p, uint16_t socket_word);              /* fast_core.c; false: a fault */
bool fast_bind_in(Fast *s, Core *p, int q, uint8_t color, bool lend, const char **why);
void fast_queue_colors(Fast *s, Core *p);
void fast_send(Fast *s, Core *p, int q, uint32_t data, bool control, uint64_t t);
void fast_advances(Core *p, int q);
void fast_places_free(Fast *s, Core *p, int q, uint64_t at);         /* the router waited for a place in queue q */
uint32_t fast_take_slow(Fast *s, Core *p, int q, uint64_t t);
void fast_ring_room(Fast *s, Core *p, int q, uint32_t words);
void fast_rings_rest(Fast *s, Core *p);                              /* rings that a core does not need while it sleeps */
void fast_in_rebase(FIn *k, uint64_t at);
static inline FWord *fast_in_word(const FIn *k, uint32_t nr) { return &k->w[nr & k->mask]; }
static inline uint64_t fast_in_at(const FIn *k, uint32_t nr) { return k->base + (fast_in_word(k, nr)->when >> 5); }
/* Before a stamp up to cycle `at` is written. */
static inline void fast_in_reach(FIn *k, uint64_t at)
{
    if (__builtin_expect(at - k->base >= IN_REACH, 0)) fast_in_rebase(k, at);
}
static inline void fast_in_stamp(FIn *k, FWord *w, uint64_t at, unsigned color) { w->when = (uint32_t)(at - k->base) << 5 | color; }

/* fast_vec.c */
bool fast_vec_waits(const Core *p, const FDec *d, uint64_t t, FWait *w);
SimFaultKind fast_vec_setup(Fast *s, Core *p, const FDec *d, uint16_t pc, FVec *v, uint64_t t);
Ready fast_vec_ready(const Fast *s, const Core *p, const FVec *v, uint64_t t, FWait *w);
bool fast_vec_issue(Fast *s, Core *p, FVec *v, uint64_t t);          /* one slot; true: that was the last */
void fast_vec_free(Fast *s, FVec *v);
void fast_vec_element(Fast *s, Core *p, FVec *v, uint64_t t);
void fast_vec_finish(Fast *s, Core *p, FVec *v, uint64_t t);         /* its last slot was t */
int fast_vec_ut(const Core *p, const FDec *d);
FDsr *fast_vec_fabric(Core *p, const FDec *d);
void fast_nests(Fast *s, Core *p, FDsr *r);                           /* room for the position of a DSR that is nested for the first time */
bool fast_load_dsr(Fast *s, Core *p, int dsr, int x, const uint16_t w[4]);

/* fast_run.c */
Ready fast_vec_run(Fast *s, Core *p, FVec *v, uint64_t *t, uint64_t lim, FWait *w);

/* fast_hot.c: runs while all is plain; the cycle behind it.  *want: words << 3 | queue that it waits for, or 0 */
uint64_t fast_hot(Fast *s, Core *p, uint64_t t, uint64_t lim, uint32_t *want);

/* fast_core.c */
void fast_core_run(Fast *s, Core *p);
void fast_core_closes(Fast *s, Core *p);
void fast_charge(Core *p, uint64_t t);
bool fast_activate(Fast *s, Core *p, int id, int thread, uint16_t pc);
bool fast_can_activate(const Fast *s, const Core *p, int id);

/* fast_view.c: what SimEngine's readers and writers do */
const uint8_t *fast_view_mem(const Sim *s, unsigned x, unsigned y);
bool fast_view_mem_write(Sim *s, unsigned x, unsigned y, uint32_t addr, const void *bytes, size_t len);
bool fast_view_call(Sim *s, unsigned x, unsigned y, uint16_t pc, const uint32_t *args, int nargs);
bool fast_view_call_pending(const Sim *s, unsigned x, unsigned y);
uint32_t fast_view_call_result(const Sim *s, unsigned x, unsigned y);
bool fast_view_activate(Sim *s, unsigned x, unsigned y, int task);
const uint64_t *fast_view_counters(const Sim *s, unsigned x, unsigned y);
void fast_view_memory(const Sim *s, SimMemory *out);
const char *fast_view_slow(const Sim *s, int i, uint64_t *n);
void fast_view_flush(Sim *s);
bool fast_view_thread(const Sim *s, unsigned x, unsigned y, int thread, SimThread *out);
bool fast_view_task(const Sim *s, unsigned x, unsigned y, int id, SimTask *out);
bool fast_view_queue(const Sim *s, unsigned x, unsigned y, bool output, int q, SimQueue *out);
bool fast_view_queue_word(const Sim *s, unsigned x, unsigned y, bool output, int q, uint32_t i, SimWord *out);
bool fast_view_slot(const Sim *s, unsigned x, unsigned y, int color, SimSlot *out);
bool fast_view_slot_word(const Sim *s, unsigned x, unsigned y, int color, Dir from, uint32_t i, SimWord *out);
bool fast_view_dsr(const Sim *s, unsigned x, unsigned y, int dsr, SimDsr *out);
bool fast_view_reg(const Sim *s, unsigned x, unsigned y, int r, uint32_t *value);
#endif
