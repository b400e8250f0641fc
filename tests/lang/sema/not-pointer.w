// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
export task main() void {
    var x: u16 = 1;
    x.* = 2; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0231]
}
