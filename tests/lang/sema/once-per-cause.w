// One error a cause: what follows from a refused rectangle, a refused value or a loop's first round is not told again.
// RUN: split-file %s %t
// RUN: not %wslc %t/float.w -o %t.obj 2>&1 | FileCheck --check-prefix=FLOAT %s
// RUN: not %wslc %t/minus.w -o %t.obj 2>&1 | FileCheck --check-prefix=MINUS %s
// RUN: not %wslc %t/large.w -o %t.obj 2>&1 | FileCheck --check-prefix=LARGE %s
// RUN: not %wslc --fuel=1000 %t/loop.w -o %t.obj 2>&1 | FileCheck --check-prefix=LOOP %s
//--- float.w
layout { @set_rectangle(1.5, 2); @set_tile_code(0, 0, "pe.w", .{}); }
// FLOAT: float.w:1:25: error[E0213]: expected an integer, got comptime_float
// FLOAT-NOT: error
//--- minus.w
layout { @set_rectangle(-3, 2); @set_tile_code(0, 0, "pe.w", .{}); }
// MINUS: minus.w:1:10: error[E0306]: a rectangle of -3 x 2 PEs does not fit the wafer
// MINUS-NOT: error
//--- large.w
const n: u16 = 70000;
layout { @set_rectangle(n, 2); @set_tile_code(0, 0, "pe.w", .{}); }
// LARGE: error[E0215]: 70000 does not fit in u16
// LARGE-NOT: error
//--- loop.w
var a: [4]u16;
fn f() u16 {
    var s: u16 = 0;
    for (@range(u16, 10000)) |i| s += missing;
    while (true) { s += absent; }
    return s;
}
const x = f();
export task main() void { a[0] = x; }
// LOOP: error[E0201]: nothing here is called 'missing'
// LOOP: error[E0201]: nothing here is called 'absent'
// LOOP-NOT: error
