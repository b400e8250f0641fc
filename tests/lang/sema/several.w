// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
// one run reports them all
export task main() void {
    a = 1; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0201]
    var b: u8 = 256; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0215]
    for (@range(u16, 3)) |i| { c = i; } // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0201]
    var k: u8 = 2;
    if (k) {} // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0221]
}
fn unused() void { d = 1; } // nobody calls it: it is not looked at
// CHECK-NOT: called .d.
