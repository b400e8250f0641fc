// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
export task main() void {
    switch (1.5) { else => {} } // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0253]
}
