// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
var b: bool;
export task main() void {
    const t = if (b) u16 else u32; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0260]
}
