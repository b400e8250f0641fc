; `same` with an own count of 1: the fast engine stored to the element behind, as it moved the DSR first (sim-fuzz, plan 2329).
; RUN: %wslc --arch=wse3 %s -o %t.obj
; RUN: %wsrun --engine both %t.obj --dump v | FileCheck %s
; CHECK: v (0,0): 5 9 4
.class k
main: lddsr s0.0, a
      li r1, 3
      li r2, 9
      fmaxs same, dsr0, r1, n=1
      fmaxs same, dsr0, r2, n=1
      done
.data
a: .dsd mem1d, v, 3, 1
v: .word 5, 7, 4
.global v u32
.entry main
.place 0, 0, 1, 1, k
