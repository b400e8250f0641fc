// RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
export task main() void {
    const c = @get_color(77); // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0608]
    const q = @get_input_queue(8); // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0608]
}
