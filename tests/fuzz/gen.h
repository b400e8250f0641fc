/* tests/fuzz/gen.h: random programs for the machine, as assembly text.  Same seed, same text, on every host.
 *
 * A program is a small rectangle of PEs, each of its own class; streams of words over random multicast trees, several
 * colors on each link; every PE sends and takes its words in random pieces, synchronous and on microthreads of all
 * priorities, in tasks that activate, block and unblock each other; queues are tiny; some programs set their routers
 * themselves and set them anew after teardown.  Many stall, some fault: that must be the same too.  Lines "; PARAM: name=value"
 * at the head change numbers of the machine. */
#ifndef WS_FUZZ_GEN_H
#define WS_FUZZ_GEN_H
#include "runtime/isa/isa.h"

void fuzz_gen(uint64_t seed, Buf *out);
/* the "; PARAM:" lines of a text; false: a name that is no parameter */
bool fuzz_params(const char *text, Arch *a);
#endif
