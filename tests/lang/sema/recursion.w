// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
fn f(n: u32) u32 {
    return f(n + 1); // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0610]
    // CHECK: note: in the call of 'f' here
}
// the note is N0204
export var x: u32 = f(0);
