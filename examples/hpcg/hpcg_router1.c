/* Router tables of the HPCG example: what each PE loads before a routed phase and before a dot product.
 *
 * Takes H, V (and --check FILE / --check-dir DIR instead of making tables); leaves one .rt file, which pack_routing turns into
 * the per-PE files that wsld loads.  Only MG=0 is built: context 0 (spmv_full at level 0) and the dot table.
 *
 * A context is 9 (color, slot word) pairs for set_router and 9 socket words for set_sockets (hpcg_common.h has the bits; an
 * unused pair is (31, 0), an unused socket word 0).  Directions are the machine's; "north" is grid y + 1 = machine y - 1.
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
 * closed slot, and on one link the old teardown is always ahead of it.
 */
#include "hpcg_common.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- making the tables --------------------------------------------------------------------------------------------------- */
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

static bool in_grid(const RouteTables *t, int x, int y) { return x >= 0 && x < t->H && y >= 0 && y < t->V; }

/* tx bits of the directions out of `dirs` (a mask of TX bits) whose neighbour exists. */
static unsigned on_array(const RouteTables *t, int x, int y, unsigned dirs)
{
    unsigned tx = dirs & TX(DIR_RAMP);
    for (int d = 0; d < 4; d++)
        if (dirs & TX(d) && in_grid(t, x + dir_dx[d], y + dir_dy[d]))
            tx |= TX(d);
    return tx;
}

static int stream_color(int x, int y) { return (x + 3 * y) % 9; }

static void make_spmv_full(RouteTables *t, int ctx, int x, int y)
{
    CtxOut o = ctx_begin(t, ctx, x, y);
    put_slot(&o, stream_color(x, y), DIR_RAMP,
             on_array(t, x, y, TX(DIR_WEST) | TX(DIR_EAST) | TX(DIR_SOUTH) | TX(DIR_NORTH)));
    int queue_color[IN_QUEUES];
    for (int s = 0; s < ST_COUNT; s++) {
        const StreamInfo *st = &stream_info[s];
        int sx = x + st->dx, sy = y + st->dy;
        queue_color[st->queue_full] = in_grid(t, sx, sy) ? stream_color(sx, sy) : COLOR_NULL;
        if (!in_grid(t, sx, sy))
            continue;
        int rx = st->dx > 0 ? DIR_EAST : st->dx < 0 ? DIR_WEST : st->dy > 0 ? DIR_NORTH : DIR_SOUTH;
        unsigned tx = TX(DIR_RAMP);
        if (st->dx == 0)
            tx |= TX(DIR_EAST) | TX(DIR_WEST);
        put_slot(&o, stream_color(sx, sy), rx, on_array(t, x, y, tx));
    }
    for (int q = 0; q < IN_QUEUES; q++)
        put_sock(&o, queue_color[q], q, 0);
    put_sock(&o, stream_color(x, y), OUT_QUEUE, SOCK_OUT);
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

static RouteTables make_tables(int H, int V)
{
    RouteTables t = rt_new(H, V, CTX_COUNT_MG0);
    for (int y = 0; y < V; y++)
        for (int x = 0; x < H; x++) {
            make_spmv_full(&t, CTX_SPMV_FULL, x, y);
            make_dot(&t, x, y);
        }
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
    int *out_color;                  /* [pe] */
    int *link;                       /* [pe][4]: streams that leave the router this way */
    int *stack;                      /* [pe] */
    int max_slots, max_link[4];
} Ck;

enum { PROBLEMS_SHOWN = 5 };
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
    unsigned bound = 0;
    for (int q = 0; q < IN_QUEUES; q++)
        k->queue_color[pe][q] = k->queue_from[pe][q] = -1;
    k->out_color[pe] = -1;
    for (int i = 0; i < CTX_SLOTS; i++) {
        unsigned w = sock[i];
        int color = (int)(w & 31), q = (int)(w >> 5 & 7);
        if (w == 0)
            continue;
        if (!(w & SOCK_VALID) || w & 0x7c00 || (color >= COLORS_ROUTABLE && color != COLOR_NULL)) {
            problem(k, pe, "socket word %d: 0x%04x is not valid or has unknown bits", i, w);
        } else if (w & SOCK_OUT) {
            if (k->out_color[pe] >= 0 || q != OUT_QUEUE || color == COLOR_NULL || w & SOCK_LEND)
                problem(k, pe, "socket word %d: 0x%04x: want one output, queue %d, with a color", i, w, OUT_QUEUE);
            k->out_color[pe] = color;
        } else if (k->queue_color[pe][q] >= 0 || (color != COLOR_NULL && bound & 1u << color)) {
            problem(k, pe, "socket word %d: input queue %d or color %d is bound twice", i, q, color);
        } else if (w & SOCK_LEND) {
            problem(k, pe, "socket word %d: lends queue %d, which this phase needs", i, q + 4);
        } else {
            k->queue_color[pe][q] = color;
            bound |= color == COLOR_NULL ? 0 : 1u << color;
        }
    }
    for (int q = 0; q < IN_QUEUES; q++)
        if (k->queue_color[pe][q] < 0)
            problem(k, pe, "input queue %d has no socket word", q);
    if (k->out_color[pe] < 0)
        problem(k, pe, "no output queue has a color");
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
    if (color < 0)
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
        for (int d = 0; d < 4; d++)
            if (k->link[4 * pe + d] > k->max_link[d])
                k->max_link[d] = k->link[4 * pe + d];
    }
}

