// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
export task main() void {
    for (@range(u16, 0, 4, 0)) |i| {} // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0265]
}
