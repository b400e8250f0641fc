// RUN: not %wslc --emit=ast %s 2>&1 | FileCheck %s
// A comma that is missing between two items is one error each, and && is no operator.
fn f() void {
    dispatch (x) {
        0 => { a(); }
        1 => { b(); },
        2 => { c(); }
        else => d(),
    }
    switch (x) { 0 => { a(); } 1 => x = 2, else => { } }
    if (a == 1 && b == 2 || c) d();
    g(a,
      b
      c);
    y = 1;;
}
// CHECK:      :5:21: error[E0123]: expected ',' after this
// CHECK:      :7:21: error[E0123]:
// CHECK:      :10:30: error[E0123]:
// CHECK:      :11:16: error[E0122]: '&&' is not an operator here
// CHECK:      help: write 'and'
// CHECK:      :11:26: error[E0122]: '||' is not an operator here
// CHECK:      help: write 'or'
// CHECK:      :13:7: error[E0123]:
// CHECK:      :15:11: error[E0111]:
// CHECK-NOT:  error[E
