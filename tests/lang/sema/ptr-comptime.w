// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
export task main() void {
    comptime var v: u16 = 1;
    var q: *u16 = &v; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0233]
}
