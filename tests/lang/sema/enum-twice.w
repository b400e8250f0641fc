// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
const E = enum(u16) { A, B = 0 }; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0241]
export var e: E = .A;
