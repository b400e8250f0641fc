// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
fn f(comptime n: u16) void {}
comptime {
    @export_symbol(f); // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0262]
}
