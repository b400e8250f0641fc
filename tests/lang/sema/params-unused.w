// RUN: %wslc %s --params=k:3,zzz:1 -o %t.obj 2>&1 | FileCheck %s
param k: u16;
export var x: u16 = k;
// CHECK-NOT: 'k'
// CHECK: --params:1:5: warning[E0316]: no param is called 'zzz'
