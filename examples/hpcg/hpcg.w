// hpcg.w: the HPCG benchmark on a wafer, one grid column of Z points per PE (README.md; the HPCG document).
//
// run_iter interprets the op program `vprog`, one CG iteration; each kernel has one call site.  MG = 1: the preconditioner is
// a V-cycle over LEVELS levels, all packed in the same arrays, finest first; MG = 0: plain CG.  Arrays marked "host" are filled
// by wsld from the files that the host tools make; README.md has their formats, hpcg_ops.h the op codes, hpcg_iters.h the
// iterators, hpcg_router1.c the routes.  tests/examples/hpcg_host/pe_model.c is the same program in plain C.

param Z: u16;               // points of the column on level 0
param ZR: u16 = 16;         // z-rank height in points; 0: one z-rank
param MG: u16 = 1;          // 1: V-cycle, 0: plain CG
param LEVELS: u16 = 4;      // of the V-cycle
param NCTX: u16;            // routing contexts
param CG_NITER: u16;        // iterations
param TSTAMP: u16 = 0;      // 1: a timestamp before every op, behind every context change, at every first row of a sweep
param UNROLL: u16 = 0;      // 1: rows alternate between two dot registers
param FAULT: u16 = 0;       // planted (plant.c): 1 a coefficient missing in GS, 2 in SpMV, 3 a wrong beta, 4 an open z-rank boundary

const OP_END: u16 = 0;
const OP_SET_LEVEL: u16 = 1;
const OP_COPY_RZ: u16 = 2;
const OP_DOT: u16 = 3;
const OP_P_UPDATE: u16 = 4;
const OP_SPMV_FULL: u16 = 5;
const OP_X_UPDATE: u16 = 6;
const OP_R_UPDATE: u16 = 7;
const OP_MG_BEGIN: u16 = 8;
const OP_SMOOTH_PRE: u16 = 9;
const OP_SMOOTH_POST: u16 = 10;
const OP_SMOOTH_ADD: u16 = 11;
const OP_ZF_PATCH: u16 = 12;
const OP_GS_FWD_DOWN: u16 = 13;
const OP_GS_BWD_UP: u16 = 14;
const OP_GS_FWD_UP: u16 = 15;
const OP_SPMV_DOWN: u16 = 16;
const OP_RESTRICT: u16 = 17;
const OP_PROLONG: u16 = 18;
const OP_REDIST: u16 = 19;
const OP_REDUCE: u16 = 20;
const OP_XCHG: u16 = 21;
const VPROG_MAX: u16 = 128;
const ROLE_CENTRE: u16 = 64;    // bits of rt_role
const ROLE_COSET: u16 = 13;     // shift: place in the 2 x 2 block, 0 owner, 1 E, 2 N, 3 NE

// ---- sizes: rows of a level on a PE, first row in the packed arrays ------------------------------------------------------
const ZC: u16 = Z / 8;          // rows of a level-1 chunk
fn level_rows(l: u16) u16 {
    return if (l == 0) Z else Z >> (l + 2);
}
fn level_row0(l: u16) u16 {
    var row: u16 = 0;
    for (@range(u16, l)) |k| row += level_rows(k);
    return row;
}
const NLEV: u16 = if (MG == 1) LEVELS else 1;
const ROWS: u16 = level_row0(NLEV);
const row0 = [4]u16{ 0, level_row0(1), level_row0(2), level_row0(3) };
const RANKS: u16 = if (ZR == 0) 1 else Z / ZR;

// ---- data ---------------------------------------------------------------------------------------------------------------
export var A: [26 * ROWS]f32;     // host: off-diagonals; a row: ne n nw e | sw s se w (3 each), z+1, z-1
export var diag: [ROWS]f32;       // host: diagonal
export var invd: [ROWS]f32;       // host: 1 / diagonal
export var r: [ROWS]f32;          // right-hand side of each level
export var ax: [ROWS]f32;         // partial A x of each level
export var x: [ROWS + 2 * NLEV]f32; // iterate of each level, with a zero pad at each end (Dirichlet)
export var rcg: [Z]f32;           // host: right-hand side b; then the residual
export var xcg: [Z]f32;           // result
export var p: [Z + 2]f32;         // search direction, with zero pads
export var Ap: [Z]f32;            // A p.  During a V-cycle: xs of a post-smoothing, and the owner's level-1 column (col1)
export var rrh: [CG_NITER]f32;    // result: rr of each iteration, before its update
var zf_save: [18 * RANKS]f32;     // coefficients that zf_patch took out
var scratch: [1]f32;
const N_TS: u16 = if (TSTAMP > 0) VPROG_MAX * 3 else 1;
export var ts: [N_TS]u16;         // of the last iteration, per op, low words of the time of: its start, the new context, the first row
var ts_at: u16 = 0;
var ts_row: u16 = 0;

// ---- tables, all from the host ------------------------------------------------------------------------------------------
const N_ITER: u16 = if (MG == 1) 36 else 8;
const N_ROW: u16 = if (MG == 1) LEVELS + 1 else 1;
export var vprog: [VPROG_MAX]u16;        // ops: bits 0-7 code, 8-15 argument
export var lvl_tab: [N_ROW * N_ITER]u32; // per level and iterator: the first two words of its descriptor
export var zf_tab: [NLEV * 2]u16;        // per level: z-rank height in rows, z-ranks
export var rt_ctx: [NCTX * 18]u16;       // router contexts: 9 (color, slot word) pairs each
export var rt_sock: [NCTX * 9]u16;       // their socket words
export var rt_dot: [18]u16;              // the dot product's table
export var rt_dot_sock: [9]u16;
export var rt_role: u16;                 // place in the dot product and in the 2 x 2 block
const nothing = @zeros([18]u16);         // a context without a slot

// ---- index sets ---------------------------------------------------------------------------------------------------------
index i1 = 1;
index i2 = 2;
index i3 = 3;
index i8 = 8;
index iz = Z;
const ZF_RANKS: u16 = if (FAULT == 4) RANKS - 1 else RANKS;   // of level 0 that zf_patch closes
index irank = ZF_RANKS;
index irank8 = 8 * ZF_RANKS;
index ichunk = ZC;
index ichunk3 = 3 * ZC;
var nrow: u16 = Z;                // rows of the current level
var nlast: u16 = Z - 1;
var nhalf: u16 = Z / 2;
var level: u16 = 0;
index irow = nrow;
index ilast = nlast;
var nround: u16 = Z / 2 - 1;       // UNROLL: rounds of two rows, before the last two
index iround = nround;
index ihalf = nhalf;

