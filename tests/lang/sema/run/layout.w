// RUN: split-file %s %t && %wslc %t/a.w --params=H:4 --emit=placement | FileCheck %s
// Loops, functions and modules in a layout; equal neighbours become rectangles.
// CHECK:      rectangle 6 x 4
// CHECK-NEXT: place pe0 at 0, 0 size 2 x 4
// CHECK-NEXT: place pe1 at 2, 0 size 1 x 4
// CHECK-NEXT: place pe0 at 3, 0 size 3 x 4
// CHECK-NEXT: route color 1 at 0, 0 size 1 x 4 rx RAMP tx EAST
// CHECK-NEXT: route color 1 at 1, 0 size 4 x 4 rx WEST tx EAST RAMP
// CHECK-NEXT: route color 1 at 5, 0 size 1 x 4 rx WEST tx RAMP
// CHECK-NEXT: route color 2 at 2, 0 size 1 x 4 rx NORTH tx SOUTH
//--- a.w
param W: u16 = 6;
param H: u16;
const routes = @import_module("routes.w", .{ .width = W });
layout {
    @set_rectangle(W, H);
    @comptime_assert(@get_rectangle().width == W);
    for (@range(u16, H)) |y| {
        for (@range(u16, W)) |x| {
            @set_tile_code(x, y, "pe.w", .{ .column = x });
            routes.row(x, y);
        }
    }
    @export_name("n", u16, true);
    @export_name("f", fn () void);
}
//--- routes.w
param width: u16;
const east = @get_color(1);
fn row(x: u16, y: u16) void {
    const rx = if (x == 0) RAMP else WEST;
    const tx = if (x == 0) .{EAST} else if (x == width - 1) .{RAMP} else .{ RAMP, EAST };
    @set_color_config(x, y, east, .{ .routes = .{ .rx = .{rx}, .tx = tx } });
}
//--- pe.w
param column: u16;
export var n: u16;
export fn f() void { n = 1; }
const down = @get_color(2);
comptime {
    if (column == 2) @set_local_color_config(down, .{ .routes = .{ .rx = .{NORTH}, .tx = .{SOUTH} } });
}
