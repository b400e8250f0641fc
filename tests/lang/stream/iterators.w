// Iterators: strides that are negative, zero and large, offsets, nesting to depth 4, two-dimensional arrays, arrays behind
// pointers, constant arrays.  The copy of each is compared with a plain loop over the same access function.
// RUN: both '%wslc --arch=ARCH -O0 %s -o %t0.obj && %wsrun %t0.obj --dump bad --dump first' | FileCheck %s
// RUN: both '%wslc --arch=ARCH -O2 %s -o %t2.obj && %wsrun %t2.obj --dump bad --dump first' | FileCheck %s
const N: u16 = 24;
var a: [700]f32;
var m: [6, 7]f32;
var h: [40]i16;
var q: struct { pad: u16, v: [10]f32 };
var out: [N]f32;
var want: [N]f32;
var out_h: [N]i16;
export var bad: u16 = 0;
export var first: u16 = 0xffff;          // number of the test that failed first
const table = [5]f32{ 2.0, 3.0, 5.0, 7.0, 11.0 };
const p_arr = &a;
const p_many: [*]f32 = &a;

iter wr: f32 = |i|{N} -> out[i];
iter wr_h: i16 = |i|{N} -> out_h[i];
index all = N;
index i5 = 5;

iter plain: f32 = |i|{N} -> a[i + 3];
iter back: f32 = |i|{N} -> a[N - 1 - i];
iter same: f32 = |i|{N} -> a[7];
iter far: f32 = |i|{N} -> a[29 * i];          // fits a mem1d descriptor
iter nest2: f32 = |i, k|{8, 3} -> a[26 * i + 2 * k + 1];
iter far4: f32 = |i, k|{2, 12} -> a[300 * i + 27 * k];
iter nest3: f32 = |i, j, k|{2, 3, 4} -> a[100 * i + 10 * j + 3 * k + 5];
iter nest4: f32 = |i, j, k, l|{2, 3, 2, 2} -> a[200 * i + 50 * j + 7 * k + 2 * l];
iter down: f32 = |i, k|{4, 6} -> a[100 - 9 * i - k];
iter win: f32 = |i, k|{8, 3} -> a[i + k];
iter cols: f32 = |j, i|{4, 6} -> m[i, j + 1];
iter rows: f32 = |i, j|{3, 7} -> m[2 * i, j];
iter arr: f32 = |i|{N} -> p_arr[2 * i];
iter many: f32 = |i|{N} -> p_many[300 - 3 * i];
iter konst: f32 = |i|{5} -> table[i];
iter field: f32 = |i|{10} -> q.v[i];
iter half: i16 = |i|{N} -> h[39 - i];
iter bits: u32 = |i|{N} -> a[i];

fn check(test: u16, n: u16) void {
    for (@range(u16, n)) |i| {
        if (out[i] != want[i]) {
            bad += 1;
            if (first == 0xffff) first = test;
        }
        out[i] = -1.0;
    }
}

export task main() void {
    for (@range(u16, 700)) |i| a[i] = @as(f32, i) + 0.5;
    for (@range(u16, 6)) |i| { for (@range(u16, 7)) |j| m[i, j] = @as(f32, 10 * i + j); }
    for (@range(u16, 10)) |i| q.v[i] = @as(f32, i * i);
    for (@range(u16, 40)) |i| h[i] = @as(i16, i) - 20;

    ∀all wr[] = plain[];
    for (@range(u16, N)) |i| want[i] = a[i + 3];
    check(1, N);
    ∀all wr[] = back[];
    for (@range(u16, N)) |i| want[i] = a[N - 1 - i];
    check(2, N);
    ∀all wr[] = same[];
    for (@range(u16, N)) |i| want[i] = a[7];
    check(3, N);
    index n24 = 24;
    ∀n24 wr[] = far[];
    for (@range(u16, N)) |i| want[i] = a[29 * i];
    check(4, N);
    ∀all wr[] = nest2[];
    for (@range(u16, N)) |i| want[i] = a[26 * (i / 3) + 2 * (i % 3) + 1];
    check(5, N);
    ∀all wr[] = far4[];
    for (@range(u16, N)) |i| want[i] = a[300 * (i / 12) + 27 * (i % 12)];
    check(6, N);
    ∀all wr[] = nest3[];
    for (@range(u16, N)) |i| want[i] = a[100 * (i / 12) + 10 * (i / 4 % 3) + 3 * (i % 4) + 5];
    check(7, N);
    ∀all wr[] = nest4[];
    for (@range(u16, N)) |i| want[i] = a[200 * (i / 12) + 50 * (i / 4 % 3) + 7 * (i / 2 % 2) + 2 * (i % 2)];
    check(8, N);
    ∀all wr[] = down[];
    for (@range(u16, N)) |i| want[i] = a[100 - 9 * (i / 6) - i % 6];
    check(9, N);
    ∀all wr[] = win[];
    for (@range(u16, N)) |i| want[i] = a[i / 3 + i % 3];
    check(10, N);
    ∀all wr[] = cols[];
    for (@range(u16, N)) |i| want[i] = m[i % 6, i / 6 + 1];
    check(11, N);
    index n21 = 21;
    ∀n21 wr[] = rows[];
    for (@range(u16, 21)) |i| want[i] = m[2 * (i / 7), i % 7];
    check(12, 21);
    ∀all wr[] = arr[];
    for (@range(u16, N)) |i| want[i] = a[2 * i];
    check(13, N);
    ∀all wr[] = many[];
    for (@range(u16, N)) |i| want[i] = a[300 - 3 * i];
    check(14, N);
    ∀i5 wr[] = konst[];
    for (@range(u16, 5)) |i| want[i] = table[i];
    check(15, 5);
    index n10 = 10;
    ∀n10 wr[] = field[];
    for (@range(u16, 10)) |i| want[i] = q.v[i];
    check(16, 10);
    ∀all wr_h[] = half[];
    for (@range(u16, N)) |i| {
        out[i] = @as(f32, out_h[i]);
        want[i] = @as(f32, h[39 - i]);
    }
    check(17, N);
    ∀all wr[] = (sp)(bits[]);
    for (@range(u16, N)) |i| want[i] = a[i];
    check(18, N);
    late(&a, 12);
    for (@range(u16, 5)) |i| want[i] = a[12 + 3 * i];
    check(19, 5);
    late(&m, 1);
    for (@range(u16, 5)) |i| want[i] = m[(1 + 3 * i) / 7, (1 + 3 * i) % 7];
    check(20, 5);
    fresh();
    for (@range(u16, N)) |i| want[i] = a[i % 3];
    check(21, N);
    goes_on();
    for (@range(u16, N)) |i| want[i] = a[i + 3];
    check(22, N);
}

// a pointer that is known at run time only
fn late(p: [*]f32, from: u16) void {
    const at: [*]f32 = @ptrcast([*]f32, &p[from]);
    iter rd: f32 = |i|{5} -> at[3 * i];
    ∀i5 wr[] = rd[];
}
index i3 = 3;
index i8 = 8;
// declared inside the nest: position 0 where it is declared
fn fresh() void {
    ∀i8 {
        iter three: f32 = |i|{3} -> a[i];
        ∀i3 wr[] = three[];
    }
}
// declared outside: one position for the whole nest
fn goes_on() void {
    for (@range(u16, 8)) |k| {
        if (k < 4) {
            ∀i3 wr[] = plain[];
        } else {
            ∀i3 wr[] ← plain[];
        }
    }
}
// CHECK: bad (0,0): 0
// CHECK: first (0,0): 65535
