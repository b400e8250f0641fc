// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
const P = struct { x: u16, y: u16, z: u16 = 3 };
export task main() void {
    var p: P = .{ .x = 1 }; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0237]
    // z has a default
    var q: P = .{ .x = 1, .y = 2 };
}
