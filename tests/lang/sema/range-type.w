// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
export task main() void {
    for (@range(f32, 3)) |i| {} // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0264]
}
