// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
const x: i16;
export task main() void {
    const y: i16;
    _ = x;
}
// CHECK: error[E0208]: 'x'
// CHECK: error[E0208]: 'y'
