// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
export fn f() type { // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0616]
    return u16;
}
