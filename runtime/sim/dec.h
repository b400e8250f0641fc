/* runtime/sim/dec.h: what both engines look up per opcode and per instruction word.  Made from pe_ops.def, the bodies in
 * pe_el.h and the parameters of the machine. */
#ifndef WS_SIM_DEC_H
#define WS_SIM_DEC_H
#include "runtime/sim/sim.h"

typedef uint32_t ElFn(uint32_t a, uint32_t b, uint32_t c, uint32_t d);

/* by opcode */
enum { FLOPS_HALF = 0x80 };
typedef struct {
    int slots[256], lat[256];            /* slots: SLOT_BRANCH, SLOT_VEC, ... or a number, at least 1; lat: cycles */
    ElFn *fn[256], *plain[256];          /* the body; plain: with multiply-adds rounded twice whatever fmac_rounding is */
    uint8_t flops[256];                  /* per element; FLOPS_HALF: fp16 */
    uint8_t slot_ct[256];                /* counter of its slots */
} SimTables;
void sim_tables(const Arch *a, SimTables *t);
static inline void sim_count_flops(uint64_t *ct, unsigned flops, uint64_t elements)
{
    ct[flops & FLOPS_HALF ? CT_flops_half : CT_flops] += elements * (flops & ~(unsigned)FLOPS_HALF);
}

/* a word of a class's text */
typedef struct {
    PeIns in;
    const PeOp *op;                      /* NULL: not an instruction */
    uint32_t word;
    uint32_t reads;                      /* general registers it reads, a bit each; r0 is always ready */
    uint8_t dots;                        /* dot registers that must have drained */
} SimIns;
SimIns sim_decode(uint32_t word);
#endif
