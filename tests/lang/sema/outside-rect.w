// RUN: split-file %s %t && not %wslc %t/a.w -o %t.obj 2>&1 | FileCheck %s
// CHECK-DAG: a.w:3:{{[0-9]+}}: error[E0303]
// CHECK-DAG: a.w:4:{{[0-9]+}}: error[E0303]
//--- a.w
layout {
    @set_rectangle(2, 2);
    @set_tile_code(2, 0, "pe.w");
    @set_tile_code(0, -1, "pe.w");
}
//--- pe.w
export task main() void {}
