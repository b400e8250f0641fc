/* Router tables of the HPCG example: what each PE loads before a routed phase and before a dot product.
 *
 * Takes H, V, and with MG=1 NGS (and --check FILE / --check-dir DIR instead of making tables); leaves one .rt file, which
 * pack_routing turns into the per-PE files that wsld loads.  Contexts: MG=0 the one of spmv_full and the dot table; MG=1 17
 * (numbers in hpcg_ops.h, ctx_info below), and 5 more with --bc sever.
 *
 * A context is 9 (color, slot word) pairs for set_router and 9 socket words for set_sockets (hpcg_common.h has the bits; an
 * unused pair is (31, 0), an unused socket word 0).  Directions are the machine's; "north" is grid y + 1 = machine y - 1.
 * The socket words always name all 8 input queues, null (31) where a queue is not used, and output queue 0, null where a PE
 * sends to nobody: a kernel runs on every PE, reads zeros where there is no neighbour, and sends into nothing.
 *
 * ==== spmv_full: eight neighbours at once ================================================================================
 *
 * PE (x, y) sends its column's windows on color (x + 3y) mod 9, on output queue 0.  The nine PEs of any 3 x 3 patch have nine
 * different colors, and a stream stays inside the 3 x 3 patch around its sender, so a router sees at most nine colors:
 *
 *        NW <-- N --> NE        own slot      rx ramp    tx west east south north (those that exist)
 *               ^               from n (s)    rx north   tx ramp east west     the turn for the diagonals
 *         W <-- o --> E         from e (w)    rx east    tx ramp
 *               v               from ne, se   rx east    tx ramp               came down (up) next door, then west
 *        SW <-- S --> SE        from nw, sw   rx west    tx ramp
 *
 * Links: 1 stream per north/south link, 3 per east/west link, 8 down the ramp: 24 words a row.
 * Receiving: stream t on input queue stream_info[t].queue_full (sw s se w ne n nw e on 0 1 2 3 4 5 6 7); no neighbour: null.
 * Order in the PE program: send the window of row z (x[z-1] x[z] x[z+1]), then read 3 words of each stream.  A PE is then at
 * most one row from its neighbours, and queues of 3 words or more cannot deadlock: the word that the PE furthest behind waits
 * for is in flight, and whoever could hold it up has at most 2 unread words of the same row.
 *
 * ==== four neighbours: GS forward and backward, up and down ==============================================================
 *
 * On level L the points sit on every 2^L-th PE.  Co-set k (L >= 1) is the grid of the PEs k of all 2 x 2 blocks (0 owner, 1 E,
 * 2 N, 3 NE): four grids, shifted by one PE, that run at once on colors 6k .. 6k+5.  With (cx, cy) the level's coordinates:
 *
 *     color = 6k + (cx + 3 cy) mod 6                        a PE of a phase sees own, w, s, sw, se (or own, e, n, ne, nw)
 *     down (gs_fwd_down_fused, spmv_down): to e, and north, from there to nw and ne       read as w, s, se, sw
 *     up   (gs_bwd_up, gs_fwd_up):         to w, and south, from there to sw and se       read as e, n, ne, nw
 *     input queues 0..3: sw s se w, or ne n nw e; 4..7 null, or lent to 0..3 (DBLQ: GS on levels 0 and 1)
 *
 *        level 1, PE (0, 0) of a block:   own grid 5 slots; the E co-set's row passes: 3; the N co-set's column passes: 1
 *
 * A hop of the level is 2^L links; the PEs between relay, also those that hold no point.  A tree is pruned: a branch goes only
 * where a receiver is.  GS (and the cut SpMV of BC=sever) do not cross an edge of an NGS x NGS domain; the others do.
 *
 * ==== redist, reduce, xchg: within a 2 x 2 block ==========================================================================
 *
 *        N 2 --- 3 NE         redist   0 to 1, 2 and (over 2) 3       color 0, on queue 0: one stream, all three keep it
 *          |     |            reduce   1, 2 and (over 1) 3 to 0       color k, on queue k - 1
 *        o 0 --- 1 E          xchg     k to k-1 and k+1               color k; 1 reaches 2 over 3, 2 reaches 1 over 0;
 *                                                                     on queue 0 from k-1, on queue 1 from k+1
 *
 * ==== dot: an allreduce from short chains ================================================================================
 *
 *   centre column cx = H/2, centre row cy = V/2 (grid rows)
 *
 *   a row, H = 16 (cx = 8), L leaf, M chain member, C centre column:
 *      x   0  1  2  3  4  5  6  7   8   9 10 11 12 13 14 15
 *          L->M  L->M  L->M  L->M   C<--L  M<-L  M<-L  M<-L      color 18, one hop
 *             M---->M---->M---->M-->C<-----M<----M<----M         colors 16 / 17 alternate; over the leaf between
 *                16    17    16   17  16     17    16
 *   the centre column:   y = 0 -> 1 -> ... -> cy <- ... <- V - 1                 colors 20 / 21 alternate
 *      into cy from the south on 20, from the north on 21
 *   broadcast on 19 from (cx, cy): along row cy both ways, and in every column from row cy north and south.
 *
 * Every PE sends on exactly ONE color (output queue 0) and runs the SAME program, n = 1 or 2 values:
 *
 *     set_router(dot); set_sockets(dot_sock);
 *     acc[0..n) = own partial sums
 *     acc += q0[]   pair partner           n words each; a queue bound to null gives zeros at once, and
 *     acc += q1[]   row chain, west        v + 0 = v exactly, so no PE needs to know its role for this
 *     acc += q2[]   row chain, east
 *     acc += q3[]   column chain, south
 *     acc += q4[]   column chain, north
 *     send acc[0..n), then one teardown word, on the out color
 *     result = role & ROLE_CENTRE ? acc : q5[0..n)          (the centre's q5 is null)
 *
 * By role: leaf        sends on 18                                                     receives 19
 *          member      receives 18, then its outer member (16/17; the outermost none), sends on 16/17, receives 19
 *          centre col. receives 18, west 17, east 16, outer neighbour in the column 20/21 (the ends none), sends on 20/21, 19
 *          centre      receives 18, west 17, east 16, south 20, north 21, broadcasts on 19
 * Order of adds, for a reference in fp32: acc = own; + pair; + west; + east; + south; + north.  Each sum is rounded once.
 * The longest path: 1 pair + about H/4 row steps + V/2 column steps + a broadcast of H/2 + V/2 hops.
 *
 * Teardown, both tables: a sender ends its stream with one teardown control word.  It follows the same slots as the data and
 * closes each behind itself, so every slot of a context must be on the way of exactly one sender: --check proves it.
 * Two uses of one table in a row (the pAp dot, then the next iteration's rtz dot) are safe: a word that comes early waits at a
 * closed slot, and on one link the old teardown is always ahead of it.  Between tables that use a color on two input queues the
 * PE must do it in this order (README.md, "Changing contexts"): set_router(nothing), set_sockets(new), set_router(new).
 */
