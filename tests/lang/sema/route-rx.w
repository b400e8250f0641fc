// RUN: split-file %s %t && not %wslc %t/a.w -o %t.obj 2>&1 | FileCheck %s
// CHECK-DAG: a.w:4:{{[0-9]+}}: error[E0311]
//--- a.w
const c = @get_color(3);
layout {
    @set_rectangle(2, 2);
    @set_color_config(0, 0, c, .{ .routes = .{ .rx = .{}, .tx = .{RAMP} } });
}
//--- pe.w
export task main() void {}
