// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
export task main() void {
    const a = 99999999999999999999; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0607]
}
