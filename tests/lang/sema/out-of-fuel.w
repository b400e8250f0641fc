// RUN: not %wslc %s --fuel=1000 -o %t.obj 2>&1 | FileCheck %s
comptime {
    while (true) {} // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0609]
}
