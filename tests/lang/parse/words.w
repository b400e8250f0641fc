// RUN: %wslc --emit=ast %s | FileCheck %s
// Tungsten's words stay names in a .w file, all but `dispatch`, which may stand behind a dot.
const index = 1; const iter = 2; const socket = 3; const in = 4; const out = 5; const queue = 6;
const sum = index + iter * in;             // CHECK: (const sum = (+ index (* iter in)))
const forall = .{ .index = sum, .out = .in, .dispatch = x.dispatch };
// CHECK: (const forall = (init _ (set index sum) (set out .in) (set dispatch (field x dispatch))))
fn parallel(forever: i16, host: i16) void {
    index = sum(in);                       // CHECK: (= index (call sum in))
    forever[queue] += host;                // CHECK: (+= (at forever queue) host)
    sum();                                 // CHECK: (call sum)
    parallel(1, 2);                        // CHECK: (call parallel 1 2)
    index: while (true) { break :index; }  // CHECK: (while :index true
    iter[] = sum forall sum iter[];        // CHECK: (= (elem iter) (sum sum (elem iter)))
}
