// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
var a: u16;
export task main() void {
    @fscaleh(a, a); // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0602]
}
