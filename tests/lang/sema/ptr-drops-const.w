// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
export task main() void {
    var x: u16 = 1;
    const p: *const u16 = &x;
    const q: *u16 = p; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0232]
    p.* = 2; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0256]
}
