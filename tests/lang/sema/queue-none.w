// RUN: not %wslc --arch=wse2 %s -o %t.obj 2>&1 | FileCheck %s
task t0(x: u32) void {}
task t1(x: u32) void {}
task t2(x: u32) void {}
task t3(x: u32) void {}
task t4(x: u32) void {}
task t5(x: u32) void {}
task t6(x: u32) void {}
task t7(x: u32) void {}
task t8(x: u32) void {}
comptime {
    @bind_data_task(t0, @get_data_task_id(@get_color(0)));
    @bind_data_task(t1, @get_data_task_id(@get_color(1)));
    @bind_data_task(t2, @get_data_task_id(@get_color(2)));
    @bind_data_task(t3, @get_data_task_id(@get_color(3)));
    @bind_data_task(t4, @get_data_task_id(@get_color(4)));
    @bind_data_task(t5, @get_data_task_id(@get_color(5)));
    @bind_data_task(t6, @get_data_task_id(@get_color(6)));
    @bind_data_task(t7, @get_data_task_id(@get_color(7)));
    @bind_data_task(t8, @get_data_task_id(@get_color(8)));
}
// CHECK: error[E0333]