#include "hpcg_common.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- what each context is ------------------------------------------------------------------------------------------------ */
enum CtxKind { CK_STENCIL, CK_REDIST, CK_REDUCE, CK_XCHG };
enum { UP = 1, DOWN = 2, FULL = UP | DOWN }; /* streams ne n nw e, sw s se w */
typedef struct {
    const char *name;
    enum CtxKind kind;
    int level, streams;
    bool cut, lend; /* no stream crosses a domain edge; queue q + 4 lends its words to q */
} CtxInfo;
static const CtxInfo ctx_info[CTX_COUNT_SEVER] = {
    [CTX_SPMV_FULL] = {"spmv_full", CK_STENCIL, 0, FULL, false, false},
    [CTX_GS_FWD(0)] = {"gs_fwd L0", CK_STENCIL, 0, DOWN, true, true},
    [CTX_GS_BWD(0)] = {"gs_bwd L0", CK_STENCIL, 0, UP, true, true},
    [CTX_GS_FWD(1)] = {"gs_fwd L1", CK_STENCIL, 1, DOWN, true, true},
    [CTX_GS_BWD(1)] = {"gs_bwd L1", CK_STENCIL, 1, UP, true, true},
    [CTX_GS_FWD(2)] = {"gs_fwd L2", CK_STENCIL, 2, DOWN, true, false},
    [CTX_GS_BWD(2)] = {"gs_bwd L2", CK_STENCIL, 2, UP, true, false},
    [CTX_GS_FWD(3)] = {"gs_fwd L3", CK_STENCIL, 3, DOWN, true, false},
    [CTX_GS_BWD(3)] = {"gs_bwd L3", CK_STENCIL, 3, UP, true, false},
    [CTX_UP(1)] = {"up L1", CK_STENCIL, 1, UP, false, false},
    [CTX_DOWN(1)] = {"down L1", CK_STENCIL, 1, DOWN, false, false},
    [CTX_UP(2)] = {"up L2", CK_STENCIL, 2, UP, false, false},
    [CTX_DOWN(2)] = {"down L2", CK_STENCIL, 2, DOWN, false, false},
    [CTX_REDIST] = {"redist", CK_REDIST, 1, 0, false, false},
    [CTX_REDUCE] = {"reduce", CK_REDUCE, 1, 0, false, false},
    [CTX_XCHG(1)] = {"xchg L1", CK_XCHG, 1, 0, false, false},
    [CTX_XCHG(2)] = {"xchg L2", CK_XCHG, 2, 0, false, false},
    [CTX_SPMV_FULL_CUT] = {"spmv_full cut", CK_STENCIL, 0, FULL, true, false},
    [CTX_UP_CUT(1)] = {"up L1 cut", CK_STENCIL, 1, UP, true, false},
    [CTX_DOWN_CUT(1)] = {"down L1 cut", CK_STENCIL, 1, DOWN, true, false},
    [CTX_UP_CUT(2)] = {"up L2 cut", CK_STENCIL, 2, UP, true, false},
    [CTX_DOWN_CUT(2)] = {"down L2 cut", CK_STENCIL, 2, DOWN, true, false},
};
static int NGS = 16; /* edge of a GS domain */

static bool in_grid(const RouteTables *t, int x, int y) { return x >= 0 && x < t->H && y >= 0 && y < t->V; }

static bool reads(const CtxInfo *c, int stream) { return c->streams & (stream <= ST_E ? UP : DOWN); }

static int queue_of(const CtxInfo *c, int stream)
{
    return c->streams == FULL ? stream_info[stream].queue_full : stream_info[stream].queue_half;
}

/* Is the level's column (nx, ny), a neighbour of (cx, cy), coupled to it in this context? */
static bool coupled(const RouteTables *t, const CtxInfo *c, int cx, int cy, int nx, int ny)
{
    int edge = NGS >> c->level;
    if (nx < 0 || ny < 0 || nx >= t->H >> c->level || ny >= t->V >> c->level)
        return false;
    return !c->cut || (nx / edge == cx / edge && ny / edge == cy / edge);
}

/* Does PE (x, y) hold a piece of the level, and of which column? */
static bool holds(int level, int x, int y, int *cx, int *cy)
{
    int z0;
    return level_piece(8 << MAX_LEVELS, level, x, y, cx, cy, &z0);
}

/* ---- making the tables --------------------------------------------------------------------------------------------------- *
 * A context is laid out over the whole array, path by path, then stored as words. */
