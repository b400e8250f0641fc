// gs_fwd_up of the HPCG document: the upper sum, 13 multiply-adds, a store and a send a row (calibration row B2).
param Z: u16 = 64;
export var A: [26 * Z]f32;
export var ax: [Z]f32;
export var x: [Z + 2]f32;

index i1 = 1;
index i3 = 3;
index irow = Z;
iter walkA3_up: f32 = |z, k|{Z, 12} -> A[26 * z + k];
iter walkA1_up: f32 = |z|{Z} -> A[26 * z + 24];
iter walkZ1_up: f32 = |z|{Z} -> x[z + 2];
iter walkax_wr: f32 = |z|{Z} -> ax[z];
iter tx_window_f: f32 = |z, k|{Z, 3} -> x[z + k];
socket ne: in wv = queue 0;
socket n: in wv = queue 1;
socket nw: in wv = queue 2;
socket e: in wv = queue 3;
socket tx: out wv = queue 0;

comptime {
    @initialize_queue(@get_input_queue(0), .{ .color = @get_color(31) });
    @initialize_queue(@get_input_queue(1), .{ .color = @get_color(31) });
    @initialize_queue(@get_input_queue(2), .{ .color = @get_color(31) });
    @initialize_queue(@get_input_queue(3), .{ .color = @get_color(31) });
    @initialize_queue(@get_output_queue(0), .{ .color = @get_color(31) });
}

export task main() void {
    ∀irow {
        acc <- ∑ ∀i3 (sp)(ne[]) * walkA3_up[];
        acc <+- ∑ ∀i3 (sp)(n[]) * walkA3_up[];
        acc <+- ∑ ∀i3 (sp)(nw[]) * walkA3_up[];
        acc <+- ∑ ∀i3 (sp)(e[]) * walkA3_up[];
        acc <+- ∑ ∀i1 walkZ1_up[] * walkA1_up[];
        walkax_wr[] = acc;
        ∀i3 wv:tx[] ← tx_window_f[];
    }
}
