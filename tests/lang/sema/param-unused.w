// RUN: split-file %s %t && %wslc %t/a.w -o %t.obj 2>&1 | FileCheck %s
// RUN: not %wslc --werror %t/a.w -o %t.obj
//--- a.w
const m = @import_module("lib.w", .{ .n = 1, .nothing = 2 });
export var x: u16 = m.n;
//--- lib.w
param n: u16;
// CHECK: a.w:1:{{[0-9]+}}: warning[E0205]: lib has no param called 'nothing'
