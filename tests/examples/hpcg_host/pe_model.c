/* hpcg.w in plain C: what every PE does, op by op, with nothing but the files that the image gets (A, diag, invd, b, vprog, q_tab,
 * zf_tab, lvl_tab, rt_*), on the machine of pe_fabric.c.  The executable specification of the PE program: each op is one short
 * function in terms of the packed arrays and of the iterators of hpcg_iters.h.
 *
 * usage: pe_model KEY=VALUE...
 *     dir ref         folders: the image's files, and hpcg_ref1 --precision f32 --order fabric
 *     H V Z ZR levels mg iters
 *     seed=N          N > 0: PEs and words go in a random order, PEs stop at random
 *     order=safe      or router_first, sockets_first: what a phase starts with (see ENTER)
 *     poison=1        fill what must not matter with 1e30: x before a GS, the pads of levels >= 1, Ap and zf_save at MG_BEGIN
 *     wse2=1 lend=0   capacities of the queues
 *     bases=1         print the addresses of the arrays for host_levels, and end
 *     quiet=1
 * Writes DIR/x_got.f32 (machine order), DIR/rr_got.f32, and r and x of all levels as the PEs hold them, DIR/r_levels.f32 and
 * x_levels.f32; exits 1 unless x equals REF/x.f32 and rr REF/rr.csv bit for bit.
 *
 * A PE's program is a coroutine: WAIT returns from the op's function, and the next call goes on there; what must live across a
 * WAIT is in Core.  All PEs run at their own pace, over phases too: nothing but words and teardowns keeps them together. */
#include "pe_fabric.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hpcg_iters.h"
#include "hpcg_ops.h"

static struct {
    const char *dir, *ref;
    int H, V, Z, ZR, levels, mg, iters, seed, poison, wse2, lend, bases, quiet;
    const char *order;
} cfg = {.dir = ".", .ref = ".", .ZR = 16, .levels = 4, .mg = 1, .iters = 10, .lend = 1, .order = "safe"};

/* ---- memory of a PE ------------------------------------------------------------------------------------------------------ */
enum Array { A, DIAG, INVD, R, AX, X, P, AP, XCG, RCG, ZF_SAVE, ARRAYS };
static int base[ARRAYS + 1]; /* byte addresses */
static int rows_all, level_rows[4], row_off[4], x_off[4];

static void lay_out(void)
{
    int row = 0, x = 0;
    for (int l = 0; l < (cfg.mg ? cfg.levels : 1); l++) {
        level_rows[l] = l ? cfg.Z >> (l + 2) : cfg.Z;
        row_off[l] = row;
        x_off[l] = x;
        row += level_rows[l];
        x += level_rows[l] + 2;
    }
    rows_all = row;
    int words[ARRAYS] = {[A] = 26 * row, [DIAG] = row, [INVD] = row, [R] = row, [AX] = row, [X] = x, [P] = cfg.Z + 2,
                         [AP] = cfg.Z, [XCG] = cfg.Z, [RCG] = cfg.Z, [ZF_SAVE] = 18 * (cfg.ZR ? cfg.Z / cfg.ZR : 1)};
    base[A] = 256;
    for (int a = 0; a < ARRAYS; a++)
        base[a + 1] = base[a] + 4 * words[a];
    if (base[ARRAYS] > MEM_BYTES)
        stop(NULL, "Z = %d does not fit: %d bytes", cfg.Z, base[ARRAYS]);
}

static float *vec(Pe *p, int array) { return (float *)(void *)(p->mem + base[array]); }

/* ---- tables, from the files ----------------------------------------------------------------------------------------------- */
static uint16_t *vprog, *lvl_tab, *q_tab, *zf_tab, *rt_ctx, *rt_sock, *rt_dot, *rt_dot_sock, *rt_role;
static int contexts;
enum Kernel { K_SPMV_FULL, K_GS_FWD, K_GS_BWD, K_UP, K_DOWN }; /* rows of q_tab */
enum Stream { NE, N, NW, E, SW, S, SE, W };
enum { ROLE_CENTRE = 64, ROLE_COSET = 13 };
static const uint16_t nothing[CTX_WORDS]; /* a context without a valid pair */

