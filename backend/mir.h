/* backend/mir.h: machine instructions before encoding, one function at a time, and the passes over them.
 *
 * isel.c makes them from WIR with virtual registers; sched.c orders blocks; ra.c gives registers; emit.c lays blocks out,
 * adds prologue and epilogue and encodes.  Not SSA: a phi is a virtual register that its predecessors copy to.
 * Every block ends in a group of at most two terminators: a conditional one (branch, LOOP, ENDL) and a jump, or one of
 * jump, JR, M_RET, DONE, TRAP. */
#ifndef BE_MIR_H
#define BE_MIR_H
#include "backend/backend.h"
#include "backend/be_diags.h"

/* ---- registers: physical ones by file, then virtual ones */
typedef int32_t Reg;
typedef enum { RC_GPR, RC_DEST, RC_SRC0, RC_SRC1, RC_DOT, RC_COUNT } RegClass;
enum { R_NONE = -1, R_SAME = -2,                         /* R_SAME as d: the DSR of a, in place */
       PR_DEST = N_GPR, PR_SRC0 = PR_DEST + N_DSR, PR_SRC1 = PR_SRC0 + N_DSR, PR_DOT = PR_SRC1 + N_DSR,
       PR_COUNT = PR_DOT + N_DOT, PR_VIRT = 96 };
_Static_assert(PR_COUNT <= PR_VIRT, "physical registers come first");
/* ABI (architecture.md) */
enum { ABI_ARG0 = 1, ABI_NARGS = 8, ABI_CALLER_LAST = 15, ABI_CALLEE_FIRST = 16, ABI_CALLEE_LAST = 27, REG_TMP = 29 };

typedef struct {
    uint8_t cls;
    bool nested;                                         /* DSR that needs an XDSR */
    bool temp;                                           /* made by spilling: never spilled again */
    Loc loc;                                             /* what made it */
} VReg;

/* ---- pseudo instructions, beside PeOpcode */
enum { M_COPY = 256,                                     /* d = a */
       M_CONST,                                          /* d = imm, 32 bits */
       M_ADDR,                                           /* d = 16-bit address sym + imm */
       M_FRAME,                                          /* d = address of frame object fi + imm */
       M_CALL,                                           /* call sym; register arguments in mask */
       M_CALLR,                                          /* call the address in a */
       M_RET,                                            /* epilogue and return; result registers in mask */
       M_END };
typedef enum { SY_NONE, SY_DATA, SY_FN } SymKind;        /* DATA: imm is an offset from the start of .data; FN: function index in sym */
enum { FI_NONE = -1, FI_ARG_IN = -2, FI_ARG_OUT = -3 };  /* incoming stack arguments, outgoing ones: imm is their offset */

/* What an instruction may touch; two references that may meet keep their order. */
typedef enum { MK_NONE, MK_ANY, MK_GLOBAL, MK_FRAME, MK_FABRIC, MK_UNKNOWN } MemKind;   /* UNKNOWN: memory or fabric */
typedef struct { uint8_t kind; uint32_t id; int32_t off, size; } MemRef;                /* size 0: the whole object */

typedef struct {
    uint16_t op;                                         /* PeOpcode or M_... */
    uint8_t k;                                           /* loop counter, queue */
    bool is_async, no_exit;                              /* no_exit: LOOP whose count is never 0 */
    Reg d, a, b, c;                                      /* fields of the format; DSR formats: the DSR is d; stores: d is the value */
    int32_t imm;
    uint8_t symk;
    uint32_t sym;
    uint32_t tgt;                                        /* block */
    int32_t fi;                                          /* frame object of a memory operand or M_FRAME */
    int32_t jt;                                          /* JR: jump table + 1 */
    uint32_t mask;                                       /* M_CALL, M_CALLR, M_RET: physical GPRs read */
    IrAsync async;
    MemRef rd[2], wr;
    Loc loc;
} MIns;

typedef struct {
    MIns *ins;                                           /* stb_ds */
    uint32_t *succ, *pred;                               /* stb_ds */
    uint32_t depth;                                      /* loop depth */
    const char *name;
} MBlk;
typedef struct { uint32_t *to; uint32_t data_off; } JumpTable;       /* stb_ds of blocks */
typedef struct { uint32_t bytes; int32_t off; } FrameObj;

typedef struct {
    IrFn *ir;
    uint32_t index;                                      /* of the function in its module */
    MBlk *blks;                                          /* stb_ds; [0] unused, [1] entry */
    uint32_t *order;                                     /* stb_ds: layout */
    VReg *vregs;                                         /* stb_ds; register PR_VIRT + i */
    FrameObj *frame;                                     /* stb_ds */
    JumpTable *tables;                                   /* stb_ds */
    uint32_t out_bytes;                                  /* outgoing stack arguments */
    uint32_t frame_bytes;                                /* after layout, with saved registers */
    uint32_t saved;                                      /* callee-saved registers that are written */
    bool has_call;
    int spills;                                          /* rounds that spilled */
    uint8_t *xdsr;                                       /* stb_ds by virtual register: XDSR of a nested DSR */
} MFn;

