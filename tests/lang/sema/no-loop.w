// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
export task main() void {
    break; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0249]
    continue; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0249]
}
