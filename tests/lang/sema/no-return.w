// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
fn f(a: i16) i16 { // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0245]
    if (a > 0) return 1;
}
fn g(a: i16) i16 {
    if (a > 0) { return 1; } else { return 2; }
}
export task main() void {
    _ = f(g(1));
}
