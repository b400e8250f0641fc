/* runtime/observe/observe.h: what a person is told about a machine.  Readers only: nothing here changes a Sim. */
#ifndef WS_OBSERVE_H
#define WS_OBSERVE_H
#include "runtime/sim/sim.h"

/* ---- place.c */
/* Source file (NULL if not known), line and enclosing function (NULL) of an instruction of the program at (x, y). */
void obs_source(const Sim *s, unsigned x, unsigned y, uint32_t pc, const char **file, uint32_t *line, const char **function);
/* "gemv.w:17", or "pc 0x0124" where the line is not known */
void obs_print_source(Buf *b, const Sim *s, unsigned x, unsigned y, uint32_t pc);
/* "main thread", "microthread 3", "router" */
void obs_print_thread(Buf *b, int thread);
const char *obs_dir_name(Dir d);                         /* "west", ..., "ramp" */
/* name of the function or task at an address, or NULL */
const char *obs_function(const Sim *s, unsigned x, unsigned y, uint32_t addr);

/* ---- stall.c */
/* Which PEs wait, on what, at which source lines, grouped; then who waits for whom.  For a machine that is stalled. */
void obs_stall_report(Buf *b, const Sim *s);
/* Where the PEs stand, grouped by class, thread, line and what they wait for.  For any machine. */
void obs_where_report(Buf *b, const Sim *s);

/* ---- compare.c */
/* Two machines with the same object under two engines, and how their last runs ended: is all equal that sim.h shows (prints apart)?
 * After a fault only the fault counts: what its cycle would still have done is not defined. */
bool obs_same(const Sim *s, SimStop stop, const Sim *t, SimStop other);
/* what differs, in words; the first few kilobytes of it */
void obs_difference(Buf *b, const Sim *s, SimStop stop, const Sim *t, SimStop other);
#endif
