// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
fn f(a: u16) void {}
export task main() void {
    f(1, 2); // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0211]
}
