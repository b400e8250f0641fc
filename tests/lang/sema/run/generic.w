// RUN: both '%wslc --arch=ARCH %s -o %t.obj && %wsrun %t.obj --dump o' | FileCheck %s
// RUN: both '%wslc --arch=ARCH -O0 %s -o %t0.obj && %wsrun %t0.obj --dump o' | FileCheck %s
// RUN: %wslc --emit=wir -O0 %s | FileCheck --check-prefix=WIR %s
// CHECK: o (0,0): 9 5 8 16 120 3 2 1 12 40
// WIR: fn @max(i32, i32) -> i32
// WIR: fn @max.1(f32, f32) -> f32
// WIR-NOT: fn @max.2
export var o: [10]i32;
fn max(comptime T: type, a: T, b: T) T { return if (a > b) a else b; }
fn twice(a: anytype) @type_of(a) { return a + a; }
fn power(comptime n: u16, x: i32) i32 {
    if (n == 0) return 1;
    if (n > 0) return x * power(n - 1, x);
}
fn factorial(n: u32) u32 {
    if (n == 0) return 1;
    return n * factorial(n - 1);
}
const five: u32 = factorial(5); // at compile time
fn fields(s: anytype) u16 { return if (@has_field(s, "x")) s.x else 2; }
fn squares() [4]i32 {
    var t = @zeros([4]i32);
    for (@range(u16, 4)) |i| t[i] = @as(i32, i * i);
    return t;
}
const table = squares();
comptime {
    @comptime_assert(@element_count([3, 4]u16) == 12 and @rank([3, 4]u16) == 2);
    @comptime_assert(@strlen(@strcat("ab", "c")) == 3);
    @comptime_assert(table[3] == 9);
}
export task main() void {
    var a: i32 = 4;
    o[0] = max(i32, a, 9) + max(i32, -1, 0) + @as(i32, max(f32, 0.0, -2.0));
    o[1] = @as(i32, max(f32, 2.5, 1.5) * 2.0);
    o[2] = twice(a);
    o[3] = power(2, a);
    o[4] = @as(i32, five);
    o[5] = fields(.{ .x = 3 });
    o[6] = fields(.{ .y = 3 });
    o[7] = table[1];
    const s = @concat_structs(.{ .p = 3 }, .{ .q = 4 });
    o[8] = s.p * @field(s, "q");
    comptime var sum: i32 = 0;
    comptime { for (@range(i32, 5)) |i| sum += i * 4; }
    o[9] = sum;
}
