// The type of an if or a switch is that of its arms, whatever is wanted of the expression it stands in.
// RUN: both 'for o in 0 2; do %wslc --werror --arch=ARCH -O$o %s -o %t.obj && %wsrun %t.obj --dump out --dump small || exit 1; done' | FileCheck %s
// -2, -2, -56
// CHECK: out (0,0): fe ff ff ff ff ff ff ff fe ff ff ff ff ff ff ff c8 ff ff ff ff ff ff ff
// CHECK: small (0,0): 200
export var out: [3]i64;
export var small: u16;
var big: i32 = 0x7fffffff;
var n: i8 = 100;
var on: u16 = 1;
export task main() void {
    out[0] = @as(i64, (if (on == 1) big else big) + big);
    out[1] = @as(i64, switch (on) { 1 => big, else => big } + big);
    out[2] = (if (on == 1) n else 0) * 2;
    small = @as(u16, n * (if (on == 1) @as(i8, 1) else @as(i8, 0))) + (if (on == 1) 100 else @as(u16, on));
}
