// RUN: touch %t.paint && not %wslc %s %t.paint -o %t.obj 2>&1 | FileCheck %s
layout { // CHECK: :[[#@LINE]]:{{[0-9]+}}: error[E0313]
    @set_rectangle(1, 1);
}
