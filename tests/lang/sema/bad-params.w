// RUN: not %wslc %s --params=K:3,H -o %t.obj 2>&1 | FileCheck %s
export task main() void {}
// CHECK: error[E0315]: bad parameter 'H'
