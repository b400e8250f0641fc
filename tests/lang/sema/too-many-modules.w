// RUN: split-file %s %t && not %wslc %t/a.w -o %t.obj 2>&1 | FileCheck %s
// CHECK: a.w:3:{{[0-9]+}}: error[E0620]
//--- a.w
layout {
    for (@range(u16, 5000)) |i| {
        const m = @import_module("lib.w", .{ .n = i });
    }
}
//--- lib.w
param n: u16;