/* ---- iterators ------------------------------------------------------------------------------------------------------------ */
static const struct {
    const char *name;
    int step, inner;
} shape[ITERS] = {
#define HPCG_IT(name, array, first, anchor, step, inner, ...) {#name, step, inner},
    HPCG_ITERS(HPCG_IT)
#undef HPCG_IT
};
enum {
#define HPCG_IT(name, ...) name = IT_##name,
    HPCG_ITERS(HPCG_IT)
#undef HPCG_IT
};
/* the document's names of the same things */
#define walkZ1b_fwd walkZ1_down
#define walky_fwd walkx
#define walkax_wr_fwd walkax_wr

typedef struct Core {
    struct {
        uint16_t base, rows;   /* from lvl_tab, by set_level */
        uint16_t addr, k, row; /* position: address of the row, element in it */
    } it[ITERS];
    int level, nrow; /* row of lvl_tab; rows of the level */
    int pc, iter, at; /* op; iteration; where in the op */
    int z, k, j;
    float acc, ra, rinv, red[2], rtz, rtz_old, pAp, *rrh;
    uint32_t w;
} Core;

static float *element(Pe *p, int i)
{
    Core *c = p->core;
    unsigned addr = (uint16_t)(c->it[i].addr + 4 * c->it[i].k);
    if (c->it[i].row >= c->it[i].rows || addr % 4 || addr + 4 > MEM_BYTES)
        stop(p, "%s: row %d of %d, address %u", shape[i].name, c->it[i].row, c->it[i].rows, addr);
    if (++c->it[i].k == shape[i].inner) {
        c->it[i].k = 0;
        c->it[i].row++;
        c->it[i].addr = (uint16_t)(c->it[i].addr + 4 * shape[i].step);
    }
    return (float *)(void *)(p->mem + addr);
}
static float rd(Pe *p, int i) { return *element(p, i); }
static void wr(Pe *p, int i, float v) { *element(p, i) = v; }

/* A loop nest begins: every iterator stands at its first element. */
static void nest(Pe *p)
{
    for (int i = 0; i < ITERS; i++) {
        p->core->it[i].addr = p->core->it[i].base;
        p->core->it[i].k = p->core->it[i].row = 0;
    }
}

/* ---- coroutines ----------------------------------------------------------------------------------------------------------- */
#define BEGIN(p) switch ((p)->core->at) { case 0:
#define END(p) } (p)->core->at = 0; return true
#define WAIT_N(p, n, cond)                                                                                              \
    do {                                                                                                                \
        (p)->core->at = __LINE__ * 4 + (n);                                                                             \
        __attribute__((fallthrough));                                                                                   \
    case __LINE__ * 4 + (n):                                                                                            \
        if (!(cond))                                                                                                    \
            return false;                                                                                               \
    } while (0)
#define WAIT(p, cond) WAIT_N(p, 0, cond)

/* A routed phase begins.  First all slots of the old context must be closed, then all queues are bound anew, then the new slots
 * open.  With set_router(new) before set_sockets(new) a word of the new phase may slip into a queue of the old one that is just
 * closing; with set_sockets(new) first, an old teardown word may find its color on another queue already. */
#define ENTER(p, ctx, sock)                                                                                             \
    do {                                                                                                                \
        if (*cfg.order != 's' || cfg.order[1] == 'a')                                                                   \
            WAIT_N(p, 1, set_router(p, *cfg.order == 'r' ? (ctx) : nothing));                                           \
        WAIT_N(p, 2, set_sockets(p, sock));                                                                             \
        if (*cfg.order != 'r')                                                                                          \
            WAIT_N(p, 3, set_router(p, ctx));                                                                           \
        nest(p);                                                                                                        \
    } while (0)
#define CONTEXT(p, n) rt_ctx + (size_t)((p)->id * contexts + (int)(n)) * CTX_WORDS
#define SOCKETS(p, n) rt_sock + (size_t)((p)->id * contexts + (int)(n)) * SOCK_WORDS

/* Send n words of an iterator (or of an array); send the teardown word; read n words of a queue and forget them. */
#define SEND(p, n, value)                                                                                               \
    for ((p)->core->k = 0; (p)->core->k < (n); (p)->core->k++) {                                                        \
        (p)->core->w = bits(value);                                                                                     \
        WAIT(p, send_word(p, (p)->core->w));                                                                            \
    }
#define TEARDOWN(p) WAIT(p, send_teardown(p))
#define SKIP(p, n, queue)                                                                                               \
    for ((p)->core->k = 0; (p)->core->k < (n); (p)->core->k++)                                                          \
        WAIT(p, recv_word(p, queue, &(p)->core->w))
