// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
export task other() void {} // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0328]
