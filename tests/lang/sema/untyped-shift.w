// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
var n: u16;
export task main() void {
    const x = 1 << n; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0261]
}
