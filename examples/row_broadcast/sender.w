// sender.w: makes N numbers and sends them, once: the routers multiply them.

param N: u16;
param row: color;

export var data: [N]f32;

iter data_rd: f32 = |i|{N} -> data[i];
socket tx: out f32 = queue 2;
index n = N;

export task main() void {
    for (@range(u16, N)) |i| {
        data[i] = @as(f32, i) + 0.5;
    }
    ∀n tx[] ← data_rd[];
}

comptime {
    @initialize_queue(@get_output_queue(2), .{ .color = row });
}
