/* companion.c: the loop that timings of a noisy machine are compared with: a naive array of routers, ticked cycle by cycle.
 *     companion SIDE CYCLES       prints the words that were moved and a check sum
 * SIDE x SIDE routers, each with five rings of four words (from west, east, south, north, and its own core).  In a cycle each
 * router looks at its rings in turn and moves the head of each to the neighbour that its header names, if there is room and the
 * link is free; each core puts in a word to a pseudo-random router when there is room, and takes what has arrived.
 * It shares nothing with the simulator: neither code nor data structures. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { FROM_WEST, FROM_EAST, FROM_SOUTH, FROM_NORTH, FROM_CORE, N_RING, RING = 4 };
typedef struct { uint16_t x, y; uint32_t data, moved; } Word;       /* moved: the cycle in which it came here */
typedef struct { Word w[RING]; uint8_t head, n; } Ring;
typedef struct { Ring in[N_RING]; uint32_t rng, sum; } Router;

static Router *rt;
static unsigned side;
static uint64_t moves;

static void push(Ring *r, Word w)
{
    r->w[(r->head + r->n) % RING] = w;
    r->n++;
}

/* the head of one ring, if its way is free; `taken`: links of this router that carry a word in this cycle */
static void head(Router *r, unsigned x, unsigned y, Ring *q, uint32_t cycle, unsigned *taken)
{
    if (!q->n || q->w[q->head].moved == cycle) return;
    Word w = q->w[q->head];
    int to = w.x > x ? FROM_WEST : w.x < x ? FROM_EAST : w.y > y ? FROM_NORTH : w.y < y ? FROM_SOUTH : FROM_CORE;
    if (*taken >> to & 1) return;
    if (to == FROM_CORE) {
        r->sum = r->sum * 31 + w.data;
    } else {
        Router *next = to == FROM_WEST ? r + 1 : to == FROM_EAST ? r - 1 : to == FROM_NORTH ? r + side : r - side;
        if (next->in[to].n == RING) return;
        w.moved = cycle;
        push(&next->in[to], w);
    }
    *taken |= 1u << to;
    q->head = (uint8_t)((q->head + 1) % RING);
    q->n--;
    moves++;
}

int main(int argc, char **argv)
{
    side = argc == 3 ? (unsigned)atoi(argv[1]) : 0;
    uint32_t cycles = argc == 3 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0, sum = 0;
    if (side < 1 || side > 4096 || !cycles) return fprintf(stderr, "usage: companion SIDE CYCLES\n"), 2;
    rt = calloc((size_t)side * side, sizeof *rt);
    if (!rt) return fprintf(stderr, "companion: out of memory\n"), 1;
    for (unsigned i = 0; i < side * side; i++) rt[i].rng = i + 1;
    for (uint32_t c = 1; c <= cycles; c++)
        for (unsigned y = 0; y < side; y++)
            for (unsigned x = 0; x < side; x++) {
                Router *r = &rt[y * side + x];
                unsigned taken = 0;
                for (unsigned k = 0; k < N_RING; k++) head(r, x, y, &r->in[(c + k) % N_RING], c, &taken);
                if (r->in[FROM_CORE].n == RING) continue;
                r->rng = r->rng * 1664525u + 1013904223u;
                push(&r->in[FROM_CORE], (Word){(uint16_t)((r->rng >> 8) % side), (uint16_t)((r->rng >> 20) % side), r->rng, c});
            }
    for (unsigned i = 0; i < side * side; i++) sum = sum * 31 + rt[i].sum;
    printf("%llu moves, sum %08x\n", (unsigned long long)moves, sum);
    free(rt);
    return 0;
}
