/* tests/fuzz/gen.h: random programs for the machine, as assembly text.  Same seed, same text.
 *
 * A program is a small rectangle of PEs, each of its own class; streams of words over random multicast trees, several
 * colors on each link; every PE sends and takes its words in random pieces, synchronous and on microthreads of all
 * priorities, in tasks that activate, block and unblock each other; queues are tiny; some programs set their routers
 * themselves and set them anew after teardown.  Lines "; PARAM: name=value" at the head change numbers of the machine.
 *
 *   plan   all that is sent is taken, in an order in which no two wait for each other: most run to their end.  Half of them use what
 *          came with version 2 of the machine: switches, pop modes, filters, several senders of a color, FIFOs, control words, registers
 *   wild   nobody looks at who takes what: most stall, many at once */
#ifndef WS_FUZZ_GEN_H
#define WS_FUZZ_GEN_H
#include "runtime/isa/isa.h"

typedef void FuzzGen(uint64_t seed, Buf *out);
FuzzGen fuzz_plan, fuzz_wild;
/* the "; PARAM:" lines of a text; false: a name that is no parameter */
bool fuzz_params(const char *text, Arch *a);
#endif
