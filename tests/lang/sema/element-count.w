// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
export task main() void {
    var a: [3]u16 = .{ 1, 2 }; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0230]
}
