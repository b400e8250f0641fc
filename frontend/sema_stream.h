/* frontend/sema_stream.h: what sema_stream.c (Tungsten's statements) and sema_dsd.c (CSL's DSD builtins) share: access
 * functions `|i, j|{M, N} -> A[...]` as descriptors, and descriptors as WIR globals. */
#ifndef FE_SEMA_STREAM_H
#define FE_SEMA_STREAM_H
#include "frontend/sema.h"

enum { ACCESS_MAX_DIMS = 4 };
/* An access function: element (i0, i1, ...) is at base + (off + sum of i_d * stride[d]) elements. */
typedef struct Access {
    Place place;                       /* the array or what a pointer points at: P_MEM */
    Type *elem;
    uint32_t ndims;
    Value extent[ACCESS_MAX_DIMS];     /* outermost first; u16: known, or a run-time value */
    int64_t stride[ACCESS_MAX_DIMS];   /* elements */
    int64_t off;                       /* elements */
} Access;
/* Evaluate the LAMBDA node n; false: reported.  fixed: every extent must be known. */
bool access_eval(Sema *s, Scope *sc, AstNode *n, bool fixed, Access *out);
/* Total number of elements, when every extent is known; else -1. */
int64_t access_total(const Access *a);
/* Put outer dimensions that run on without a gap together, so that plain walks become one-dimensional. */
void access_merge(Access *a);
/* The shape record of a nested access (isa.h): 4 x { extent, stride }, innermost first, outermost extent 0. */
IrSym access_shape(Sema *s, const Access *a, Loc loc);

/* A global of 8 bytes: a descriptor's home.  base and shape (sym 0: none) are added to words 0 and 2. */
IrSym descriptor_new(Sema *s, const char *name, const uint16_t w[4], IrSym base, IrSym shape, bool is_const, Loc loc);

/* A loop nest (the outermost ∀, for or while statement n): its iterators and sockets get their DSRs here, at position 0.
 * times: rounds of this loop, -1 not known.  What enter returns goes to leave. */
int64_t sema_stream_nest_enter(Sema *s, AstNode *n, int64_t times);
void sema_stream_nest_leave(Sema *s, int64_t rounds);
/* What is evaluated between the two runs only perhaps: behind a condition that is not known. */
int64_t sema_stream_perhaps(Sema *s);
void sema_stream_certain(Sema *s, int64_t rounds);
/* &iterator: [*]u16, the address of its descriptor.  false: e names none. */
bool sema_stream_addr(Sema *s, Scope *sc, AstNode *e, Value *out);
#endif
