// RUN: split-file %s %t && not %wslc %t/a.w -o %t.obj 2>&1 | FileCheck %s
// CHECK-DAG: a.w:2:{{[0-9]+}}: error[E0304]
//--- a.w
layout {
    @set_tile_code(0, 0, "pe.w");
}
//--- pe.w
export task main() void {}
