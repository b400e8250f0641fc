// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
const T = u16;
export task main() void {
    var p = T{ 1 }; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0238]
}
