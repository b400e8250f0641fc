// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
export task main() void {
    @zerros([3]u8); // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0209]
    // CHECK: note: did you mean '@zeros'?
}
