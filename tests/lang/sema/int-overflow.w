// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
export task main() void {
    const a: u8 = 200;
    const b = a + a; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0604]
    const c = @as(i16, 300) * 300; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0604]
}
