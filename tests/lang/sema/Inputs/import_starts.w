export var ran: u16;
task go() void { ran = 7; }
comptime {
    @bind_local_task(go, @get_local_task_id(8));
    @activate(@get_local_task_id(8));
}
