// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
const Color = enum(u16) { red, green };
export task main() void {
    var c: Color = .purple; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0239]
}
