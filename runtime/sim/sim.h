/* runtime/sim/sim.h: the simulated machine as the host side sees it.
 *
 * Takes an object or image (WsObj) and architecture numbers (Arch), runs it cycle by cycle and lets the caller
 * read and write memory, counters and all state a stall report needs.  Several engines stand behind one function
 * table: docs/machine.md says what they compute, and they agree on everything that can be read here: memory,
 * cycle counts, counters, faults, state.  Nothing here prints.
 *
 * Order of calls: sim_new, sim_on_* and sim_mem_write at will, sim_run (again and again), readers, sim_free.
 * One thread at a time may use a Sim; only the interrupt flag may be set from elsewhere (a signal handler). */
#ifndef WS_SIM_H
#define WS_SIM_H
#include "runtime/isa/obj.h"
#include <stdatomic.h>

typedef struct Sim Sim;
typedef struct SimEngine SimEngine;

/* ---- counters (counters.def): sim_counters()[CT_slots], sim_counter_rows[CT_slots].name */
enum SimCounter {
#define COUNTER(name, unit, doc) CT_##name,
#include "counters.def"
    CT_COUNT
};
typedef struct { const char *name, *unit, *doc; } SimCounterRow;
extern const SimCounterRow sim_counter_rows[CT_COUNT];

/* ---- faults (faults.def) */
typedef enum { FC_UNSUPPORTED, FC_UNIMPLEMENTED, FC_PROGRAM_FAULT, FC_INTERNAL } SimFaultClass;
typedef enum {
    SF_none,
#define FAULT(id, cls, name, text) SF_##name,
#include "faults.def"
    SF_COUNT
} SimFaultKind;
typedef struct { const char *id, *name, *text; SimFaultClass cls; } SimFaultRow;
extern const SimFaultRow sim_fault_rows[SF_COUNT];
const char *sim_fault_class_name(SimFaultClass c);       /* "program fault", ... */
typedef struct {
    SimFaultKind kind;                                   /* SF_none: no fault */
    uint16_t x, y, pc;                                   /* pc of the instruction (of the main thread for router faults) */
    int8_t thread;                                       /* 0..7 microthread, THREAD_MAIN, or -1: the router */
    uint64_t cycle;
    char text[200];                                      /* the row's text with its arguments in; no place, no newline */
} SimFault;

/* ---- making and running */
/* Engine by name ("reference"), or NULL for the default: sim_engine_default(), or, if the object needs what that one does not do, the
 * first that does all of it.  An engine asked for by name that cannot run the object is an error.  The object must outlive the Sim.  On failure NULL and
 * *err (malloc'ed, one line).  Boot: memory is filled, routes are open, queues bound, BOOT_ENTRY waits to be picked. */
Sim *sim_new_engine(const char *engine, const WsObj *o, const Arch *a, char **err);
static inline Sim *sim_new(const WsObj *o, const Arch *a, char **err) { return sim_new_engine(NULL, o, a, err); }
/* What the object needs and the engine (NULL: the default) does not do, "switches, filters"; NULL if it can run it.  malloc'ed. */
char *sim_engine_lacks(const char *engine, const WsObj *o);
void sim_free(Sim *s);
const char *sim_engine_name(const Sim *s);
const char *sim_engine_default(void);                    /* fast; the CMake option WS_DEFAULT_ENGINE says another */
const char *sim_engine_at(int i);                        /* names of all engines; NULL past the last */

typedef enum {
    SIM_IDLE,         /* nothing can move, and nothing is left half-done */
    SIM_STALLED,      /* nothing can move, but something is half-done: see sim_thread, sim_queue, sim_slot */
    SIM_MAX_CYCLES,   /* sim_cycle() reached max_cycles, whether anything is left to do or not; run again to go on */
    SIM_FAULT,        /* sim_fault() says what; the run cannot go on */
    SIM_INTERRUPTED   /* the interrupt flag was set; run again to go on (clear the flag first) */
} SimStop;
const char *sim_stop_name(SimStop s);
/* Run until nothing can move or sim_cycle() == max_cycles (0: no limit). */
SimStop sim_run(Sim *s, uint64_t max_cycles);
/* Cycles simulated.  After SIM_IDLE or SIM_STALLED: one more than the last cycle in which anything happened. */
uint64_t sim_cycle(const Sim *s);
const SimFault *sim_fault(const Sim *s);
/* Checked every few thousand cycles and at the start of sim_run; safe to set in a signal handler. */
void sim_set_interrupt(Sim *s, const atomic_bool *flag);

