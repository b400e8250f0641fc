/* tests/diff/diff.h: two engines side by side: the same object, the same stops, everything that sim.h shows compared. */
#ifndef WS_TEST_DIFF_H
#define WS_TEST_DIFF_H
#include "runtime/sim/sim.h"

typedef struct {
    const char *a, *b;                   /* engines; b NULL: a runs alone */
    uint64_t max_cycles;                 /* a run that is not over by then is cut there */
    unsigned cuts;                       /* stops on the way at which all is compared too */
    uint64_t seed;                       /* of the places of the cuts */
    bool brief;                          /* do not look for the first cycle that differs */
} DiffHow;
typedef struct { uint64_t cycles, pe_cycles; SimStop stop; } DiffSeen;
/* true: equal.  Else *why (free) says what differs, and in which cycle first. */
bool diff_run(const WsObj *o, const Arch *a, const DiffHow *how, DiffSeen *seen, char **why);
#endif
