// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
comptime {
    @initialize_queue(@get_input_queue(5), .{ .color = @get_color(1), .lend = true }); // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0332]
}
