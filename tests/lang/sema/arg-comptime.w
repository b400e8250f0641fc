// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
var n: u16;
fn f(comptime k: u16) void {}
export task main() void {
    f(n); // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0613]
    f(3);
}