typedef struct {
    int rx[COLORS_ROUTABLE]; /* -1: no slot */
    unsigned tx[COLORS_ROUTABLE];
    int queue_color[IN_QUEUES], out_color;
} LayPe;
typedef struct {
    const RouteTables *t;
    LayPe *pe; /* y * H + x, y the grid row */
} Lay;

static Lay lay_begin(const RouteTables *t)
{
    size_t n = (size_t)t->H * (size_t)t->V;
    Lay l = {t, xcalloc(n, sizeof *l.pe)};
    for (size_t i = 0; i < n; i++) {
        for (int c = 0; c < COLORS_ROUTABLE; c++)
            l.pe[i].rx[c] = -1;
        for (int q = 0; q < IN_QUEUES; q++)
            l.pe[i].queue_color[q] = COLOR_NULL;
        l.pe[i].out_color = COLOR_NULL;
    }
    return l;
}

static LayPe *lay_at(const Lay *l, int x, int y) { return &l->pe[y * l->t->H + x]; }

static void lay_rx(LayPe *p, int color, int rx)
{
    if (p->rx[color] >= 0 && p->rx[color] != rx)
        die("internal: color %d from the %s and from the %s", color, dir_name[rx], dir_name[p->rx[color]]);
    p->rx[color] = rx;
}

/* A stream on `color` from PE (x, y) to the one at (x + dx, y + dy), first along y, then along x; there on input queue q. */
static void lay_path(Lay *l, int color, int x, int y, int dx, int dy, int q)
{
    lay_at(l, x, y)->out_color = color;
    lay_rx(lay_at(l, x, y), color, DIR_RAMP);
    while (dx || dy) {
        int d = dy > 0 ? DIR_NORTH : dy < 0 ? DIR_SOUTH : dx > 0 ? DIR_EAST : DIR_WEST;
        lay_at(l, x, y)->tx[color] |= TX(d);
        x += dir_dx[d];
        y += dir_dy[d];
        dx -= dir_dx[d];
        dy -= dir_dy[d];
        lay_rx(lay_at(l, x, y), color, dir_opposite(d));
    }
    lay_at(l, x, y)->tx[color] |= TX(DIR_RAMP);
    lay_at(l, x, y)->queue_color[q] = color;
}

typedef struct {
    uint16_t (*pair)[2]; /* [9][2] */
    uint16_t *sock;      /* [9] */
    int npairs, nsocks;
} CtxOut;

static CtxOut ctx_begin(RouteTables *t, int ctx, int x, int y)
{
    uint16_t *w = rt_pe(t, x, y);
    CtxOut o = {(uint16_t (*)[2])(w + rt_off_ctx(t->contexts, ctx)), w + rt_off_sock(t->contexts, ctx), 0, 0};
    for (int i = 0; i < CTX_SLOTS; i++) {
        o.pair[i][0] = COLOR_NULL;
        o.pair[i][1] = 0;
        o.sock[i] = 0;
    }
    return o;
}

static void put_slot(CtxOut *o, int color, int rx, unsigned tx)
{
    if (o->npairs == CTX_SLOTS)
        die("internal: more than %d slots in a context", CTX_SLOTS);
    o->pair[o->npairs][0] = (uint16_t)color;
    o->pair[o->npairs++][1] = slot_word(rx, tx);
}

static void put_sock(CtxOut *o, int color, int queue, unsigned flags)
{
    if (o->nsocks == CTX_SLOTS)
        die("internal: more than %d socket words in a context", CTX_SLOTS);
    o->sock[o->nsocks++] = sock_word(color, queue, flags);
}

/* Words of context ctx.  A queue that lends must be unbound first, so 4..7 come before 0..3; else 0..3 first, which takes
 * their words back before 4..7 get a color. */
static void lay_end(Lay *l, RouteTables *t, int ctx, bool lend)
{
    for (int y = 0; y < t->V; y++)
        for (int x = 0; x < t->H; x++) {
            const LayPe *p = lay_at(l, x, y);
            CtxOut o = ctx_begin(t, ctx, x, y);
            for (int c = 0; c < COLORS_ROUTABLE; c++)
                if (p->rx[c] >= 0)
                    put_slot(&o, c, p->rx[c], p->tx[c]);
            for (int i = 0; i < IN_QUEUES; i++) {
                int q = lend ? i ^ IN_QUEUES / 2 : i;
                put_sock(&o, p->queue_color[q], q, lend && q < IN_QUEUES / 2 ? SOCK_LEND : 0);
            }
            put_sock(&o, p->out_color, OUT_QUEUE, SOCK_OUT);
        }
    free(l->pe);
}

static int stencil_color(const CtxInfo *c, int coset, int cx, int cy)
{
    return c->streams == FULL ? (cx + 3 * cy) % 9 : 6 * coset + (cx + 3 * cy) % 6;
}

static void lay_stencil(Lay *l, const CtxInfo *c)
{
    for (int y = 0; y < l->t->V; y++)
        for (int x = 0; x < l->t->H; x++) {
            int cx, cy, coset = c->level ? coset_of(x, y) : 0;
            if (!holds(c->level, x, y, &cx, &cy))
                continue;
            for (int s = 0; s < ST_COUNT; s++) {
                int dx = stream_info[s].dx, dy = stream_info[s].dy, hop = 1 << c->level;
                if (reads(c, s) && coupled(l->t, c, cx, cy, cx + dx, cy + dy))
                    lay_path(l, stencil_color(c, coset, cx + dx, cy + dy), x + hop * dx, y + hop * dy, -hop * dx, -hop * dy,
                             queue_of(c, s));
            }
        }
}

/* Path from PE `from` to PE `to` of the block whose owner is (x, y). */
static void lay_block(Lay *l, int x, int y, int from, int to, int color, int q)
{
    int fx = from & 1, fy = from >> 1;
    lay_path(l, color, x + fx, y + fy, (to & 1) - fx, (to >> 1) - fy, q);
}

