// RUN: both '%wslc --arch=ARCH %s -o %t.obj && %wsrun %t.obj --dump order' | FileCheck %s
// RUN: both '%wslc --arch=ARCH -O0 %s -o %t0.obj && %wsrun %t0.obj --dump order' | FileCheck %s
// CHECK: order (0,0): 1 2 3 4 0 0
export var order: [6]u16;
var n: u16 = 0;
const a_id = @get_local_task_id(9);
const b_id = @get_local_task_id(10);
const c_id = @get_local_task_id(11);
fn note(k: u16) void {
    order[n] = k;
    n += 1;
}
task a() void {
    note(2);
    @activate(c_id); // c is blocked
    @activate(b);
}
task b() void {
    note(3);
    @unblock(c_id);
}
task c() void { note(4); }
comptime {
    @bind_local_task(a, a_id);
    @bind_local_task(b, b_id);
    @bind_local_task(c, c_id);
    @activate(a_id);
    @block(c_id);
}
export task main() void { note(1); }
