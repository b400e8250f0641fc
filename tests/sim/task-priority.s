; Tasks of high priority go first, whatever their number; within a level round robin from the last one on.  A task that
; activates itself does not starve the others of its level.
; RUN: %wslc %s -o %t.obj && %wsrun %t.obj --dump log | FileCheck %s
; CHECK: log (0,0): 12 13 14 12 13 12 9
.class k
main: la r5, log
      li r6, 2
      act 9
      act 12
      act 13
      act 14
      done
t9:   li r2, 9
      b note
t12:  li r2, 12
      beq r6, r0, note
      act 12
      addi r6, r6, -1
      b note
t13:  li r2, 13
      beq r7, r0, again
      b note
again: li r7, 1
      act 13
      b note
t14:  li r2, 14
note: sth r2, r5
      addi r5, r5, 2
      done
.data
log: .half 0, 0, 0, 0, 0, 0, 0
.global log u16
.entry main
.task 9, t9
.task 12, t12, high
.task 13, t13, high
.task 14, t14, high
.place 0, 0, 1, 1, k
