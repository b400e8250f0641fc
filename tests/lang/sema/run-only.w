// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
comptime {
    @print("hello"); // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0617]
}
