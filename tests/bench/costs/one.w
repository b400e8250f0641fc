// one.w: a PE of costs.w.

param WHAT: u16;
param ROUNDS: u16;
param along: color;
param first: bool;
param last: bool;

const N: u16 = 100;
const again = @get_local_task_id(9);
const out = @get_output_queue(2);
const in = @get_input_queue(2);

export var a: [N]f32;
export var b: [N]f32;
export var left: u16 = ROUNDS;
const da = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{N} -> a[i] });
const db = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{N} -> b[i] });
const dout = @get_dsd(fabout_dsd, .{ .extent = N, .fabric_color = along, .output_queue = out });
const din = @get_dsd(fabin_dsd, .{ .extent = N, .fabric_color = along, .input_queue = in });

fn scalar() void {
    var x: u32 = 1;
    for (@range(u16, ROUNDS)) |i| {
        for (@range(u16, N)) |j| x = (x ^ (x << 7)) + 12345;
    }
    a[0] = @as(f32, x);
}

task next() void {
    left -= 1;
    if (left > 0) @activate(again);
}

task main() void {
    if (WHAT == 0) scalar();
    if (WHAT == 1) {
        for (@range(u16, ROUNDS)) |i| @fmacs(da, da, db, 2.0);
    }
    if (WHAT == 2) @activate(again);
    if (WHAT == 3) {
        for (@range(u16, ROUNDS)) |i| {
            if (first) @fmovs(dout, da);
            if (last) @fmovs(db, din);
        }
    }
}

const start = @get_local_task_id(10);
comptime {
    @bind_local_task(main, start);
    @bind_local_task(next, again);
    @activate(start);
    if (WHAT == 3) {
        if (first) @initialize_queue(out, .{ .color = along });
        if (last) @initialize_queue(in, .{ .color = along });
    }
}
