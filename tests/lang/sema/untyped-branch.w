// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
var b: bool;
export task main() void {
    const v = if (b) 1 else 2; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0259]
    const w: u16 = if (b) 1 else 2;
}
