// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
export task main() void {
    @set_rectangle(1, 1); // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0308]
}