static Ck ck_run(const RouteTables *t, int ctx, const char *phase)
{
    size_t n = (size_t)t->H * (size_t)t->V;
    Ck k = {.t = t, .phase = phase};
    k.slot = xcalloc(n, sizeof *k.slot);
    k.queue_color = xcalloc(n, sizeof *k.queue_color);
    k.queue_from = xcalloc(n, sizeof *k.queue_from);
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
    free(k->out_color);
    free(k->link);
    free(k->stack);
}

static void check_spmv_full(const RouteTables *t, bool quiet)
{
    Ck k = ck_run(t, CTX_SPMV_FULL, "spmv_full");
    for (int y = 0; y < t->V; y++)
        for (int x = 0; x < t->H; x++)
            for (int s = 0; s < ST_COUNT; s++) {
                int q = stream_info[s].queue_full, sx = x + stream_info[s].dx, sy = y + stream_info[s].dy;
                int want = in_grid(t, sx, sy) ? ck_pe(&k, sx, sy) : -1, pe = ck_pe(&k, x, y), got = k.queue_from[pe][q];
                if (got != want)
                    problem(&k, pe, "input queue %d (%s) has the stream of PE %d, not of PE %d (y*H + x; -1 none)", q,
                            stream_info[s].name, got, want);
                else if (want < 0 && k.queue_color[pe][q] != COLOR_NULL)
                    problem(&k, pe, "input queue %d (%s) has no neighbour and is not bound to null", q, stream_info[s].name);
            }
    if (!quiet)
        printf("spmv_full: %d x %d: at most %d slots a router; streams per link: west %d, east %d, south %d, north %d\n", t->H,
               t->V, k.max_slots, k.max_link[0], k.max_link[1], k.max_link[2], k.max_link[3]);
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
    check_spmv_full(t, quiet);
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
            printf("context %d\n", c);
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

int main(int argc, char **argv)
{
    static const char *const mg_choice[] = {"0", "1", NULL};
    int H = 0, V = 0, mg = 0, dump_x = -1, dump_y = -1;
    const char *out_dir = NULL, *check = NULL, *check_dir = NULL;
    bool quiet = false, no_check = false;
    Opt opts[] = {
        {.name = "H", .kind = OPT_INT, .to = &H, .help = "PEs in x"},
        {.name = "V", .kind = OPT_INT, .to = &V, .help = "PEs in y"},
        {.name = "mg", .kind = OPT_CHOICE, .to = &mg, .help = "preconditioner", .choices = mg_choice},
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
    if (mg)
        die("--mg 1: the V-cycle's 16 other contexts are not built yet");
    RouteTables t;
    if (check && check_dir)
        die("--check and --check-dir exclude each other");
    if (check) {
        t = rt_read(check);
    } else {
        if (!H || !V)
            die("--H and --V are required (try --help)");
        check_geometry(H, V, 8, 0);
        t = check_dir ? rt_read_packed(check_dir, H, V, CTX_COUNT_MG0) : make_tables(H, V);
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