/* acc += 3-term dot product of the next window of a stream with the next 3 elements of an iterator */
#define DOT3(p, kernel, stream, coef)                                                                                   \
    for ((p)->core->k = 0; (p)->core->k < 3; (p)->core->k++) {                                                          \
        WAIT(p, recv_word(p, q_tab[(kernel) * 9 + (stream)], &(p)->core->w));                                           \
        mac(p, value((p)->core->w), rd(p, coef));                                                                       \
    }

static uint32_t bits(float v)
{
    uint32_t w;
    memcpy(&w, &v, 4);
    return w;
}
static float value(uint32_t w)
{
    float v;
    memcpy(&v, &w, 4);
    return v;
}
static void mac(Pe *p, float a, float b) /* rounded twice */
{
    float m = a * b;
    p->core->acc = p->core->acc + m;
}
static float msub(float a, float b, float c) /* a - b c */
{
    float m = b * c;
    return a - m;
}

static int coset(const Pe *p) { return rt_role[p->id] >> ROLE_COSET & 3; }

/* ==== the ops ============================================================================================================= */
static void set_level(Pe *p, int row)
{
    Core *c = p->core;
    int n = cfg.mg ? ITERS : ITERS_MG0;
    for (int i = 0; i < n; i++) {
        c->it[i].base = lvl_tab[(row * n + i) * 2];
        c->it[i].rows = lvl_tab[(row * n + i) * 2 + 1];
    }
    c->level = row;
    c->nrow = c->it[IT_walkdiag].rows;
}

/* ---- kernels: every PE runs them, also one that holds no piece of the level: its queues are null, its A and invd 0, so x = 0 */
static bool spmv_full(Pe *p, unsigned ctx)
{
    Core *c = p->core;
    BEGIN(p);
    ENTER(p, CONTEXT(p, ctx), SOCKETS(p, ctx));
    for (c->z = 0; c->z < c->nrow; c->z++) {
        SEND(p, 3, rd(p, tx_window_f));
        c->acc = 0;
        for (c->j = NE; c->j <= W; c->j++)
            DOT3(p, K_SPMV_FULL, c->j, walkA3_all);
        mac(p, rd(p, walkZ1_up), rd(p, walkA1_all));
        mac(p, rd(p, walkZ1_down), rd(p, walkA1_all));
        mac(p, rd(p, walkx), rd(p, walkdiag));
        wr(p, walkax_wr, c->acc);
    }
    TEARDOWN(p);
    END(p);
}

/* A PE's stream in a GS phase: N + 1 windows of 3 words, the first without meaning.  Row z's body ends with the window of the row
 * before, whose last element it has just computed; the window of the last row follows the loop.  So the body stays the document's. */
static bool gs_fwd_down_fused(Pe *p, unsigned ctx)
{
    Core *c = p->core;
    BEGIN(p);
    ENTER(p, CONTEXT(p, ctx), SOCKETS(p, ctx));
    for (c->j = SW; c->j <= W; c->j++)
        SKIP(p, 3, q_tab[K_GS_FWD * 9 + c->j]);
    for (c->z = 0; c->z < c->nrow; c->z++) {
        c->ra = rd(p, walkr_fwd) - rd(p, walkax_rd_fwd);
        c->rinv = c->ra * rd(p, walkinvd_fwd);
        c->acc = 0;
        DOT3(p, K_GS_FWD, SW, walkA3_down);
        DOT3(p, K_GS_FWD, S, walkA3_down);
        mac(p, rd(p, walkZ1b_fwd), rd(p, walkA1b_down));
        DOT3(p, K_GS_FWD, SE, walkA3_down);
        DOT3(p, K_GS_FWD, W, walkA3_down);
        wr(p, walky_fwd, msub(c->rinv, rd(p, walkinvd2_fwd), c->acc));
        wr(p, walkax_wr_fwd, c->acc);
        SEND(p, 3, rd(p, tx_window_fd));
    }
    SEND(p, 3, rd(p, tx_last_f));
    TEARDOWN(p);
    END(p);
}

