/* tests/fuzz/gen_int.h: what the generators of gen.h share: random numbers, the machine, single instructions (gen_ops.c). */
#ifndef WS_FUZZ_GEN_INT_H
#define WS_FUZZ_GEN_INT_H
#include "tests/fuzz/gen.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_PE = 16, MAX_PHASE = 3, WORK_BYTES = 640 };
typedef struct { uint8_t rx, tx; bool used; } Slot;
typedef struct { int color, left; bool data_task; } Flow;          /* words still to take, or to send */
typedef struct {
    Slot slot[N_COLOR];
    Flow in[N_QUEUE], out[N_QUEUE];                                 /* color -1: none */
} PePhase;
typedef struct {
    uint64_t rng;
    Buf *b;
    int w, h, arch, nphase;
    bool contexts, faults;
    Arch a;
    PePhase pe[MAX_PE][MAX_PHASE];
    /* of the PE that is being written */
    Buf text, data;
    int nlabel, ntask, pe_no, phase;
    /* what the instructions may do: microthreads 0..nut-1; safe: nothing that stops, harms or waits for others; registers of the machine */
    int nut;
    bool safe, regs;
} Gen;

static inline uint64_t next(Gen *g)
{
    uint64_t z = (g->rng += 0x9e3779b97f4a7c15u);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}
static inline int rnd(Gen *g, int n) { return n > 0 ? (int)(next(g) >> 33) % n : 0; }
static inline int between(Gen *g, int lo, int hi) { return lo + rnd(g, hi - lo + 1); }
static inline bool one_in(Gen *g, int n) { return rnd(g, n) == 0; }
#define TEXT(...) buf_printf(&g->text, __VA_ARGS__)
#define DATA(...) buf_printf(&g->data, __VA_ARGS__)

/* ---- gen_ops.c */
void gen_machine(Gen *g);                                /* changes numbers of the machine */
int gen_neighbour(const Gen *g, int pe, int d);          /* -1: none */
int gen_label(Gen *g);
int gen_reg(Gen *g);
void gen_scalar(Gen *g);
void gen_mem_dsd(Gen *g, char out[128], int n);
void gen_load(Gen *g, const char *file, int dsr, const char *dsd);
void gen_vector(Gen *g, int in, int out, int n);         /* takes n words of queue in, sends n to queue out; -1: no queue */
void gen_fault(Gen *g);                                  /* an instruction that is likely to be a fault */
void gen_other(Gen *g);                                  /* any instruction that needs no queue */
#endif
