// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
export task main() void {
    const a = 1 << -1; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0606]
}
