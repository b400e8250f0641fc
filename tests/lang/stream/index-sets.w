// ∀ and ∑ over index sets of every length: 0, 1, 63 and 64 (the count of an instruction ends there), 300; known and at run time.
// RUN: both '%wslc --arch=ARCH -O0 %s -o %t0.obj && %wsrun %t0.obj --dump out --dump sums --dump ends' | FileCheck %s
// RUN: both '%wslc --arch=ARCH -O2 %s -o %t2.obj && %wsrun %t2.obj --dump out --dump sums --dump ends' | FileCheck %s
var a: [300]f32;
var b: [300]f32;
export var out: [20]u16;      // elements that a move wrote
export var sums: [20]f32;     // ∑ of 1.0
export var ends: [3]u16;      // value of the index in the last round
var n: u16 = 0;
iter a_rd: f32 = |i|{300} -> a[i];
iter b_wr: f32 = |i|{300} -> b[i];
index k0 = 0;
index k1 = 1;
index k63 = 63;
index k64 = 64;
index k300 = 300;
index kn = n;

fn written() u16 {
    var c: u16 = 0;
    for (b) |x| {
        if (x != 0.0) c += 1;
    }
    for (@range(u16, 300)) |i| b[i] = 0.0;
    return c;
}

export task main() void {
    for (@range(u16, 300)) |i| a[i] = 1.0;
    ∀k0 b_wr[] = a_rd[];
    out[0] = written();
    ∀k1 b_wr[] = a_rd[];
    out[1] = written();
    ∀k63 b_wr[] = a_rd[];
    out[2] = written();
    ∀k64 b_wr[] = a_rd[];
    out[3] = written();
    ∀k300 b_wr[] = a_rd[];
    out[4] = written();
    const lengths = [6]u16{ 0, 1, 63, 64, 299, 300 };
    for (lengths) |x, i| {
        n = x;
        moves(i);
    }
    s0 <- ∑ ∀k0 a_rd[];
    sums[0] = s0;
    s1 <- ∑ ∀k1 a_rd[] * a_rd2[];
    sums[1] = s1;
    s63 <- ∑ ∀k63 a_rd[];
    sums[2] = s63;
    s64 <- ∑ ∀k64 a_rd[];
    s64 <+- ∑ ∀k0 a_rd[];
    sums[3] = s64;
    s300 <- ∑ ∀k300 a_rd[] * 2.0;
    sums[4] = s300;
    ∀k0 ends[0] = 99;
    ∀k300 ends[1] = k300;
    n = 70;
    ∀kn ends[2] = kn;
}
iter a_rd2: f32 = |i|{300} -> a[i];

fn moves(i: u16) void {
    ∀kn b_wr[] = a_rd[];
    out[5 + i] = written();
    s <- ∑ ∀kn a_rd[];
    s <+- ∑ ∀kn a_rd[];
    sums[5 + i] = s;
    t <- ∑ ∀kn a_rd[] * a_rd2[];
    t <+- ∑ ∀kn a_rd[] * a_rd2[];
    sums[11 + i] = t;
}
// CHECK: out (0,0): 0 1 63 64 300 0 1 63 64 299 300 0
// CHECK: sums (0,0): 0 1 63 64 600 0 2 126 128 598 600 0 2 126 128 598 600 0
// CHECK: ends (0,0): 0 299 69