/* ---- one compilation of one class */
typedef struct { uint32_t addr_off; bool is_bss; } DataPlace;
typedef struct {
    uint8_t kind;                                        /* DsdKind of its initialiser, DSD_NONE unknown */
    uint32_t array;                                      /* global index + 1 that it walks over, 0 unknown */
} DescInfo;
typedef struct {
    Diags *d;
    IrModule *m;
    const BeOpts *opts;
    const Arch *arch;
    DataPlace *place;                                    /* by global: offset from the start of .data (.bss follows) */
    DescInfo *desc;                                      /* by global */
    uint32_t data_bytes, bss_off, bss_bytes;             /* .data size, offset of .bss from .data, .bss size */
    uint32_t table_off, table_bytes, table_next;         /* jump tables, at the end of .data */
    uint32_t near_bytes;                                 /* data offsets below this are reached from r0 */
    uint32_t pinned[RC_COUNT];                           /* DSR numbers that @get_dsr pinned, by file */
    uint32_t pinned_xdsr;                                /* XDSR numbers that @get_xdsr pinned */
    MFn **fns;                                           /* stb_ds by function index, NULL: no body */
    bool no_schedule;
    bool failed;
} BeCtx;

static inline uint32_t be_align_up(uint32_t v, uint32_t a) { return a > 1 ? (v + a - 1) / a * a : v; }

/* ---- place.c: offsets of globals and of the jump tables; arrays that one operation reads are kept out of each other's banks */
void place_globals(BeCtx *cx, const uint8_t *wanted);    /* wanted: by function, 1 if it is compiled */
/* ---- mir.c */
typedef struct { Reg *r; bool use, def; } MOpd;
int mi_operands(MIns *in, MOpd out[5]);                  /* register fields with their roles (mask registers apart) */
RegClass reg_class(const MFn *f, Reg r);
static inline bool reg_is_virt(Reg r) { return r >= PR_VIRT; }
static inline bool reg_is_gpr(Reg r) { return r >= 0 && r < N_GPR; }
Reg vreg_new(MFn *f, RegClass c, Loc loc);
uint32_t mblk_new(MFn *f, const char *name, uint32_t depth);
void mfn_edges(MFn *f);                                  /* succ and pred from the terminators */
void mfn_free(MFn *f);
bool mi_is_vec(const MIns *in);
bool mi_is_term(const MIns *in);
bool mi_barrier(const MIns *in);                         /* nothing moves across it */
const char *mi_name(const MIns *in);
void mir_print(Buf *b, const BeCtx *cx, const MFn *f);
void mir_dump(const BeCtx *cx, const MFn *f, const char *stage);   /* if opts->dump_after names the stage */
int mi_slots(const Arch *a, const MIns *in);             /* issue slots; own count unknown: as of 8 elements */
int mi_latency(const Arch *a, const MIns *in, Reg r, const MIns *user);   /* from last issue to a user of r */
/* ---- loops.c: counted loops of WIR that become LOOP/ENDL */
typedef struct {
    uint32_t header, latch, parent;                      /* blocks; parent: loop index + 1, 0 none; latch 0: several */
    uint8_t *in;                                         /* by block */
    uint32_t depth;
    /* hardware loop: */
    bool hw, bottom;                                     /* bottom: the test stands in the latch, else in the header */
    uint8_t counter, width;                              /* width: of the compared values, in bits */
    uint32_t pre, exit;                                  /* pre: the only entry */
    IrRef init, bound;                                   /* value on entry; loop-invariant limit */
    int64_t step, start_add;                             /* the first compared value is init + start_add */
    enum { REL_NE, REL_LT, REL_GT, REL_EQ } rel;                 /* go on while value REL bound (+ bound_add) */
    int64_t bound_add;
    bool sgn;
    int64_t count;                                       /* known trip count, or -1 */
    bool guarded;                                        /* bottom: the entry tests that init REL bound */
    bool guard_zero;                                     /* ... and that is the same as a count that is not 0 */
} Loop;
typedef struct { Loop *loops; uint32_t *of; IrBlk *rpo, *idom; } Loops;     /* of: innermost loop index + 1 by block */
void loops_find(IrFn *f, Loops *l);
void loops_hw(const BeCtx *cx, IrFn *f, Loops *l);       /* decides hw of each loop */
void loops_free(Loops *l);
bool is_const(IrFn *f, IrRef r, int64_t *v);             /* integer constant, sign-extended */
/* ---- isel.c, isel_vec.c */
MFn *isel(BeCtx *cx, IrFn *f, uint32_t index);
/* ---- sched.c */
void sched(BeCtx *cx, MFn *f, uint32_t from_depth);   /* blocks of this loop depth and deeper */
/* ---- ra.c: false: a register file that cannot spill is too small (reported if `report`) */
bool ra(BeCtx *cx, MFn *f, bool report);
extern int be_few_registers;                             /* for tests: r1 .. rN, r16 .. r19 only; 0: all */
/* ---- emit.c */
void emit_layout(MFn *f);                                /* block order, frame, jumps; every MIns is one word behind this */
uint32_t emit_words(const MFn *f);                       /* size in words */
typedef struct {
    BeCtx *cx;
    const uint32_t *fn_addr;                             /* by function index */
    uint32_t data_addr;
    uint8_t *text, *data;                                /* .text from address 0; .data */
    Loc *locs;                                           /* by word of .text */
    bool near_miss;                                      /* a global counted as near is not */
} Emit;
void emit_encode(Emit *e, const MFn *f);
#endif
