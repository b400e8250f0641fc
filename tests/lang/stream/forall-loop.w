// ∀ over anything else is a loop: several statements, the value of the index, break, continue, return, ∀ inside ∀, conditions.
// RUN: both '%wslc --arch=ARCH -O0 %s -o %t0.obj && %wsrun %t0.obj --dump out --dump sq --dump tri --dump mix' | FileCheck %s
// RUN: both '%wslc --arch=ARCH -O2 %s -o %t2.obj && %wsrun %t2.obj --dump out --dump sq --dump tri --dump mix' | FileCheck %s
var a: [64]f32;
export var sq: [5]u16;
export var tri: [10]u16;
export var mix: [4]f32;
export var out: [16]u16;
var n: u16 = 5;
index i5 = 5;
index in = n;
index i4 = 4;
index big = 65535;
index deep = 3;
iter rd: f32 = |i|{64} -> a[i];
iter sq_wr: u16 = |i|{5} -> sq[i];
iter tri_wr: u16 = |i|{10} -> tri[i];
iter mix_wr: f32 = |i|{4} -> mix[i];
const half = [4]f16{ 0.5, 1.5, 2.5, 3.5 };
const word = [4]i16{ 1, 2, 3, 4 };
const wide = [4]i32{ 100000, 2, 3, 4 };
iter h_rd: f16 = |i|{4} -> half[i];
iter w_rd: i16 = |i|{4} -> word[i];
iter wd_rd: i32 = |i|{4} -> wide[i];
export var sums: [4]i32;
iter sum_wr: i32 = |i|{4} -> sums[i];

fn find(x: f32) u16 {
    ∀big {
        v <- rd[];
        if (v == x) return big;
        if (big == 50) break;
    }
    return 999;
}

export task main() void {
    for (@range(u16, 64)) |i| a[i] = @as(f32, i) * 2.0;
    ∀i5 sq_wr[] = i5 * i5;
    ∀i4 { ∀i5 { if (i5 <= i4) { if (i4 < 4) tri_wr[] = 10 * i4 + i5; } } }
    out[0] = find(14.0);
    out[1] = find(200.0);
    var c: u16 = 0;
    ∀in {
        if (in == 1) continue;
        if (in == 4) break;
        c += in;
    }
    out[2] = c;                                  // 0 + 2 + 3
    n = 0;
    ∀in c += 100;
    out[3] = c;
    c = 0;
    ∀deep { ∀deep { ∀deep { ∀deep { c += 1; } } } }
    out[4] = c;
    c = 0;
    ∀big c += 1;
    out[5] = c;                                  // 65535 rounds
    n = 65535;
    c = 0;
    ∀in c += 1;
    out[6] = c;
    // operands of several types: read one by one, converted where the language converts
    ∀i4 sum_wr[] = wd_rd[] + w_rd[];
    out[7] = @as(u16, sums[3]);
    out[8] = @as(u16, sums[0] - 99000);
    ∀i4 mix_wr[] = rd[] * rd2[] - rd3[] * 0.25;
    // the index shadows names around it, and is gone afterwards
    const x: u16 = 7;
    {
        index x = 2;
        ∀x c = x;
        out[9] = c;
    }
    out[10] = x;
    // a loop around a loop in which positions go on
    var s: f32 = 0.0;
    for (@range(u16, 4)) |k| {
        if (k != 2) {
            ∀i4 { v <- rd[]; s += v; }
        }
    }
    out[11] = @as(u16, s);                       // 2 * (0 + ... + 11)
    var w: u16 = 0;
    var last: f32 = 0.0;
    while (w < 6) : (w += 1) last = rd[];
    out[12] = @as(u16, last);
}
iter rd2: f32 = |i|{64} -> a[i];
iter rd3: f32 = |i|{64} -> a[i];
// CHECK: out (0,0): 7 999 5 5 81 65535 65535 8 1001 1 7 132 10 0 0 0
// CHECK: sq (0,0): 0 1 4 9 16
// CHECK: tri (0,0): 0 10 11 20 21 22 30 31 32 33
// CHECK: mix (0,0): 0 3.5 15 34.5
