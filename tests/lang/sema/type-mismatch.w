// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
export task main() void {
    var b: bool = 3; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0213]
    var c: color = 3; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0213]
    var n: u16 = "text"; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0213]
}
