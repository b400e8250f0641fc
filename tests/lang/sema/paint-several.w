// RUN: split-file %s %t && not %wslc %t/a.w -o %t.obj 2>&1 | FileCheck %s
// CHECK: wslc: error[E0314]: several .paint files lie beside the source: b.paint, c.paint
//--- a.w
export task main() void {}
//--- c.paint
//--- b.paint
