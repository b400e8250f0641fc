// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
param n: u16;
export var v: [n]u16; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0204]
// CHECK: note: 'n' is declared here
// the note is N0202
