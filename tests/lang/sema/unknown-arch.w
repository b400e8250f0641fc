// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
const w = @is_arch("wse9"); // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0266]
export var x: bool = w;
