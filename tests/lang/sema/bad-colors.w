// RUN: not %wslc %s --colors=c:24 -o %t.obj 2>&1 | FileCheck %s
// RUN: not %wslc %s --colors=c:red -o %t.obj 2>&1 | FileCheck %s
// RUN: both '%wslc --arch=ARCH %s --colors=c:23 -o %t.obj && %wsrun %t.obj --dump n' | FileCheck --check-prefix=OUT %s
// CHECK: error[E0347]: the color c cannot be {{24|red}}
// CHECK: from 0 to 23
// OUT: n (0,0): 23
param c: color;
export var n: u16 = @get_int(c);
export task main() void {}
