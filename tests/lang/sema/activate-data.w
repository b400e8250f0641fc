// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
task t(x: u32) void {}
comptime {
    const id = @get_data_task_id(@get_input_queue(2));
    @bind_data_task(t, id);
    @activate(id); // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0324]
}
