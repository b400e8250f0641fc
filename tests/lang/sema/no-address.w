// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
export task main() void {
    var a: u16 = 1;
    const p = &(a + 1); // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0234]
}
