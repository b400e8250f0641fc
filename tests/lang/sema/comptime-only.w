// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
task t() void {}
export task main() void {
    @bind_local_task(t, @get_local_task_id(9)); // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0309]
}
