; RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
.rect 2, 2
done
.bss
A: .space 4
.pe A f32: 1 2 3                        ; CHECK: errors-pe.s:[[#@LINE]]:5: error[E0813]: per-PE data of A has 12 bytes; 2 x 2 PEs with 4 bytes each need 16
