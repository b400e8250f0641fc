// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
var n: u16;
fn f(k: u16) comptime_struct { return .{ .k = k }; }
export task main() void {
    const s = f(n); // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0614]
    const t = f(3);
}
