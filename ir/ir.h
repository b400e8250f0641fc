/* ir/ir.h: WIR, the intermediate representation.  SSA, blocks, explicit types.  Vector operations over DSDs, streams, tasks
 * and router control are instructions like any other.  An instruction is a handle into its function; handles are stored,
 * pointers (ir_ins) are good until the next append.  A module is one class of PEs. */
#ifndef WS_IR_H
#define WS_IR_H
#include "runtime/base/base.h"

typedef enum { T_VOID, T_I1, T_I8, T_I16, T_I32, T_I64, T_F16, T_BF16, T_CB16, T_F32, T_PTR, T_DSD, T_SLOT, T_COUNT } IrType;
int ir_type_bytes(IrType t);                             /* in memory: i1 1, ptr 2, dsd 8, slot 0 */
const char *ir_type_name(IrType t);

typedef struct { uint32_t i; } IrRef;                    /* instruction of a function; 0: none */
typedef struct { uint32_t i; } IrBlk;                    /* block of a function; 0: none; 1: entry */
typedef struct { uint32_t i; } IrSym;                    /* global or function of a module; 0: none */
#define IR_NONE ((IrRef){0})

typedef enum { CMP_EQ, CMP_NE, CMP_SLT, CMP_SLE, CMP_ULT, CMP_ULE } IrCmp;   /* > and >= swap operands */
typedef enum {
#define IROP(name, ...) IR_##name,
#include "ir_ops.def"
    IR_NOPS
} IrOp;
typedef enum {
#define IRVOP(name, ...) IRV_##name,
#include "ir_vops.def"
    IRV_COUNT
} IrVop;
enum { I_RES = 1, I_TERM = 2, I_EFF = 4, I_READ = 8, I_COMM = 16 };
typedef struct { const char *text; int nargs; unsigned flags; const char *doc; } IrOpRow;
extern const IrOpRow ir_ops[IR_NOPS];
typedef struct { const char *name; IrType d, a, b, c; } IrVopRow;
extern const IrVopRow ir_vops[IRV_COUNT];
int ir_vop_by_name(const char *name);                    /* -1 if unknown; lower or upper case */

/* imm of a DSRSLOT from 2 on: 2 + pin + 64 * (XDSR + 1, 0: none).  Pin 0..15: that number in whichever files the slot stands in;
 * 16 + 16 * file + number: that one DSR (file 0 dest, 1 src0, 2 src1). */
enum { SLOT_PIN = 2, PIN_FILE = 16, PIN_XDSR = 64, PIN_MAX = 64 };
static inline int slot_pin(int64_t imm) { return imm < SLOT_PIN ? -1 : (int)((imm - SLOT_PIN) % PIN_XDSR); }
static inline int slot_pin_xdsr(int64_t imm) { return imm < SLOT_PIN ? -1 : (int)((imm - SLOT_PIN) / PIN_XDSR) - 1; }
static inline int pin_file(int pin) { return pin < PIN_FILE ? -1 : pin / 16 - 1; }       /* -1: any */

/* VOP operands: args[0] d, args[1] a, args[2] b, args[3] c; IR_NONE where the row has none.  A slot (DSRSLOT, DOTSLOT),
 * or a scalar value.  d none while the row has a dtype: the result is the instruction's value (register destination,
 * one element).  imm: own count 1..63, or 0 for rule P1. */
typedef struct { bool on; int8_t ut, act, unb; uint8_t prio; } IrAsync;   /* ut, act, unb: -1 none; prio 0..3 */

typedef struct {
    uint8_t op, type;                                    /* IrOp, IrType of the result (T_VOID: none) */
    uint8_t vop;                                         /* VOP */
    uint16_t nargs, nblocks;                             /* switch: nblocks = cases + 1 */
    bool dead;
    IrSym sym;
    IrBlk blk;                                           /* where it stands */
    IrRef *args;                                         /* in the function's arena */
    IrBlk *blocks;                                       /* PHI: predecessors, each once; terminators: successors */
    int64_t *cases;                                      /* SWITCH */
    int64_t imm;
    IrAsync async;                                       /* VOP */
    Loc loc;
    const char *name;                                    /* for the printer, may be NULL */
} IrIns;

