// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
var a: [3]u16;
export task main() void {
    @print("{}", a); // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0269]
}
