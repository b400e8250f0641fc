// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
export var a: [1, 1, 1, 1, 1, 1, 1, 1, 1]u8; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0224]
