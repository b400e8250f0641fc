// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
export var a: [3]void; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0223]
