// RUN: not %wslc --emit=ast %s 2>&1 | FileCheck %s
// RUN: rm -rf %t && split-file %s %t
// RUN: not %wslc %t/handler.csl -o %t.obj 2>&1 | FileCheck --check-prefix=HANDLER %s
// RUN: not %wslc %t/task.csl -o %t.obj 2>&1 | FileCheck --check-prefix=TASK %s
fn f() void;             // CHECK: :[[@LINE]]:4: error[E0124]: 'f' has no body
                         // CHECK: help: what another file defines is declared with 'extern'
export task main() void; // CHECK: :[[@LINE]]:13: error[E0124]: 'main' has no body
extern fn g() void;      // CHECK-NOT: 'g'
//--- handler.csl
extern fn h() void;
comptime { @set_teardown_handler(h, @get_color(3)); }
// HANDLER: error[E0370]: no module of this program exports 'h'
//--- task.csl
extern task t() void;
comptime { @bind_local_task(t, @get_local_task_id(9)); @activate(@get_local_task_id(9)); }
// TASK: error[E0370]: no module of this program exports 't'
