// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
// CHECK: error[E0524]
export var a: [64]f32;
export var b: [64]f32;
export var h: [64]u16;
export var by: [8]u8;
index i3 = 3;
iter ra: f32 = |i|{64} -> a[i];
iter rb: f32 = |i|{64} -> b[i];
iter wb: f32 = |i|{64} -> b[i];
iter rh: u16 = |i|{64} -> h[i];
socket qi: in wv = queue 0;
socket qo: out wv = queue 0;
export task main() void {
    set_router(a);
}
