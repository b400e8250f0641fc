// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
var n: u16;
comptime {
    n = 3; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0615]
}
