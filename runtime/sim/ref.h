/* runtime/sim/ref.h: state of the reference engine.  Internal to ref*.c.
 *
 * Cycle by cycle: in cycle t first the routers that have something to do, then the PEs.  Times are stamps on words and
 * slots ("usable from"), so there is no third pass for arrivals.  Who has something to do is a bit per router and per PE
 * in a wheel of the next WHEEL cycles; a wake-up too many changes nothing, so callers may be generous.
 * Later ones wait in a list. */
#ifndef WS_SIM_REF_H
#define WS_SIM_REF_H
#include "runtime/sim/dec.h"
#include "runtime/sim/slots.h"

enum { WHEEL = WS_LIMIT(64, 2), N_LANE = N_COLOR * 4 };
#define NEVER UINT64_MAX

typedef SimIns Dec;                      /* one per word of a class's text */

typedef struct {
    const WsClass *c;
    Dec *dec;
    uint32_t ndec;
    uint64_t bound, high;                /* tasks with code, and those of high priority */
    uint64_t active0, blocked0;
    uint64_t ctrl_bound, ctrl_high, ctrl_blocked0;       /* the same of control tasks */
    uint16_t entry_of[N_TASK], ctrl_entry_of[N_CONTROL];
    uint8_t ctrl_base[N_QUEUE];                          /* added to the control tasks that words of the queue name */
    struct { uint8_t id; uint16_t limit, first; } rotate[N_ROTATE];
    int nrotate;
    bool has_main;
    uint16_t main_addr;
} Class;

/* ---- queues: a ring of stamped words */
typedef struct { SimWord *w; uint32_t head, n, size; } Ring;    /* size: a power of two */
typedef struct {
    Ring r;
    uint8_t color;                       /* COLOR_NONE, COLOR_NULL or 0..23 */
    bool open, lends;
    uint32_t cap;
} InQ;
typedef struct { Ring r; uint8_t color; uint32_t cap; uint64_t granted_at; } OutQ;

/* ---- DSRs and vector operations */
typedef struct { uint16_t addr, cnt[4]; } Pos;
typedef struct { uint16_t ext[4]; int16_t stride[4]; } Shape;
typedef struct { uint8_t kind, x; uint16_t w[4]; Pos pos; uint64_t ready; } Dsr;

typedef enum { OK_NONE, OK_REG, OK_DOT, OK_MEM, OK_IN, OK_OUT, OK_FIFO } OpdKind;
typedef struct {
    uint8_t kind, idx, esz;              /* idx: register, dot register or queue */
    bool control, advance, on_end;       /* output: control words, advances the switch; input: ends on a control word */
    int8_t on_act;                       /* input: task to activate on a control word; -1 none */
    uint16_t record;                     /* FIFO: address of its record; output: index */
    uint32_t val;                        /* register sources: captured */
    Pos pos;
    uint16_t ext[4];
    int32_t step[4];                     /* bytes */
} Opd;

typedef struct {
    bool active, own, same, chain, endless, conflict, sub, fabric, async, fifo, on_control;
    uint8_t opcode;
    int8_t act, unb;
    uint8_t level;
    uint16_t pc;
    ElFn *fn;
    Opd d, a, b, c;
    uint32_t done, total, width;
    uint64_t since;
} Vec;

/* why a thread cannot issue */
typedef struct { SimWait kind; uint8_t queue, color; int cause; uint64_t until; } Wait;

typedef struct {
    int16_t task;                        /* -1: none */
    uint16_t pc;
    uint64_t start_at, since;
    Vec v;                               /* vector operation under way */
    uint32_t slots_done, slots_total;    /* several-slot instruction under way; total 0: none */
    bool as_pending;                     /* an ASYNC prefix was issued */
    int8_t as_ut, as_act, as_unb;
    uint8_t as_prio;
    uint16_t list[2 * CTX_PAIRS];        /* SETRTR, SETSOCK: the valid entries, and how many are done */
    uint8_t nlist, listed;
    Wait wait;                           /* of the last look; charged to a counter until `charged` */
    uint64_t charged;
} Main;

typedef struct { uint64_t at; uint8_t kind, id; } Effect;
enum { EF_ACT, EF_UNB, EF_CLOSE };