// ---- the kernels' iterators ---------------------------------------------------------------------------------------------
// set_level patches base and length of each from lvl_tab, in the order of `homes`; the bases here do not matter.
iter walkA3_all: f32 = |z, k|{Z, 24} -> A[26 * z + k];
iter walkA1_all: f32 = |z, k|{Z, 2} -> A[26 * z + 24 + k];
iter walkdiag: f32 = |z|{Z} -> diag[z];
iter walkx: f32 = |z|{Z} -> x[z + 1];
iter walkZ1_up: f32 = |z|{Z} -> x[z + 2];
iter walkZ1_down: f32 = |z|{Z} -> x[z];
iter tx_window_f: f32 = |z, k|{Z, 3} -> x[z + k];
iter walkax_wr: f32 = |z|{Z} -> ax[z];
const homes0 = [8][*]u16{ &walkA3_all, &walkA1_all, &walkdiag, &walkx, &walkZ1_up, &walkZ1_down, &tx_window_f, &walkax_wr };

iter walkr_fwd: f32 = |z|{Z} -> r[z];
iter walkax_rd_fwd: f32 = |z|{Z} -> ax[z];
iter walkinvd_fwd: f32 = |z|{Z} -> invd[z];
iter walkinvd2_fwd: f32 = |z|{Z} -> invd[z];
iter walkA3_down: f32 = |z, k|{Z, 12} -> A[26 * z + 12 + k];
iter walkA1b_down: f32 = |z|{Z} -> A[26 * z + 25];
iter tx_window_fd: f32 = |z, k|{Z, 3} -> x[z + k];
iter tx_last_f: f32 = |k|{3} -> x[k];
iter walkr_bwd: f32 = |z|{Z} -> r[Z - 1 - z];
iter walkax_bwd: f32 = |z|{Z} -> ax[Z - 1 - z];
iter walkinvd_bwd: f32 = |z|{Z} -> invd[Z - 1 - z];
iter walkinvd2_bwd: f32 = |z|{Z} -> invd[Z - 1 - z];
iter walkA3_up_bwd: f32 = |z, k|{Z, 12} -> A[26 * (Z - 1) - 26 * z + k];
iter walkA1_up_bwd: f32 = |z|{Z} -> A[26 * (Z - 1) + 24 - 26 * z];
iter walkZ1_bwd: f32 = |z|{Z} -> x[Z + 1 - z];
iter walky_bwd: f32 = |z|{Z} -> x[Z - z];
iter tx_window_bd: f32 = |z, k|{Z, 3} -> x[Z - 1 - z + k];
iter tx_last_b: f32 = |k|{3} -> x[k];
iter walkA3_up: f32 = |z, k|{Z, 12} -> A[26 * z + k];
iter walkA1_up: f32 = |z|{Z} -> A[26 * z + 24];
iter walkr_wr: f32 = |z|{Z} -> r[z];
iter walkx_rd: f32 = |z|{Z} -> x[z + 1];
iter walkres_r: f32 = |z|{Z / 2} -> r[2 * z];
iter walkres_ax: f32 = |z|{Z / 2} -> ax[2 * z];
iter walkres_wr: f32 = |z|{Z / 2} -> Ap[z];
iter walkpro_rd: f32 = |z|{Z / 2} -> x[2 * z + 1];
iter walkpro_wr: f32 = |z|{Z / 2} -> x[2 * z + 1];
iter walkpro_c: f32 = |z|{Z / 2} -> Ap[z];
const homes1 = [36][*]u16{
    &walkA3_all, &walkA1_all, &walkdiag, &walkx, &walkZ1_up, &walkZ1_down, &tx_window_f, &walkax_wr,
    &walkr_fwd, &walkax_rd_fwd, &walkinvd_fwd, &walkinvd2_fwd, &walkA3_down, &walkA1b_down, &tx_window_fd, &tx_last_f,
    &walkr_bwd, &walkax_bwd, &walkinvd_bwd, &walkinvd2_bwd, &walkA3_up_bwd, &walkA1_up_bwd, &walkZ1_bwd, &walky_bwd,
    &tx_window_bd, &tx_last_b, &walkA3_up, &walkA1_up, &walkr_wr, &walkx_rd,
    &walkres_r, &walkres_ax, &walkres_wr, &walkpro_rd, &walkpro_wr, &walkpro_c,
};
const homes = if (MG == 1) homes1 else homes0;

// ---- iterators that stay ------------------------------------------------------------------------------------------------
iter p_rd: f32 = |z|{Z} -> p[z + 1];
iter p_wr: f32 = |z|{Z} -> p[z + 1];
iter rcg_rd: f32 = |z|{Z} -> rcg[z];
iter rcg2_rd: f32 = |z|{Z} -> rcg[z];
iter rcg_wr: f32 = |z|{Z} -> rcg[z];
iter z_rd: f32 = |z|{Z} -> x[z + 1];      // preconditioned residual: x of level 0
iter z_wr: f32 = |z|{Z} -> x[z + 1];
iter r0_wr: f32 = |z|{Z} -> r[z];
iter xcg_rd: f32 = |z|{Z} -> xcg[z];
iter xcg_wr: f32 = |z|{Z} -> xcg[z];
iter ap_rd: f32 = |z|{Z} -> Ap[z];
iter xs_rd: f32 = |z|{Z} -> Ap[z];
iter xs_wr: f32 = |z|{Z} -> Ap[z];
iter drop: f32 = |k|{12} -> scratch[0];           // four windows without meaning
iter zf_rd: f32 = |i|{18 * RANKS} -> zf_save[i];
iter zf_wr: f32 = |i|{18 * RANKS} -> zf_save[i];
iter zf_first: f32 = |t|{8} -> A[3 * t];          // dz = -1 in the first row of a z-rank
iter zf_last: f32 = |t|{8} -> A[3 * t + 2];       // dz = +1 in its last row
iter zf_first_wr: f32 = |t|{8} -> A[3 * t];
iter zf_last_wr: f32 = |t|{8} -> A[3 * t + 2];
iter zf_own: f32 = |k|{1} -> A[0];
iter zf_own_wr: f32 = |k|{1} -> A[0];
iter zf_own2: f32 = |k|{1} -> A[0];
iter zf_own2_wr: f32 = |k|{1} -> A[0];
// the same of all z-ranks of level 0, as four blocks
const ZH: u16 = Z / RANKS;
const ZTOP: u16 = 26 * (ZH - 1);
iter zf0_first: f32 = |k, t|{RANKS, 8} -> A[26 * ZH * k + 3 * t];
iter zf0_last: f32 = |k, t|{RANKS, 8} -> A[ZTOP + 26 * ZH * k + 3 * t + 2];
iter zf0_own: f32 = |k, t|{RANKS, 1} -> A[26 * ZH * k + t + 25];
iter zf0_own2: f32 = |k, t|{RANKS, 1} -> A[ZTOP + 26 * ZH * k + t + 24];
iter col1_tx: f32 = |z|{3 * ZC} -> Ap[ZC + z];    // chunks 1 to 3 of the owner's level-1 column
iter col1_rx: f32 = |z|{3 * ZC} -> Ap[ZC + z];
iter col1_own: f32 = |z|{ZC} -> Ap[z];            // a chunk: base patched
iter col1_0: f32 = |z|{ZC} -> Ap[z];
iter col1_1: f32 = |z|{ZC} -> Ap[ZC + z];
iter col1_2: f32 = |z|{ZC} -> Ap[2 * ZC + z];
iter col1_3: f32 = |z|{ZC} -> Ap[3 * ZC + z];
const R1: u16 = if (LEVELS > 1) row0[1] else 0;   // first row of level 1 in r; with one level nothing runs there
const X1: u16 = if (LEVELS > 1) row0[1] + 3 else 0;
iter r1_wr: f32 = |z|{ZC} -> r[R1 + z];
iter x1_rd: f32 = |z|{ZC} -> x[X1 + z];

