// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
export task main() void {
    var a: u8 = 300; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0215]
    var b: i16 = 40000; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0215]
    var c: u16 = -1; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0215]
}
