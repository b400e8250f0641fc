// What the host names has its name to itself: the array keeps its contents under another one.
// RUN: %wslc %s -o %t.obj && %wsrun %t.obj --list | tr -s " " | FileCheck %s
// CHECK-DAG: {{^}}A ptr 1 2 1 set, exported
// CHECK-DAG: {{^}}f func 1 exported
// ... and an `export var` gives way to it
// CHECK-DAG: {{^}}B ptr 1 2 1 set, exported
// CHECK-DAG: {{^}}B.{{[0-9]}} u16 2 4 1 set, exported
// CHECK-NOT: {{^}}A.1 ptr
var A = [2]f32{ 1.0, 2.0 };
export var B = [2]u16{ 3, 4 };
var B_ptr: [*]u16 = &B;
var A_ptr: [*]f32 = &A;
fn g() void { A_ptr[0] = 3.0; }
comptime {
    @export_symbol(A_ptr, "A");
    @export_symbol(B_ptr, "B");
    @export_symbol(g, "f");
}
