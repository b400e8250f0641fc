; RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
; CHECK: error[E0812]: PE (1, 0) is placed twice
.rect 2, 1
.class a
done
.place 0, 0, 2, 1, a
.place 1, 0, 1, 1, a