typedef struct Rt Rt;
/* a host channel: words to the PE wait in r and count as a queue of the ramp side, or came from the PE and wait for the host */
typedef struct { uint8_t color; bool to_pe; Ring r; size_t want; } Chan;   /* want: words that may still come */
typedef struct {
    uint32_t i;                          /* index of its router */
    Class *cls;
    uint8_t *mem;
    Rt *rt;
    bool dirty;                          /* code was written: decode from memory */
    bool entry_pending, call_pending, call_running;
    uint16_t call_pc;
    uint32_t call_args[8], call_nargs, call_result;
    uint32_t reg[N_GPR], dot[N_DOT], loop[N_LOOP];
    uint64_t reg_ready[N_GPR], dot_ready[N_DOT];
    Dsr dsr[3 * N_DSR];
    Shape xdsr[N_XDSR];
    InQ iq[N_QUEUE];
    OutQ oq[N_QUEUE];
    Main main;
    Vec ut[N_UT];
    uint8_t uts;                         /* which microthreads are active */
    uint8_t turn[4];                     /* round robin of microthreads, by level */
    uint8_t task_turn[2];
    uint16_t starts[N_ROTATE];           /* of the rotating data tasks, since their control task */
    uint64_t active, blocked;
    CoreRegs regs;
    uint32_t left;                       /* elements that the last synchronous operation left at a FIFO */
    Effect *effects;                     /* stb array */
    Buf line;
} Pe;

/* ---- routers.  A lane is the FIFO of one color from one direction; free_at of a slot is the cycle from which the
 * sender may fill it again, so the sender's credit is a look at the next slot. */
typedef struct { uint32_t head, tail, n; bool waited; uint64_t *free_at; SimWord w[]; } Lane;
struct Rt {
    RtSlots k;
    uint64_t pend[2];                                /* lanes that hold words: bit color * 4 + direction */
    uint8_t oqs;                                     /* output queues that hold words */
    bool ramp_waited;
    Chan *chan;                                      /* stb array, one a color */
    uint32_t chan_to, chan_from;                     /* a bit per color: host channels to the PE, from it */
    int64_t next[4];                                 /* router in each link direction; -1: off the machine */
    Lane *lane[N_LANE];
    Pe *pe;
    uint64_t ct[CT_COUNT];
};

typedef struct { uint64_t at; uint32_t i; } Late;
typedef struct { uint64_t *bits; uint32_t cnt[WHEEL]; Late *late; uint64_t late_first; } Wheel;     /* late: beyond the wheel */
typedef struct {
    SimBase b;
    Arena *arena;
    uint32_t nw;                         /* words of a wheel bitmap */
    Rt *rt;
    Pe *pes; uint32_t npes;
    uint8_t *mem; size_t mem_map;        /* one mapping, touched pages only */
    Class *cls;
    Wheel rw, pw;
    uint64_t now, last_act;
    SimTables tab;
    Dec scratch, ret;
    bool check;                          /* fault on stray accesses */
    const char *stray;                   /* the slot under way made one: what it was, and where */
    uint16_t stray_at;
} Ref;

