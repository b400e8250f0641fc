/* runtime/sim/slots.h: the slots of one router and the registers of one PE, as both engines compute them (docs/machine.md,
 * "Routers", "Registers of the machine", "FIFOs"): which way a color goes, when a switch moves, what a filter keeps, what a
 * load or store of a register means, what a FIFO's record says.  No time, no queues, no wake-ups: those are the engine's. */
#ifndef WS_SIM_SLOTS_H
#define WS_SIM_SLOTS_H
#include "runtime/sim/sim.h"

/* a fault to raise; SF_none: fine */
typedef struct { SimFaultKind kind; int n; DiagArg arg[3]; } SlotFault;

typedef struct {
    uint16_t slot[N_COLOR], sw[N_COLOR];                 /* slot and switch words */
    uint8_t base_rx[N_COLOR];                            /* inputs of position 0 */
    uint8_t rx[N_COLOR], tx[N_COLOR];                    /* now: of the current position */
    uint32_t open, closed, carried, context;             /* a bit per color */
    uint32_t pending;                                    /* closed by a teardown and not opened again */
    uint32_t swap[2];                                    /* colors swapped on words from north and south; from west and east */
    uint8_t nfilter, filter_of[N_COLOR];                 /* number + 1; 0: none */
    WsFilter filter[N_FILTER];                           /* init: the counter */
} RtSlots;

/* control words: of teardown, "not to the core" */
static inline bool ctrl_tears_down(bool control, uint32_t data) { return control && (ctrl_command(data) & 3) == CMD_TEARDOWN; }
static inline bool ctrl_not_to_core(uint32_t data) { return ctrl_command(data) & CMD_NOT_CORE; }

bool slots_route(RtSlots *r, const WsRoute *route);      /* at boot; false: more than N_FILTER filters */
void slots_order_filters(RtSlots *r);                    /* after the last route: they are numbered in the order of their colors */
void slots_apply(RtSlots *r, int color);                 /* rx and tx from the words */
SlotFault slots_check(int color, uint16_t word, bool used);          /* of SETRTR; used: the slot is open and has carried words */
SlotFault slots_set(RtSlots *r, int color, uint16_t word);           /* SETRTR */
void slots_view(const RtSlots *r, int color, SimSlot *out);         /* all of it but the words on the links */
void slots_close(RtSlots *r, int color);                 /* a teardown word has passed */
/* the color under which a word goes into the FIFO of this router when it comes from direction d */
static inline int slots_color(const RtSlots *r, int color, Dir d)
{
    return r->swap[d == DIR_WEST || d == DIR_EAST] >> color & 1 ? color ^ 1 : color;
}

/* Has the word a way down the ramp, and what becomes of it there?  uses: of the class of the PE, 0: there is none. */
typedef enum { RAMP_WAITS, RAMP_GOES, RAMP_IF_PLACE } RampWay;       /* IF_PLACE: if the queue has one */
RampWay slots_ramp_way(const RtSlots *r, uint32_t uses, int color, bool control, uint32_t data, bool queue);
typedef enum { RAMP_KEPT, RAMP_VANISHES, RAMP_TO_CORE, RAMP_FAULT } RampFate;        /* KEPT: by a filter; TO_CORE: if there is a queue */
RampFate slots_ramp_fate(RtSlots *r, uint32_t uses, int color, bool control, uint32_t data);

/* A word of the color passes: its first command, and the flag of a switch-advancing output.  on: the word that goes on to other
 * routers; moved: slots_move to position `at` after it. */
typedef struct { uint32_t on; int at; bool moved, teardown; } SlotPass;
SlotPass slots_pass(const RtSlots *r, int color, bool control, bool advance, uint32_t data);
void slots_move(RtSlots *r, int color, int at);

/* ---- registers of the machine that belong to the core */
typedef struct {
    uint64_t high, ctrl_blocked;                         /* tasks of high priority; control tasks that are blocked */
    uint16_t flush, flushed;                             /* queues that are to report when empty, and those that did: bits 0-7 input, 8-15 output */
    uint8_t ut_blocked;
} CoreRegs;
/* input queues that are empty, full; output queues that are empty, full: a bit each; their colors */
typedef struct { uint8_t iq_empty, iq_full, oq_empty, oq_full, iq_color[N_QUEUE], oq_color[N_QUEUE]; } QueueState;

/* false: there is no such register */
bool regs_read(const RtSlots *r, const CoreRegs *c, QueueState q, uint16_t addr, uint32_t *v);
/* What the engine is to do after a store.  opened: the color that takes words again, and its closed queues too, or -1; bind: a
 * socket word for a queue, which lends or borrows as before, or 0; changed: the router is to look again. */
typedef struct { int opened; uint16_t bind; bool changed; } RegsDid;
bool regs_write(RtSlots *r, CoreRegs *c, const Arch *a, uint16_t addr, uint16_t v, SlotFault *fault, RegsDid *did);
bool regs_report(CoreRegs *c, QueueState q);             /* queues that were to report and are empty now: true if there are any */

/* ---- FIFOs in memory: the words of the record, without counting strays */
static inline uint16_t fifo_word(const uint8_t *mem, uint32_t mem_bytes, uint16_t record, int k)
{
    uint16_t a = (uint16_t)((record & 0xfffe) + 2 * k);
    return a < mem_bytes ? (uint16_t)(mem[a] | mem[a + 1] << 8) : 0;
}
static inline uint32_t fifo_room(const uint8_t *mem, uint32_t mem_bytes, uint16_t record, bool push)
{
    uint32_t cap = fifo_word(mem, mem_bytes, record, FIFO_CAP), n = fifo_word(mem, mem_bytes, record, FIFO_COUNT);
    return push ? (n < cap ? cap - n : 0) : n;
}
/* what is wrong with the record for elements of so many bytes, or NULL */
const char *fifo_fault(const uint8_t *mem, uint32_t mem_bytes, uint16_t record, unsigned esz);
/* what happens to an operation that the FIFO holds up */
FifoAction fifo_action(const uint8_t *mem, uint32_t mem_bytes, uint16_t record, bool push, bool async);
/* the task that a push or a pop activates; -1: none */
int fifo_task(const uint8_t *mem, uint32_t mem_bytes, uint16_t record, bool push);
/* address of the element to take or put; the new words of the record */
typedef struct { uint16_t addr, head, count; } FifoStep;
FifoStep fifo_step(const uint8_t *mem, uint32_t mem_bytes, uint16_t record, bool push, unsigned esz);
#endif
