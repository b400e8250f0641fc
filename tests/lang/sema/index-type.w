// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
var a: [4]u16;
export task main() void {
    a[true] = 1; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0229]
}
