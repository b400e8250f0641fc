// RUN: split-file %s %t && not %wslc %t/a.w -o %t.obj 2>&1 | FileCheck %s
// CHECK-DAG: a.w:4:{{[0-9]+}}: error[E0302]
//--- a.w
layout {
    @set_rectangle(2, 2);
    @set_tile_code(1, 1, "pe.w");
    @set_tile_code(1, 1, "pe.w");
}
//--- pe.w
export task main() void {}
