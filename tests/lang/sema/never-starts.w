// A warning when no PE starts anything; none when something does, or the host may call a function.
// RUN: split-file %s %t
// RUN: %wslc %t/main.w -o %t.obj 2>&1 | FileCheck %s
// RUN: %wslc %t/asleep.w -o %t.obj 2>&1 | FileCheck %s
// RUN: %wslc --werror %t/task.w -o %t.obj
// RUN: %wslc --werror %t/data.w -o %t.obj
// RUN: %wslc --werror %t/called.w -o %t.obj
// CHECK: warning[E0334]: no PE of this program starts anything
// CHECK: help: write export task main()
//--- main.w
export var x: u16 = 1;
fn main() void { x = 2; }
//--- asleep.w
task t() void { }
comptime { @bind_local_task(t, @get_local_task_id(9)); }
//--- task.w
task t() void { }
comptime { @bind_local_task(t, @get_local_task_id(9)); @activate(@get_local_task_id(9)); }
//--- data.w
task t(x: u32) void { }
comptime { @initialize_queue(@get_input_queue(2), .{ .color = @get_color(1) }); @bind_data_task(t, @get_data_task_id(@get_input_queue(2))); }
//--- called.w
fn f() void { }
comptime { @export_symbol(f); }
