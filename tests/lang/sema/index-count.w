// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
var m: [2, 3]u16;
export task main() void {
    m[1] = 2; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0227]
    m[1, 1] = 2;
}
