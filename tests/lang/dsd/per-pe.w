// A parameter that differs between PEs moves a descriptor: per-PE data, one class. In an extent it makes classes.
// RUN: split-file %s %t && cd %t && both '%wslc --arch=ARCH grid.w -o g.obj && %wsrun g.obj --dump r' | FileCheck grid.w
// RUN: cd %t && %wsobjdump -t g.obj | FileCheck --check-prefix=ONE grid.w
// RUN: cd %t && %wslc grid.w --params=EXTENT:1 -o e.obj && %wsrun e.obj --dump r | FileCheck --check-prefix=EXT grid.w
//--- grid.w
param EXTENT: u16 = 0;
layout {
    @set_rectangle(3, 1);
    for (@range(u16, 3)) |x| { @set_tile_code(x, 0, "pe.w", .{ .k = x, .by_extent = EXTENT == 1 }); }
}
// CHECK: r (0,0): 1 0 0
// CHECK: r (1,0): 0 1 0
// CHECK: r (2,0): 0 0 1
// ONE: pe0
// ONE-NOT: pe1
// EXT: r (0,0): 1 0 0
// EXT: r (1,0): 1 1 0
// EXT: r (2,0): 1 1 1
//--- pe.w
param k: u16;
param by_extent: bool;
export var r: [3]u16;
const dr = @get_dsd(mem1d_dsd, .{ .tensor_access = |i|{3} -> r[i] });
export task main() void {
    if (by_extent) {
        @mov16(@get_dsd(mem1d_dsd, .{ .tensor_access = |i|{k + 1} -> r[i] }), 1);
    } else {
        @mov16(@increment_dsd_offset(@set_dsd_length(dr, 1), @as(i16, k), u16), 1);
    }
}
