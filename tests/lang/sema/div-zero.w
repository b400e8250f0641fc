// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
export task main() void {
    const a = 1 / 0; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0605]
    const b = 1 % 0; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0605]
}