static void lay_blocks(Lay *l, const CtxInfo *c)
{
    int hop = 1 << c->level;
    for (int y = 0; y < l->t->V; y += hop)
        for (int x = 0; x < l->t->H; x += hop)
            for (int k = 1; k < 4; k++) {
                if (c->kind == CK_REDIST) {
                    lay_block(l, x, y, 0, k, 0, REDIST_IN);
                } else if (c->kind == CK_REDUCE) {
                    lay_block(l, x, y, k, 0, k, REDUCE_IN + k - 1);
                } else {
                    lay_block(l, x, y, k - 1, k, k - 1, XCHG_BELOW);
                    lay_block(l, x, y, k, k - 1, k, XCHG_ABOVE);
                }
            }
}

static void make_context(RouteTables *t, int ctx)
{
    const CtxInfo *c = &ctx_info[ctx];
    Lay l = lay_begin(t);
    if (c->kind == CK_STENCIL)
        lay_stencil(&l, c);
    else
        lay_blocks(&l, c);
    lay_end(&l, t, ctx, c->lend);
}

/* tx bits of the directions out of `dirs` (a mask of TX bits) whose neighbour exists. */
static unsigned on_array(const RouteTables *t, int x, int y, unsigned dirs)
{
    unsigned tx = dirs & TX(DIR_RAMP);
    for (int d = 0; d < 4; d++)
        if (dirs & TX(d) && in_grid(t, x + dir_dx[d], y + dir_dy[d]))
            tx |= TX(d);
    return tx;
}

/* A leaf between two members of a row chain lets the outer one's words pass. */
static void dot_transit(RouteTables *t, CtxOut *o, int x, int y)
{
    int out = x < t->H / 2 ? x - 1 : x + 1; /* the outer neighbour, a member if x is a leaf that has one */
    DotPlan p;
    if (out < 0 || out >= t->H)
        return;
    dot_plan(t->H, t->V, out, y, &p);
    if (p.out_hops == 2)
        put_slot(o, p.out_color, dir_opposite(p.out_dir), TX(p.out_dir));
}

static void make_dot(RouteTables *t, int x, int y)
{
    CtxOut o = ctx_begin(t, t->contexts, x, y);
    DotPlan p;
    dot_plan(t->H, t->V, x, y, &p);
    unsigned role = (unsigned)p.out_color << ROLE_COLOR_SHIFT | (p.centre ? ROLE_CENTRE : 0);
    if (t->contexts > CTX_COUNT_MG0)
        role |= (unsigned)coset_of(x, y) << ROLE_COSET_SHIFT;

    /* the broadcast's way out from the centre: along row cy, and up and down from it */
    int cx = t->H / 2, cy = t->V / 2;
    unsigned spread = 0;
    if (x >= cx && y == cy)
        spread |= TX(DIR_EAST);
    if (x <= cx && y == cy)
        spread |= TX(DIR_WEST);
    if (y >= cy)
        spread |= TX(DIR_NORTH);
    if (y <= cy)
        spread |= TX(DIR_SOUTH);
    spread = on_array(t, x, y, spread);

    if (p.centre)
        put_slot(&o, COL_BCAST, DIR_RAMP, spread);
    else
        put_slot(&o, p.out_color, DIR_RAMP, TX(p.out_dir));
    for (int i = 0; i < DOT_INPUTS; i++) {
        if (p.src_x[i] < 0)
            continue;
        role |= 1u << i;
        int rx = p.src_x[i] > x ? DIR_EAST : p.src_x[i] < x ? DIR_WEST : p.src_y[i] > y ? DIR_NORTH : DIR_SOUTH;
        put_slot(&o, p.in_color[i], rx, TX(DIR_RAMP));
    }
    dot_transit(t, &o, x, y);
    if (!p.centre) {
        int rx = y > cy ? DIR_SOUTH : y < cy ? DIR_NORTH : x > cx ? DIR_WEST : DIR_EAST;
        put_slot(&o, COL_BCAST, rx, spread | TX(DIR_RAMP));
        role |= ROLE_BCAST;
    }
    for (int q = 0; q < IN_QUEUES; q++)
        put_sock(&o, q <= DOT_BCAST ? p.in_color[q] : COLOR_NULL, q, 0);
    put_sock(&o, p.out_color, OUT_QUEUE, SOCK_OUT);
    rt_pe(t, x, y)[rt_off_role(t->contexts)] = (uint16_t)role;
}

static RouteTables make_tables(int H, int V, int contexts)
{
    RouteTables t = rt_new(H, V, contexts);
    for (int c = 0; c < contexts; c++)
        make_context(&t, c);
    for (int y = 0; y < V; y++)
        for (int x = 0; x < H; x++)
            make_dot(&t, x, y);
    return t;
}

/* ---- the checker ---------------------------------------------------------------------------------------------------------
 * Knows nothing of how the tables were made.  It decodes the words, sends one stream from every PE that has an output color,
 * follows it over all routers, and then asks whether what arrived is what the phase needs.  All problems are counted, the
 * first ones printed. */
typedef struct {
    int rx;      /* -1: no slot */
    unsigned tx; /* TX bits */
    int owner;   /* index of the sender whose stream came by, -1: none yet */
} CkSlot;

typedef struct {
    const RouteTables *t;
    const char *phase;
    CkSlot (*slot)[COLORS_ROUTABLE]; /* [pe][color] */
    int (*queue_color)[IN_QUEUES];   /* [pe][queue]: -1 not bound, COLOR_NULL, or a color */
    int (*queue_from)[IN_QUEUES];    /* [pe][queue]: sender whose stream arrived, -1 none */
    unsigned *lends;                 /* [pe]: bit q: queue q has the words of q + 4 */
    int *out_color;                  /* [pe]: COLOR_NULL sends to nobody */
    int *link;                       /* [pe][4]: streams that leave the router this way */
    int *stack;                      /* [pe] */
    int max_slots, max_link[4];
} Ck;

