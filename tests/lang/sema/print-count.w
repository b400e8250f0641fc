// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
export task main() void {
    @print("{} {}", 1); // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0268]
    @print("", 1); // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0268]
}