/* ins: stb_ds array in order; preds: stb_ds, each block once, by ir_cfg.  The entry block has no predecessors. */
typedef struct { IrRef *ins; const char *name; IrBlk *preds; uint32_t loop_depth; } IrBlock;

typedef enum { FN_PLAIN, FN_TASK_LOCAL, FN_TASK_DATA, FN_TASK_CONTROL, FN_MAIN } IrFnKind;
typedef enum { INLINE_AUTO, INLINE_ALWAYS, INLINE_NEVER } IrInline;
struct IrModule;
typedef struct IrFn {
    struct IrModule *mod;
    const char *name;
    IrFnKind kind;
    int task_id;                                         /* LOCAL, DATA, CONTROL; -1 unbound */
    bool exported;                                       /* callable or visible from outside: never removed */
    IrInline inl;
    IrType ret;
    IrType *params;                                      /* stb_ds */
    IrIns *ins;                                          /* stb_ds; [0] unused */
    IrBlock *blks;                                       /* stb_ds; [0] unused, [1] entry */
    Loc loc;
    bool decl_only;
} IrFn;

typedef struct { uint32_t off; IrSym sym; int32_t add; } IrReloc;   /* a 16-bit address at byte off */
typedef struct {
    const char *name;
    uint32_t size_bytes, align;
    uint8_t *init;                                       /* size_bytes, or NULL: zeros */
    IrReloc *relocs;                                     /* stb_ds */
    bool exported, is_const, keep;
    int section;                                         /* those of one number stand together, in their order; 0: anywhere */
    int elem_type;                                       /* WsType of obj.h as a number (for the symbol table), 0 unknown */
    Loc loc;
} IrGlobal;

/* boot records: as WsBoot; the task's function names its address */
typedef struct { int kind, id, color, flags; IrSym fn; int num, first; } IrBoot;   /* num, first: WsBoot's addr and first where there is no fn */

typedef struct IrModule {
    Arena *arena;
    const char *name;                                    /* class name */
    IrGlobal *globals;                                   /* stb_ds */
    IrFn **fns;                                          /* stb_ds */
    IrBoot *boot;                                        /* stb_ds */
    uint32_t uses;                                       /* WsClass.uses; the backend adds what it sees for itself */
} IrModule;
/* IrSym: bit 31 clear: global index + 1; set: function index (bit 31 | index) */
static inline bool ir_sym_is_fn(IrSym s) { return s.i >> 31; }
static inline IrSym ir_gsym(uint32_t i) { return (IrSym){i + 1}; }
static inline IrSym ir_fsym(uint32_t i) { return (IrSym){0x80000000u | i}; }
static inline IrGlobal *ir_global(IrModule *m, IrSym s) { return &m->globals[s.i - 1]; }
static inline IrFn *ir_fn(IrModule *m, IrSym s) { return m->fns[s.i & 0x7fffffffu]; }
static inline IrIns *ir_ins(IrFn *f, IrRef r) { return &f->ins[r.i]; }
static inline IrBlock *ir_blk(IrFn *f, IrBlk b) { return &f->blks[b.i]; }

