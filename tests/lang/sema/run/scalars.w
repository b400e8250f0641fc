// RUN: both '%wslc --arch=ARCH %s -o %t.obj && %wsrun %t.obj --dump u --dump i --dump f' | FileCheck %s
// RUN: both '%wslc --arch=ARCH -O0 %s -o %t0.obj && %wsrun %t0.obj --dump u --dump i --dump f' | FileCheck %s
// CHECK: u (0,0): 44 65535 2 3 1 240 65528 1
// CHECK: i (0,0): -5 -1 -3 -2 2147483647 -128 7 -7
// CHECK: f (0,0): 2.5 -0.75 3 0.25
export var u: [8]u16;
export var i: [8]i32;
export var f: [4]f32;
var a: u8 = 200;
var b: u16 = 1;
var c: i16 = -5;
var d: f32 = 1.5;
export task main() void {
    a += 100; // wraps at 8 bits
    u[0] = a;
    u[1] = b - 2;
    u[2] = (b << 3) / 4;
    u[3] = 7 % (b + 3);
    u[4] = @as(u16, c < 0 and !(b == 0));
    u[5] = ~@as(u16, 0xf) & 0xff;
    u[6] = @bitcast(u16, c - 3);
    u[7] = @as(u16, @as(u32, 0x80000000) >> 31);
    i[0] = c;
    i[1] = c / 4;
    i[2] = c >> 1;
    i[3] = -(c + 7);
    i[4] = @as(i32, 0x7fffffff) + b - 1;
    i[5] = @as(i8, b + 127);
    i[6] = @as(i32, 7.9 * (d - 0.5));
    i[7] = @as(i32, -d * 5.0);
    f[0] = d + 1.0;
    f[1] = -d / 2.0;
    f[2] = d * 2.0;
    f[3] = @as(f32, b) / 4.0;
}
