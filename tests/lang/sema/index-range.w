// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
var a: [4]u16;
export task main() void {
    a[4] = 1; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0228]
    const t = .{ 1, 2 };
    a[0] = t[2]; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0228]
    a[3] = 1;
}
