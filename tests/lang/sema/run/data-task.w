// RUN: split-file %s %t && both '%wslc --arch=ARCH %t/a.w -o %t.obj && %wsrun %t.obj --dump sum:1,0,1,1 --dump hi:1,0,1,1' | FileCheck %s
// RUN: %wslc --arch=wse2 %t/a.w -o %t2.obj && %wsrun %t2.obj --dump sum:1,0,1,1 --dump hi:1,0,1,1 | FileCheck %s
// A stream from one PE to the next, each word starting a task; two 16-bit halves.
// CHECK: sum (1,0): 60
// CHECK: hi (1,0): 3
//--- a.w
const c = @get_color(5);
layout {
    @set_rectangle(2, 1);
    @set_tile_code(0, 0, "send.w", .{ .c = c });
    @set_tile_code(1, 0, "receive.w", .{ .c = c });
    @set_color_config(0, 0, c, .{ .routes = .{ .rx = .{RAMP}, .tx = .{EAST} } });
    @set_color_config(1, 0, c, .{ .routes = .{ .rx = .{WEST}, .tx = .{RAMP} } });
}
//--- send.w
param c: color;
const q = @get_output_queue(2);
const out = @get_dsd(fabout_dsd, .{ .extent = 1, .fabric_color = c, .output_queue = q });
comptime { @initialize_queue(q, .{ .color = c }); }
export task main() void {
    for (@range(u32, 1, 4)) |i| @mov32(out, i << 16 | i * 10);
}
//--- receive.w
param c: color;
const q = @get_input_queue(2);
export var sum: u16 = 0;
export var hi: u16 = 0;
task take(low: u16, high: u16) void {
    sum += low;
    hi = high;
}
comptime {
    @initialize_queue(q, .{ .color = c });
    @bind_data_task(take, @get_data_task_id(if (@is_arch("wse3")) q else c));
}
