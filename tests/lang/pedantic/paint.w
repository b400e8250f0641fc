// RUN: split-file %s %t && %wslc --pedantic-csl %t/pe.csl %t/p.paint -o %t.obj 2>&1 | FileCheck %s
// RUN: %wslc --pedantic-csl --werror %t/lay.csl -o %t.obj
// CHECK: warning[E1316]: extension: a .paint file
// CHECK-NOT: warning
//--- pe.csl
task t() void { }
comptime { @bind_local_task(t, @get_local_task_id(9)); @activate(@get_local_task_id(9)); }
//--- p.paint
paint tile code "pe.csl" {};
//--- lay.csl
layout { @set_rectangle(1, 1); @set_tile_code(0, 0, "pe.csl", .{}); }
