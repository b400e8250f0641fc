// parallel: the statements run side by side, and the one after them starts when all are done: eight moves that wait for the
// same stream one after another would never end; loop-back.
// RUN: both '%wslc --arch=ARCH -O0 %s -o %t0.obj && %wsrun %t0.obj --dump out --dump eight' | FileCheck %s
// RUN: both '%wslc --arch=ARCH -O2 %s -o %t2.obj && %wsrun %t2.obj --dump out --dump eight' | FileCheck %s
export var out: [4]u32;
export var eight: [8]f32;
var a: [40]f32;
var b: [40]f32;
var one: [40]u32;
const c = @get_color(3);
const c2 = @get_color(4);
socket tx: out wv = queue 1;
socket tx2: out wv = queue 2;
socket rx: in wv = queue 2;
socket rx2: in wv = queue 3;
iter a_rd: f32 = |i|{40} -> a[i];
iter b_rd: f32 = |i|{40} -> b[i];
iter b_wr: f32 = |i|{40} -> b[i];
index i40 = 40;
var n: u16 = 0;
index in = n;
iter e0: f32 = |i|{1} -> eight[0];
iter e1: f32 = |i|{1} -> eight[1];
iter e2: f32 = |i|{1} -> eight[2];
iter e3: f32 = |i|{1} -> eight[3];
iter e4: f32 = |i|{1} -> eight[4];
iter e5: f32 = |i|{1} -> eight[5];
iter e6: f32 = |i|{1} -> eight[6];
iter e7: f32 = |i|{1} -> eight[7];

export task main() void {
    for (@range(u16, 40)) |i| a[i] = @as(f32, i);
    // the receiver comes first: alone it would wait for ever
    parallel {
        ∀i40 b_wr[] = (sp)(rx[]) + 1.0;
        ∀i40 wv:tx[] ← a_rd[];
    }
    var s: f32 = 0.0;
    for (b) |x| s += x;
    out[0] = @as(u32, s);                        // 780 + 40
    // eight at once, in a ring of values
    const k: f32 = 4.0;
    parallel {
        e0[] = 1.0;
        e1[] = k;
        e2[] = a_rd[] + 3.0;
        e3[] = b_rd[];
        e4[] = (sp)(rx[]);
        e5[] = (sp)(rx2[]);
        wv:tx[] ← 50.0;
        wv:tx2[] ← 60.0;
    }
    // an empty one among them
    parallel {
        ∀in e6[] = 9.0;
        e7[] = 8.0;
    }
    out[1] = 1;
    // inside a loop: positions go on
    for (@range(u16, 10)) |i| {
        parallel {
            ∀i4 wv:tx[] ← a_rd[];
            ∀i4 b_wr[] = (sp)(rx[]);
        }
    }
    s = 0.0;
    for (b) |x| s += x;
    out[2] = @as(u32, s);                        // 780
}
index i4 = 4;
comptime {
    @set_local_color_config(c, .{ .routes = .{ .rx = .{RAMP}, .tx = .{RAMP} } });
    @set_local_color_config(c2, .{ .routes = .{ .rx = .{RAMP}, .tx = .{RAMP} } });
    @initialize_queue(@get_input_queue(2), .{ .color = c });
    @initialize_queue(@get_input_queue(3), .{ .color = c2 });
    @initialize_queue(@get_output_queue(1), .{ .color = c });
    @initialize_queue(@get_output_queue(2), .{ .color = c2 });
}
// CHECK: out (0,0): 820 1 780
// CHECK: eight (0,0): 1 4 3 1 50 60 0 8
