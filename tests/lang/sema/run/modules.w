// RUN: split-file %s %t && both '%wslc --arch=ARCH %t/a.w -o %t.obj && %wsrun %t.obj --dump r' | FileCheck %s
// A file in a folder may name a module from the folder of the program's first file.
// Each import is a copy with its own variables, whatever its params; a copy has copies of what it imports. What has no state, and what
// a PE has once (<random>), is one for all. Types of copies are the same types.
// CHECK: r (0,0): 2 7 13 4 9 1 102 100 1 1
//--- a.w
const one = @import_module("lib/counter.w", .{ .step = 1 });
const ten = @import_module("lib/counter.w", .{ .step = 10, .start = 3 });
const again = @import_module("lib/counter.w", .{ .step = 1 });
const deep1 = @import_module("lib/deep.w");
const deep2 = @import_module("lib/deep.w");
const random1 = @import_module("<random>");
const random2 = @import_module("<random>");
export var r: [10]u16;
export task main() void {
    one.count();
    one.count();
    again.count();                      // has its own value
    r[0] = one.value;
    r[1] = @as(u16, one.Kind.b);
    ten.count();
    r[2] = ten.value;
    r[3] = ten.twice(2);
    r[4] = one.limit;
    r[5] = again.value;
    deep1.add();
    deep1.add();
    deep2.add();
    r[6] = deep1.total() + 100;
    r[7] = deep2.total() + 99;
    const kind: one.Kind = again.Kind.b;
    r[8] = @as(u16, kind == one.Kind.b);
    random1.set_global_prng_seed(@as(u32, 5));
    const a = random2.random_f32(0.0, 1.0);
    random2.set_global_prng_seed(@as(u32, 5));
    r[9] = @as(u16, a == random1.random_f32(0.0, 1.0));
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
//--- lib/deep.w
const c = @import_module("counter.w", .{ .step = 1 });
fn add() void { c.count(); }
fn total() u16 { return c.value; }
