// RUN: not %wslc %s -o /nowhere/x.obj 2>&1 | FileCheck %s
export var x: u16;
// CHECK: wslc: error[E0271]: cannot write /nowhere/x.obj
