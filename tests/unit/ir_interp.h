/* A plain interpreter of scalar WIR, for tests: what a function returns, leaves in memory and does in order.  It computes with the C
 * compiler's own types, so it is a second opinion about ir/fold.c. */
#ifndef IR_INTERP_H
#define IR_INTERP_H
#include "ir/ir.h"
typedef struct {
    uint8_t mem[65536];
    uint64_t *trace;                                     /* stb_ds: effects: op, imm, operand */
    int fuel;                                            /* instructions left; < 0: it ran out */
    int depth;
    uint32_t sp;
    bool stuck;                                          /* met something that it cannot run */
} Interp;
uint32_t interp_global_addr(const IrGlobal *g);          /* from its name "gN": not from its number, which passes change */
void interp_init(Interp *s, IrModule *m, int fuel);
uint64_t interp_call(Interp *s, IrFn *f, const uint64_t *args);
#endif
