// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
export task main() void {
    var n: u16 = 1;
    switch (n) {
        1, 2 => {},
        0...1 => {}, // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0254]
        else => {},
    }
}
