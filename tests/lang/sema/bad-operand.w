// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
export task main() void {
    const a = true + false; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0220]
    const b = !3; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0220]
    const c = 1.5 % 1.0; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0220]
}
