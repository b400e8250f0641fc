// hpcg.w: the HPCG benchmark on a wafer, one grid column of Z points per PE (README.md; the HPCG document, sections 2, 5, 6).
//
// Built so far: MG = 0, plain conjugate gradient, so z = r.  The op program `vprog` says what an iteration does; run_iter
// interprets it; each kernel has one call site.  Every array marked "host" is filled by wsld from the files that the host
// tools make; the files' formats are in README.md, the op codes in hpcg_ops.h (`vprog --constants` prints them as below).

param Z: u16;          // points of the column
param NCTX: u16;       // routing contexts
param CG_NITER: u16;   // iterations

const OP_END: u16 = 0;
const OP_SET_LEVEL: u16 = 1;
const OP_COPY_RZ: u16 = 2;
const OP_DOT: u16 = 3;
const OP_P_UPDATE: u16 = 4;
const OP_SPMV_FULL: u16 = 5;
const OP_X_UPDATE: u16 = 6;
const OP_R_UPDATE: u16 = 7;
const VPROG_MAX: u16 = 128;
const ROLE_CENTRE: u16 = 64;

// ---- data ---------------------------------------------------------------------------------------------------------------
export var A: [26 * Z]f32;        // host: off-diagonals; a row: ne n nw e | sw s se w (3 each), z+1, z-1
export var diag: [Z]f32;          // host: diagonal
export var r: [Z]f32;             // host: right-hand side b; then the residual
export var xcg: [Z]f32;           // result
export var p: [Z + 2]f32;         // search direction, a zero pad at each end (Dirichlet)
export var Ap: [Z]f32;            // A p
var zcg: [Z]f32;                  // preconditioned residual
export var rrh: [CG_NITER]f32;    // result: rr of each iteration, before its update

// ---- tables, all from the host ------------------------------------------------------------------------------------------
export var vprog: [VPROG_MAX]u16; // ops: bits 0-7 code, 8-15 argument
export var lvl_tab: [8 * 2]u16;   // per iterator: base address in bytes, extent
export var rt_ctx: [NCTX * 18]u16;  // router contexts: 9 (color, slot word) pairs each
export var rt_sock: [NCTX * 9]u16;  // their socket words
export var rt_dot: [18]u16;       // the dot product's table
export var rt_dot_sock: [9]u16;
export var rt_role: u16;          // role in the dot product

// ---- index sets and iterators -------------------------------------------------------------------------------------------
index i1 = 1;
index i2 = 2;
index i3 = 3;
index iz = Z;
var nrow: u16 = Z;                // rows of the current level
index irow = nrow;

// The kernels' iterators: set_level patches base and length of each from lvl_tab, in this order.
iter walkA3_all: f32 = |z, k|{Z, 24} -> A[26 * z + k];
iter walkA1_all: f32 = |z, k|{Z, 2} -> A[26 * z + 24 + k];
iter walkdiag: f32 = |z|{Z} -> diag[z];
iter walkx: f32 = |z|{Z} -> p[z + 1];
iter walkZ1_up: f32 = |z|{Z} -> p[z + 2];
iter walkZ1_down: f32 = |z|{Z} -> p[z];
iter tx_window_f: f32 = |z, k|{Z, 3} -> p[z + k];
iter walkax_wr: f32 = |z|{Z} -> Ap[z];
const N_ITER: u16 = 8;
const homes = [N_ITER][*]u16{ &walkA3_all, &walkA1_all, &walkdiag, &walkx, &walkZ1_up, &walkZ1_down, &tx_window_f, &walkax_wr };
const inner = [N_ITER]u16{ 24, 2, 1, 1, 1, 1, 3, 1 };
const KEEP_POSITION: u16 = 0x8000;  // bit of a descriptor's length word: an operation leaves its advanced position

// The CG vectors.
iter p_rd: f32 = |z|{Z} -> p[z + 1];
iter p_wr: f32 = |z|{Z} -> p[z + 1];
iter r_rd: f32 = |z|{Z} -> r[z];
iter r_wr: f32 = |z|{Z} -> r[z];
iter r2_rd: f32 = |z|{Z} -> r[z];
iter z_rd: f32 = |z|{Z} -> zcg[z];
iter z_wr: f32 = |z|{Z} -> zcg[z];
iter x_rd: f32 = |z|{Z} -> xcg[z];
iter x_wr: f32 = |z|{Z} -> xcg[z];
iter ap_rd: f32 = |z|{Z} -> Ap[z];

