// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
export task main() void {
    return 3; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0247]
}
