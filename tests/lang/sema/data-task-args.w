// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
task t(x: u32, y: u16) void {} // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0326]
comptime {
    @bind_data_task(t, @get_data_task_id(@get_input_queue(2)));
}
