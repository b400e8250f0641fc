// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
export task main() void {
    const a = true + 1; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0217]
    var x: i16 = 1;
    var y: u16 = 1;
    const b = x + y; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0217]
}
