// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
var a: [3]u16;
comptime {
    @export_symbol(a[1], "a1"); // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0330]
}
