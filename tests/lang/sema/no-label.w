// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
export task main() void {
    while (true) break :out; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0250]
}
