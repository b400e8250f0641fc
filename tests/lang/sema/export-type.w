// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
export fn f(a: [3]u16) void {} // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0329]
