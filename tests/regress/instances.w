// A recursion over a known argument makes an instance of the function for each value: without a limit the compiler never came back.
// RUN: exits 1 %wslc %s -o %t.obj 2>&1 | FileCheck %s
fn f(comptime n: i32) i32 {
    return f(n + 1); // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0610]: 'f' is called in itself
}
export var x: i32;
export task main() void {
    x = f(0);
}
