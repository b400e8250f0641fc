// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
const P = struct { x: u16 };
export task main() void {
    var p = P{ .x = 1 };
    p.y = 2; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0236]
    var q = P{ .x = 1, .z = 2 }; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0236]
}
