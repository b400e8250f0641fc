// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
var n: u16 = 3;
export var a: [n]u16; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0603]
export task main() void {
    @comptime_assert(n == 3); // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0603]
}
