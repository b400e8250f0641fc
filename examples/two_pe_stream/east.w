// east.w: receives N numbers, doubles each and adds one.

param N: u16;
param stream: color;

export var y: [N]f32;                          // read by the host

iter y_wr: f32 = |i|{N} -> y[i];
iter y_rd: f32 = |i|{N} -> y[i];
socket rx: in f32 = queue 2;                   // reads from input queue 2
index n = N;

export task main() void {
    ∀n y_wr[] ← 2.0 * rx[];                    // waits for each element
    ∀n y_wr[] ← y_rd[] + 1.0;
}

comptime {
    @initialize_queue(@get_input_queue(2), .{ .color = stream });
}
