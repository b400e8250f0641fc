/* The op program of one CG iteration (`vprog`) and the numbers of the routing contexts.
 *
 * An op is one u16: bits 0-7 the code, bits 8-15 its argument.  hpcg.w dispatches on the code; the program ends with OP_END.
 * hpcg.w cannot include a C header: it copies the numbers of this table as constants, and `vprog --constants` prints them in
 * the form `const OP_x: u16 = n;`, so that a test can compare the two.
 *
 *       code name           argument   printed by `vprog --list`: what the op does
 *  MG column: 0 = needed by plain CG (MG=0) too, 1 = only by the V-cycle. */
#ifndef HPCG_OPS_H
#define HPCG_OPS_H

#define HPCG_OPS(OP) \
    OP( 0, END,         NONE,  0, "end of the iteration: store rr in the history, count, start again at op 0 or stop")          \
    OP( 1, SET_LEVEL,   ROW,   0, "patch the iterators from row ARG of lvl_tab")                                               \
    OP( 2, COPY_RZ,     NONE,  0, "z = r (no preconditioner)")                                                                 \
    OP( 3, DOT,         DOT,   0, "ARG 0: rtz = <r, z>, one value; ARG 1: pAp = <p, Ap> and rr = <r, r>, two values: allreduce") \
    OP( 4, P_UPDATE,    NONE,  0, "p = z + (rtz / rtz_old) p; the first iteration p = z")                                      \
    OP( 5, SPMV_FULL,   CTX,   0, "routed phase: ax = A x on all 8 neighbours (the CG row of lvl_tab: Ap = A p)")              \
    OP( 6, X_UPDATE,    NONE,  0, "x = x + (rtz / pAp) p")                                                                     \
    OP( 7, R_UPDATE,    NONE,  0, "r = r - (rtz / pAp) Ap; rtz_old = rtz")                                                     \
    OP( 8, MG_BEGIN,    NONE,  1, "right-hand side of level 0 = r of CG (the V-cycle's result, x of level 0, is z)")           \
    OP( 9, SMOOTH_PRE,  NONE,  1, "this level: ax = 0 (a GS from zero follows; it reads no old x)")                           \
    OP(10, SMOOTH_POST, NONE,  1, "this level: r = r - ax, xs = x, ax = 0: GS from zero follows (SYMGS is affine)")            \
    OP(11, SMOOTH_ADD,  NONE,  1, "this level: x = x + xs, the end of a post-smoothing")                                       \
    OP(12, ZF_PATCH,    FLAG,  1, "ARG 1: zero the coefficients that couple across a z-rank boundary; ARG 0: restore them")    \
    OP(13, GS_FWD_DOWN, CTX,   1, "routed phase gs_fwd_down_fused: forward sweep from x = 0, ax = lower sum")                  \
    OP(14, GS_BWD_UP,   CTX,   1, "routed phase gs_bwd_up: backward sweep")                                                    \
    OP(15, GS_FWD_UP,   CTX,   1, "routed phase gs_fwd_up: ax = upper sum (first half of a coarse SpMV)")                      \
    OP(16, SPMV_DOWN,   CTX,   1, "routed phase spmv_down: ax = ax + lower sum + diagonal (second half)")                      \
    OP(17, RESTRICT,    LEVEL, 1, "right-hand side of level ARG + 1 = (r - ax of level ARG) at every second z point")          \
    OP(18, PROLONG,     LEVEL, 1, "x of level ARG = x + x of level ARG + 1 at every second z point")                           \
    OP(19, REDIST,      CTX,   1, "routed phase: the owners' level-1 column to the co-sets, chunk k to PE k of the block")     \
    OP(20, REDUCE,      CTX,   1, "routed phase: the co-sets' level-1 chunks back to the owners")                              \
    OP(21, XCHG,        CTX,   1, "routed phase: x at the chunk boundaries into the neighbouring chunks' pads")

enum HpcgOp {
#define HPCG_OP(code, name, arg, mg, doc) OP_##name = code,
    HPCG_OPS(HPCG_OP)
#undef HPCG_OP
};
enum { OP_COUNT = 22 };

/* What the argument byte of an op is. */
enum HpcgArg { ARG_NONE, ARG_ROW, ARG_DOT, ARG_CTX, ARG_FLAG, ARG_LEVEL };

/* Routing contexts: indices into rt_ctx / rt_sock.  MG=0 has context 0 only; the dot table is not one of them, it is a table
 * of its own (rt_dot / rt_dot_sock), because its colors 16..21 overlap the co-sets'. */
enum {
    CTX_SPMV_FULL = 0,
    CTX_REDIST = 13,
    CTX_REDUCE = 14,
    CTX_COUNT_MG0 = 1,
    CTX_COUNT_MG1 = 17,
    CTX_COUNT_SEVER = 22 /* BC=sever: 17..21 are the SpMV of the post-smoothing, cut at the domain edges */
};
#define CTX_GS_FWD(level) (1 + 2 * (level))       /* levels 0..3: 1 3 5 7 */
#define CTX_GS_BWD(level) (2 + 2 * (level))       /* levels 0..3: 2 4 6 8 */
#define CTX_UP(level) (9 + 2 * ((level) - 1))     /* levels 1, 2: 9 11 */
#define CTX_DOWN(level) (10 + 2 * ((level) - 1))  /* levels 1, 2: 10 12 */
#define CTX_XCHG(level) (15 + ((level) - 1))      /* levels 1, 2: 15 16 */
enum { CTX_SPMV_FULL_CUT = 17 };
#define CTX_UP_CUT(level) (18 + 2 * ((level) - 1))   /* levels 1, 2: 18 20 */
#define CTX_DOWN_CUT(level) (19 + 2 * ((level) - 1)) /* levels 1, 2: 19 21 */

/* The longest program that any configuration makes (LEVELS = 4, MG = 1 needs 76); hpcg.w may size its array by it. */
enum { VPROG_MAX = 128 };

#endif
