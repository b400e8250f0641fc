// &iterator is the address of its descriptor: [*]u16, base and length, which a program may patch.  An operation over an index
// set has the set's length, whatever the descriptor holds.
// RUN: both '%wslc --arch=ARCH -O0 %s -o %t0.obj && %wsrun %t0.obj --dump out --dump got' | FileCheck %s
// RUN: both '%wslc --arch=ARCH -O2 %s -o %t2.obj && %wsrun %t2.obj --dump out --dump got' | FileCheck %s
const N: u16 = 100;
const KEEP: u16 = 0x8000;
var a: [3 * N]f32;
var b: [N]f32;
export var out: [6]f32;
export var got: [2]u16;
iter rd: f32 = |i|{N} -> a[i];
iter rd2: f32 = |i|{N} -> a[i];
iter wr: f32 = |i|{N} -> b[i];
index all = N;
index i3 = 3;

fn sum_up() f32 {                                // compiled before anything says that rd is patched
    s <- ∑ ∀all rd[];
    return s;
}
fn copy() f32 {
    ∀all wr[] = rd2[];
    var t: f32 = 0.0;
    for (b) |x| t += x;
    return t;
}
// a DSR's length is changed in a loop, and is needed at the head of the next round
fn rounds() f32 {
    var t: f32 = 0.0;
    for (@range(u16, 2)) |k| {
        s <- ∑ ∀all rd2[];
        t += s;
        if (k == 1) return t + b[65];
        ∀all2 wr[] = rd2[];
    }
    return t;
}
index all2 = 66;
export task main() void {
    for (@range(u16, 3 * N)) |i| a[i] = @as(f32, i);
    out[0] = sum_up();
    out[1] = copy();
    const homes = [2][*]u16{ &rd, &rd2 };
    got[0] = homes[1][1];
    for (homes) |h| {
        h[0] += 4 * N;                           // the upper half
        h[1] = 7 | KEEP;                         // another length
    }
    out[2] = sum_up();
    out[3] = copy();
    homes[1][0] -= 4 * N;
    homes[1][1] = N | KEEP;
    out[4] = rounds();
    ∀i3 wr[] = rd[];
    out[5] = b[2];
}
// CHECK: out (0,0): 4950 4950 14950 14950 26665 102
// CHECK: got (0,0): 32868 0