// ---- sockets ------------------------------------------------------------------------------------------------------------
socket tx: out wv = queue 0;
// spmv_full: the streams of the eight neighbours
socket sw8: in wv = queue 0;
socket s8: in wv = queue 1;
socket se8: in wv = queue 2;
socket w8: in wv = queue 3;
socket ne8: in wv = queue 4;
socket n8: in wv = queue 5;
socket nw8: in wv = queue 6;
socket e8: in wv = queue 7;
// the phases that read four streams
socket sw: in wv = queue 0;
socket s: in wv = queue 1;
socket se: in wv = queue 2;
socket w: in wv = queue 3;
socket ne: in wv = queue 0;
socket n: in wv = queue 1;
socket nw: in wv = queue 2;
socket e: in wv = queue 3;
// dot product: pair partner, row chains from west and east, column chains from south and north, broadcast
socket d_pair: in wv = queue 0;
socket d_west: in wv = queue 1;
socket d_east: in wv = queue 2;
socket d_south: in wv = queue 3;
socket d_north: in wv = queue 4;
socket d_bcast: in wv = queue 5;
// co-sets: redist reads the owner on 0; reduce PE k on k - 1; xchg chunk k - 1 on 0 and chunk k + 1 on 1
socket c0: in wv = queue 0;
socket c1: in wv = queue 1;
socket c2: in wv = queue 2;

// ---- scalars of CG ------------------------------------------------------------------------------------------------------
var rtz: f32 = 0.0;
var rtz_old: f32 = 1.0;
var alpha: f32 = 0.0;

var red: [2]f32;                  // the values of a dot product
iter red_rd: f32 = |k|{2} -> red[k];
iter red_wr: f32 = |k|{2} -> red[k];

// 1 / v by Newton iterations from a bit-level estimate (12 % off: four steps reach fp32); 0 for 0.
fn inv(v: f32) f32 {
    if (v == 0.0) return 0.0;
    var y: f32 = @bitcast(f32, @as(u32, 0x7ef311c7) - @bitcast(u32, v));
    y = y * (2.0 - v * y);
    y = y * (2.0 - v * y);
    y = y * (2.0 - v * y);
    y = y * (2.0 - v * y);
    return y;
}

// Point the kernels' iterators at a row of lvl_tab: a level, or (the last row) p and Ap.  A load and a store per iterator.
fn set_level(row: u16) void {
    const tab = @ptrcast([*]u32, &lvl_tab[row * N_ITER]);
    inline for (@range(u16, N_ITER)) |k| {
        const home = @ptrcast([*]u32, homes[k]);
        home[0] = tab[k];
    }
    const home = &walkdiag;
    level = row;
    nrow = home[1] & 0x7fff;
    nlast = nrow - 1;
    if (UNROLL == 1) nround = (nrow >> 1) - 1;
    nhalf = nrow >> 1;
}

// A routed phase begins: the old context's slots must be closed, then the queues are bound anew, then the new slots open.
fn enter(ctx: u16) void {
    set_router(&nothing);
    set_sockets(&rt_sock[ctx * 9]);
    set_router(&rt_ctx[ctx * 18]);
    if (TSTAMP > 0) ts[ts_at + 1] = @tsc(0);
}

// ---- kernels: every PE runs them; one that holds no piece of the level reads zeros and computes zeros --------------------

