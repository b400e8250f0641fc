// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
export task main() void {
    var a: u32 = 1;
    var b: u16 = a; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0214]
    var c: i32 = 1;
    var d: u32 = c; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0214]
    var f: f32 = 1.0;
    var h: f16 = f; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0214]
    b = @as(u16, a);
}
