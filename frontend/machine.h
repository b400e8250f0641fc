/* frontend/machine.h: runtime/isa for files that also see ast.h.  The two spell a few enumerators alike (operators of
 * the language, opcodes of the machine); here the machine's get another name, since sema never names an opcode. */
#ifndef FE_MACHINE_H
#define FE_MACHINE_H
#define OP_ADD PE_ADD
#define OP_SUB PE_SUB
#define OP_AND PE_AND
#define OP_OR PE_OR
#define SOCK_OUT SOCKW_OUT /* the bit of a socket word */
#include "runtime/isa/obj.h"
#undef OP_ADD
#undef OP_SUB
#undef OP_AND
#undef OP_OR
#undef SOCK_OUT
#endif