/* ---- build.c */
IrModule *ir_module_new(Arena *a, const char *name);
void ir_module_free(IrModule *m);                        /* the stb_ds arrays; all else is the arena's */
IrFn *ir_fn_new(IrModule *m, const char *name, IrFnKind kind, IrType ret, IrSym *sym);   /* with an entry block */
void ir_fn_param(IrFn *f, IrType t);
IrSym ir_global_new(IrModule *m, const char *name, uint32_t size_bytes, uint32_t align);
IrBlk ir_block_new(IrFn *f, const char *name);
IrRef ir_append(IrFn *f, IrBlk b, IrOp op, IrType type, int nargs, const IrRef *args, Loc loc);  /* the general one; fields set after through ir_ins */
IrRef ir_insert_before(IrFn *f, IrRef pos, IrOp op, IrType type, int nargs, const IrRef *args, Loc loc);
IrRef ir_const(IrFn *f, IrBlk b, IrType t, int64_t v, Loc loc);
IrRef ir_fconst(IrFn *f, IrBlk b, IrType t, double v, Loc loc);
IrRef ir_gaddr(IrFn *f, IrBlk b, IrSym s, int64_t off, Loc loc);
IrRef ir_alloca(IrFn *f, uint32_t bytes, Loc loc);       /* in the entry block */
IrRef ir_load(IrFn *f, IrBlk b, IrType t, IrRef p, int64_t off, Loc loc);
void ir_store(IrFn *f, IrBlk b, IrRef p, int64_t off, IrRef v, Loc loc);
IrRef ir_bin(IrFn *f, IrBlk b, IrOp op, IrRef x, IrRef y, Loc loc);
IrRef ir_un(IrFn *f, IrBlk b, IrOp op, IrType t, IrRef x, Loc loc);
IrRef ir_icmp(IrFn *f, IrBlk b, IrCmp c, IrRef x, IrRef y, Loc loc);
IrRef ir_fcmp(IrFn *f, IrBlk b, IrCmp c, IrRef x, IrRef y, Loc loc);
IrRef ir_select(IrFn *f, IrBlk b, IrRef c, IrRef x, IrRef y, Loc loc);
IrRef ir_phi(IrFn *f, IrBlk b, IrType t, Loc loc);       /* at the head of b; operands by ir_phi_add */
void ir_phi_add(IrFn *f, IrRef phi, IrBlk pred, IrRef v);
void ir_br(IrFn *f, IrBlk b, IrBlk to, Loc loc);
void ir_condbr(IrFn *f, IrBlk b, IrRef c, IrBlk t, IrBlk e, Loc loc);
IrRef ir_switch(IrFn *f, IrBlk b, IrRef v, IrBlk dflt, Loc loc);   /* cases by ir_switch_add */
void ir_switch_add(IrFn *f, IrRef sw, int64_t v, IrBlk to);
void ir_ret(IrFn *f, IrBlk b, IrRef v, Loc loc);         /* IR_NONE for void */
IrRef ir_call(IrFn *f, IrBlk b, IrSym fn, IrType ret, int n, const IrRef *args, Loc loc);
IrRef ir_vop(IrFn *f, IrBlk b, IrVop v, IrRef d, IrRef a, IrRef bb, IrRef c, int n, Loc loc);   /* .async set after */
bool ir_terminated(IrFn *f, IrBlk b);
IrIns *ir_term(IrFn *f, IrBlk b);                        /* the terminator, NULL if there is none yet */
void ir_set_args(IrFn *f, IrRef r, int n, const IrRef *args);       /* replace all operands */
void ir_set_blocks(IrFn *f, IrRef r, int n, const IrBlk *blocks);   /* replace all blocks */
/* ---- fold.c: numbers as the machine has them */
bool ir_is_int(IrType t);                                /* i1 .. i64 */
bool ir_is_float(IrType t);
int ir_type_bits(IrType t);                              /* i1 1, ptr 16, dsd 64 */
uint64_t ir_mask(IrType t, uint64_t v);                  /* v cut to the type's bits */
int64_t ir_signed(IrType t, uint64_t v);                 /* v's low bits, sign-extended */
uint64_t ir_float_bits(IrType t, double v);              /* rounded to nearest even; NaN canonical */
double ir_float_value(IrType t, uint64_t bits);          /* exact */
/* One instruction on constants: in holds the operands' bits, from their types (one per operand).  Returns false if the result
 * is not known at compile time.  Not for memory, control flow and vector operations. */
