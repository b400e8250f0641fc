// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
const k: u16 = 1;
export task main() void {
    const c: u16 = 1;
    c = 2; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0256]
    k = 3; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0256]
    for (@range(u16, 3)) |i| i = 1; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0256]
}
