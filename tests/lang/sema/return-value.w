// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
fn f() i16 {
    return; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0246]
}
export task main() void {
    _ = f();
}
