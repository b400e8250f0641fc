// RUN: both '%wslc --arch=ARCH %s -o %t.obj && %wsrun %t.obj -q --dump t' | FileCheck %s
// RUN: not %wslc %s --params=BAD:1 -o %t.bad 2>&1 | FileCheck %s --check-prefix=WORD
// The counter rises while the program runs; a word is known by a number 0, 1, 2.
param BAD: u16 = 0;
export var t: [3]u16;
// CHECK: t (0,0): 1 1 0
export task main() void {
    const before = @tsc(0);
    for (@range(u16, 20)) |_| t[0] += 1;
    const after = @tsc(0);
    t[0] = if (after > before) 1 else 0;
    t[1] = if (after - before < 1000) 1 else 0;
    t[2] = @tsc(2);
    // WORD: :[[#@LINE+1]]:{{.*}}error
    if (BAD == 1) t[2] = @tsc(3);
}
