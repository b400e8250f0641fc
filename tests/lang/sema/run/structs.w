// RUN: both '%wslc --arch=ARCH %s -o %t.obj && %wsrun %t.obj --dump o' | FileCheck %s
// RUN: both '%wslc --arch=ARCH -O0 %s -o %t0.obj && %wsrun %t0.obj --dump o' | FileCheck %s
// CHECK: o (0,0): 10 8 49 3 5 2 5 30 1 12
export var o: [10]i32;
const P = struct { x: i16, y: i32 = 7 };
const Color = enum(u16) { red, green = 5, blue };
const Line = struct { a: P, b: P, c: Color };
var line: Line = .{ .a = .{ .x = 1 }, .b = .{ .x = 2, .y = 3 }, .c = .blue };
fn make(a: i16) P { return .{ .x = a }; }
fn sum(p: P) i32 { return p.y + p.x; }
fn value(c: Color) i32 {
    return switch (c) {
        .red => 1,
        .green => 5,
        Color.blue => 2,
    };
}
fn Pair(comptime T: type) type { return struct { first: T, second: T }; }
export task main() void {
    var p = make(3);
    o[0] = sum(p);
    var q = [2]P{ .{ .x = 1 }, .{ .x = 2, .y = 3 } };
    q[1] = q[0];
    o[1] = sum(q[1]);
    const r = &q[0];
    r.x = 40;
    r.*.y += 2;
    o[2] = sum(q[0]);
    o[3] = line.b.y;
    o[4] = value(.green);
    o[5] = value(line.c);
    line.c = .green;
    o[6] = @as(i32, @as(u16, line.c)) * value(.red);
    var two: Pair(i32) = .{ .first = 10, .second = 20 };
    o[7] = two.first + two.second;
    o[8] = @as(i32, line.c == .green and @is_same_type(Pair(i32), @type_of(two)));
    const tuple = .{ @as(i32, 5), p.y };
    p.y = 100; // the tuple has its own
    o[9] = tuple[0] + tuple[1];
}
