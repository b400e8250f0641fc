// RUN: split-file %s %t && not %wslc %t/a.w -o %t.obj 2>&1 | FileCheck %s
// CHECK-DAG: a.w:4:{{[0-9]+}}: error[E0237]
// CHECK-DAG: a.w:5:{{[0-9]+}}: error[E0237]: a color configuration needs
// CHECK-DAG: a.w:6:{{[0-9]+}}: error[E0236]
//--- a.w
const c = @get_color(3);
layout {
    @set_rectangle(2, 2);
    @set_color_config(0, 0, c, .{ .routes = .{ .rx = .{WEST} } });
    @set_color_config(0, 0, c, .{ .switches = .{} });
    @set_color_config(0, 0, c, .{ .rutes = .{} });
}
//--- pe.w
export task main() void {}