static bool gs_bwd_up(Pe *p, unsigned ctx)
{
    Core *c = p->core;
    BEGIN(p);
    ENTER(p, CONTEXT(p, ctx), SOCKETS(p, ctx));
    for (c->j = NE; c->j <= E; c->j++)
        SKIP(p, 3, q_tab[K_GS_BWD * 9 + c->j]);
    for (c->z = 0; c->z < c->nrow; c->z++) { /* row N - 1 - z */
        c->ra = rd(p, walkr_bwd) - rd(p, walkax_bwd);
        c->rinv = c->ra * rd(p, walkinvd_bwd);
        c->acc = 0;
        DOT3(p, K_GS_BWD, NE, walkA3_up_bwd);
        DOT3(p, K_GS_BWD, N, walkA3_up_bwd);
        mac(p, rd(p, walkZ1_bwd), rd(p, walkA1_up_bwd));
        DOT3(p, K_GS_BWD, NW, walkA3_up_bwd);
        DOT3(p, K_GS_BWD, E, walkA3_up_bwd);
        wr(p, walky_bwd, msub(c->rinv, rd(p, walkinvd2_bwd), c->acc));
        SEND(p, 3, rd(p, tx_window_bd));
    }
    SEND(p, 3, rd(p, tx_last_b));
    TEARDOWN(p);
    END(p);
}

static bool gs_fwd_up(Pe *p, unsigned ctx)
{
    Core *c = p->core;
    BEGIN(p);
    ENTER(p, CONTEXT(p, ctx), SOCKETS(p, ctx));
    for (c->z = 0; c->z < c->nrow; c->z++) {
        SEND(p, 3, rd(p, tx_window_f));
        c->acc = 0;
        DOT3(p, K_UP, NE, walkA3_up);
        DOT3(p, K_UP, N, walkA3_up);
        mac(p, rd(p, walkZ1_up), rd(p, walkA1_up));
        DOT3(p, K_UP, NW, walkA3_up);
        DOT3(p, K_UP, E, walkA3_up);
        wr(p, walkax_wr, c->acc);
    }
    TEARDOWN(p);
    END(p);
}

static bool spmv_down(Pe *p, unsigned ctx)
{
    Core *c = p->core;
    BEGIN(p);
    ENTER(p, CONTEXT(p, ctx), SOCKETS(p, ctx));
    for (c->z = 0; c->z < c->nrow; c->z++) {
        SEND(p, 3, rd(p, tx_window_f));
        c->acc = 0;
        DOT3(p, K_DOWN, SW, walkA3_down);
        DOT3(p, K_DOWN, S, walkA3_down);
        mac(p, rd(p, walkZ1_down), rd(p, walkA1b_down));
        DOT3(p, K_DOWN, SE, walkA3_down);
        DOT3(p, K_DOWN, W, walkA3_down);
        c->acc = rd(p, walkax_rd_fwd) + c->acc; /* upper + lower, then the diagonal */
        mac(p, rd(p, walkx), rd(p, walkdiag));
        wr(p, walkax_wr, c->acc);
    }
    TEARDOWN(p);
    END(p);
}

/* ---- co-set moves: n = Z/8 rows of level 1 a chunk; col1 is in Ap */
static bool redist(Pe *p, unsigned ctx)
{
    Core *c = p->core;
    int n = level_rows[1];
    float *col1 = vec(p, AP), *r1 = vec(p, R) + row_off[1];
    BEGIN(p);
    ENTER(p, CONTEXT(p, ctx), SOCKETS(p, ctx));
    if (coset(p) == 0) { /* the owner: chunks 1, 2, 3 in one stream, which all three others receive */
        SEND(p, 3 * n, col1[n + c->k]);
        TEARDOWN(p);
    } else {
        for (c->k = 0; c->k < 3 * n; c->k++) {
            WAIT(p, recv_word(p, 0, &c->w));
            col1[n + c->k] = value(c->w);
        }
    }
    for (int z = 0; z < n; z++)
        r1[z] = col1[coset(p) * n + z];
    END(p);
}

static bool reduce(Pe *p, unsigned ctx)
{
    Core *c = p->core;
    int n = level_rows[1];
    float *col1 = vec(p, AP), *x1 = vec(p, X) + x_off[1] + 1;
    BEGIN(p);
    ENTER(p, CONTEXT(p, ctx), SOCKETS(p, ctx));
    if (coset(p) == 0) {
        for (int z = 0; z < n; z++)
            col1[z] = x1[z];
        for (c->j = 0; c->j < 3; c->j++)
            for (c->k = 0; c->k < n; c->k++) {
                WAIT(p, recv_word(p, c->j, &c->w));
                col1[(c->j + 1) * n + c->k] = value(c->w);
            }
    } else {
        SEND(p, n, x1[c->k]);
        TEARDOWN(p);
    }
    END(p);
}

