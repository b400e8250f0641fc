// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
comptime {
    @initialize_queue(@get_input_queue(2), .{ .color = @get_color(1) });
    @initialize_queue(@get_input_queue(2), .{ .color = @get_color(2) }); // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0331]
}
