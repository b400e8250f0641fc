; a class that does not fit is refused, with what takes the room (notes E0821, E0822)
; RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
; CHECK:      error[E0820]: class big needs 50532 bytes, a PE has 49152: 1380 bytes too many
; CHECK-NEXT: note: code 4, data 8, zeroed data 50000, stack 500, gaps 20 bytes
; CHECK-NEXT: note: the largest: B 40000 bytes, A 10000 bytes, C 8 bytes, main 4 bytes
; CHECK-NOT:  small
.class small
done
.class big
.stack 500
main: done
.data
C: .word 1, 2
.bss
A: .space 10000
B: .space 40000
