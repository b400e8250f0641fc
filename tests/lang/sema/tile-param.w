// RUN: split-file %s %t && not %wslc %t/a.w -o %t.obj 2>&1 | FileCheck %s
// CHECK-DAG: a.w:4:{{[0-9]+}}: error[E0310]
//--- a.w
fn f() void {}
layout {
    @set_rectangle(2, 2);
    @set_tile_code(0, 0, "pe.w", .{ .f = f });
}
//--- pe.w
export task main() void {}
