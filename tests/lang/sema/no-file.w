// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
const m = @import_module("nowhere.w"); // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0207]
const l = @import_module("<nothing>"); // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0601]
export var x: u16 = m.there;
export var y: u16 = l.there;
