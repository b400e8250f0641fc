// RUN: not %wslc --emit=ast %s 2>&1 | FileCheck %s
// One run reports every mistake, each at its place.
fn f() void {
    var x: i16 = 1
    var y: i16 = 2;
    x = ;
    for (@range(i16, 3)) { }
    foo bar;
    const z = @zeros([3]i16;
    while (x) : { y = 1; }
    if (x) { y = 1 2; }
}
fn g( { }
const m = foo(1, 2
const n = 3;
const o = [ 3;
// CHECK:      errors-several.w:4:18: error[E0113]: expected ';' after this
// CHECK-NOT:  error[E
// CHECK:      :6:9: error[E0111]: unexpected ';'; expected an expression
// CHECK-NOT:  error[E
// CHECK:      :7:26: error[E0111]: unexpected '{'; expected '|'
// CHECK-NOT:  error[E
// CHECK:      :8:9: error[E0111]: unexpected 'bar'; expected an assignment or ';'
// CHECK-NOT:  error[E
// CHECK:      :9:28: error[E0111]: unexpected ';'; expected an operator, ')' or ','
// CHECK-NOT:  error[E
// CHECK:      :10:17: error[E0111]: unexpected '{'; expected '('
// CHECK-NOT:  error[E
// CHECK:      :11:20: error[E0111]: unexpected '2'; expected an operator or ';'
// CHECK-NOT:  error[E
// CHECK:      :13:7: error[E0111]: unexpected '{'; expected a name, 'comptime' or ')'
// CHECK-NOT:  error[E
// CHECK:      :15:1: error[E0111]: unexpected 'const'; expected an operator, ')' or ','
// CHECK-NOT:  error[E
// CHECK:      :16:14: error[E0111]: unexpected ';'; expected an operator, ',' or ']'
// CHECK-NOT:  error[E
