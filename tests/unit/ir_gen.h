/* Random WIR modules for tests: function f0 is exported, calls go to higher numbers. */
#ifndef IR_GEN_H
#define IR_GEN_H
#include "ir/ir.h"
uint64_t gen_next(uint64_t *state);                      /* splitmix64 */
IrModule *gen_module(Arena *a, uint64_t seed);
#endif