// ax = A x on all eight neighbours: send the window x[z-1..z+1] of every row, read eight windows of three.  A window is sent
// one row ahead, so that it is there when it is wanted; the last row, which has none to send, stands behind the loop.
fn spmv_full() void {
    if (UNROLL == 1) {                                // a row starts while the row before drains
        ∀i1 {
            ∀i3 wv:tx[] ← tx_window_f[];
            ∀i3 wv:tx[] ← tx_window_f[];
            acc0 <- ∑ ∀i3 (sp)(ne8[]) * walkA3_all[];
            acc0 <+- ∑ ∀i3 (sp)(n8[]) * walkA3_all[];
            ∀iround {
                acc0 <+- ∑ ∀i3 (sp)(nw8[]) * walkA3_all[];
                acc0 <+- ∑ ∀i3 (sp)(e8[]) * walkA3_all[];
                acc0 <+- ∑ ∀i3 (sp)(sw8[]) * walkA3_all[];
                acc0 <+- ∑ ∀i3 (sp)(s8[]) * walkA3_all[];
                acc0 <+- ∑ ∀i3 (sp)(se8[]) * walkA3_all[];
                acc0 <+- ∑ ∀i3 (sp)(w8[]) * walkA3_all[];
                acc0 <+- ∑ ∀i1 walkZ1_up[] * walkA1_all[];
                acc0 <+- ∑ ∀i1 walkZ1_down[] * walkA1_all[];
                acc0 <+- ∑ ∀i1 walkx[] * walkdiag[];
                ∀i3 wv:tx[] ← tx_window_f[];
                acc1 <- ∑ ∀i3 (sp)(ne8[]) * walkA3_all[];
                acc1 <+- ∑ ∀i3 (sp)(n8[]) * walkA3_all[];
                walkax_wr[] = acc0;
                acc1 <+- ∑ ∀i3 (sp)(nw8[]) * walkA3_all[];
                acc1 <+- ∑ ∀i3 (sp)(e8[]) * walkA3_all[];
                acc1 <+- ∑ ∀i3 (sp)(sw8[]) * walkA3_all[];
                acc1 <+- ∑ ∀i3 (sp)(s8[]) * walkA3_all[];
                acc1 <+- ∑ ∀i3 (sp)(se8[]) * walkA3_all[];
                acc1 <+- ∑ ∀i3 (sp)(w8[]) * walkA3_all[];
                acc1 <+- ∑ ∀i1 walkZ1_up[] * walkA1_all[];
                acc1 <+- ∑ ∀i1 walkZ1_down[] * walkA1_all[];
                acc1 <+- ∑ ∀i1 walkx[] * walkdiag[];
                ∀i3 wv:tx[] ← tx_window_f[];
                acc0 <- ∑ ∀i3 (sp)(ne8[]) * walkA3_all[];
                acc0 <+- ∑ ∀i3 (sp)(n8[]) * walkA3_all[];
                walkax_wr[] = acc1;
            }
            acc0 <+- ∑ ∀i3 (sp)(nw8[]) * walkA3_all[];
            acc0 <+- ∑ ∀i3 (sp)(e8[]) * walkA3_all[];
            acc0 <+- ∑ ∀i3 (sp)(sw8[]) * walkA3_all[];
            acc0 <+- ∑ ∀i3 (sp)(s8[]) * walkA3_all[];
            acc0 <+- ∑ ∀i3 (sp)(se8[]) * walkA3_all[];
            acc0 <+- ∑ ∀i3 (sp)(w8[]) * walkA3_all[];
            acc0 <+- ∑ ∀i1 walkZ1_up[] * walkA1_all[];
            acc0 <+- ∑ ∀i1 walkZ1_down[] * walkA1_all[];
            acc0 <+- ∑ ∀i1 walkx[] * walkdiag[];
            acc1 <- ∑ ∀i3 (sp)(ne8[]) * walkA3_all[];
            acc1 <+- ∑ ∀i3 (sp)(n8[]) * walkA3_all[];
            walkax_wr[] = acc0;
            acc1 <+- ∑ ∀i3 (sp)(nw8[]) * walkA3_all[];
            acc1 <+- ∑ ∀i3 (sp)(e8[]) * walkA3_all[];
            acc1 <+- ∑ ∀i3 (sp)(sw8[]) * walkA3_all[];
            acc1 <+- ∑ ∀i3 (sp)(s8[]) * walkA3_all[];
            acc1 <+- ∑ ∀i3 (sp)(se8[]) * walkA3_all[];
            acc1 <+- ∑ ∀i3 (sp)(w8[]) * walkA3_all[];
            acc1 <+- ∑ ∀i1 walkZ1_up[] * walkA1_all[];
            acc1 <+- ∑ ∀i1 walkZ1_down[] * walkA1_all[];
            acc1 <+- ∑ ∀i1 walkx[] * walkdiag[];
            walkax_wr[] = acc1;
        }
    } else {
        ∀i1 {                                         // one nest: the iterators go on after the loop
            ∀i3 wv:tx[] ← tx_window_f[];
            ∀ilast {
                ∀i3 wv:tx[] ← tx_window_f[];
                acc <- ∑ ∀i3 (sp)(ne8[]) * walkA3_all[];
                acc <+- ∑ ∀i3 (sp)(n8[]) * walkA3_all[];
                acc <+- ∑ ∀i3 (sp)(nw8[]) * walkA3_all[];
                acc <+- ∑ ∀i3 (sp)(e8[]) * walkA3_all[];
                acc <+- ∑ ∀i3 (sp)(sw8[]) * walkA3_all[];
                acc <+- ∑ ∀i3 (sp)(s8[]) * walkA3_all[];
                acc <+- ∑ ∀i3 (sp)(se8[]) * walkA3_all[];
                acc <+- ∑ ∀i3 (sp)(w8[]) * walkA3_all[];
                acc <+- ∑ ∀i1 walkZ1_up[] * walkA1_all[];
                acc <+- ∑ ∀i1 walkZ1_down[] * walkA1_all[];
                acc <+- ∑ ∀i1 walkx[] * walkdiag[];
                walkax_wr[] = acc;
            }
            acc <- ∑ ∀i3 (sp)(ne8[]) * walkA3_all[];
            acc <+- ∑ ∀i3 (sp)(n8[]) * walkA3_all[];
            acc <+- ∑ ∀i3 (sp)(nw8[]) * walkA3_all[];
            acc <+- ∑ ∀i3 (sp)(e8[]) * walkA3_all[];
            acc <+- ∑ ∀i3 (sp)(sw8[]) * walkA3_all[];
            acc <+- ∑ ∀i3 (sp)(s8[]) * walkA3_all[];
            acc <+- ∑ ∀i3 (sp)(se8[]) * walkA3_all[];
            acc <+- ∑ ∀i3 (sp)(w8[]) * walkA3_all[];
            acc <+- ∑ ∀i1 walkZ1_up[] * walkA1_all[];
            acc <+- ∑ ∀i1 walkZ1_down[] * walkA1_all[];
            acc <+- ∑ ∀i1 walkx[] * walkdiag[];
            walkax_wr[] = acc;
        }
    }
    teardown(tx);
}

