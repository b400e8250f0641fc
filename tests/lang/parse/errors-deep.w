// Deep nesting is refused with a message, whatever the construct.
// RUN: %python -c "print('const x = ' + '('*200000 + '1' + ')'*200000 + ';')" > %t1.w
// RUN: not %wslc --emit=ast %t1.w 2>&1 | FileCheck %s
// RUN: %python -c "print('const x = ' + '1+'*200000 + '1;')" > %t2.w
// RUN: not %wslc --emit=ast %t2.w 2>&1 | FileCheck %s
// RUN: %python -c "print('fn f() void {' + 'if (a) {'*200000 + '}'*200001)" > %t3.w
// RUN: not %wslc --emit=ast %t3.w 2>&1 | FileCheck %s
// RUN: %python -c "print('const x = a' + '.b'*200000 + ';')" > %t4.w
// RUN: not %wslc --emit=ast %t4.w 2>&1 | FileCheck %s
// RUN: %python -c "print('const x: ' + '[1]'*200000 + 'i16;')" > %t5.w
// RUN: not %wslc --emit=ast %t5.w 2>&1 | FileCheck %s
// CHECK: fatal[E0116]: the nesting is too deep
// CHECK-NOT: error[E
