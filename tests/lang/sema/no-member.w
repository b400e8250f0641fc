// RUN: split-file %s %t && not %wslc %t/a.w -o %t.obj 2>&1 | FileCheck %s
//--- a.w
const m = @import_module("lib.w");
export var x: u16 = m.there;
export var y: u16 = m.here;
//--- lib.w
const here = 3;
// CHECK: a.w:2:{{[0-9]+}}: error[E0206]: the module lib has no 'there'
