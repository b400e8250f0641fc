// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
export task main() void {
    const a = @as(u16, "x"); // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0218]
}
