// RUN: both '%wslc --arch=ARCH %s -o %t.obj && %wsrun %t.obj ' | FileCheck %s
// RUN: both '%wslc --arch=ARCH -O0 %s -o %t0.obj && %wsrun %t0.obj ' | FileCheck %s
// CHECK: hello x = 36 s = 4.5 ok true
// CHECK: 255 ff ffff A -1 1.5 false
export var x: i32 = 5;
var a: [4]f32 = .{ 1.0, 2.5, -3.0, 4.0 };
fn add(p: i32, q: i32) i32 { return p + q; }
export task main() void {
    var s: f32 = 0.0;
    for (a) |v| { s += v; }
    x = add(x, 7) * 3;
    @print("hello x = {} s = {} ok {}", x, s, x > 3);
    const h: i16 = -1;
    @print("{} {x} {x} {c} {} {} {}", 255, @as(u8, 255), h, 'A', h, @as(f16, 1.5), a[0] > 2.0);
}
