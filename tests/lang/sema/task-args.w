// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
task t(x: u32) void {} // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0325]
comptime {
    @bind_local_task(t, @get_local_task_id(9));
}
