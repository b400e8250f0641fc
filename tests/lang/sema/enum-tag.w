// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
const E = enum(f32) { A }; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0240]
export var e: E = .A;
