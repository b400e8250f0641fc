// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
// the note is N0201
const a = 1;
const a = 2; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0202]
// CHECK: note: 'a' came first here
export task main() void {
    const b = a;
    const b = 3; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0202]
    const c = .{ .x = 1, .x = 2 }; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0202]
}