// Forward sweep from x = 0: x[z] = (r - ax - lower sum) / diag; the lower sum goes to ax.  A PE's stream is N + 1 windows, the
// first without meaning: a row's body ends with the window of the row before, the last row's follows the loop.
fn gs_fwd_down_fused() void {
    ∀i1 {                                             // one nest: its descriptors are there before the first window comes
        ∀i3 drop[] ← (sp)(sw[]);
        ∀i3 drop[] ← (sp)(s[]);
        ∀i3 drop[] ← (sp)(se[]);
        ∀i3 drop[] ← (sp)(w[]);
        if (TSTAMP > 0) ts_row = @tsc(0);
        if (UNROLL == 1) {                                // a row starts while the row before drains
            ra0 <- walkr_fwd[] - walkax_rd_fwd[];
            rinv0 <- ra0 * walkinvd_fwd[];
            acc0 <- ∑ ∀i3 (sp)(sw[]) * walkA3_down[];
            acc0 <+- ∑ ∀i3 (sp)(s[]) * walkA3_down[];
            ∀iround {
                acc0 <+- ∑ ∀i1 walkZ1_down[] * walkA1b_down[];
                acc0 <+- ∑ ∀i3 (sp)(se[]) * walkA3_down[];
                acc0 <+- ∑ ∀i3 (sp)(w[]) * walkA3_down[];
                ra1 <- walkr_fwd[] - walkax_rd_fwd[];
                rinv1 <- ra1 * walkinvd_fwd[];
                acc1 <- ∑ ∀i3 (sp)(sw[]) * walkA3_down[];
                walkx[] = rinv0 - walkinvd2_fwd[] * acc0;
                walkax_wr[] = acc0;
                ∀i3 wv:tx[] ← tx_window_fd[];
                acc1 <+- ∑ ∀i3 (sp)(s[]) * walkA3_down[];
                acc1 <+- ∑ ∀i1 walkZ1_down[] * walkA1b_down[];
                acc1 <+- ∑ ∀i3 (sp)(se[]) * walkA3_down[];
                acc1 <+- ∑ ∀i3 (sp)(w[]) * walkA3_down[];
                ra0 <- walkr_fwd[] - walkax_rd_fwd[];
                rinv0 <- ra0 * walkinvd_fwd[];
                acc0 <- ∑ ∀i3 (sp)(sw[]) * walkA3_down[];
                walkx[] = rinv1 - walkinvd2_fwd[] * acc1;
                walkax_wr[] = acc1;
                ∀i3 wv:tx[] ← tx_window_fd[];
                acc0 <+- ∑ ∀i3 (sp)(s[]) * walkA3_down[];
            }
            acc0 <+- ∑ ∀i1 walkZ1_down[] * walkA1b_down[];
            acc0 <+- ∑ ∀i3 (sp)(se[]) * walkA3_down[];
            acc0 <+- ∑ ∀i3 (sp)(w[]) * walkA3_down[];
            ra1 <- walkr_fwd[] - walkax_rd_fwd[];
            rinv1 <- ra1 * walkinvd_fwd[];
            acc1 <- ∑ ∀i3 (sp)(sw[]) * walkA3_down[];
            walkx[] = rinv0 - walkinvd2_fwd[] * acc0;
            walkax_wr[] = acc0;
            ∀i3 wv:tx[] ← tx_window_fd[];
            acc1 <+- ∑ ∀i3 (sp)(s[]) * walkA3_down[];
            acc1 <+- ∑ ∀i1 walkZ1_down[] * walkA1b_down[];
            acc1 <+- ∑ ∀i3 (sp)(se[]) * walkA3_down[];
            acc1 <+- ∑ ∀i3 (sp)(w[]) * walkA3_down[];
            walkx[] = rinv1 - walkinvd2_fwd[] * acc1;
            walkax_wr[] = acc1;
            ∀i3 wv:tx[] ← tx_window_fd[];
        } else {
            ∀irow {
                ra <- walkr_fwd[] - walkax_rd_fwd[];          // r - upper sum
                rinv <- ra * walkinvd_fwd[];
                acc <- ∑ ∀i3 (sp)(sw[]) *walkA3_down[];       // 3 z offsets per neighbour
                acc <+- ∑ ∀i3 (sp)(s[]) *walkA3_down[];
                acc <+- ∑ ∀i1 walkZ1_down[] *walkA1b_down[];  // own column, z-1
                acc <+- ∑ ∀i3 (sp)(se[]) *walkA3_down[];
                acc <+- ∑ ∀i3 (sp)(w[]) *walkA3_down[];
                walkx[] = rinv - walkinvd2_fwd[] * acc;       // x[z] = (r - ax - acc) / diag
                walkax_wr[] = acc;                            // lower sum for gs_bwd_up
                ∀i3 wv:tx[] ← tx_window_fd[];                 // send the x window
            }
        }
        ∀i3 wv:tx[] ← tx_last_f[];
    }
    teardown(tx);
}

// Backward sweep: x[z] = (r - ax - upper sum) / diag, z downward, windows as in the forward sweep.
fn gs_bwd_up() void {
    ∀i1 {                                             // one nest: its descriptors are there before the first window comes
        ∀i3 drop[] ← (sp)(ne[]);
        ∀i3 drop[] ← (sp)(n[]);
        ∀i3 drop[] ← (sp)(nw[]);
        ∀i3 drop[] ← (sp)(e[]);
        if (TSTAMP > 0) ts_row = @tsc(0);
        if (UNROLL == 1) {                                // a row starts while the row before drains
            ra0 <- walkr_bwd[] - walkax_bwd[];
            rinv0 <- ra0 * walkinvd_bwd[];
            acc0 <- ∑ ∀i3 (sp)(ne[]) * walkA3_up_bwd[];
            acc0 <+- ∑ ∀i3 (sp)(n[]) * walkA3_up_bwd[];
            ∀iround {
                acc0 <+- ∑ ∀i1 walkZ1_bwd[] * walkA1_up_bwd[];
                acc0 <+- ∑ ∀i3 (sp)(nw[]) * walkA3_up_bwd[];
                acc0 <+- ∑ ∀i3 (sp)(e[]) * walkA3_up_bwd[];
                ra1 <- walkr_bwd[] - walkax_bwd[];
                rinv1 <- ra1 * walkinvd_bwd[];
                acc1 <- ∑ ∀i3 (sp)(ne[]) * walkA3_up_bwd[];
                walky_bwd[] = rinv0 - walkinvd2_bwd[] * acc0;
                ∀i3 wv:tx[] ← tx_window_bd[];
                acc1 <+- ∑ ∀i3 (sp)(n[]) * walkA3_up_bwd[];
                acc1 <+- ∑ ∀i1 walkZ1_bwd[] * walkA1_up_bwd[];
                acc1 <+- ∑ ∀i3 (sp)(nw[]) * walkA3_up_bwd[];
                acc1 <+- ∑ ∀i3 (sp)(e[]) * walkA3_up_bwd[];
                ra0 <- walkr_bwd[] - walkax_bwd[];
                rinv0 <- ra0 * walkinvd_bwd[];
                acc0 <- ∑ ∀i3 (sp)(ne[]) * walkA3_up_bwd[];
                walky_bwd[] = rinv1 - walkinvd2_bwd[] * acc1;
                ∀i3 wv:tx[] ← tx_window_bd[];
                acc0 <+- ∑ ∀i3 (sp)(n[]) * walkA3_up_bwd[];
            }
            acc0 <+- ∑ ∀i1 walkZ1_bwd[] * walkA1_up_bwd[];
            acc0 <+- ∑ ∀i3 (sp)(nw[]) * walkA3_up_bwd[];
            acc0 <+- ∑ ∀i3 (sp)(e[]) * walkA3_up_bwd[];
            ra1 <- walkr_bwd[] - walkax_bwd[];
            rinv1 <- ra1 * walkinvd_bwd[];
            acc1 <- ∑ ∀i3 (sp)(ne[]) * walkA3_up_bwd[];
            walky_bwd[] = rinv0 - walkinvd2_bwd[] * acc0;
            ∀i3 wv:tx[] ← tx_window_bd[];
            acc1 <+- ∑ ∀i3 (sp)(n[]) * walkA3_up_bwd[];
            acc1 <+- ∑ ∀i1 walkZ1_bwd[] * walkA1_up_bwd[];
            acc1 <+- ∑ ∀i3 (sp)(nw[]) * walkA3_up_bwd[];
            acc1 <+- ∑ ∀i3 (sp)(e[]) * walkA3_up_bwd[];
            walky_bwd[] = rinv1 - walkinvd2_bwd[] * acc1;
            ∀i3 wv:tx[] ← tx_window_bd[];
        } else {
            ∀irow {
                ra <- walkr_bwd[] - walkax_bwd[];
                rinv <- ra * walkinvd_bwd[];
                acc <- ∑ ∀i3 (sp)(ne[]) * walkA3_up_bwd[];
                acc <+- ∑ ∀i3 (sp)(n[]) * walkA3_up_bwd[];
                acc <+- ∑ ∀i1 walkZ1_bwd[] * walkA1_up_bwd[];
                acc <+- ∑ ∀i3 (sp)(nw[]) * walkA3_up_bwd[];
                acc <+- ∑ ∀i3 (sp)(e[]) * walkA3_up_bwd[];
                walky_bwd[] = rinv - walkinvd2_bwd[] * acc;
                ∀i3 wv:tx[] ← tx_window_bd[];
            }
        }
        ∀i3 wv:tx[] ← tx_last_b[];
    }
    teardown(tx);
}