// ---- sockets ------------------------------------------------------------------------------------------------------------
socket tx: out wv = queue 0;
// spmv_full: the streams of the eight neighbours
socket sw: in wv = queue 0;
socket s: in wv = queue 1;
socket se: in wv = queue 2;
socket w: in wv = queue 3;
socket ne: in wv = queue 4;
socket n: in wv = queue 5;
socket nw: in wv = queue 6;
socket e: in wv = queue 7;
// dot product: pair partner, row chains from west and east, column chains from south and north, broadcast
socket d_pair: in wv = queue 0;
socket d_west: in wv = queue 1;
socket d_east: in wv = queue 2;
socket d_south: in wv = queue 3;
socket d_north: in wv = queue 4;
socket d_bcast: in wv = queue 5;

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

// Point the kernels' iterators at the row of lvl_tab.
fn set_level(row: u16) void {
    for (@range(u16, N_ITER)) |k| {
        const home = homes[k];
        const at = (row * N_ITER + k) * 2;
        home[0] = lvl_tab[at];
        home[1] = lvl_tab[at + 1] * inner[k] | KEEP_POSITION;
    }
    nrow = lvl_tab[row * N_ITER * 2 + 1];
}

// A x on all eight neighbours: send the window x[z-1..z+1] of every row, read eight windows of three.
fn spmv_full(ctx: u16) void {
    set_router(&rt_ctx[ctx * 18]);
    set_sockets(&rt_sock[ctx * 9]);
    ∀irow {
        ∀i3 wv:tx[] ← tx_window_f[];
        acc <- ∑ ∀i3 (sp)(ne[]) * walkA3_all[];
        acc <+- ∑ ∀i3 (sp)(n[]) * walkA3_all[];
        acc <+- ∑ ∀i3 (sp)(nw[]) * walkA3_all[];
        acc <+- ∑ ∀i3 (sp)(e[]) * walkA3_all[];
        acc <+- ∑ ∀i3 (sp)(sw[]) * walkA3_all[];
        acc <+- ∑ ∀i3 (sp)(s[]) * walkA3_all[];
        acc <+- ∑ ∀i3 (sp)(se[]) * walkA3_all[];
        acc <+- ∑ ∀i3 (sp)(w[]) * walkA3_all[];
        acc <+- ∑ ∀i1 walkZ1_up[] * walkA1_all[];
        acc <+- ∑ ∀i1 walkZ1_down[] * walkA1_all[];
        acc <+- ∑ ∀i1 walkx[] * walkdiag[];
        walkax_wr[] = acc;
    }
    teardown(tx);
}

// Sum red[0..1] over all PEs, by short chains (hpcg_router1.c): every PE runs this same program; a queue without a sender is
// bound to the null color and reads zeros.
fn allreduce() void {
    set_router(&rt_dot);
    set_sockets(&rt_dot_sock);
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
        a <- ∑ ∀iz r_rd[] * z_rd[];
        red[0] = a;
        red[1] = 0.0;
    } else {
        a <- ∑ ∀iz p_rd[] * ap_rd[];
        red[0] = a;
        c <- ∑ ∀iz r_rd[] * r2_rd[];
        red[1] = c;
    }
    allreduce();
    if (which == 0) {
        rtz = red[0];
    } else {
        alpha = rtz * inv(red[0]);
    }
}

// Interpret vprog, CG_NITER times.
fn run_iter() void {
    var pc: u16 = 0;
    var it: u16 = 0;
    forever {
        const op = vprog[pc];
        const arg = op >> 8;
        pc += 1;
        dispatch (op & 0xff) {
            OP_END => {
                rrh[it] = red[1];
                it += 1;
                pc = 0;
                if (it == CG_NITER) return;
            },
            OP_SET_LEVEL => set_level(arg),
            OP_COPY_RZ => { ∀iz z_wr[] ← r_rd[]; },
            OP_DOT => dot(arg),
            OP_P_UPDATE => {
                const beta = rtz * inv(rtz_old);
                ∀iz p_wr[] = z_rd[] + p_rd[] * beta;
            },
            OP_SPMV_FULL => spmv_full(arg),
            OP_X_UPDATE => { ∀iz x_wr[] = x_rd[] + p_rd[] * alpha; },
            OP_R_UPDATE => {
                const minus = -alpha;
                ∀iz r_wr[] = r_rd[] + ap_rd[] * minus;
                rtz_old = rtz;
            },
            else => @assert(false),
        }
    }
}

export task main() void {
    run_iter();
}
