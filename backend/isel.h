/* backend/isel.h: what the files of instruction selection share.
 *
 * A function is selected from its end to its start: blocks in reverse of the reverse postorder, instructions of a block
 * from the last to the first, and an instruction is built only when something asked for its value or when it has an
 * effect.  So what every user folds (addresses, compares, constants) is never built.  One instruction's code is made
 * forwards in `tmp` and then moved to `rev`, the block backwards. */
#ifndef BE_ISEL_H
#define BE_ISEL_H
#include "backend/mir.h"

typedef struct {
    Reg reg[3];                                          /* by file: register, R_NONE */
    uint8_t files;                                       /* bit per file that a use stands in */
    int8_t pin, xdsr;                                    /* -1, or the pinned numbers */
    bool nested, fabric, memory;                         /* what its descriptors are, as far as known */
    bool seen;                                           /* some descriptor was looked at */
    uint32_t array;                                      /* global + 1, 0 unknown */
} SlotInfo;

typedef enum { CK_INT, CK_DATA, CK_FN, CK_SUM } ConstKind;             /* CK_SUM: base + address of .data + key */
typedef struct { uint32_t home; uint8_t kind; int64_t key; Reg base, add, r; ptrdiff_t pos; bool used_here; Loc loc; } ConstUse;

typedef struct {
    BeCtx *cx;
    IrModule *m;
    IrFn *f;
    MFn *mf;
    Loops lp;
    Reg *lo, *hi;                                        /* by value: its register(s), R_NONE: nobody asked yet */
    int32_t *fo;                                         /* by value (ALLOCA): frame object */
    uint8_t *live, *ext, *swap;                          /* by value: needed; extension of a load; VOP with a and b swapped */
    uint32_t *uses;
    SlotInfo *slots;                                     /* by value (DSRSLOT) */
    uint32_t *blk;                                       /* MIR block of an IR block */
    uint32_t *landing;                                   /* by loop: MIR block behind a hardware loop */
    uint32_t *size;                                      /* by loop: instructions */
    ConstUse *consts;
    MIns *rev, *tmp;
    MIns *params;                                        /* goes to the head of the function */
    uint32_t cur;                                        /* IR block */
    Loc loc;
} Isel;

enum { EXT_NONE, EXT_ZERO, EXT_SIGN };

typedef struct { Reg base; int32_t imm; uint8_t symk; int32_t fi; MemRef mem; } Addr;

/* isel.c */
MIns *isel_emit(Isel *s, int op, Reg d, Reg a, Reg b);
MIns *isel_emit_imm(Isel *s, int op, Reg d, Reg a, int64_t imm);
Reg isel_tmp(Isel *s);
IrRef isel_resolve(Isel *s, IrRef r);                    /* through instructions that cost nothing */
Reg isel_need(Isel *s, IrRef r);                         /* its value, upper bits undefined */
Reg isel_need_hi(Isel *s, IrRef r);                      /* T_DSD: words 2 and 3 */
Reg isel_need_ext(Isel *s, IrRef r, int ext);            /* extended to 32 bits */
Reg isel_int(Isel *s, int64_t v);                        /* a register that holds v; r0 for 0 */
Reg isel_data_addr(Isel *s, int64_t off);                /* a register that holds the address of .data + off */
Reg isel_anchor(Isel *s, int64_t off);                   /* the same, of an address that many share */
Addr isel_addr(Isel *s, IrRef p, int64_t off, int bytes);
MIns *isel_mem(Isel *s, int op, Reg v, Addr a);
bool isel_near(const Isel *s, int64_t off);
int isel_bits(IrType t);
uint32_t isel_root(Isel *s, IrRef p, bool *frame);       /* global + 1 that a pointer points into, 0 unknown */
/* isel_ops.c: scalar instructions */
void isel_scalar(Isel *s, IrRef r);
void isel_branch(Isel *s, IrRef cond, bool negated, uint32_t tgt);
bool isel_switch_table(IrFn *f, IrIns *in, int64_t *min, int64_t *range);   /* a jump table pays */
/* isel_vec.c: descriptors, DSR slots, vector operations */
void isel_slots(Isel *s);
void isel_vec(Isel *s, IrRef r);
DescInfo isel_desc_at(const BeCtx *cx, IrSym sym, int64_t off);
#endif
