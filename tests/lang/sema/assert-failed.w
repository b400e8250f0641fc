// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
param n: u16 = 3;
comptime {
    @comptime_assert(n == 4, "n must be 4"); // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0612]
    @comptime_assert(n == 3);
}
