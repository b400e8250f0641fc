; a symbol with another size in another class cannot be set from one file
; RUN: %wslc %s -o %t.obj && not %wsld %t.obj --set-value A=1 -o %t.img 2>&1 | FileCheck %s
; CHECK: error[E0903]: symbol A has 4 bytes in class a and 8 in class b
.class a
done
.data
A: .word 0
.class b
done
.data
A: .word 0, 0
.sym A, u32, 8
