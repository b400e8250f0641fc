// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
export task main() void {
    l: while (true) break :l 3; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0251]
}