/* ref.c */
void ref_wake_router(Ref *s, uint32_t i, uint64_t at);
void ref_wake_pe(Ref *s, uint32_t i, uint64_t at);
void ref_active(Ref *s, uint64_t at);    /* something happens in cycle at */
void ref_fault(Ref *s, uint32_t i, int thread, uint16_t pc, SimFaultKind k, int n, const DiagArg *args);
bool ref_slot_fault(Ref *s, uint32_t i, uint16_t pc, const SlotFault *f);      /* raise it if there is one: false */
#define REF_FAULT(s, i, thread, pc, kind, ...)                                                                        \
    ref_fault(s, i, thread, pc, SF_##kind, (int)(sizeof((DiagArg[]){__VA_ARGS__}) / sizeof(DiagArg)), (DiagArg[]){__VA_ARGS__})
void ring_push(Ring *r, SimWord w);
SimWord ring_pop(Ring *r);
static inline SimWord *ring_at(const Ring *r, uint32_t i) { return &r->w[(r->head + i) & (r->size - 1)]; }
static inline uint32_t ref_x(const Ref *s, uint32_t i) { return i % s->b.w; }
static inline uint32_t ref_y(const Ref *s, uint32_t i) { return i / s->b.w; }

/* ref_router.c */
void ref_router_step(Ref *s, uint32_t i);
bool ref_open_slot(Ref *s, Pe *pe, int color, uint16_t word);
extern const char *const ref_dir_names[N_DIR];

/* ref_vec.c: vector operations */
bool ref_vec_waits(const Ref *s, const Pe *pe, const Dec *d, Wait *w);        /* registers, dot registers, DSRs */
bool ref_vec_setup(Ref *s, Pe *pe, const Dec *d, uint16_t pc, Vec *v);        /* false: fault */
bool ref_vec_ready(const Ref *s, const Pe *pe, const Vec *v, Wait *w);
bool ref_vec_issue(Ref *s, Pe *pe, Vec *v, int thread);                       /* one slot; true: that was the last */
int ref_vec_ut(const Ref *s, const Pe *pe, const Dec *d);                     /* microthread of its first fabric operand; -1 */
Dsr *ref_vec_fabric(Pe *pe, const Dec *d);                                    /* DSR of its first fabric operand */
uint32_t ref_load(Ref *s, Pe *pe, uint16_t addr, int bytes);
void ref_store(Ref *s, Pe *pe, uint16_t addr, int bytes, uint32_t v);
uint32_t ref_data_end(const WsClass *c);                                      /* first address behind code and data */
void ref_report_stray(Ref *s, Pe *pe, int thread, uint16_t pc);               /* the fault of what the slot did, if it was one */
bool ref_send(Ref *s, Pe *pe, int q, SimWord w, int thread, uint16_t pc);     /* data, control, advance of w */
bool ref_control_head(const Ref *s, const Pe *pe, int q);
static inline int ref_ctrl_task(const Pe *pe, int q) { return (ctrl_task(ring_at(&pe->iq[q].r, 0)->data) + pe->cls->ctrl_base[q]) % N_CONTROL; }
bool ref_on_control(const Pe *pe, int q);                                     /* an operation takes control words of input queue q */
uint32_t ref_out_space(const Ref *s, const Pe *pe, int q);
uint32_t ref_take(Ref *s, Pe *pe, int q);
bool ref_load_dsr(Ref *s, Pe *pe, int dsr, int x, const uint16_t w[4]);

/* ref_regs.c: the registers of the machine.  Reading, writing: false if there is no such register. */
bool ref_reg_read(Ref *s, Pe *pe, uint16_t addr, uint32_t *v);
bool ref_reg_write(Ref *s, Pe *pe, uint16_t addr, uint16_t v);
void ref_flush(Ref *s, Pe *pe);

/* ref_pe.c: one cycle of a PE */
void ref_pe_step(Ref *s, Pe *pe);
void ref_charge(Ref *s, Pe *pe, uint64_t now);
bool ref_activate(Ref *s, Pe *pe, int id, int thread, uint16_t pc);

/* ref_sock.c: queues and sockets */
bool ref_bind(Ref *s, Pe *pe, uint16_t socket_word);             /* false: a fault */
bool ref_bind_in(Ref *s, Pe *pe, int q, uint8_t color, bool lend, const char **why);

/* ref_chan.c: host channels */
Chan *ref_chan(const Rt *r, int color);   /* NULL: none */
bool ref_chan_open(Sim *s, unsigned x, unsigned y, int color, bool to_pe, const char **why);
void ref_chan_send(Sim *s, unsigned x, unsigned y, int color, const uint32_t *words, size_t n);
size_t ref_chan_sending(const Sim *s, unsigned x, unsigned y, int color);
void ref_chan_want(Sim *s, unsigned x, unsigned y, int color, size_t n);
size_t ref_chan_words(const Sim *s, unsigned x, unsigned y, int color);
void ref_chan_take(Sim *s, unsigned x, unsigned y, int color, uint32_t *words, size_t n);

/* ref_view.c: what SimEngine's readers and writers do */
const uint8_t *ref_view_mem(const Sim *s, unsigned x, unsigned y);
bool ref_view_mem_write(Sim *s, unsigned x, unsigned y, uint32_t addr, const void *bytes, size_t len);
bool ref_view_call(Sim *s, unsigned x, unsigned y, uint16_t pc, const uint32_t *args, int nargs);
bool ref_view_call_pending(const Sim *s, unsigned x, unsigned y);
uint32_t ref_view_call_result(const Sim *s, unsigned x, unsigned y);
bool ref_view_activate(Sim *s, unsigned x, unsigned y, int task);
const uint64_t *ref_view_counters(const Sim *s, unsigned x, unsigned y);
void ref_view_memory(const Sim *s, SimMemory *out);
void ref_view_flush(Sim *s);
bool ref_view_thread(const Sim *s, unsigned x, unsigned y, int thread, SimThread *out);
bool ref_view_task(const Sim *s, unsigned x, unsigned y, int id, SimTask *out);
bool ref_view_queue(const Sim *s, unsigned x, unsigned y, bool output, int q, SimQueue *out);
bool ref_view_queue_word(const Sim *s, unsigned x, unsigned y, bool output, int q, uint32_t i, SimWord *out);
bool ref_view_slot(const Sim *s, unsigned x, unsigned y, int color, SimSlot *out);
bool ref_view_slot_word(const Sim *s, unsigned x, unsigned y, int color, Dir from, uint32_t i, SimWord *out);
bool ref_view_dsr(const Sim *s, unsigned x, unsigned y, int dsr, SimDsr *out);
bool ref_view_reg(const Sim *s, unsigned x, unsigned y, int r, uint32_t *value);
#endif
