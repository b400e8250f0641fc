// RUN: split-file %s %t && not %wslc %t/a.w -o %t.obj 2>&1 | FileCheck %s
// CHECK-DAG: a.w:3:{{[0-9]+}}: error[E0305]
//--- a.w
layout {
    @set_rectangle(2, 2);
    @set_rectangle(3, 3);
}
//--- pe.w
export task main() void {}
