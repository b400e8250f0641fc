// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
const U = union { a: u16, b: f16 }; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0601]
export var u: U = undefined;
extern host fn h(a: u16) void;
fn cold() linksection("cold") void {} // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0601]
export task main() void {
    cold();
    h(1); // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0601]
}