/* Every PE sends its first and its last x; of the chunk below the last is wanted, of the chunk above the first. */
static bool xchg(Pe *p, unsigned ctx)
{
    Core *c = p->core;
    BEGIN(p);
    ENTER(p, CONTEXT(p, ctx), SOCKETS(p, ctx));
    SEND(p, 1, rd(p, walkx));
    SEND(p, 1, rd(p, walky_bwd));
    TEARDOWN(p);
    SKIP(p, 1, 0);
    WAIT(p, recv_word(p, 0, &c->w));
    wr(p, walkZ1_down, value(c->w)); /* lower pad; 0 in chunk 0, whose queue is null */
    WAIT(p, recv_word(p, 1, &c->w));
    wr(p, walkZ1_bwd, value(c->w)); /* upper pad; 0 in chunk 3 */
    SKIP(p, 1, 1);
    END(p);
}

/* ---- local ops */
static void mg_begin(Pe *p)
{
    memcpy(vec(p, R), vec(p, RCG), 4 * (size_t)cfg.Z);
    for (int i = 0; cfg.poison && i < cfg.Z; i++)
        vec(p, AP)[i] = 1e30f;
    for (int i = 0; cfg.poison && i < (base[ZF_SAVE + 1] - base[ZF_SAVE]) / 4; i++)
        vec(p, ZF_SAVE)[i] = 1e30f;
}

static void poison_x(Pe *p)
{
    nest(p);
    for (int z = 0; cfg.poison && z < p->core->nrow; z++)
        wr(p, walkx, 1e30f);
}

/* The forward sweep takes r - ax for its right-hand side, so ax must be 0; x may be anything finite. */
static void smooth_pre(Pe *p)
{
    poison_x(p);
    nest(p);
    for (int z = 0; z < p->core->nrow; z++)
        wr(p, walkax_wr, 0);
}

static void smooth_post(Pe *p)
{
    float *xs = vec(p, AP);
    nest(p);
    for (int z = 0; z < p->core->nrow; z++) {
        wr(p, walkr_wr, rd(p, walkr_fwd) - rd(p, walkax_rd_fwd));
        xs[z] = rd(p, walkx);
        wr(p, walkax_wr, 0);
    }
    poison_x(p);
}

static void smooth_add(Pe *p)
{
    const float *xs = vec(p, AP);
    nest(p);
    for (int z = 0; z < p->core->nrow; z++) {
        float *x = element(p, walkx);
        *x = *x + xs[z];
    }
}

/* The 18 coefficients of a z-rank that leave it: dz = -1 in its first row, dz = +1 in its last. */
static void zf_rank(Pe *p, int rank, float *where[18])
{
    int l = p->core->level, height = zf_tab[2 * l], n = 0;
    float *first = vec(p, A) + 26 * (row_off[l] + rank * height), *last = first + 26 * (height - 1);
    for (int t = 0; t < 8; t++) {
        where[n++] = &first[3 * t];
        where[n++] = &last[3 * t + 2];
    }
    where[n++] = &first[25];
    where[n++] = &last[24];
}

static void zf_patch(Pe *p, bool zero)
{
    float *save = vec(p, ZF_SAVE), *where[18];
    for (int rank = 0; rank < zf_tab[2 * p->core->level + 1]; rank++) {
        zf_rank(p, rank, where);
        for (int i = 0; i < 18; i++, save++) {
            if (zero)
                *save = *where[i];
            *where[i] = zero ? 0 : *save;
        }
    }
}

/* Every PE; where the PE is no owner the result is not used. */
static void restrict_(Pe *p)
{
    nest(p);
    for (int z = 0; z < p->core->nrow / 2; z++)
        wr(p, walkres_wr, rd(p, walkres_r) - rd(p, walkres_ax));
}

/* From level 1 to 0 by the owner alone (col1 of the others holds something else); else by every PE: x of a PE without a piece
 * of the coarser level is 0. */
static void prolong(Pe *p, int level)
{
    nest(p);
    for (int z = 0; (level > 0 || coset(p) == 0) && z < p->core->nrow / 2; z++)
        wr(p, walkpro_wr, rd(p, walkpro_rd) + rd(p, walkpro_c));
}

