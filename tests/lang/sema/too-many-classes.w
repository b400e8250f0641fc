// RUN: split-file %s %t && not %wslc %t/a.w -o %t.obj 2>&1 | FileCheck %s
// CHECK: pe.w:2:{{[0-9]+}}: error[E0317]: this parts the PEs into 5000 classes
//--- a.w
layout {
    @set_rectangle(100, 50);
    for (@range(u16, 100)) |x| {
        for (@range(u16, 50)) |y| @set_tile_code(x, y, "pe.w", .{ .k = y * 100 + x });
    }
}
//--- pe.w
param k: u16;
export var v: [k + 1]u8;
