// Each extension has a warning of its own under --pedantic-csl, and none without.
// RUN: %wslc %s -o %t.obj 2>&1 | count 0
// RUN: %wslc --pedantic-csl --max-errors=100 %s -o %t.obj 2>&1 | FileCheck %s
// RUN: not %wslc --pedantic-csl --werror %s -o %t.obj > %t.txt 2>&1
index n = 4;                                 // CHECK-DAG: :[[@LINE]]:7: warning[E1301]: extension: an index set
export var a: [4]f32;
iter r: f32 = |i|{4} -> a[i];                // CHECK-DAG: :[[@LINE]]:6: warning[E1302]: extension: an iterator
iter w: f32 = |i|{4} -> a[i];
iter bits: u32 = |i|{4} -> a[i];
socket s: out f32 = queue 2;                 // CHECK-DAG: :[[@LINE]]:8: warning[E1303]: extension: a socket
socket in0: in u32 = queue 0;
var table: [2]u16;
var op: u16 = 0;

fn all() void {
    acc <- sum forall n r[];                 // CHECK-DAG: :[[@LINE]]:12: warning[E1306]: extension: ∑
    acc <+- r[];                             // CHECK-DAG: :[[@LINE]]:5: warning[E1304]: extension: an arrow
    forall n w[] <- 1.0;                     // CHECK-DAG: :[[@LINE]]:5: warning[E1305]: extension: a statement under ∀
    forever { break; }                       // CHECK-DAG: :[[@LINE]]:5: warning[E1307]: extension: forever
    parallel { forall n w[] <- 2.0; }        // CHECK-DAG: :[[@LINE]]:5: warning[E1308]: extension: parallel
    dispatch (op) { 0 => { }, }              // CHECK-DAG: :[[@LINE]]:5: warning[E1309]: extension: dispatch
    s[] <- acc;                              // CHECK-DAG: :[[@LINE]]:5: warning[E1310]: extension: the next element of a stream
    b <- wv:bits[];                          // CHECK-DAG: :[[@LINE]]:10: warning[E1311]: extension: a view
    c <- (wv)(bits[]);                       // CHECK-DAG: :[[@LINE]]:10: warning[E1311]: extension: a view
    set_router(&table);                      // CHECK-DAG: :[[@LINE]]:5: warning[E1312]: extension: set_router of the prelude
    @print("{}", @tsc(0));                   // CHECK-DAG: :[[@LINE]]:5: warning[E1313]: extension: @print
}                                            // CHECK-DAG: warning[E1313]: extension: @tsc
export task main() void {                    // CHECK-DAG: :[[@LINE]]:13: warning[E1314]: extension: task main
    if (op == 1) all();
}
comptime {
    @initialize_queue(@get_input_queue(0), .{ .color = @get_color(1), .lend = true });   // CHECK-DAG: :[[@LINE]]:71: warning[E1315]: extension: .lend
}
extern host fn gone() void;                  // CHECK-DAG: :[[@LINE]]:16: warning[E1317]: extension: a host function
// CHECK-DAG: warning[E1318]: extension: a program without a layout block
