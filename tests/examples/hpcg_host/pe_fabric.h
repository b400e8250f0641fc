/* The machine under pe_model: PEs, routers, queues, contexts, as docs/machine.md has them, without time.
 *
 * What a PE can do (send, receive, set_router, set_sockets) succeeds or has to wait; who comes next is chosen by a work list,
 * first in first out (seed 0) or at random (seed > 0, also with PEs that stop for a while at any word).  Capacities are those of
 * the machine, so a program that can deadlock there stops here: fabric_run() then says who waits for what.
 * Rules of the machine that are checked: a word only moves through an OPEN slot whose rx is where it came from, into a free
 * place on every branch; lending; a slot that is reopened must be CLOSED; no word leaves the array. */
#ifndef PE_FABRIC_H
#define PE_FABRIC_H
#include <stdbool.h>
#include <stdint.h>

enum { WEST, EAST, SOUTH, NORTH, RAMP };
enum { COLORS = 24, NULL_COLOR = 31, QUEUES = 8, CTX_WORDS = 18, SOCK_WORDS = 9, MEM_BYTES = 49152, RING_MAX = 16 };

typedef struct {
    uint32_t bits;
    uint8_t color;
    bool teardown;
} Word;
typedef struct {
    uint8_t head, n, cap;
    Word w[RING_MAX];
} Ring;
typedef struct {
    uint8_t head, n;
    Word w[4];
} Lane; /* a router's FIFO of one color and direction */
typedef struct {
    Ring r;
    uint8_t color;
    bool open, closing, lends;
} InQueue;

typedef struct Pe {
    int id, col, row; /* as in per-PE files: machine row, x */
    uint8_t *mem;
    /* router */
    uint16_t slot[COLORS];
    uint32_t open, carried, context;
    Lane lane[COLORS][4];
    uint32_t pending[4]; /* by direction: colors with a word in the lane */
    /* queues */
    InQueue iq[QUEUES];
    Ring oq;
    uint8_t oq_color;
    int sock_at; /* next word of an unfinished set_sockets */
    bool queued; /* on the work list */
    int budget;
    struct Core *core; /* the program's state */
} Pe;

typedef struct {
    int H, V;
    Pe *pe;
    uint32_t seed;
    const uint8_t *iq_words; /* [8] */
    int router_slots;
    uint64_t moves;
} Fabric;
extern Fabric fab;

void fabric_init(int H, int V, uint32_t seed, bool wse2, bool lend);
/* Run until nothing moves.  step(pe) runs the PE's program until it waits; true: it has ended.  False: somebody waits for ever,
 * about(pe) is printed for the first of them. */
bool fabric_run(bool (*step)(Pe *), void (*about)(Pe *));

/* All return false when the PE must wait; then call again. */
bool recv_word(Pe *p, int q, uint32_t *bits); /* a queue bound to null: zeros */
bool send_word(Pe *p, uint32_t bits);         /* output queue 0; bound to null: vanishes */
bool send_teardown(Pe *p);
bool set_router(Pe *p, const uint16_t *pairs);
bool set_sockets(Pe *p, const uint16_t *socks);

_Noreturn void stop(const Pe *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
uint32_t chance(uint32_t n); /* 0..n-1 */
#endif
