// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
export var g = 3; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0257]
export task main() void {
    var i = 0; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0257]
    const j = 0;
}
