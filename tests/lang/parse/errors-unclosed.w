// RUN: not %wslc --emit=ast %s 2>&1 | FileCheck %s
// A block that is not closed does not take the next function with it.
fn f() void {
    while (a) {
        x = 1;
fn g() void {
    y = 2 3;
}
while (x) { }
// CHECK:      :6:1: error[E0111]: unexpected 'fn'; expected a statement or '}'
// CHECK-NOT:  error[E
// CHECK:      :7:11: error[E0111]: unexpected '3'
// CHECK-NOT:  error[E
// CHECK:      :9:1: error[E0111]: unexpected 'while'; expected a declaration or end of file
// CHECK-NOT:  error[E
