// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
export task main() void {
    var n: u16 = 1;
    if (n) n = 2; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0221]
    while (n - 1) n = 1; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0221]
}
