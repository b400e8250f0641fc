// ∀ over one move or operation is one vector instruction: no loop is left.  Types f32, f16, 16- and 32-bit integers; add, sub,
// mul, multiply-add, negation, with numbers on either side.
// RUN: both '%wslc --arch=ARCH -O0 %s -o %t0.obj && %wsrun %t0.obj --dump f --dump g --dump h --dump w' | FileCheck %s
// RUN: both '%wslc --arch=ARCH -O2 %s -o %t2.obj && %wsrun %t2.obj --dump f --dump g --dump h --dump w' | FileCheck %s
// RUN: %wsobjdump -d --no-source %t2.obj | FileCheck %s --check-prefix=CODE
// CODE-NOT: endl
// CODE-NOT: fadd r
const a = [3]f32{ 1.0, 2.0, 3.0 };
const b = [3]f32{ 10.0, 20.0, 40.0 };
const ah = [3]f16{ 1.0, 2.0, 3.0 };
const bh = [3]f16{ 0.5, 0.25, 8.0 };
const ai = [3]i16{ -5, 6, 700 };
const bi = [3]u16{ 1, 2, 3 };
const ci = [3]i16{ 3, 4, 5 };
const aw = [3]u32{ 70000, 5, 9 };
const bw = [3]u32{ 1, 0xffffffff, 3 };
export var f: [27]f32;
export var g: [15]f16;
export var h: [39]i16;
export var w: [12]u32;
iter ra: f32 = |i|{3} -> a[i];
iter rb: f32 = |i|{3} -> b[i];
iter rah: f16 = |i|{3} -> ah[i];
iter rbh: f16 = |i|{3} -> bh[i];
iter rai: i16 = |i|{3} -> ai[i];
iter rbi: u16 = |i|{3} -> bi[i];
iter rci: i16 = |i|{3} -> ci[i];
iter raw: u32 = |i|{3} -> aw[i];
iter rbw: u32 = |i|{3} -> bw[i];
index i3 = 3;

// each is a nest of its own: the destinations are iterators with an offset
export task main() void {
    const k: f32 = 0.5;
    iter f0: f32 = |i|{3} -> f[i];
    ∀i3 f0[] ← ra[];
    iter f1: f32 = |i|{3} -> f[3 + i];
    ∀i3 f1[] = ra[] + rb[];
    iter f2: f32 = |i|{3} -> f[6 + i];
    ∀i3 f2[] = ra[] - rb[];
    iter f3: f32 = |i|{3} -> f[9 + i];
    ∀i3 { f3[] = ra[] * 2.0; }
    iter f4: f32 = |i|{3} -> f[12 + i];
    ∀i3 f4[] = 100.0 - ra[];
    iter f5: f32 = |i|{3} -> f[15 + i];
    ∀i3 f5[] = ra[] + rb[] * k;
    iter f6: f32 = |i|{3} -> f[18 + i];
    ∀i3 f6[] = k * rb[] + ra[];
    iter f7: f32 = |i|{3} -> f[21 + i];
    ∀i3 f7[] = -rb[];
    iter f8: f32 = |i|{3} -> f[24 + i];
    ∀i3 f8[] = k;

    iter g0: f16 = |i|{3} -> g[i];
    ∀i3 g0[] = rah[];
    iter g1: f16 = |i|{3} -> g[3 + i];
    ∀i3 g1[] = rah[] + rbh[];
    iter g2: f16 = |i|{3} -> g[6 + i];
    ∀i3 g2[] = rah[] * rbh[];
    iter g3: f16 = |i|{3} -> g[9 + i];
    ∀i3 g3[] = rah[] - rbh[];
    iter g4: f16 = |i|{3} -> g[12 + i];
    ∀i3 g4[] = rah[] + rbh[] * 4.0;

    iter h0: i16 = |i|{3} -> h[i];
    ∀i3 h0[] = rai[];
    iter h1: i16 = |i|{3} -> h[3 + i];
    ∀i3 h1[] = rai[] + rci[];
    iter h2: i16 = |i|{3} -> h[6 + i];
    ∀i3 h2[] = rai[] - rci[];
    iter h3: i16 = |i|{3} -> h[9 + i];
    ∀i3 h3[] = rai[] * rci[];
    iter h4: i16 = |i|{3} -> h[12 + i];
    ∀i3 h4[] = rai[] & rci[];
    iter h5: i16 = |i|{3} -> h[15 + i];
    ∀i3 h5[] = rai[] | rci[];
    iter h6: i16 = |i|{3} -> h[18 + i];
    ∀i3 h6[] = rai[] ^ 1;
    iter h7: i16 = |i|{3} -> h[21 + i];
    ∀i3 h7[] = rai[] << 2;
    iter h8: i16 = |i|{3} -> h[24 + i];
    ∀i3 h8[] = rai[] >> 1;
    iter h9: i16 = |i|{3} -> h[27 + i];
    ∀i3 h9[] = rbi[];                 // u16 to i16: the same bits
    iter h10: i16 = |i|{3} -> h[30 + i];
    ∀i3 h10[] = 1000 - rai[];
    iter h11: u16 = |i|{3} -> h[33 + i];
    ∀i3 h11[] = rbi[] + 7;
    iter h12: u16 = |i|{3} -> h[36 + i];
    ∀i3 h12[] = rbi[] >> 1;

    iter w0: u32 = |i|{3} -> w[i];
    ∀i3 w0[] = raw[];
    iter w1: u32 = |i|{3} -> w[3 + i];
    ∀i3 w1[] = raw[] + rbw[];
    iter w2: u32 = |i|{3} -> w[6 + i];
    ∀i3 w2[] = raw[] - 5;
    iter w3: u32 = |i|{3} -> w[9 + i];
    ∀i3 w3[] = 0xabcdef;
}
// CHECK: f (0,0): 1 2 3 11 22 43 -9 -18 -37 2 4 6 99 98 97 6 12 23 6 12 23 -10 -20 -40 0.5 0.5 0.5
// CHECK: g (0,0): 1 2 3 1.5 2.25 11 0.5 0.5 24 0.5 1.75 -5 3 3 35
// CHECK: h (0,0): -5 6 700 -2 10 705 -8 2 695 -15 24 3500 3 4 4 -5 6 701 -6 7 701 -20 24 2800 -3 3 350 1 2 3 1005 994 300 8 9 10 0 1 1
// CHECK: w (0,0): 70000 5 9 70001 4 12 69995 0 4 11259375 11259375 11259375
