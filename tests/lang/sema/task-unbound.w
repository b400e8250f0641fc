// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
task t() void {}
export task main() void {
    @activate(t); // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0321]
}
