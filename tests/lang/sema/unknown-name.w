// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
// the note is N0203
export task main() void {
    var count: i16 = 0;
    count = coumt; // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0201]
    // CHECK: note: did you mean 'count'?
}
