// RUN: %wslc %s -o %t.obj && not %wsrun %t.obj 2>&1 | FileCheck %s
// CHECK: assert
export var n: u16 = 3;
export task main() void {
    @assert(n == 3);
    @assert(n == 4);
}
