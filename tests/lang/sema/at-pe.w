// RUN: split-file %s %t && not %wslc %t/a.w -o %t.obj 2>&1 | FileCheck %s
// the note is N0205
// CHECK: pe.w:2:{{[0-9]+}}: error[E0612]: assertion failed: too far east
// CHECK: note: for PE (3, 0)
//--- a.w
layout {
    @set_rectangle(5, 1);
    for (@range(u16, 5)) |x| @set_tile_code(x, 0, "pe.w", .{ .x = x });
}
//--- pe.w
param x: u16;
comptime { @comptime_assert(x < 3, "too far east"); }