// ax = upper sum: the first half of a coarse SpMV.
fn gs_fwd_up() void {
    if (UNROLL == 1) {                                // a row starts while the row before drains
        ∀i1 {
            ∀i3 wv:tx[] ← tx_window_f[];
            ∀i3 wv:tx[] ← tx_window_f[];
            acc0 <- ∑ ∀i3 (sp)(ne[]) * walkA3_up[];
            acc0 <+- ∑ ∀i3 (sp)(n[]) * walkA3_up[];
            ∀iround {
                acc0 <+- ∑ ∀i1 walkZ1_up[] * walkA1_up[];
                acc0 <+- ∑ ∀i3 (sp)(nw[]) * walkA3_up[];
                acc0 <+- ∑ ∀i3 (sp)(e[]) * walkA3_up[];
                ∀i3 wv:tx[] ← tx_window_f[];
                acc1 <- ∑ ∀i3 (sp)(ne[]) * walkA3_up[];
                acc1 <+- ∑ ∀i3 (sp)(n[]) * walkA3_up[];
                walkax_wr[] = acc0;
                acc1 <+- ∑ ∀i1 walkZ1_up[] * walkA1_up[];
                acc1 <+- ∑ ∀i3 (sp)(nw[]) * walkA3_up[];
                acc1 <+- ∑ ∀i3 (sp)(e[]) * walkA3_up[];
                ∀i3 wv:tx[] ← tx_window_f[];
                acc0 <- ∑ ∀i3 (sp)(ne[]) * walkA3_up[];
                acc0 <+- ∑ ∀i3 (sp)(n[]) * walkA3_up[];
                walkax_wr[] = acc1;
            }
            acc0 <+- ∑ ∀i1 walkZ1_up[] * walkA1_up[];
            acc0 <+- ∑ ∀i3 (sp)(nw[]) * walkA3_up[];
            acc0 <+- ∑ ∀i3 (sp)(e[]) * walkA3_up[];
            acc1 <- ∑ ∀i3 (sp)(ne[]) * walkA3_up[];
            acc1 <+- ∑ ∀i3 (sp)(n[]) * walkA3_up[];
            walkax_wr[] = acc0;
            acc1 <+- ∑ ∀i1 walkZ1_up[] * walkA1_up[];
            acc1 <+- ∑ ∀i3 (sp)(nw[]) * walkA3_up[];
            acc1 <+- ∑ ∀i3 (sp)(e[]) * walkA3_up[];
            walkax_wr[] = acc1;
        }
    } else {
        ∀i1 {                                         // one nest: the iterators go on after the loop
            ∀i3 wv:tx[] ← tx_window_f[];
            ∀ilast {
                ∀i3 wv:tx[] ← tx_window_f[];
                acc <- ∑ ∀i3 (sp)(ne[]) * walkA3_up[];
                acc <+- ∑ ∀i3 (sp)(n[]) * walkA3_up[];
                acc <+- ∑ ∀i1 walkZ1_up[] * walkA1_up[];
                acc <+- ∑ ∀i3 (sp)(nw[]) * walkA3_up[];
                acc <+- ∑ ∀i3 (sp)(e[]) * walkA3_up[];
                walkax_wr[] = acc;
            }
            acc <- ∑ ∀i3 (sp)(ne[]) * walkA3_up[];
            acc <+- ∑ ∀i3 (sp)(n[]) * walkA3_up[];
            acc <+- ∑ ∀i1 walkZ1_up[] * walkA1_up[];
            acc <+- ∑ ∀i3 (sp)(nw[]) * walkA3_up[];
            acc <+- ∑ ∀i3 (sp)(e[]) * walkA3_up[];
            walkax_wr[] = acc;
        }
    }
    teardown(tx);
}

