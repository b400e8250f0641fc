// Memory for 1600 classes: it grew with their square (about 190 MB here), since the object's list of classes was copied for each.
// UNSUPPORTED: sanitize
// RUN: rm -rf %t && split-file %s %t
// RUN: bash -c 'ulimit -v 100000 && exec %wslc %t/many.w -o %t/many.obj'
// RUN: %wsobjdump -t %t/many.obj | grep -c "^class" | FileCheck %s
// CHECK: 1600
//--- many.w
layout {
    @set_rectangle(40, 40);
    for (@range(u16, 40)) |y| {
        for (@range(u16, 40)) |x| {
            @set_tile_code(x, y, "pe.w", .{ .n = 40 * y + x + 1 });
        }
    }
}
//--- pe.w
param n: u16;
export var out: [n]u16;
export task main() void {
    out[n - 1] = n;
}
