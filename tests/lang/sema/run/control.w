// RUN: %wslc %s -o %t.obj 2>/dev/null && %wsrun %t.obj --dump out | FileCheck %s
// RUN: %wslc -O0 %s -o %t0.obj 2>/dev/null && %wsrun %t0.obj --dump out | FileCheck %s
// CHECK: out (0,0): 55 21 4 203 49 77 10 20 30 10 7 4 1 6 99 3
export var out: [16]i32;
var n: u16 = 0;
fn put(v: i32) void {
    out[n] = v;
    n += 1;
}
fn sum_to(k: i32) i32 {
    if (k == 0) return 0;
    return k + sum_to(k - 1); // a real call
}
fn swap(a: *i32, b: *i32) void {
    const t = a.*;
    a.* = b.*;
    b.* = t;
}
fn sum(p: [*]i32, len: u16) i32 {
    var s: i32 = 0;
    var i: u16 = 0;
    while (i < len) : (i += 1) {
        if (p[i] < 0) continue;
        if (p[i] > 100) break;
        s += p[i];
    }
    return s;
}
fn kinds(v: u16) i32 {
    switch (v) {
        0...3 => return 10,
        4, 5 => {
            return 20;
        },
        else => {},
    }
    return 30;
}
fn three(b: bool) i32 { return if (b) 99 else if (!b) 98 else 97; }
export task main() void {
    put(sum_to(10));
    var a: i32 = 1;
    var b: i32 = 2;
    swap(&a, &b);
    put(a * 10 + b);
    var arr = [5]i32{ 1, -2, 3, 200, 5 };
    put(sum(&arr, 5));
    outer: for (@range(u16, 5)) |i| {
        for (@range(u16, 5)) |j| {
            if (i * j == 6) {
                put(@as(i32, i) * 100 + j);
                break :outer;
            }
        }
    }
    put(if (a > 0 and b > 0 or a == 100) @as(i32, 49) else 50);
    const r = blk: {
        if (a > 1) break :blk @as(i32, 77);
        break :blk 78;
    };
    put(r);
    put(kinds(2));
    put(kinds(5));
    put(kinds(6));
    for (@range(i16, 10, 0, -3)) |i| put(i);
    var k: i32 = 0;
    for (@range(u16, 0, 65535, 13107)) |i| k += 1; // the counter may not wrap past the end
    put(k + 1);
    put(three(k == 5));
    var t: i32 = 0;
    inline for (.{ 1, 2 }) |e| t += e;
    put(t);
}
