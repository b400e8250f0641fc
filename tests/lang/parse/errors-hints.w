// RUN: not %wslc --emit=ast %s 2>&1 | FileCheck %s
// Mistakes that have a message of their own.
const a = { .x = 1 };
fn f() void {
    if (a < b < c) { }
    if (a <-1) { }
    a + b;
    if (c) g(); else h();
    r <- Σ ∀i3 a[] * b[];
    s <- Σ forall i3 a[];
}
/* a comment */
// CHECK:      :3:13: error[E0114]: a block cannot start with '.'
// CHECK:      help: a struct or tuple literal is written .{ .x = 1 }
// CHECK:      :5:15: error[E0118]: comparisons do not chain
// CHECK:      :6:11: error[E0115]: '<-' is an arrow in a .w file
// CHECK:      :7:7: error[E0119]: a value that nobody uses cannot be a statement
// CHECK:      :8:15: error[E0121]: no ';' before 'else'
// CHECK:      :9:10: error[E0104]: this is the Greek letter Σ (U+03A3)
// CHECK:      help: did you mean ∑ (U+2211)?
// CHECK:      :10:10: error[E0104]:
// CHECK:      :12:1: error[E0110]: comments are written //
// CHECK-NOT:  error[E
