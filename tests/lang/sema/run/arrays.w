// RUN: both '%wslc --arch=ARCH %s -o %t.obj && %wsrun %t.obj --dump m --dump o' | FileCheck %s
// RUN: both '%wslc --arch=ARCH -O0 %s -o %t0.obj && %wsrun %t0.obj --dump m --dump o' | FileCheck %s
// CHECK: m (0,0): 0 1 2 3 10 11 12 13 20 21 22 23
// CHECK: o (0,0): 23 11 42 5 3 12 7 60 8 9
export var m: [3, 4]i16;
export var o: [10]i16;
const primes = [5]i16{ 2, 3, 5, 7, 11 };
const nested: [2, 2]i16 = .{ .{ 1, 2 }, .{ 3, 4 } };
var big = @constants([40]i16, 7);
fn at(p: *[3, 4]i16, i: u16, j: u16) i16 { return p.*[i, j]; }
fn total(p: [*]const i16, n: u16) i16 {
    var s: i16 = 0;
    for (@range(u16, n)) |i| s += p[i];
    return s;
}
fn third() [3]i16 { return .{ 4, 5, 60 }; }
export task main() void {
    for (@range(i16, 3)) |i| {
        for (@range(i16, 4)) |j| m[i, j] = i * 10 + j;
    }
    o[0] = m[2, 3];
    o[1] = at(&m, 1, 1);
    m[0, 0] = 0;
    var copy = m; // a copy: m is not touched
    copy[0, 0] = 42;
    o[2] = copy[0, 0] + m[0, 0];
    var k: u16 = 2;
    o[3] = primes[k]; // a constant table in memory
    o[4] = nested[1, 0];
    const w: [*]i16 = &m;
    o[5] = w[6];
    o[6] = big[k + 30];
    o[7] = third()[k];
    var local = [3]i16{ 1, 2, 3 };
    local[k] += 2;
    o[8] = total(&local, 3);
    big = @zeros([40]i16);
    o[9] = big[39] + 9;
}
