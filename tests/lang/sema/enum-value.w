// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
const Color = enum(u16) { red, green };
export task main() void {
    const c = @as(Color, 9); // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0242]
}
