// A range with run-time parts has the rounds of the same range with known parts: the counter neither passes its end nor wraps.
// RUN: split-file %s %t
// RUN: both '%wslc --arch=ARCH -O0 %t/a.w -o %t.obj && %wsrun --max-cycles 2000000 %t.obj --dump got --dump want' | FileCheck %s
// RUN: both '%wslc --arch=ARCH -O2 %t/a.w -o %t.obj && %wsrun --max-cycles 2000000 %t.obj --dump got --dump want' | FileCheck %s
// RUN: %wslc %t/zero.w -o %t.obj && not %wsrun %t.obj 2>&1 | FileCheck --check-prefix=ZERO %s
//--- a.w
export var got: [16]u16;
export var want: [16]u16;
var max: u16 = 65535;
var big: u16 = 40000;
var zero: u16 = 0;
var six: u16 = 6;
var three: i16 = -3000;
var lo: i16 = -32768;
var hi: i16 = 32767;
var k: u8 = 200;
fn up(p: *u16) void { p.* += 1; }
export task main() void {
    for (@range(u16, 0, max, 40000)) |i| up(&got[0]);
    for (@range(u16, 0, 65535, 40000)) |i| up(&want[0]);
    for (@range(u16, 0, 65535, big)) |i| up(&got[1]);
    for (@range(u16, 0, 65535, 40000)) |i| up(&want[1]);
    for (@range(i16, hi, lo, -20000)) |i| up(&got[2]);
    for (@range(i16, 32767, -32768, -20000)) |i| up(&want[2]);
    for (@range(i16, hi, lo, three)) |i, p| { got[3] += 1; want[3] = p + 1; }
    for (@range(i16, lo, hi, 30000)) |i| up(&got[4]);
    for (@range(i16, -32768, 32767, 30000)) |i| up(&want[4]);
    for (@range(u16, max, zero, -30000)) |i| up(&got[5]);
    for (@range(u16, 65535, 0, -30000)) |i| up(&want[5]);
    for (@range(u16, zero, zero, 7)) |i| up(&got[6]);
    for (@range(i16, 5, lo, lo)) |i| up(&got[7]);
    for (@range(i16, 5, -32768, -32768)) |i| up(&want[7]);
    for (@range(u16, six, zero, -1)) |i| up(&got[8]);
    want[8] = 6;
    for (@range(u8, 0, k, 100)) |i| up(&got[9]);
    for (@range(u8, 0, 200, 100)) |i| up(&want[9]);
    for (@range(i16, lo, hi, hi)) |i| up(&got[10]);
    for (@range(i16, -32768, 32767, 32767)) |i| up(&want[10]);
    for (@range(i16, hi, lo, hi)) |i| up(&got[11]);     // away from the end: no round
    for (@range(u16, 3, 9, 2)) |i, p| got[12] += 10 * i + p;
    want[12] = 150 + 3;
}
// CHECK: got (0,0): [[V:2 2 4 22 3 3 0 2 6 2 3 0 153 0 0 0]]
// CHECK: want (0,0): [[V]]
//--- zero.w
var zero: u16 = 0;
export var n: u16 = 0;
export task main() void {
    for (@range(u16, 0, 10, zero)) |i| n += 1;
}
// ZERO: {{trap|fault}}
