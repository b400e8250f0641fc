/* Random programs for tests of the backend.  Globals are g0 .. g3 (16 elements of i8, i16, i32, f32), functions f0 .. f2;
 * f0(i32, i16, f32, i32) -> i32 is the one to call. */
#ifndef BE_GEN_H
#define BE_GEN_H
#include "ir/ir.h"
IrModule *be_gen_module(Arena *a, uint64_t seed);
/* Random vector programs (be_vgen.c): a main; queue 0 in and out on color 1; arrays a0 .. a5. */
IrModule *be_gen_vec_module(Arena *a, uint64_t seed);
#endif