enum { PROBLEMS_SHOWN = 5, LINK_STREAMS = 4 };
static int problems;

static void problem(const Ck *k, int pe, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static void problem(const Ck *k, int pe, const char *fmt, ...)
{
    if (problems++ >= PROBLEMS_SHOWN)
        return;
    int H = k->t->H, x = pe % H, y = pe / H;
    va_list ap;
    va_start(ap, fmt);
    fprintf(stderr, "%s: %s, PE (%d, %d) [machine row %d]: ", tool_name, k->phase, x, y, k->t->V - 1 - y);
    vfprintf(stderr, fmt, ap);
    fputc('\n', stderr);
    va_end(ap);
}

/* Within the checker a PE is y * H + x, y the grid row. */
static int ck_pe(const Ck *k, int x, int y) { return y * k->t->H + x; }

static void ck_decode_slots(Ck *k, int pe, const uint16_t *pair)
{
    int used = 0;
    for (int c = 0; c < COLORS_ROUTABLE; c++)
        k->slot[pe][c] = (CkSlot){-1, 0, -1};
    for (int i = 0; i < CTX_SLOTS; i++) {
        unsigned color = pair[2 * i], word = pair[2 * i + 1], rx = word & 7, tx = word & 0xf8;
        if (color == COLOR_NULL && word == 0)
            continue;
        used++;
        if (color >= COLORS_ROUTABLE)
            problem(k, pe, "slot %d: color %u cannot be routed", i, color);
        else if (!(word & SLOT_VALID) || word & 0x7f00)
            problem(k, pe, "slot %d (color %u): word 0x%04x is not valid, or has a switch table or unknown bits", i, color, word);
        else if (rx >= DIR_COUNT || !tx || tx & TX(rx))
            problem(k, pe, "slot %d (color %u): word 0x%04x has rx %u, tx 0x%02x", i, color, word, rx, tx >> 3);
        else if (k->slot[pe][color].rx >= 0)
            problem(k, pe, "color %u has two slots", color);
        else
            k->slot[pe][color] = (CkSlot){(int)rx, tx, -1};
    }
    if (used > k->max_slots)
        k->max_slots = used;
}

static void ck_decode_socks(Ck *k, int pe, const uint16_t *sock)
{
    unsigned colors = 0;
    for (int q = 0; q < IN_QUEUES; q++)
        k->queue_color[pe][q] = k->queue_from[pe][q] = -1;
    k->out_color[pe] = -1;
    k->lends[pe] = 0;
    for (int i = 0; i < CTX_SLOTS; i++) {
        unsigned w = sock[i];
        int color = (int)(w & 31), q = (int)(w >> 5 & 7);
        if (w == 0)
            continue;
        if (!(w & SOCK_VALID) || w & 0x7c00 || (color >= COLORS_ROUTABLE && color != COLOR_NULL)) {
            problem(k, pe, "socket word %d: 0x%04x is not valid or has unknown bits", i, w);
        } else if (w & SOCK_OUT) {
            if (k->out_color[pe] >= 0 || q != OUT_QUEUE || w & SOCK_LEND)
                problem(k, pe, "socket word %d: 0x%04x: want one output, queue %d", i, w, OUT_QUEUE);
            k->out_color[pe] = color;
        } else if (k->queue_color[pe][q] >= 0 || (color != COLOR_NULL && colors & 1u << color)) {
            problem(k, pe, "socket word %d: input queue %d or color %d is bound twice", i, q, color);
        } else if (w & SOCK_LEND && (q >= IN_QUEUES / 2 || k->queue_color[pe][q + 4] != COLOR_NULL)) {
            problem(k, pe, "socket word %d: queue %d borrows, but queue %d was not bound to null before", i, q, q + 4);
        } else if (color != COLOR_NULL && q >= IN_QUEUES / 2 && k->queue_color[pe][q - 4] < 0) {
            problem(k, pe, "socket word %d: queue %d gets a color while its words may still be lent to queue %d", i, q, q - 4);
        } else {
            k->queue_color[pe][q] = color;
            colors |= color == COLOR_NULL ? 0 : 1u << color;
            k->lends[pe] |= w & SOCK_LEND ? 1u << q : 0;
        }
    }
    for (int q = 0; q < IN_QUEUES; q++)
        if (k->queue_color[pe][q] < 0)
            problem(k, pe, "input queue %d has no socket word", q);
    if (k->out_color[pe] < 0)
        problem(k, pe, "output queue %d has no socket word", OUT_QUEUE);
}

/* The stream (and the teardown word) of `from` is at router pe; put it down the ramp if the slot says so. */
static void ck_deliver(Ck *k, int from, int pe, int color)
{
    for (int q = 0; q < IN_QUEUES; q++)
        if (k->queue_color[pe][q] == color) {
            k->queue_from[pe][q] = from;
            return;
        }
    problem(k, pe, "color %d from PE (%d, %d) comes down the ramp, but no input queue is bound to it", color,
            from % k->t->H, from / k->t->H);
}

static void ck_trace(Ck *k, int from)
{
    const RouteTables *t = k->t;
    int color = k->out_color[from], depth = 0;
    if (color < 0 || color == COLOR_NULL)
        return;
    if (k->slot[from][color].rx != DIR_RAMP) {
        problem(k, from, "sends on color %d, but its slot for it does not take words from the ramp", color);
        return;
    }
    if (k->slot[from][color].owner >= 0) {
        problem(k, from, "sends on color %d, which carries another stream here", color);
        return;
    }
    k->slot[from][color].owner = from;
    k->stack[depth++] = from;
    while (depth) {
        int pe = k->stack[--depth], x = pe % t->H, y = pe / t->H;
        const CkSlot *s = &k->slot[pe][color];
        if (s->tx & TX(DIR_RAMP))
            ck_deliver(k, from, pe, color);
        for (int d = 0; d < 4; d++) {
            int nx = x + dir_dx[d], ny = y + dir_dy[d];
            if (!(s->tx & TX(d)))
                continue;
            if (!in_grid(t, nx, ny)) {
                problem(k, pe, "color %d leaves the array to the %s", color, dir_name[d]);
                continue;
            }
            k->link[4 * pe + d]++;
            int to = ck_pe(k, nx, ny);
            CkSlot *n = &k->slot[to][color];
            if (n->rx != dir_opposite(d)) {
                problem(k, to, "color %d arrives from the %s, but %s", color, dir_name[dir_opposite(d)],
                        n->rx < 0 ? "has no slot" : "its slot takes another direction");
            } else if (n->owner >= 0) {
                problem(k, to, "color %d carries two streams: of PE (%d, %d) and of PE (%d, %d)", color, n->owner % t->H,
                        n->owner / t->H, from % t->H, from / t->H);
            } else {
                n->owner = from;
                k->stack[depth++] = to;
            }
        }
    }
}

/* Every slot is on the way of a stream (or its teardown never closes it), every bound queue gets one. */
static void ck_all_used(Ck *k)
{
    int n = k->t->H * k->t->V;
    for (int pe = 0; pe < n; pe++) {
        for (int c = 0; c < COLORS_ROUTABLE; c++)
            if (k->slot[pe][c].rx >= 0 && k->slot[pe][c].owner < 0)
                problem(k, pe, "the slot of color %d is on no stream's way: no teardown word closes it", c);
        for (int q = 0; q < IN_QUEUES; q++)
            if (k->queue_color[pe][q] >= 0 && k->queue_color[pe][q] != COLOR_NULL && k->queue_from[pe][q] < 0)
                problem(k, pe, "input queue %d waits on color %d, which never arrives", q, k->queue_color[pe][q]);
        for (int d = 0; d < 4; d++) {
            if (k->link[4 * pe + d] > LINK_STREAMS)
                problem(k, pe, "%d streams leave to the %s, more than %d", k->link[4 * pe + d], dir_name[d], LINK_STREAMS);
            if (k->link[4 * pe + d] > k->max_link[d])
                k->max_link[d] = k->link[4 * pe + d];
        }
    }
}

static Ck ck_run(const RouteTables *t, int ctx, const char *phase)
{
    size_t n = (size_t)t->H * (size_t)t->V;
    Ck k = {.t = t, .phase = phase};
    k.slot = xcalloc(n, sizeof *k.slot);
    k.queue_color = xcalloc(n, sizeof *k.queue_color);
    k.queue_from = xcalloc(n, sizeof *k.queue_from);
    k.lends = xcalloc(n, sizeof *k.lends);
    k.out_color = xcalloc(n, sizeof *k.out_color);
    k.link = xcalloc(4 * n, sizeof *k.link);
    k.stack = xcalloc(n, sizeof *k.stack);
    for (int y = 0; y < t->V; y++)
        for (int x = 0; x < t->H; x++) {
            const uint16_t *w = rt_pe(t, x, y);
            ck_decode_slots(&k, ck_pe(&k, x, y), w + rt_off_ctx(t->contexts, ctx));
            ck_decode_socks(&k, ck_pe(&k, x, y), w + rt_off_sock(t->contexts, ctx));
        }
    for (size_t pe = 0; pe < n; pe++)
        ck_trace(&k, (int)pe);
    ck_all_used(&k);
    return k;
}

static void ck_free(Ck *k)
{
    free(k->slot);
    free(k->queue_color);
    free(k->queue_from);
    free(k->lends);
    free(k->out_color);
    free(k->link);
    free(k->stack);
}

/* Who holds a piece of the level: holder[k][cy][cx], PE numbers, -1 nobody. */
static int *ck_holders(const Ck *k, int level)
{
    int H = k->t->H, V = k->t->V, cx, cy;
    int *holder = xcalloc((size_t)(4 * H * V), sizeof *holder);
    memset(holder, 0xff, (size_t)(4 * H * V) * sizeof *holder);
    for (int pe = 0; pe < H * V; pe++)
        if (holds(level, pe % H, pe / H, &cx, &cy))
            holder[((level ? coset_of(pe % H, pe / H) : 0) * V + cy) * H + cx] = pe;
    return holder;
}

/* What PE pe must receive on each input queue in a context: the number of the sender, -1 nobody. */
static void ck_want(const Ck *k, const CtxInfo *c, const int *holder, int pe, int want[IN_QUEUES])
{
    int H = k->t->H, V = k->t->V, x = pe % H, y = pe / H, cx, cy, coset = c->level ? coset_of(x, y) : 0;
    for (int q = 0; q < IN_QUEUES; q++)
        want[q] = -1;
    if (!holds(c->level, x, y, &cx, &cy))
        return;
#define HOLDER(k, cx, cy) holder[((k) * V + (cy)) * H + (cx)]
    if (c->kind == CK_REDIST && coset > 0)
        want[REDIST_IN] = HOLDER(0, cx, cy);
    for (int j = 1; c->kind == CK_REDUCE && coset == 0 && j < 4; j++)
        want[REDUCE_IN + j - 1] = HOLDER(j, cx, cy);
    if (c->kind == CK_XCHG && coset > 0)
        want[XCHG_BELOW] = HOLDER(coset - 1, cx, cy);
    if (c->kind == CK_XCHG && coset < 3)
        want[XCHG_ABOVE] = HOLDER(coset + 1, cx, cy);
    for (int s = 0; c->kind == CK_STENCIL && s < ST_COUNT; s++) {
        int nx = cx + stream_info[s].dx, ny = cy + stream_info[s].dy;
        if (reads(c, s) && coupled(k->t, c, cx, cy, nx, ny))
            want[queue_of(c, s)] = HOLDER(coset, nx, ny);
    }
#undef HOLDER
}

static void check_context(const RouteTables *t, int ctx, bool quiet)
{
    const CtxInfo *c = &ctx_info[ctx];
    Ck k = ck_run(t, ctx, c->name);
    int *holder = ck_holders(&k, c->level), n = t->H * t->V, want[IN_QUEUES];
    for (int pe = 0; pe < n; pe++) {
        ck_want(&k, c, holder, pe, want);
        for (int q = 0; q < IN_QUEUES; q++)
            if (k.queue_from[pe][q] != want[q])
                problem(&k, pe, "input queue %d has the stream of PE %d, not of PE %d (y*H + x; -1 none)", q, k.queue_from[pe][q],
                        want[q]);
            else if (want[q] < 0 && k.queue_color[pe][q] != COLOR_NULL)
                problem(&k, pe, "input queue %d has no sender and is not bound to null", q);
        if (k.lends[pe] != (c->lend ? 15 : 0))
            problem(&k, pe, "queues of mask %u borrow words, expected mask %d", k.lends[pe], c->lend ? 15 : 0);
    }
    if (!quiet)
        printf("%-13s %d x %d: at most %d slots a router; streams per link: west %d, east %d, south %d, north %d\n", c->name, t->H,
               t->V, k.max_slots, k.max_link[0], k.max_link[1], k.max_link[2], k.max_link[3]);
    free(holder);
    ck_free(&k);
}

/* The sums form a tree toward the centre that holds every PE once, and the broadcast reaches all others. */
static void check_dot(const RouteTables *t, bool quiet)
{
    Ck k = ck_run(t, t->contexts, "dot");
    int n = t->H * t->V, centre = ck_pe(&k, t->H / 2, t->V / 2);
    int *parent = xcalloc((size_t)n, sizeof *parent), *waits = xcalloc((size_t)n, sizeof *waits);
    int *count = xcalloc((size_t)n, sizeof *count), *step = xcalloc((size_t)n, sizeof *step), *adds = xcalloc((size_t)n, sizeof *adds);
    for (int pe = 0; pe < n; pe++)
        parent[pe] = -1;
    for (int pe = 0; pe < n; pe++) {
        unsigned role = rt_pe(t, pe % t->H, pe / t->H)[rt_off_role(t->contexts)], want = 0;
        for (int q = 0; q <= DOT_BCAST; q++) {
            int from = k.queue_from[pe][q];
            want |= k.queue_color[pe][q] != COLOR_NULL && k.queue_color[pe][q] >= 0 ? 1u << q : 0;
            if (q == DOT_BCAST) {
                if (from != (pe == centre ? -1 : centre))
                    problem(&k, pe, "the broadcast queue has the stream of PE %d, not of the centre", from);
            } else if (from == centre) {
                problem(&k, pe, "the centre's broadcast arrives on input queue %d", q);
            } else if (from >= 0) {
                if (parent[from] >= 0)
                    problem(&k, pe, "the sum of PE (%d, %d) is added twice", from % t->H, from / t->H);
                parent[from] = pe;
                waits[pe]++;
                adds[pe]++;
            }
        }
        for (int q = DOT_BCAST + 1; q < IN_QUEUES; q++)
            if (k.queue_color[pe][q] != COLOR_NULL)
                problem(&k, pe, "input queue %d is not used and should be null", q);
        want |= (pe == centre ? ROLE_CENTRE : 0) | (unsigned)(k.out_color[pe] & 31) << ROLE_COLOR_SHIFT;
        if (t->contexts > CTX_COUNT_MG0)
            want |= (unsigned)coset_of(pe % t->H, pe / t->H) << ROLE_COSET_SHIFT;
        if (k.out_color[pe] == COLOR_NULL || k.lends[pe])
            problem(&k, pe, "sends to nobody, or a queue borrows words");
        if (role != want)
            problem(&k, pe, "the role word is 0x%04x, the sockets make it 0x%04x", role, want);
    }
    /* run the reduction: a PE sends when all its inputs came */
    int depth = 0, done = 0, longest = 0, most_adds = 0;
    for (int pe = 0; pe < n; pe++) {
        count[pe] = 1;
        most_adds = adds[pe] > most_adds ? adds[pe] : most_adds;
        if (waits[pe] == 0)
            k.stack[depth++] = pe;
    }
    while (depth) {
        int pe = k.stack[--depth], to = parent[pe];
        done++;
        longest = step[pe] > longest ? step[pe] : longest;
        if (to < 0) {
            if (pe != centre)
                problem(&k, pe, "its sum reaches nobody");
            continue;
        }
        count[to] += count[pe];
        step[to] = step[pe] + 1 > step[to] ? step[pe] + 1 : step[to];
        if (--waits[to] == 0)
            k.stack[depth++] = to;
    }
    if (done != n || count[centre] != n)
        problem(&k, centre, "%d of %d PEs could send, %d of %d sums reach the centre", done, n, count[centre], n);
    if (!quiet)
        printf("dot: %d x %d: at most %d slots a router, %d adds a PE; longest chain %d sends to the centre\n", t->H, t->V,
               k.max_slots, most_adds, longest);
    free(parent);
    free(waits);
    free(count);
    free(step);
    free(adds);
    ck_free(&k);
}

static void check_tables(const RouteTables *t, bool quiet)
{
    if (t->H < 8 || t->V < 8)
        die("tables for %d x %d PEs: the example needs at least 8 x 8", t->H, t->V);
    for (int c = 0; c < t->contexts; c++)
        check_context(t, c, quiet);
    check_dot(t, quiet);
    if (problems)
        fail("%d problem(s) in the routing of %d x %d PEs (the first %d are above)", problems, t->H, t->V,
             problems < PROBLEMS_SHOWN ? problems : PROBLEMS_SHOWN);
    if (!quiet)
        printf("routing of %d x %d PEs: good\n", t->H, t->V);
}

/* ---- text ---------------------------------------------------------------------------------------------------------------- */
static void dump_pe(const RouteTables *t, int x, int y)
{
    const uint16_t *w = rt_pe(t, x, y);
    printf("PE (%d, %d), machine row %d, role 0x%04x\n", x, y, t->V - 1 - y, w[rt_off_role(t->contexts)]);
    for (int c = 0; c <= t->contexts; c++) {
        const uint16_t *pair = w + rt_off_ctx(t->contexts, c), *sock = w + rt_off_sock(t->contexts, c);
        if (c < t->contexts)
            printf("context %d, %s\n", c, ctx_info[c].name);
        else
            printf("dot\n");
        for (int i = 0; i < CTX_SLOTS; i++) {
            if (!(pair[2 * i + 1] & SLOT_VALID))
                continue;
            unsigned rx = pair[2 * i + 1] & 7u;
            printf("  color %2d  0x%04x  rx %-5s  tx", pair[2 * i], pair[2 * i + 1], rx < DIR_COUNT ? dir_name[rx] : "?");
            for (int d = 0; d < DIR_COUNT; d++)
                if (pair[2 * i + 1] & TX(d))
                    printf(" %s", dir_name[d]);
            putchar('\n');
        }
        for (int i = 0; i < CTX_SLOTS; i++)
            if (sock[i])
                printf("  socket 0x%04x  %s queue %d  color %d%s\n", sock[i], sock[i] & SOCK_OUT ? "out" : "in ", sock[i] >> 5 & 7,
                       sock[i] & 31, sock[i] & SOCK_LEND ? "  lend" : "");
    }
}

static void check_domains(int H, int V, int mg)
{
    if (mg && (NGS < 8 || NGS % 8 || H % NGS || V % NGS))
        die("H and V must be divisible by NGS, and NGS by 8 (H=%d V=%d NGS=%d)", H, V, NGS);
}

int main(int argc, char **argv)
{
    static const char *const mg_choice[] = {"0", "1", NULL}, *const bcs[] = {"frozen", "sever", NULL};
    int H = 0, V = 0, mg = 0, bc = 0, dump_x = -1, dump_y = -1;
    const char *out_dir = NULL, *check = NULL, *check_dir = NULL;
    bool quiet = false, no_check = false;
    Opt opts[] = {
        {.name = "H", .kind = OPT_INT, .to = &H, .help = "PEs in x"},
        {.name = "V", .kind = OPT_INT, .to = &V, .help = "PEs in y"},
        {.name = "mg", .kind = OPT_CHOICE, .to = &mg, .help = "V-cycle preconditioner, default 0", .choices = mg_choice},
        {.name = "NGS", .kind = OPT_INT, .to = &NGS, .help = "MG=1: edge of a GS domain in PEs, default 16"},
        {.name = "bc", .kind = OPT_CHOICE, .to = &bc, .help = "MG=1: sever adds the contexts of a cut SpMV", .choices = bcs},
        {.name = "out-dir", .kind = OPT_STRING, .to = &out_dir, .help = "write router.rt here"},
        {.name = "check", .kind = OPT_STRING, .to = &check, .help = "check this .rt file instead of making one"},
        {.name = "check-dir", .kind = OPT_STRING, .to = &check_dir, .help = "check the packed files here (with --H, --V)"},
        {.name = "no-check", .kind = OPT_FLAG, .to = &no_check, .help = "do not check the tables just made"},
        {.name = "dump-x", .kind = OPT_INT, .to = &dump_x, .help = "print the tables of PE (dump-x, dump-y), grid coordinates"},
        {.name = "dump-y", .kind = OPT_INT, .to = &dump_y, .help = "see --dump-x"},
        {.name = "quiet", .kind = OPT_FLAG, .to = &quiet, .help = "print problems only"},
        {.name = NULL},
    };
    tool_name = "hpcg_router1";
    opt_parse(argc, argv, "Make and check the router tables of the HPCG example.", opts, NULL, NULL);
    int contexts = !mg ? CTX_COUNT_MG0 : bc ? CTX_COUNT_SEVER : CTX_COUNT_MG1;
    RouteTables t;
    if (check && check_dir)
        die("--check and --check-dir exclude each other");
    if (check) {
        t = rt_read(check);
        check_domains(t.H, t.V, t.contexts > CTX_COUNT_MG0);
    } else {
        if (!H || !V)
            die("--H and --V are required (try --help)");
        check_geometry(H, V, 8, 0);
        check_domains(H, V, mg);
        t = check_dir ? rt_read_packed(check_dir, H, V, contexts) : make_tables(H, V, contexts);
    }
    if (dump_x >= 0 || dump_y >= 0) {
        if (!in_grid(&t, dump_x, dump_y))
            die("PE (%d, %d) is not in the %d x %d grid", dump_x, dump_y, t.H, t.V);
        dump_pe(&t, dump_x, dump_y);
    }
    if (!no_check || check || check_dir)
        check_tables(&t, quiet);
    if (out_dir)
        rt_write(&t, out_dir, "router.rt");
    rt_free(&t);
    return 0;
}
