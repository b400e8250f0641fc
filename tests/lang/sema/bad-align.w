// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
export var a: u16 align(3); // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0263]
