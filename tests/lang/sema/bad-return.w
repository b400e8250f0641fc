// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
comptime {
    return; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0248]
}
