// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
const Color = enum(u16) { red, green };
export task main() void {
    var c: Color = .red;
    switch (c) { .red => {} } // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0255]
    var n: u16 = 1;
    const x = switch (n) { 1 => @as(u16, 2), 2 => 3 }; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0255]
}
