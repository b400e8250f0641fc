// RUN: split-file %s %t && %wslc %t/a.w --emit=placement | FileCheck %s
// A layout of the whole wafer whose coordinates are data only: one class, and soon done.
// REQUIRES: slow
// CHECK:      rectangle 762 x 1172
// CHECK-NEXT: place pe0 at 0, 0 size 762 x 1172
//--- a.w
layout {
    @set_rectangle(762, 1172);
    for (@range(u16, 762)) |x| {
        for (@range(u16, 1172)) |y| @set_tile_code(x, y, "pe.w", .{ .x = x, .y = y });
    }
}
//--- pe.w
param x: u16;
param y: u16;
export var id: u32;
export task main() void { id = @as(u32, y) * 762 + x; }