/* From now on fault on stray accesses of the program: S023, S024 (docs/machine.md, "Checked runs").  false: the engine cannot. */
bool sim_check(Sim *s);
const char *sim_engine_with_check(const WsObj *o);       /* the first engine that can, and does all that the object uses; NULL: none */

/* ---- callbacks, in the order of (cycle, y, x) */
typedef void SimPrintFn(void *user, unsigned x, unsigned y, uint64_t cycle, const char *line);  /* no newline in line */
typedef void SimProgressFn(void *user, uint64_t cycle);
void sim_on_print(Sim *s, SimPrintFn *fn, void *user);
/* Called every so many cycles; less often where an engine runs ahead of its clock. */
void sim_on_progress(Sim *s, uint64_t every_cycles, SimProgressFn *fn, void *user);
void sim_flush_prints(Sim *s);                           /* pass on lines that the program did not end */

/* ---- the host's hands: memory and calls.  All between two sim_run. */
unsigned sim_width(const Sim *s);
unsigned sim_height(const Sim *s);
const Arch *sim_arch(const Sim *s);
const WsObj *sim_obj(const Sim *s);
int32_t sim_class(const Sim *s, unsigned x, unsigned y); /* class index of the object, or -1: no program there */
/* mem_bytes bytes; NULL when there is no program at (x, y).  Good until the next call: a PE that nobody has touched is shown in a buffer. */
const uint8_t *sim_mem(const Sim *s, unsigned x, unsigned y);
/* false: no program there, or addr + len is beyond the memory. */
bool sim_mem_write(Sim *s, unsigned x, unsigned y, uint32_t addr, const void *bytes, size_t len);
/* Call the function at pc on a PE: it runs as a task of its own, before any other, arguments in r1...; r31 is
 * SIM_CALL_RETURN, so that the function's return ends the task.  false: no program there, one is pending still,
 * or nargs > 8.  A pending call is a host command: a run cannot end SIM_IDLE before it has ended. */
bool sim_call(Sim *s, unsigned x, unsigned y, uint16_t pc, const uint32_t *args, int nargs);
bool sim_call_pending(const Sim *s, unsigned x, unsigned y);
uint32_t sim_call_result(const Sim *s, unsigned x, unsigned y);    /* r1 when the last call ended */
/* Activate task id (6 bits, bit 5 data), as ACT does. */
bool sim_activate(Sim *s, unsigned x, unsigned y, int task);

/* ---- host channels (docs/machine.md, "Host channels"): words between the host and one color of a PE.  Between two runs. */
/* Open the channel of a color in a PE, to it or from it; opening it again is fine.  false and *why (static text): no program
 * there, the color is routed already or its channel goes the other way. */
bool sim_channel_open(Sim *s, unsigned x, unsigned y, int color, bool to_pe, const char **why);
void sim_channel_send(Sim *s, unsigned x, unsigned y, int color, const uint32_t *words, size_t n);   /* an open channel to a PE */
size_t sim_channel_sending(const Sim *s, unsigned x, unsigned y, int color);   /* words sent that no queue has taken yet */
void sim_channel_want(Sim *s, unsigned x, unsigned y, int color, size_t n);    /* from a PE: take n words more than asked for so far */
size_t sim_channel_words(const Sim *s, unsigned x, unsigned y, int color);     /* words that have come and were not taken */
void sim_channel_take(Sim *s, unsigned x, unsigned y, int color, uint32_t *words, size_t n);   /* the first n of them */

/* ---- counters; also for routers without a program */
const uint64_t *sim_counters(const Sim *s, unsigned x, unsigned y);        /* CT_COUNT numbers */
void sim_counters_total(const Sim *s, uint64_t total[CT_COUNT]);
/* Memory of this computer that the machine takes now: the engine's own, and pages of PE memory that were touched. */
typedef struct { uint64_t state_bytes, touched_bytes; } SimMemory;
void sim_memory(const Sim *s, SimMemory *out);
/* Why the engine left its quick way, numbered from 0, and how often; NULL: past the last.  *n may depend on the stops of the run. */
const char *sim_slow(const Sim *s, int i, uint64_t *n);
/* Cycle, memory, registers, DSRs, threads (not what they wait for), tasks, queues, router slots and counters.
 * Equal states have equal hashes on every host and engine. */
