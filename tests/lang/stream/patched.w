// Iterators that a program patches keep their arrays apart, also where a u32 store changes base and length at once: the store
// of the sum moves before the store of x, into the cycle in which the multiply-subtract is on its way.
// RUN: both '%wslc --arch=ARCH %s -o %t.obj && %wsrun %t.obj --dump x --dump ax' | FileCheck %s --check-prefix=VAL
// RUN: %wsobjdump -d --no-source %t.obj | FileCheck %s
var a: [16]f32;
export var x: [16]f32;
export var ax: [16]f32;
const KEEP: u32 = 0x80000000;       // the high bit of the length word stays
iter rd: f32 = |i|{16} -> a[i];
iter rd2: f32 = |i|{16} -> a[i];
iter x_wr: f32 = |i|{16} -> x[i];
iter ax_wr: f32 = |i|{16} -> ax[i];
index i2 = 2;
var n: u16 = 16;
index rows = n;
const homes = [4][*]u16{ &rd, &rd2, &x_wr, &ax_wr };
fn half(k: u16) void {              // the last 8 elements of each
    const home = @ptrcast([*]u32, homes[k]);
    home[0] = (home[0] & KEEP | 8 << 16) | (home[0] & 0xffff) + 32;
}
export task main() void {
    for (@range(u16, 16)) |i| a[i] = @as(f32, i);
    inline for (@range(u16, 4)) |k| half(k);
    n = 4;
    ∀rows {
        acc <- ∑ ∀i2 rd[] * 1.0;
        x_wr[] = 1.0 - rd2[] * acc;
        ax_wr[] = acc;
    }
}
// CHECK: fmss1 {{.*}}, [[DOT:dot[0-9]]]
// CHECK-NEXT: fmovs {{.*}}, [[DOT]], n=1
// CHECK-NEXT: fmovs {{.*}}, n=1
// VAL: x (0,0): 0 0 0 0 0 0 0 0 -135 -188 -249 -318 0 0 0 0
// VAL: ax (0,0): 0 0 0 0 0 0 0 0 17 21 25 29 0 0 0 0
