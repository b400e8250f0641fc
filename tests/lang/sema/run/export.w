// RUN: %wslc --emit=wir -O0 %s | FileCheck %s
// Names for the host; a variable under another name; a function by its own.
// CHECK-DAG: global @data size 8 align 16 type 4 export
// CHECK-DAG: global @a_ptr size 2 align 2 type 10 export
// CHECK-DAG: fn @go(i16) export
// CHECK-DAG: fn @compute() export
var hidden: [4]u16 align(16);
var a_ptr: [*]u16 = &hidden;
export fn go(n: i16) void { hidden[0] = @as(u16, n); }
fn run() void { a_ptr[1] = 1; }
comptime {
    @export_symbol(hidden, "data");
    @export_symbol(a_ptr);
    @export_symbol(run, "compute");
}
