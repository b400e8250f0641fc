// A loop nest that certainly moves an iterator over more elements than it has is refused: nothing at run time would see it.
// RUN: split-file %s %t
// RUN: not %wslc %t/bad.w -o %t.obj 2>&1 | FileCheck %s
// RUN: both '%wslc --arch=ARCH %t/good.w -o %t.obj && %wsrun %t.obj --dump a --dump after' | FileCheck --check-prefix=GOOD %s
//--- bad.w
var a: [8]u16;
var f: [8]f32;
iter w4: u16 = |i|{4} -> a[i];
iter r3: f32 = |i|{3} -> f[i];
iter w8: f32 = |i|{8} -> f[i];
index n = 4;
index two = 2;
export var c: u16 = 0;
fn rounds() void {
    for (@range(u16, 3)) |t| { forall n w4[] <- t + 1; }
}
fn sums() void {
    forall two { acc <- sum forall two r3[]; w8[] <- acc; }
}
fn twice() void {
    for (@range(u16, 0, 4, 2)) |t| { w4[] <- t; w4[] <- t; w4[] <- t; }
}
fn at_once() void {
    index five = 5;
    forall five w4[] <- 1;
}
fn inside() void {
    for (@range(u16, 10)) |t| {
        iter one: u16 = |i|{1} -> a[i];
        forall two one[] <- t;
    }
}
export task main() void { rounds(); sums(); twice(); at_once(); inside(); }
// CHECK-DAG: bad.w:10:41: error[E0536]: iterator 'w4' has 4 elements, but this loop nest moves it over 12
// CHECK-DAG: bad.w:13:40: error[E0536]: iterator 'r3' has 3 elements, but this loop nest moves it over 4
// CHECK-DAG: bad.w:16:60: error[E0536]: iterator 'w4' has 4 elements, but this loop nest moves it over 6
// CHECK-DAG: bad.w:20:17: error[E0536]: iterator 'w4' has 4 elements, but this loop nest moves it over 5
// CHECK-DAG: bad.w:25:20: error[E0536]: iterator 'one' has 1 elements, but this loop nest moves it over 2
// CHECK-NOT: error
//--- good.w
// What is a nest of its own starts anew; what runs only perhaps, or not known how often, is the author's to count.
export var a: [8]u16;
export var after: u16 = 7;
iter w: u16 = |i|{8} -> a[i];
index n = 8;
index half = 4;
fn fill(t: u16) void {
    forall n w[] <- t;
}
export task main() void {
    for (@range(u16, 3)) |t| fill(t);               // a function body is a nest of its own
    for (@range(u16, 2)) |t| { forall half w[] <- t + 10; }
    inline for (@range(u16, 3)) |t| { forall n w[] <- a[t] + 1; }    // written out: three nests
    forall n { if (after == 0) { w[] <- 1; w[] <- 2; } }
    var i: u16 = 0;
    while (i < 8) : (i += 2) { w[] <- i; w[] <- i; }
    for (@range(u16, 100)) |t| { if (t == 8) break; w[] <- t; }
}
// GOOD: a (0,0): 0 1 2 3 4 5 6 7
// GOOD: after (0,0): 7
