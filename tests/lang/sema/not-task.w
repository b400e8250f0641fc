// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
fn f() void {}
comptime {
    @bind_local_task(f, @get_local_task_id(9)); // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0318]
}
