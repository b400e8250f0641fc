// Memory of calls in a layout: each kept 4 KiB (about 400 MB here), so a layout of a whole wafer took 16 GB.
// UNSUPPORTED: sanitize
// RUN: rm -rf %t && split-file %s %t
// RUN: bash -c 'ulimit -v 100000 && exec %wslc %t/calls.w -o %t/calls.obj'
// RUN: %wsrun %t/calls.obj --dump value:199,199,1,1 | FileCheck %s
// CHECK: value (199,199): 1194
//--- calls.w
fn sum(x: u16, y: u16, k: u16) u16 {
    const n = if (k == 0) x else sum(y, x, k - 1);
    return n + y - x;
}
fn thrice(v: u16) u16 {
    const w = v + v;
    return w + v;
}
layout {
    @set_rectangle(200, 200);
    for (@range(u16, 200)) |y| {
        for (@range(u16, 200)) |x| {
            const a = thrice(x);
            const b = thrice(y);
            @set_tile_code(x, y, "pe.w", .{ .n = a + b + sum(x, x, 1) - x });
        }
    }
}
//--- pe.w
param n: u16;
export var value: u16;
export task main() void {
    value = n;
}
