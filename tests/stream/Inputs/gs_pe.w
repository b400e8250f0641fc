// One PE of a Gauss-Seidel sweep from x = 0: the two kernels of the HPCG document, their row bodies verbatim.
// The neighbours' columns arrive as windows x[z-1..z+1]; the window of a row is sent one row later, when x[z+1] is new, so
// the first window that is sent, and read, is of no row.
param Z: u16;
param c_sw: color;
param c_s: color;
param c_se: color;
param c_w: color;
param c_tx: color;

export var A: [26 * Z]f32;      // ne n nw e | sw s se w (3 each), z+1, z-1
export var invd: [Z]f32;
export var r: [Z]f32;
export var ax: [Z]f32;
export var x: [Z + 3]f32;       // x of row z is x[z + 2]; zero pads below and above
var scratch: [3]f32;

index i1 = 1;
index i3 = 3;
index irow = Z;

iter walkr_fwd: f32 = |z|{Z} -> r[z];
iter walkax_rd_fwd: f32 = |z|{Z} -> ax[z];
iter walkax_wr_fwd: f32 = |z|{Z} -> ax[z];
iter walkinvd_fwd: f32 = |z|{Z} -> invd[z];
iter walkinvd2_fwd: f32 = |z|{Z} -> invd[z];
iter walkA3_down: f32 = |z, k|{Z, 12} -> A[26 * z + 12 + k];
iter walkA1b_down: f32 = |z|{Z} -> A[26 * z + 25];
iter walkZ1b_fwd: f32 = |z|{Z} -> x[z + 1];
iter walky_fwd: f32 = |z|{Z} -> x[z + 2];
iter tx_window_fd: f32 = |z, k|{Z, 3} -> x[z + k];
iter last_window: f32 = |k|{3} -> x[Z + k];
iter drop: f32 = |k|{3} -> scratch[k];

socket sw: in wv = queue 0;
socket s: in wv = queue 1;
socket se: in wv = queue 2;
socket w: in wv = queue 3;
socket tx: out wv = queue 0;

comptime {
    @initialize_queue(@get_input_queue(0), .{ .color = c_sw });
    @initialize_queue(@get_input_queue(1), .{ .color = c_s });
    @initialize_queue(@get_input_queue(2), .{ .color = c_se });
    @initialize_queue(@get_input_queue(3), .{ .color = c_w });
    @initialize_queue(@get_output_queue(0), .{ .color = c_tx });
}

fn gs_fwd_down_fused() void {
    ∀irow {
        ra <- walkr_fwd[] - walkax_rd_fwd[];      // r - upper sum
        rinv <- ra * walkinvd_fwd[];
        acc <- ∑ ∀i3 (sp)(sw[]) *walkA3_down[];   // 3 z offsets per neighbour
        acc <+- ∑ ∀i3 (sp)(s[]) *walkA3_down[];
        acc <+- ∑ ∀i1 walkZ1b_fwd[] *walkA1b_down[];   // own column, z-1
        acc <+- ∑ ∀i3 (sp)(se[]) *walkA3_down[];
        acc <+- ∑ ∀i3 (sp)(w[]) *walkA3_down[];
        walky_fwd[] = rinv - walkinvd2_fwd[] * acc;    // x[z] = (r - ax - acc) / diag
        walkax_wr_fwd[] = acc;                    // lower sum for gs_bwd_up
        ∀i3 wv:tx[] ← tx_window_fd[];             // send the x window
    }
}

export task main() void {
    ∀i3 drop[] ← (sp)(sw[]);
    ∀i3 drop[] ← (sp)(s[]);
    ∀i3 drop[] ← (sp)(se[]);
    ∀i3 drop[] ← (sp)(w[]);
    gs_fwd_down_fused();
    ∀i3 wv:tx[] ← last_window[];
}