/* ---- CG */
static float *preconditioned(Pe *p) { return vec(p, X) + 1; } /* z: x of level 0; with MG=0 an array of its own, zcg */

static float column_dot(const float *u, const float *v)
{
    float s = 0;
    for (int z = 0; z < cfg.Z; z++) {
        float m = u[z] * v[z];
        s = s + m;
    }
    return s;
}

/* Two values always; with `which` 0 the second is 0. */
static bool dot(Pe *p, int which)
{
    Core *c = p->core;
    const float *r = vec(p, RCG);
    BEGIN(p);
    c->red[0] = which ? column_dot(vec(p, P) + 1, vec(p, AP)) : column_dot(r, preconditioned(p));
    c->red[1] = which ? column_dot(r, r) : 0;
    ENTER(p, rt_dot + (size_t)p->id * CTX_WORDS, rt_dot_sock + (size_t)p->id * SOCK_WORDS);
    for (c->j = 0; c->j < 5; c->j++) /* pair, west, east, south, north */
        for (c->k = 0; c->k < 2; c->k++) {
            WAIT(p, recv_word(p, c->j, &c->w));
            c->red[c->k] = c->red[c->k] + value(c->w);
        }
    SEND(p, 2, c->red[c->k]);
    TEARDOWN(p);
    for (c->k = 0; !(rt_role[p->id] & ROLE_CENTRE) && c->k < 2; c->k++) {
        WAIT(p, recv_word(p, 5, &c->w));
        c->red[c->k] = value(c->w);
    }
    *(which ? &c->pAp : &c->rtz) = c->red[0];
    END(p);
}

static void p_update(Pe *p)
{
    Core *c = p->core;
    const float *z = preconditioned(p);
    float *d = vec(p, P) + 1, beta = c->iter ? c->rtz / c->rtz_old : 0;
    for (int i = 0; i < cfg.Z; i++) {
        float m = beta * d[i];
        d[i] = z[i] + m;
    }
}

static void x_update(Pe *p)
{
    float *x = vec(p, XCG), *d = vec(p, P) + 1, alpha = p->core->rtz / p->core->pAp;
    for (int i = 0; i < cfg.Z; i++) {
        float m = alpha * d[i];
        x[i] = x[i] + m;
    }
}

static void r_update(Pe *p)
{
    float *r = vec(p, RCG), *q = vec(p, AP), alpha = p->core->rtz / p->core->pAp;
    for (int i = 0; i < cfg.Z; i++)
        r[i] = msub(r[i], alpha, q[i]);
    p->core->rtz_old = p->core->rtz;
}

/* ---- run_iter: true when the last iteration is done */
static bool run_iter(Pe *p)
{
    Core *c = p->core;
    while (c->iter < cfg.iters) {
        unsigned op = vprog[c->pc] & 0xff, arg = vprog[c->pc] >> 8;
        bool done = true;
        switch (op) {
        case OP_END:
            c->rrh[c->iter++] = c->red[1];
            c->pc = -1;
            break;
        case OP_SET_LEVEL: set_level(p, (int)arg); break;
        case OP_COPY_RZ: memcpy(preconditioned(p), vec(p, RCG), 4 * (size_t)cfg.Z); break;
        case OP_DOT: done = dot(p, (int)arg); break;
        case OP_P_UPDATE: p_update(p); break;
        case OP_SPMV_FULL: done = spmv_full(p, arg); break;
        case OP_X_UPDATE: x_update(p); break;
        case OP_R_UPDATE: r_update(p); break;
        case OP_MG_BEGIN: mg_begin(p); break;
        case OP_SMOOTH_PRE: smooth_pre(p); break;
        case OP_SMOOTH_POST: smooth_post(p); break;
        case OP_SMOOTH_ADD: smooth_add(p); break;
        case OP_ZF_PATCH: zf_patch(p, arg); break;
        case OP_GS_FWD_DOWN: done = gs_fwd_down_fused(p, arg); break;
        case OP_GS_BWD_UP: done = gs_bwd_up(p, arg); break;
        case OP_GS_FWD_UP: done = gs_fwd_up(p, arg); break;
        case OP_SPMV_DOWN: done = spmv_down(p, arg); break;
        case OP_RESTRICT: restrict_(p); break;
        case OP_PROLONG: prolong(p, (int)arg); break;
        case OP_REDIST: done = redist(p, arg); break;
        case OP_REDUCE: done = reduce(p, arg); break;
        case OP_XCHG: done = xchg(p, arg); break;
        default: stop(p, "op 0x%04x at %d", vprog[c->pc], c->pc);
        }
        if (!done)
            return false;
        c->pc++;
    }
    return true;
}

