// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
const k = 3;
export task main() void {
    var x: k = 0; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0222]
}
