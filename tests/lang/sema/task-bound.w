// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
// the note is N0206
task a() void {}
task b() void {}
comptime {
    @bind_local_task(a, @get_local_task_id(9));
    @bind_local_task(b, @get_local_task_id(9)); // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0319]
    // CHECK: note: 'a' was bound here
    @bind_local_task(a, @get_local_task_id(10)); // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0320]
}