static void about(Pe *p)
{
    printf(" iteration %d, op %d (0x%04x), row %d, line %d;", p->core->iter, p->core->pc, vprog[p->core->pc < 0 ? 0 : p->core->pc],
           p->core->z, p->core->at / 4);
}

/* ==== files =============================================================================================================== */
static void *load(const char *dir, const char *name, size_t want, size_t *got)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *f = fopen(path, "rb");
    size_t cap = want ? want + 1 : 1 << 22, n;
    char *p = calloc(1, cap);
    if (!f || !p)
        stop(NULL, "cannot read %s", path);
    n = fread(p, 1, cap, f);
    fclose(f);
    if (want && n != want)
        stop(NULL, "%s: not %zu bytes", path, want);
    if (got)
        *got = n;
    return p;
}

/* A per-PE file into one array of every PE. */
static void load_array(const char *name, int array, int words)
{
    size_t n = (size_t)(cfg.H * cfg.V), bytes = 4 * (size_t)words;
    char *f = load(cfg.dir, name, n * bytes, NULL);
    for (size_t i = 0; i < n; i++)
        memcpy(vec(&fab.pe[i], array), f + i * bytes, bytes);
    free(f);
}

static void load_image(void)
{
    size_t pes = (size_t)(cfg.H * cfg.V), got;
    int rows = cfg.mg ? cfg.levels + 1 : 1, iters = cfg.mg ? ITERS : ITERS_MG0;
    load_array("A.bin", A, 26 * rows_all);
    load_array("diag.bin", DIAG, rows_all);
    load_array("invd.bin", INVD, rows_all);
    load_array("b.bin", RCG, cfg.Z);
    q_tab = load(cfg.dir, "q_tab.bin", (cfg.mg ? 5 : 1) * 18, NULL);
    lvl_tab = load(cfg.dir, "lvl_tab.bin", (size_t)(rows * iters) * 4, NULL);
    zf_tab = cfg.mg ? load(cfg.dir, "zf_tab.bin", (size_t)cfg.levels * 4, NULL) : NULL;
    vprog = load(cfg.dir, "vprog.bin", 0, NULL);
    rt_ctx = load(cfg.dir, "rt_ctx.bin", 0, &got);
    contexts = (int)(got / pes / 36);
    rt_sock = load(cfg.dir, "rt_sock.bin", pes * (size_t)contexts * 18, NULL);
    rt_dot = load(cfg.dir, "rt_dot.bin", pes * 36, NULL);
    rt_dot_sock = load(cfg.dir, "rt_dot_sock.bin", pes * 18, NULL);
    rt_role = load(cfg.dir, "rt_role.bin", pes * 2, NULL);
    Core *core = calloc(pes, sizeof *core);
    for (size_t i = 0; i < pes; i++) {
        fab.pe[i].core = &core[i];
        core[i].rrh = calloc((size_t)cfg.iters + 1, 4);
        for (int l = 1; cfg.mg && cfg.poison && l < cfg.levels; l++)
            vec(&fab.pe[i], X)[x_off[l]] = vec(&fab.pe[i], X)[x_off[l] + level_rows[l] + 1] = 1e30f;
    }
}

static void save(const char *name, const float *v, size_t n)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", cfg.dir, name);
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(v, 4, n, f) != n || fclose(f))
        stop(NULL, "cannot write %s", path);
}

/* An array of all PEs, as `wsrun --read` gives it. */
static void save_array(const char *name, int array, int words)
{
    size_t n = (size_t)(cfg.H * cfg.V), w = (size_t)words;
    float *v = calloc(n * w, 4);
    for (size_t i = 0; i < n; i++)
        memcpy(v + i * w, vec(&fab.pe[i], array), w * 4);
    save(name, v, n * w);
    free(v);
}