uint64_t sim_state_hash(const Sim *s);

/* ---- state of one PE, for the stall report, the debugger and tests */
enum { THREAD_MAIN = N_UT, N_THREAD = N_UT + 1 };
typedef enum {
    WAIT_NOTHING,     /* no task, no operation */
    WAIT_READY,       /* can issue (now, or when the slot is free) */
    WAIT_TIME,        /* a latency: register, DSR, dot register, task start */
    WAIT_INPUT,       /* a word of input queue `queue`, color `color` */
    WAIT_OUTPUT,      /* space in output queue `queue`, color `color` */
    WAIT_UT,          /* microthread `queue` is busy */
    WAIT_SLOT,        /* SETRTR: the teardown of `color` */
    WAIT_SOCKET,      /* SETSOCK: the teardown of `color`, to which input queue `queue` is bound */
    WAIT_FIFO,        /* a FIFO in memory: queue 0: it is empty, 1: it is full */
    WAIT_BLOCKED      /* a microthread that the program has blocked */
} SimWait;
extern const char *const sim_wait_names[];
typedef struct {
    bool active;                                         /* a task runs / an operation is under way */
    SimWait wait;
    uint8_t queue, color;                                /* color: COLOR_NULL or COLOR_NONE where there is none */
    uint16_t pc;                                         /* instruction under way, or next */
    int16_t task;                                        /* main: running task id, TASK_CONTROL + id, TASK_ENTRY or TASK_CALL; -1 none */
    int16_t act, unb;                                    /* microthread: what its end will do; -1 none */
    uint32_t done, total;                                /* elements of the vector operation under way; total 0: none */
    bool endless;
    uint64_t since;                                      /* cycle of its last issue slot */
} SimThread;
enum { SIM_CALL_RETURN = 0xfc00 };  /* an instruction fetch from here gives DONE */
enum { TASK_ENTRY = 64, TASK_CALL = 65, N_TASK = 64, TASK_CONTROL = 128, COLOR_NONE = 255 };
bool sim_thread(const Sim *s, unsigned x, unsigned y, int thread, SimThread *out);     /* false: no program there */

typedef struct { bool bound_code, active, blocked, high; uint16_t addr; } SimTask;
/* id 0..63, or TASK_CONTROL + 0..63 (active: its word is at the head of a queue) */
bool sim_task(const Sim *s, unsigned x, unsigned y, int id, SimTask *out);

typedef struct { uint32_t data; uint8_t color; bool control; uint64_t at; bool advance; } SimWord;   /* at: eligible / usable from; advance: moves the switch of its router */
typedef struct {
    uint8_t color;                                       /* COLOR_NONE: bound to nothing */
    bool open;                                           /* input: not torn down; output: always true */
    bool lends;                                          /* input: its words belong to queue q - 4 */
    uint32_t words, capacity;
} SimQueue;
bool sim_queue(const Sim *s, unsigned x, unsigned y, bool output, int q, SimQueue *out);
bool sim_queue_word(const Sim *s, unsigned x, unsigned y, bool output, int q, uint32_t i, SimWord *out);

typedef enum { SLOT_NONE, SLOT_OPEN, SLOT_CLOSED } SimSlotState;
typedef struct {
    SimSlotState state;
    uint16_t slot;                                       /* slot word, also of a CLOSED one; directions of the current switch position */
    uint8_t rx;                                          /* inputs, a bit per Dir */
    uint16_t sw;                                         /* switch word; 0: no switch */
    WsFilter filter;                                     /* init: its counter now */
    bool carried, in_context;                            /* carried words since opened; opened by the last SETRTR */
    uint32_t words[4];                                   /* waiting in the FIFO of each link direction */
    uint32_t in_flight[4];                               /* sent towards W E S N and not yet credited: router_slots is full */
} SimSlot;
bool sim_slot(const Sim *s, unsigned x, unsigned y, int color, SimSlot *out);
bool sim_slot_word(const Sim *s, unsigned x, unsigned y, int color, Dir from, uint32_t i, SimWord *out);

typedef struct {
    DsdKind kind;                                        /* DSD_NONE: not loaded */
    uint16_t w[4];                                       /* the descriptor as loaded (DSRB and DSRL edit it) */
    uint16_t addr;                                       /* memory: address of the next element */
    uint8_t xdsr;
    uint16_t count[4];                                   /* nested: elements done in each dimension */
    uint64_t ready;                                      /* usable from this cycle on */
} SimDsr;
bool sim_dsr(const Sim *s, unsigned x, unsigned y, int dsr, SimDsr *out);   /* DsrFile * 16 + index */

