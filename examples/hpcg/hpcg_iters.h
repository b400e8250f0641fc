/* The iterators of hpcg.w that set_level patches, in the order of lvl_tab and of hpcg.w's homes.  MG=0 has the first rows, those
 * of spmv_full, alone.  host_levels makes the table from it; hpcg.w declares the iterators with these shapes.
 *
 *   name            array first dir step inner rows  mg  what it walks: |z,k|{rows, inner}, N rows of the level
 *
 * Element (z, k) is word  anchor + first + z * step + k  of the array's column on the level: the anchor is row 0 (dir FWD) or row
 * N - 1 (BWD); x[0] is behind the lower pad.  rows: ALL N, HALF N/2, ONE.  Array R_NEXT, X_NEXT: r, x of the next coarser level;
 * on level 0 both are col1, the owner's whole level-1 column (README.md: it lies in Ap).
 * CG row of lvl_tab: p stands for x, Ap for ax.
 *
 * Several kernels use one iterator: its position starts at 0 in every loop nest.  Names of the document that are not here:
 * walkZ1b_fwd is walkZ1_down, walky_fwd is walkx, walkax_wr_fwd is walkax_wr. */
#ifndef HPCG_ITERS_H
#define HPCG_ITERS_H

#define HPCG_ITERS(IT) \
    /* spmv_full */ \
    IT(walkA3_all,    A,       0, FWD,  26, 24, ALL,  0, "the eight triples ne n nw e sw s se w") \
    IT(walkA1_all,    A,      24, FWD,  26,  2, ALL,  0, "own column: z+1, then z-1") \
    IT(walkdiag,      diag,    0, FWD,   1,  1, ALL,  0, "diagonal") \
    IT(walkx,         x,       0, FWD,   1,  1, ALL,  0, "x[z]; written in gs_fwd_down_fused (walky_fwd), smooth_add") \
    IT(walkZ1_up,     x,       1, FWD,   1,  1, ALL,  0, "x[z+1]; also gs_fwd_up") \
    IT(walkZ1_down,   x,      -1, FWD,   1,  1, ALL,  0, "x[z-1]; also spmv_down, gs_fwd_down_fused; xchg: its first is the lower pad") \
    IT(tx_window_f,   x,      -1, FWD,   1,  3, ALL,  0, "the window that is sent, all x known: also gs_fwd_up, spmv_down") \
    IT(walkax_wr,     ax,      0, FWD,   1,  1, ALL,  0, "ax[z], written: also gs_fwd_down_fused, gs_fwd_up, spmv_down, smooth") \
    /* gs_fwd_down_fused */ \
    IT(walkr_fwd,     r,       0, FWD,   1,  1, ALL,  1, "r[z]; also smooth_post") \
    IT(walkax_rd_fwd, ax,      0, FWD,   1,  1, ALL,  1, "ax[z], read; also spmv_down, smooth_post") \
    IT(walkinvd_fwd,  invd,    0, FWD,   1,  1, ALL,  1, "1/diag") \
    IT(walkinvd2_fwd, invd,    0, FWD,   1,  1, ALL,  1, "1/diag, second position") \
    IT(walkA3_down,   A,      12, FWD,  26, 12, ALL,  1, "lower triples sw s se w; also spmv_down") \
    IT(walkA1b_down,  A,      25, FWD,  26,  1, ALL,  1, "own column, z-1; also spmv_down") \
    IT(tx_window_fd,  x,      -2, FWD,   1,  3, ALL,  1, "window of row z-1, sent after x[z] is written; the first is no window") \
    IT(tx_last_f,     x,      -1, BWD,   1,  3, ONE,  1, "window of row N-1, sent after the loop") \
    /* gs_bwd_up: z = N-1-i in row i of the loop */ \
    IT(walkr_bwd,     r,       0, BWD,  -1,  1, ALL,  1, "r[z]") \
    IT(walkax_bwd,    ax,      0, BWD,  -1,  1, ALL,  1, "ax[z], read: the lower sum of the forward sweep") \
    IT(walkinvd_bwd,  invd,    0, BWD,  -1,  1, ALL,  1, "1/diag") \
    IT(walkinvd2_bwd, invd,    0, BWD,  -1,  1, ALL,  1, "1/diag, second position") \
    IT(walkA3_up_bwd, A,       0, BWD, -26, 12, ALL,  1, "upper triples ne n nw e") \
    IT(walkA1_up_bwd, A,      24, BWD, -26,  1, ALL,  1, "own column, z+1") \
    IT(walkZ1_bwd,    x,       1, BWD,  -1,  1, ALL,  1, "x[z+1]; xchg: its first is the upper pad") \
    IT(walky_bwd,     x,       0, BWD,  -1,  1, ALL,  1, "x[z], written; xchg: its first is x[N-1], read") \
    IT(tx_window_bd,  x,       0, BWD,  -1,  3, ALL,  1, "window of row z+1, sent after x[z] is written; the first is no window") \
    IT(tx_last_b,     x,      -1, FWD,   1,  3, ONE,  1, "window of row 0, sent after the loop") \
    /* gs_fwd_up */ \
    IT(walkA3_up,     A,       0, FWD,  26, 12, ALL,  1, "upper triples ne n nw e") \
    IT(walkA1_up,     A,      24, FWD,  26,  1, ALL,  1, "own column, z+1") \
    /* smooth_post, restrict, prolong */ \
    IT(walkr_wr,      r,       0, FWD,   1,  1, ALL,  1, "r[z], written by smooth_post") \
    IT(walkx_rd,      x,       0, FWD,   1,  1, ALL,  1, "x[z], read where walkx is written: smooth_post, smooth_add") \
    IT(walkres_r,     r,       0, FWD,   2,  1, HALF, 1, "r[2z]") \
    IT(walkres_ax,    ax,      0, FWD,   2,  1, HALF, 1, "ax[2z]") \
    IT(walkres_wr,    R_NEXT,  0, FWD,   1,  1, HALF, 1, "right-hand side of the next level, written") \
    IT(walkpro_rd,    x,       0, FWD,   2,  1, HALF, 1, "x[2z], read") \
    IT(walkpro_wr,    x,       0, FWD,   2,  1, HALF, 1, "x[2z], written") \
    IT(walkpro_c,     X_NEXT,  0, FWD,   1,  1, HALF, 1, "x of the next level")

enum HpcgIter {
#define HPCG_IT(name, ...) IT_##name,
    HPCG_ITERS(HPCG_IT)
#undef HPCG_IT
    ITERS
};
enum { ITERS_MG0 = 8 };

#endif
