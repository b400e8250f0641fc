// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
export task main() void {
    var f: f16 = 2049; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0216]
    var g: f16 = 2048;
}
