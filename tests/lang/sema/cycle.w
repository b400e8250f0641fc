// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
const a: i16 = b; 
const b: i16 = a; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0203]
export var c: i16 = a;
