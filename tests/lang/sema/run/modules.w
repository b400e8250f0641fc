// RUN: split-file %s %t && both '%wslc --arch=ARCH %t/a.w -o %t.obj && %wsrun %t.obj --dump r' | FileCheck %s
// A file in a folder may name a module from the folder of the program's first file.
// One file, imported twice with different params: two modules with their own variables.
// CHECK: r (0,0): 3 7 13 4 9
//--- a.w
const one = @import_module("lib/counter.w", .{ .step = 1 });
const ten = @import_module("lib/counter.w", .{ .step = 10, .start = 3 });
const again = @import_module("lib/counter.w", .{ .step = 1 });
export var r: [5]u16;
export task main() void {
    one.count();
    one.count();
    again.count(); // the same as one
    r[0] = one.value;
    r[1] = @as(u16, one.Kind.b);
    ten.count();
    r[2] = ten.value;
    r[3] = ten.twice(2);
    r[4] = one.limit;
}
//--- lib/counter.w
param step: u16;
param start: u16 = 0;
const base = @import_module("base.w");
const same = @import_module("lib/base.w");
const limit = same.limit;
const Kind = enum(u16) { a, b = 7 };
var value: u16 = start;
fn count() void { value += step; }
fn twice(k: u16) u16 { return 2 * k; }
//--- lib/base.w
const limit: u16 = 9;
