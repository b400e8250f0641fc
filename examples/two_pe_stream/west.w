// west.w: sends x, element by element.

param N: u16;
param stream: color;

export var x: [N]f32;                          // filled by the host: wsld or wsrun --set x=FILE

iter x_rd: f32 = |i|{N} -> x[i];               // walks over x
socket tx: out f32 = queue 2;                  // writes to output queue 2
index n = N;

export task main() void {
    ∀n tx[] ← x_rd[];                          // for all n: send the next element
}

comptime {
    @initialize_queue(@get_output_queue(2), .{ .color = stream });
}