/* 0..31 r0..r31, 32..35 dot registers, 36..39 loop counters, 40 + 4 * x + k: dimension k of XDSR x, extent | stride << 16 */
enum { SIM_N_REG = 40 + 4 * N_XDSR };
bool sim_register(const Sim *s, unsigned x, unsigned y, int r, uint32_t *value);

/* ---- what an engine provides.  struct Sim starts with SimBase (sim.c); an engine extends it. */
struct SimEngine {
    const char *name, *doc;
    uint32_t can;                                        /* USES_ bits of objects that it runs */
    Sim *(*make)(const WsObj *o, const Arch *a, char **err);
    void (*free)(Sim *s);
    SimStop (*run)(Sim *s, uint64_t max_cycles);
    const uint8_t *(*mem)(const Sim *s, unsigned x, unsigned y);
    bool (*mem_write)(Sim *s, unsigned x, unsigned y, uint32_t addr, const void *bytes, size_t len);
    bool (*call)(Sim *s, unsigned x, unsigned y, uint16_t pc, const uint32_t *args, int nargs);
    bool (*call_pending)(const Sim *s, unsigned x, unsigned y);
    uint32_t (*call_result)(const Sim *s, unsigned x, unsigned y);
    bool (*activate)(Sim *s, unsigned x, unsigned y, int task);
    bool (*channel_open)(Sim *s, unsigned x, unsigned y, int color, bool to_pe, const char **why);
    void (*channel_send)(Sim *s, unsigned x, unsigned y, int color, const uint32_t *words, size_t n);
    size_t (*channel_sending)(const Sim *s, unsigned x, unsigned y, int color);
    void (*channel_want)(Sim *s, unsigned x, unsigned y, int color, size_t n);
    size_t (*channel_words)(const Sim *s, unsigned x, unsigned y, int color);
    void (*channel_take)(Sim *s, unsigned x, unsigned y, int color, uint32_t *words, size_t n);
    const uint64_t *(*counters)(const Sim *s, unsigned x, unsigned y);
    void (*memory)(const Sim *s, SimMemory *out);
    const char *(*slow)(const Sim *s, int i, uint64_t *n);  /* NULL: it has one way only */
    void (*flush_prints)(Sim *s);
    bool (*thread)(const Sim *s, unsigned x, unsigned y, int thread, SimThread *out);
    bool (*task)(const Sim *s, unsigned x, unsigned y, int id, SimTask *out);
    bool (*queue)(const Sim *s, unsigned x, unsigned y, bool output, int q, SimQueue *out);
    bool (*queue_word)(const Sim *s, unsigned x, unsigned y, bool output, int q, uint32_t i, SimWord *out);
    bool (*slot)(const Sim *s, unsigned x, unsigned y, int color, SimSlot *out);
    bool (*slot_word)(const Sim *s, unsigned x, unsigned y, int color, Dir from, uint32_t i, SimWord *out);
    bool (*dsr)(const Sim *s, unsigned x, unsigned y, int dsr, SimDsr *out);
    bool (*reg)(const Sim *s, unsigned x, unsigned y, int r, uint32_t *value);
    void (*check)(Sim *s);                               /* NULL when the engine cannot */
};
typedef struct {
    const SimEngine *eng;
    const WsObj *obj;
    Arch arch;
    unsigned w, h;
    int32_t *cls;                                        /* class of each PE, -1: none (by the engine, or sim.c after it) */
    uint64_t cycle;
    SimFault fault;
    const atomic_bool *interrupt;
    SimPrintFn *print; void *print_user;
    SimProgressFn *progress; void *progress_user; uint64_t progress_every, progress_next;
} SimBase;
extern const SimEngine sim_reference, sim_fast;
extern const SimEngine sim_both;                         /* runtime/observe/both.c: runs two and compares */
/* for engines: bytes of a mapping that are in memory */
uint64_t sim_resident(const void *map, size_t len);
/* for engines: record a fault (the first one counts); args are strings or numbers */
void sim_raise(SimBase *b, SimFaultKind k, unsigned x, unsigned y, int thread, uint16_t pc, int nargs, const DiagArg *args);
#endif
