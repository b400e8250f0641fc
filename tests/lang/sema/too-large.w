// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
export var a: [60000]u8; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0619]