// ax = ax + lower sum + diagonal: the second half.
fn spmv_down() void {
    if (UNROLL == 1) {                                // a row starts while the row before drains
        ∀i1 {
            ∀i3 wv:tx[] ← tx_window_f[];
            ∀i3 wv:tx[] ← tx_window_f[];
            acc0 <- ∑ ∀i3 (sp)(sw[]) * walkA3_down[];
            acc0 <+- ∑ ∀i3 (sp)(s[]) * walkA3_down[];
            ∀iround {
                acc0 <+- ∑ ∀i1 walkZ1_down[] * walkA1b_down[];
                acc0 <+- ∑ ∀i3 (sp)(se[]) * walkA3_down[];
                acc0 <+- ∑ ∀i3 (sp)(w[]) * walkA3_down[];
                acc0 <+- ∑ ∀i1 walkax_rd_fwd[];
                acc0 <+- ∑ ∀i1 walkx[] * walkdiag[];
                ∀i3 wv:tx[] ← tx_window_f[];
                acc1 <- ∑ ∀i3 (sp)(sw[]) * walkA3_down[];
                acc1 <+- ∑ ∀i3 (sp)(s[]) * walkA3_down[];
                walkax_wr[] = acc0;
                acc1 <+- ∑ ∀i1 walkZ1_down[] * walkA1b_down[];
                acc1 <+- ∑ ∀i3 (sp)(se[]) * walkA3_down[];
                acc1 <+- ∑ ∀i3 (sp)(w[]) * walkA3_down[];
                acc1 <+- ∑ ∀i1 walkax_rd_fwd[];
                acc1 <+- ∑ ∀i1 walkx[] * walkdiag[];
                ∀i3 wv:tx[] ← tx_window_f[];
                acc0 <- ∑ ∀i3 (sp)(sw[]) * walkA3_down[];
                acc0 <+- ∑ ∀i3 (sp)(s[]) * walkA3_down[];
                walkax_wr[] = acc1;
            }
            acc0 <+- ∑ ∀i1 walkZ1_down[] * walkA1b_down[];
            acc0 <+- ∑ ∀i3 (sp)(se[]) * walkA3_down[];
            acc0 <+- ∑ ∀i3 (sp)(w[]) * walkA3_down[];
            acc0 <+- ∑ ∀i1 walkax_rd_fwd[];
            acc0 <+- ∑ ∀i1 walkx[] * walkdiag[];
            acc1 <- ∑ ∀i3 (sp)(sw[]) * walkA3_down[];
            acc1 <+- ∑ ∀i3 (sp)(s[]) * walkA3_down[];
            walkax_wr[] = acc0;
            acc1 <+- ∑ ∀i1 walkZ1_down[] * walkA1b_down[];
            acc1 <+- ∑ ∀i3 (sp)(se[]) * walkA3_down[];
            acc1 <+- ∑ ∀i3 (sp)(w[]) * walkA3_down[];
            acc1 <+- ∑ ∀i1 walkax_rd_fwd[];
            acc1 <+- ∑ ∀i1 walkx[] * walkdiag[];
            walkax_wr[] = acc1;
        }
    } else {
        ∀i1 {                                         // one nest: the iterators go on after the loop
            ∀i3 wv:tx[] ← tx_window_f[];
            ∀ilast {
                ∀i3 wv:tx[] ← tx_window_f[];
                acc <- ∑ ∀i3 (sp)(sw[]) * walkA3_down[];
                acc <+- ∑ ∀i3 (sp)(s[]) * walkA3_down[];
                acc <+- ∑ ∀i1 walkZ1_down[] * walkA1b_down[];
                acc <+- ∑ ∀i3 (sp)(se[]) * walkA3_down[];
                acc <+- ∑ ∀i3 (sp)(w[]) * walkA3_down[];
                acc <+- ∑ ∀i1 walkax_rd_fwd[];                // upper + lower, then the diagonal
                acc <+- ∑ ∀i1 walkx[] * walkdiag[];
                walkax_wr[] = acc;
            }
            acc <- ∑ ∀i3 (sp)(sw[]) * walkA3_down[];
            acc <+- ∑ ∀i3 (sp)(s[]) * walkA3_down[];
            acc <+- ∑ ∀i1 walkZ1_down[] * walkA1b_down[];
            acc <+- ∑ ∀i3 (sp)(se[]) * walkA3_down[];
            acc <+- ∑ ∀i3 (sp)(w[]) * walkA3_down[];
            acc <+- ∑ ∀i1 walkax_rd_fwd[];                // upper + lower, then the diagonal
            acc <+- ∑ ∀i1 walkx[] * walkdiag[];
            walkax_wr[] = acc;
        }
    }
    teardown(tx);
}

// ---- co-sets: chunk k of the owner's level-1 column is at PE k of the 2 x 2 block ----------------------------------------
fn coset() u16 {
    return rt_role >> ROLE_COSET & 3;
}

// The owner's column (col1, in Ap) to the four right-hand sides of level 1.
fn redist() void {
    if (coset() == 0) {
        ∀ichunk3 wv:tx[] ← col1_tx[];
        teardown(tx);
    } else {
        ∀ichunk3 col1_rx[] ← (sp)(c0[]);
    }
    const home = &col1_own;
    const first = &col1_0;
    home[0] = first[0] + coset() * (4 * ZC);
    ∀ichunk r1_wr[] ← col1_own[];
}

// The four x of level 1 to the owner's column.
fn reduce() void {
    if (coset() == 0) {
        ∀ichunk col1_0[] ← x1_rd[];
        ∀ichunk col1_1[] ← (sp)(c0[]);
        ∀ichunk col1_2[] ← (sp)(c1[]);
        ∀ichunk col1_3[] ← (sp)(c2[]);
    } else {
        ∀ichunk wv:tx[] ← x1_rd[];
        teardown(tx);
    }
}

// Every PE sends its first and its last x; of the chunk below the last is wanted, of the chunk above the first.
fn xchg() void {
    wv:tx[] ← walkx[];
    wv:tx[] ← walky_bwd[];
    teardown(tx);
    drop[] ← (sp)(c0[]);
    walkZ1_down[] ← (sp)(c0[]);
    walkZ1_bwd[] ← (sp)(c1[]);
    drop[] ← (sp)(c1[]);
}

// ---- smoothing, restriction, prolongation, z-ranks -----------------------------------------------------------------------
// A post-smoothing is a GS from zero on the residual: SYMGS(r, x) = x + SYMGS_severed(r - A x, 0).
fn smooth_post() void {
    ∀irow walkr_wr[] = walkr_fwd[] - walkax_rd_fwd[];
    ∀irow xs_wr[] ← walkx_rd[];
}

// One z-rank of zf_patch: rows at addresses first and last.  A function of its own, because a loop nest loads its iterators once.
fn zf_rank(zero: u16, first: u16, last: u16) void {
    const f = &zf_first;
    const fw = &zf_first_wr;
    const l = &zf_last;
    const lw = &zf_last_wr;
    const o = &zf_own;
    const ow = &zf_own_wr;
    const o2 = &zf_own2;
    const ow2 = &zf_own2_wr;
    const sr = &zf_rd;
    const sw_ = &zf_wr;
    if (zero == 1) {
        f[0] = first;
        l[0] = last + 8;
        o[0] = first + 100;
        o2[0] = last + 96;
        ∀i1 {                                   // one nest: zf_wr goes on from statement to statement
            ∀i8 zf_wr[] ← zf_first[];
            ∀i8 zf_wr[] ← zf_last[];
            zf_wr[] ← zf_own[];
            zf_wr[] ← zf_own2[];
        }
        fw[0] = first;
        lw[0] = last + 8;
        ow[0] = first + 100;
        ow2[0] = last + 96;
        ∀i8 zf_first_wr[] = 0.0;
        ∀i8 zf_last_wr[] = 0.0;
        zf_own_wr[] = 0.0;
        zf_own2_wr[] = 0.0;
    } else {
        fw[0] = first;
        lw[0] = last + 8;
        ow[0] = first + 100;
        ow2[0] = last + 96;
        ∀i1 {
            ∀i8 zf_first_wr[] ← zf_rd[];
            ∀i8 zf_last_wr[] ← zf_rd[];
            zf_own_wr[] ← zf_rd[];
            zf_own2_wr[] ← zf_rd[];
        }
    }
    sr[0] += 72;
    sw_[0] += 72;
}

// Planted faults 1 and 2: the middle coefficient of s in row 20 of level 0 is missing while a GS runs, or while none does.
var lost: f32 = 0.0;
fn lose_coefficient(zero: u16) void {
    if (zero == FAULT & 1) {
        lost = A[26 * 20 + 16];
        A[26 * 20 + 16] = 0.0;
    } else if (lost != 0.0) {
        A[26 * 20 + 16] = lost;
    }
}

