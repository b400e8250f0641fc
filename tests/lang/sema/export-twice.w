// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
var a: u16;
var b: u16;
comptime {
    @export_symbol(a, "x");
    @export_symbol(b, "x"); // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0349]
}
