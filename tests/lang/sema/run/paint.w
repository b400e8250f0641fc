// RUN: split-file %s %t && both '%wslc --arch=ARCH %t/k.w --params=W:3 -o %t.obj && %wsrun %t.obj --dump r' | FileCheck %s
// RUN: %wslc %t/k.w %t/k.paint --params=W:3 -o %t2.obj && cmp %t.obj %t2.obj
// RUN: not %wslc %t/k.w %t/other/o.paint -o %t3.obj 2>&1 | FileCheck --check-prefix=TYPE %s
// TYPE: error[E0213]: expected color, got comptime_int
// The .paint file beside the source, or the one that is named; its params and --params reach the kernel.
// CHECK: r (0,0): 7 5 3
// CHECK: r (2,1): 7 5 3
// CHECK: r (0,2): 8 5 3
//--- k.w
param Z: u16;
param q: color;
param W: u16;
export var r: [3]u16 = .{ Z, @get_int(q), W };
//--- k.paint
let W = param;
color c = 5;
define worker = tile code "k.w" { .Z = 7, .q = c };
define last = tile code "k.w" { .Z = 8, .q = c };
paint vstack(hstackrep(W, vstackrep(2, worker)), hstackrep(W, last));
//--- other/o.paint
paint tile code "../k.w" { .Z = 7, .q = 5, .W = 3 };