bool ir_eval(IrOp op, IrType type, int64_t imm, int nargs, const IrType *from, const uint64_t *in, uint64_t *out);
/* ---- key.c: equal values */
typedef struct { uint8_t op, type, nargs, zero; uint32_t sym; int64_t imm; uint32_t args[3], zero2; } IrKey;   /* for hm: no padding */
bool ir_is_value(const IrIns *in);                       /* its operands alone make its result: equal keys are equal values */
IrKey ir_key(const IrIns *in);                           /* of a value; operands of a commutative one in one order */
/* ---- cfg.c: predecessors, reverse postorder, dominators, loop depth */
void ir_cfg(IrFn *f);                                    /* fills preds and loop_depth; removes nothing */
void ir_preds(IrFn *f);                                  /* only the preds */
IrBlk *ir_rpo(IrFn *f);                                  /* stb_ds array, caller frees */
IrBlk *ir_idom(IrFn *f, IrBlk *rpo);                     /* stb_ds array indexed by block, caller frees */
bool ir_dominates(const IrBlk *idom, uint32_t a, uint32_t b);  /* block a dominates b, or is it; idom from ir_idom */
/* The natural loop with header h: every block that reaches a back edge to h without passing h, h too.  By block, 1 or 0; NULL: h
 * heads no loop.  needs: preds, idom from ir_idom; the caller frees. */
uint8_t *ir_loop_body(IrFn *f, const IrBlk *idom, uint32_t h);
uint32_t *ir_use_counts(IrFn *f);                        /* stb_ds array indexed by instruction, caller frees */
void ir_replace(IrFn *f, IrRef old, IrRef with);         /* all uses */
void ir_remove(IrFn *f, IrRef r);                        /* takes it out of its block */
void ir_apply(IrFn *f, IrRef *map);                      /* map[r.i] (stb_ds, by instruction) replaces r, chains followed; r itself stays */
void ir_sweep(IrFn *f);                                  /* takes instructions that are marked dead out of their blocks */
void ir_phi_drop(IrFn *f, IrBlk b, IrBlk pred);          /* pred no longer branches to b */
void ir_phi_rename(IrFn *f, IrBlk b, IrBlk from, IrBlk to);         /* the predecessor from is now called to */
bool ir_fold_branch(IrFn *f, IrBlk b);                   /* a branch with one possible target becomes br; phis are kept right */
bool ir_drop_unreachable(IrFn *f);                       /* removes unreachable blocks; RENUMBERS the blocks if it returns true */
/* ---- diagnostics of this folder */
enum {
#define ROW(id, sev, name, text, hint) IRD_##name,
#include "ir_diags.def"
#undef ROW
    IRD_COUNT
};
extern const DiagRow ir_diag_rows[IRD_COUNT];
/* ---- text.c: the printer; read.c: the reader.  The text form (docs/ir.md) round-trips: printing what was read gives the same
 * text, except that Loc is not in it (the reader sets Loc to the place in the text). */
void ir_print(Buf *b, IrModule *m);
void ir_print_fn(Buf *b, IrFn *f);
void ir_print_ref(Buf *b, IrFn *f, IrRef r);             /* "%x" as ir_print_fn writes it; slow, for messages */
IrModule *ir_parse(Arena *a, Diags *d, const char *path, const char *text, size_t len);   /* NULL after errors */
/* ---- verify.c: types, SSA dominance, block form, slots.  Reports through d; returns the number of errors. */
int ir_verify(Diags *d, IrModule *m);
/* ---- pass.c */
typedef struct { int level; bool verify_each; const char *only; const char *dump_after; FILE *dump; } IrPassOpts;
/* Run passes.def at the level (0..2); `only`: comma list of pass names to run instead. Returns false on an unknown name or
 * a verifier error (reported). */
bool ir_run_passes(Diags *d, IrModule *m, const IrPassOpts *o);
bool ir_pass_known(const char *name, size_t n);              /* n bytes of name; "all" is known too */
bool ir_listed(const char *name, const char *list);          /* whether a comma list has the name, or "all" */
#endif
