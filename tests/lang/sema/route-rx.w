// RUN: split-file %s %t && not %wslc %t/a.w -o %t.obj 2>&1 | FileCheck %s
// CHECK-DAG: a.w:4:{{[0-9]+}}: error[E0311]
// a color with no directions at all has no route
// RUN: %wslc %t/none.w --emit=placement | FileCheck --check-prefix=NONE %s
// NONE: route color 3 at 1, 0 size 1 x 1 rx RAMP tx RAMP
// NONE-NOT: route
//--- none.w
const none = .{ .rx = .{}, .tx = .{} };
layout {
    @set_rectangle(2, 1);
    for (@range(u16, 2)) |x| @set_tile_code(x, 0, "pe.w", .{});
    @set_color_config(0, 0, @get_color(3), .{ .routes = none });
    @set_color_config(1, 0, @get_color(3), .{ .routes = .{ .rx = .{RAMP}, .tx = .{RAMP} } });
}
//--- a.w
const c = @get_color(3);
layout {
    @set_rectangle(2, 2);
    @set_color_config(0, 0, c, .{ .routes = .{ .rx = .{}, .tx = .{RAMP} } });
}
//--- pe.w
export task main() void {}
