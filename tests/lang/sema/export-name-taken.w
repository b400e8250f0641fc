// What the host names has its name to itself: the array keeps its contents under another one.
// RUN: %wslc %s -o %t.obj && %wsrun %t.obj --list | tr -s " " | FileCheck %s
// CHECK-DAG: {{^}}A ptr 1 2 1 set, exported
// CHECK-DAG: {{^}}f func 1 exported
// CHECK-NOT: {{^}}A.1 ptr
var A = [2]f32{ 1.0, 2.0 };
var A_ptr: [*]f32 = &A;
fn g() void { A_ptr[0] = 3.0; }
comptime {
    @export_symbol(A_ptr, "A");
    @export_symbol(g, "f");
}