/* Against the reference, bit for bit: 0 equal, 1 not. */
static int compare(void)
{
    size_t Z = (size_t)cfg.Z, pes = (size_t)(cfg.H * cfg.V);
    int bad = 0;
    float *ref = load(cfg.ref, "x.f32", pes * Z * 4, NULL), *got = calloc(pes, Z * 4);
    for (size_t i = 0; i < pes; i++)
        memcpy(got + i * Z, vec(&fab.pe[i], XCG), Z * 4);
    for (int y = 0; y < cfg.V; y++) /* grid row y is machine row V - 1 - y */
        for (int x = 0; x < cfg.H; x++) {
            const float *g = got + (size_t)((cfg.V - 1 - y) * cfg.H + x) * Z, *want = ref + (size_t)(y * cfg.H + x) * Z;
            for (int z = 0; z < cfg.Z; z++)
                if (memcmp(&g[z], &want[z], 4) && bad++ == 0)
                    printf("pe_model: x(%d, %d, %d) is %.9g, the reference has %.9g\n", x, y, z, (double)g[z], (double)want[z]);
        }
    save("x_got.f32", got, pes * Z);
    const float *rrh = fab.pe[0].core->rrh;
    save("rr_got.f32", rrh, (size_t)cfg.iters);
    char path[512];
    snprintf(path, sizeof path, "%s/rr.csv", cfg.ref);
    FILE *f = fopen(path, "r");
    if (!f || fscanf(f, "iter,rr\n") != 0)
        stop(NULL, "cannot read %s", path);
    for (int k = 0, i; k < cfg.iters; k++) {
        double v;
        if (fscanf(f, "%d,%lf\n", &i, &v) != 2 || i != k)
            stop(NULL, "%s: row %d", path, k);
        if ((float)v != rrh[k] && bad++ >= 0)
            printf("pe_model: rr of iteration %d is %.9g, the reference has %.9g\n", k, (double)rrh[k], v);
    }
    fclose(f);
    for (size_t i = 1; i < pes; i++)
        if (memcmp(fab.pe[i].core->rrh, rrh, (size_t)cfg.iters * 4) && bad++ >= 0)
            printf("pe_model: PE %zu has another rr\n", i);
    return bad != 0;
}

static void option(const char *a)
{
    static const struct {
        const char *key;
        int *to;
    } ints[] = {{"H", &cfg.H}, {"V", &cfg.V}, {"Z", &cfg.Z}, {"ZR", &cfg.ZR}, {"levels", &cfg.levels}, {"mg", &cfg.mg},
                {"iters", &cfg.iters}, {"seed", &cfg.seed}, {"poison", &cfg.poison}, {"wse2", &cfg.wse2}, {"lend", &cfg.lend},
                {"bases", &cfg.bases}, {"quiet", &cfg.quiet}};
    static const struct {
        const char *key, **to;
    } texts[] = {{"dir", &cfg.dir}, {"ref", &cfg.ref}, {"order", &cfg.order}};
    const char *eq = strchr(a, '=');
    size_t n = eq ? (size_t)(eq - a) : 0;
    for (size_t i = 0; i < sizeof ints / sizeof ints[0]; i++)
        if (n && strlen(ints[i].key) == n && !strncmp(a, ints[i].key, n)) {
            *ints[i].to = atoi(eq + 1);
            return;
        }
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (n && strlen(texts[i].key) == n && !strncmp(a, texts[i].key, n)) {
            *texts[i].to = eq + 1;
            return;
        }
    printf("pe_model: unknown argument '%s'\n", a);
    exit(2);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        option(argv[i]);
    lay_out();
    if (cfg.bases) {
        printf("A=%d diag=%d invd=%d r=%d ax=%d x=%d p=%d Ap=%d\n", base[A], base[DIAG], base[INVD], base[R], base[AX], base[X],
               base[P], base[AP]);
        return 0;
    }
    fabric_init(cfg.H, cfg.V, (uint32_t)cfg.seed, cfg.wse2, cfg.lend);
    load_image();
    if (!fabric_run(run_iter, about))
        return 1;
    int bad = compare();
    save_array("r_levels.f32", R, rows_all);
    save_array("x_levels.f32", X, rows_all + 2 * (cfg.mg ? cfg.levels : 1));
    if (!cfg.quiet)
        printf("pe_model: %d x %d x %d, %d iterations, %llu words moved: %s\n", cfg.H, cfg.V, cfg.Z, cfg.iters,
               (unsigned long long)fab.moves, bad ? "not the reference" : "equal to the reference");
    return bad;
}