// zf_patch of level 0, all z-ranks at once.
fn zf_patch0(zero: u16) void {
    if (zero != 0) {
        ∀i1 {
            ∀irank8 zf_wr[] ← zf0_first[];
            ∀irank8 zf_wr[] ← zf0_last[];
            ∀irank zf_wr[] ← zf0_own[];
            ∀irank zf_wr[] ← zf0_own2[];
        }
        ∀irank8 zf0_first[] = 0.0;
        ∀irank8 zf0_last[] = 0.0;
        ∀irank zf0_own[] = 0.0;
        ∀irank zf0_own2[] = 0.0;
    } else {
        ∀i1 {
            ∀irank8 zf0_first[] ← zf_rd[];
            ∀irank8 zf0_last[] ← zf_rd[];
            ∀irank zf0_own[] ← zf_rd[];
            ∀irank zf0_own2[] ← zf_rd[];
        }
    }
}

// Zero the coefficients that couple across a z-rank boundary, or put them back: of each rank dz = -1 in its first row and
// dz = +1 in its last.
fn zf_patch(zero: u16) void {
    if (level == 0) {
        zf_patch0(zero);
        if (FAULT == 1 or FAULT == 2) lose_coefficient(zero);
        return;
    }
    const height = zf_tab[2 * level];
    const ranks = zf_tab[2 * level + 1];
    const all = &walkA3_all;
    const sr = &zf_rd;
    const sw_ = &zf_wr;
    const save0 = sr[0];
    var first = all[0];
    const rank = height * 104;                  // bytes of A
    var k: u16 = 0;
    while (k < ranks) : (k += 1) {
        zf_rank(zero, first, first + rank - 104);
        first += rank;
    }
    sr[0] = save0;
    sw_[0] = save0;
}

// ---- dot products --------------------------------------------------------------------------------------------------------
// Sum red[0..1] over all PEs, by short chains: every PE runs this same program; a queue without a sender is bound to the null
// color and reads zeros.
fn allreduce() void {
    set_router(&nothing);
    set_sockets(&rt_dot_sock);
    set_router(&rt_dot);
    if (TSTAMP > 0) ts[ts_at + 1] = @tsc(0);
    ∀i2 red_wr[] = (sp)(d_pair[]) + red_rd[];
    ∀i2 red_wr[] = (sp)(d_west[]) + red_rd[];
    ∀i2 red_wr[] = (sp)(d_east[]) + red_rd[];
    ∀i2 red_wr[] = (sp)(d_south[]) + red_rd[];
    ∀i2 red_wr[] = (sp)(d_north[]) + red_rd[];
    ∀i2 wv:tx[] ← red_rd[];
    teardown(tx);
    if (rt_role & ROLE_CENTRE == 0) {
        ∀i2 red_wr[] ← (sp)(d_bcast[]);
    }
}

// which 0: rtz = <r, z>.  1: pAp = <p, Ap> and rr = <r, r> in one allreduce.
fn dot(which: u16) void {
    if (which == 0) {
        a <- ∑ ∀iz rcg_rd[] * z_rd[];
        red[0] = a;
        red[1] = 0.0;
    } else {
        a <- ∑ ∀iz p_rd[] * ap_rd[];
        red[0] = a;
        c <- ∑ ∀iz rcg_rd[] * rcg2_rd[];
        red[1] = c;
    }
    allreduce();
    if (which == 0) {
        rtz = red[0];
    } else {
        alpha = rtz * inv(red[0]);
    }
}

// The routed phases: the context is the op's argument.
fn routed(op: u16, arg: u16) void {
    enter(arg);
    dispatch (op) {
        OP_SPMV_FULL => spmv_full(),
        OP_GS_FWD_DOWN => { if (MG == 1) gs_fwd_down_fused(); },
        OP_GS_BWD_UP => { if (MG == 1) gs_bwd_up(); },
        OP_GS_FWD_UP => { if (MG == 1) gs_fwd_up(); },
        OP_SPMV_DOWN => { if (MG == 1) spmv_down(); },
        OP_REDIST => { if (MG == 1) redist(); },
        OP_REDUCE => { if (MG == 1) reduce(); },
        OP_XCHG => { if (MG == 1) xchg(); },
        else => @assert(false),
    }
}

// Interpret vprog, CG_NITER times.
fn run_iter() void {
    var pc: u16 = 0;
    var it: u16 = 0;
    forever {
        const word = vprog[pc];
        const op = word & 0xff;
        const arg = word >> 8;
        if (TSTAMP > 0) {
            ts[ts_at + 2] = ts_row;
            ts_at = 3 * pc;
            ts[ts_at] = @tsc(0);
        }
        pc += 1;
        dispatch (op) {
            OP_END => {
                rrh[it] = red[1];
                it += 1;
                pc = 0;
                if (it == CG_NITER) return;
            },
            OP_SET_LEVEL => set_level(arg),
            OP_COPY_RZ => { ∀iz z_wr[] ← rcg_rd[]; },
            OP_DOT => dot(arg),
            OP_P_UPDATE => {
                const beta = rtz * inv(rtz_old) * (if (FAULT == 3) 1.001 else 1.0);
                ∀iz p_wr[] = z_rd[] + p_rd[] * beta;
            },
            OP_X_UPDATE => { ∀iz xcg_wr[] = xcg_rd[] + p_rd[] * alpha; },
            OP_R_UPDATE => {
                const minus = -alpha;
                ∀iz rcg_wr[] = rcg_rd[] + ap_rd[] * minus;
                rtz_old = rtz;
            },
            OP_MG_BEGIN => { if (MG == 1) { ∀iz r0_wr[] ← rcg_rd[]; } },
            OP_SMOOTH_PRE, OP_SMOOTH_POST => {
                if (MG == 1) {
                    if (op == OP_SMOOTH_POST) smooth_post();
                    ∀irow walkax_wr[] = 0.0;
                }
            },
            OP_SMOOTH_ADD => { if (MG == 1) { ∀irow walkx[] = walkx_rd[] + xs_rd[]; } },
            OP_ZF_PATCH => { if (MG == 1) zf_patch(arg); },
            OP_RESTRICT => { if (MG == 1) { ∀ihalf walkres_wr[] = walkres_r[] - walkres_ax[]; } },
            OP_PROLONG => {
                if (MG == 1) {
                    if (arg > 0 or coset() == 0) {
                        ∀ihalf walkpro_wr[] = walkpro_rd[] + walkpro_c[];
                    }
                }
            },
            else => routed(op, arg),
        }
    }
}

export task main() void {
    run_iter();
}
