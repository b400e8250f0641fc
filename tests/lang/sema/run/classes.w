// RUN: split-file %s %t && %wslc %t/a.w --emit=placement | FileCheck %s
// RUN: both '%wslc --arch=ARCH %t/a.w -o %t.obj && %wsrun %t.obj --dump r --dump own' | FileCheck --check-prefix=DUMP %s
// RUN: %wslc %t/a.w -o %t2.obj && cmp %t.obj %t2.obj
// Numbers that differ between PEs are data until a decision needs them: in row 1, four PEs are one class.
// CHECK:      rectangle 4 x 2
// CHECK-NEXT: place pe0 at 0, 0 size 1 x 1
// CHECK-NEXT: place pe1 at 1, 0 size 1 x 1
// CHECK-NEXT: place pe2 at 2, 0 size 1 x 1
// CHECK-NEXT: place pe3 at 3, 0 size 1 x 1
// CHECK-NEXT: place pe4 at 0, 1 size 4 x 1
// DUMP: r (0,0): 0 10 100 2
// DUMP: r (3,0): 1 40 103 1
// DUMP: r (0,1): 0 10 0 2
// DUMP: r (3,1): 1 40 6 2
// DUMP: own (2,1): 20 21
//--- a.w
layout {
    @set_rectangle(4, 2);
    var x: i16 = 0;
    while (x < 4) : (x += 1) {
        for (@range(i16, 2)) |y| @set_tile_code(x, y, "pe.w", .{ .k = x, .row = y });
    }
}
//--- pe.w
param k: u16;
param row: u16;
export var r: [4]u16;
export var own: [2]u16 = .{ k * 10, k * 10 + row }; // an initial value per PE
const half = k / 2;
const table = [4]u16{ 10, 20, 30, 40 };
fn pick(comptime n: u16) u16 { return n + 100; }
fn plain(n: u16) u16 { return n * 2; }
export task main() void {
    r[0] = half;
    r[1] = table[k];
    if (row == 0) { r[2] = pick(k); } else { r[2] = plain(k); }
    r[3] = if (k > 1 and row == 0) 1 else 2;
}
