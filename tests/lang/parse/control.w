// RUN: %wslc --emit=ast %s | FileCheck %s
fn f() void {
    if (c) g() else h();                   // CHECK: (if c (call g) (call h))
    if (c) return;                         // CHECK: (if c (return))
    if (a) { g(); } else if (b) x = 1 else x = 2;
    // CHECK: (if a
    // CHECK-NEXT: (block
    // CHECK-NEXT: (call g))
    // CHECK-NEXT: (if b
    // CHECK-NEXT: (= x 1)
    // CHECK-NEXT: (= x 2)))
    if (a) if (b) g() else h();            // CHECK: (if a (if b (call g) (call h)))
    while (i < n) : (i += 1) { }           // CHECK: (while (< i n) (step (+= i 1))
    outer: while (true) while (b) break :outer;
    // CHECK: (while :outer true
    // CHECK-NEXT: (while b
    // CHECK-NEXT: (break :outer)))
    for (@range(i16, 3)) |i| a[i] = 0;
    // CHECK: (for (@range i16 3) |i|
    // CHECK-NEXT: (= (at a i) 0))
    lp: for (arr) |_, k| { continue :lp; } // CHECK: (for :lp arr |_ k|
    inline for (arr) |x| g(x);             // CHECK: (for inline arr |x|
    { var x: i16; x <<= 1; x |= 2; x ^= 3; x %= 4; }
    // CHECK: (<<= x 1)
    // CHECK-NEXT: (|= x 2)
    // CHECK-NEXT: (^= x 3)
    // CHECK-NEXT: (%= x 4)
    blk: { break :blk; }                   // CHECK: (block :blk
    const v = b2: { break :b2 x + 1; };    // CHECK: (const v = (block :b2
    // CHECK-NEXT: (break :b2 (+ x 1))))
    comptime var n: i16 = 0;               // CHECK: (comptime var n : i16 = 0)
    comptime const m = 1;                  // CHECK: (comptime const m = 1)
    comptime @comptime_assert(n == 0);     // CHECK: (comptime (@comptime_assert (== n 0)))
    comptime { n += 1; }                   // CHECK: (comptime
    y = comptime g(1) + 2;                 // CHECK: (= y (comptime (+ (call g 1) 2)))
    return -x;                             // CHECK: (return (- x))
}
