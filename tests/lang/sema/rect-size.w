// RUN: split-file %s %t && not %wslc %t/a.w -o %t.obj 2>&1 | FileCheck %s
// CHECK-DAG: a.w:2:{{[0-9]+}}: error[E0306]
//--- a.w
layout {
    @set_rectangle(2000, 3);
}
//--- pe.w
export task main() void {}
