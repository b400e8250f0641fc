// receiver.w: receives N numbers and adds its column.
//
// `column` differs from PE to PE, but nothing that shapes code reads it: it is a word of each PE's data, and all
// receivers are one class, compiled once.

param N: u16;
param row: color;
param column: u16;

export var y: [N]f32;

iter y_wr: f32 = |i|{N} -> y[i];
socket rx: in f32 = queue 2;
index n = N;

export task main() void {
    const mine = @as(f32, column);
    ∀n y_wr[] ← rx[] + mine;
}

comptime {
    @initialize_queue(@get_input_queue(2), .{ .color = row });
}
