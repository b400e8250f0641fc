// RUN: %wslc --emit=ast %s | FileCheck %s
param N: i16;                                  // CHECK: (param N : i16)
param n;                                       // CHECK: (param n)
param d: u16 = @get_color(15);                 // CHECK: (param d : u16 = (@get_color 15))
param e = {};                                  // CHECK: (param e = (void-value))
export var a: [N]f32 align(16) linksection(".x") = @zeros([N]f32);
// CHECK: (export var a : (array (N) f32) (align 16) (linksection ".x") = (@zeros (array (N) f32)))
extern const b: u16;                           // CHECK: (extern const b : u16)
const c align(2 * 2) = 1;                      // CHECK: (const c (align (* 2 2)) = 1)
export fn f(x: i16, y: f32,) void {}           // CHECK: (export fn f ((arg x i16) (arg y f32)) void
extern fn g(x: i16) linkname("gg") void;       // CHECK: (extern fn g ((arg x i16)) void (linkname "gg"))
extern fn g2() void linkname("gg");            // CHECK: (extern fn g2 () void (linkname "gg"))
extern host fn print(x: f32) i32;              // CHECK: (extern host fn print ((arg x f32)) i32)
inline fn k() void {}                          // CHECK: (inline fn k () void
export task main() void {}                     // CHECK: (export task main () void
task t(lo: u16, hi: u16) {}                    // CHECK: (task t ((arg lo u16) (arg hi u16)) _
comptime { @export_symbol(a); }
// CHECK: (comptime
// CHECK-NEXT: (block
// CHECK-NEXT: (@export_symbol a)))
layout { @set_rectangle(1, 2); }
// CHECK: (layout
// CHECK-NEXT: (block
// CHECK-NEXT: (@set_rectangle 1 2)))
