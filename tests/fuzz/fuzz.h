/* tests/fuzz/fuzz.h: what is done with random programs besides running them. */
#ifndef WS_FUZZ_FUZZ_H
#define WS_FUZZ_FUZZ_H
#include "runtime/sim/sim.h"

typedef struct { Arena *ar; Diags *d; WsObj *o; Arch a; } FuzzObj;
typedef struct { uint64_t all, contended; } FuzzGrants;

/* ---- shrink.c */
bool fuzz_load(FuzzObj *f, const char *text, bool loud); /* assembles; false: it is no legal program, and nothing is to be freed */
void fuzz_unload(FuzzObj *f);
/* A smaller program, by leaving out lines as long as the engines still differ in the same manner.  false: they agree on `text`. */
bool fuzz_shrink(const char *text, Buf *out, int seconds);
/* adds the words that routers granted on the reference engine, and those of them for whose output another head waited */
void fuzz_grants(const FuzzObj *f, uint64_t max_cycles, FuzzGrants *sum);
#endif
