; Task starts, to the cycle.  log holds time stamps and ids in the order in which tasks ran.
;   main 3..8: launch at 7 (DSR load), DONE at 8.  Microthread 1: slots 9..18, so task 9 is active at 18 and starts at 21.
;   9 unblocks 11, which is active from boot; DONE at 31, 11 starts at 34: it unblocks 10, which is active from boot,
;   activates 9 twice (which is once) and 12.  Round robin goes on behind 11: 12, then 9, then 10.
; RUN: %wslc --arch=wse2 %s -o %t.obj && %wsrun %t.obj --dump log --stats text | FileCheck %s
; CHECK: log (0,0): 9 21 11 34 12 50 9 62 10 75
; CHECK: cycles {{ *}}85
; CHECK: tasks {{ *}}6
.class k
main: lddsr s0.0, a_
      li r1, 1
      la r5, log
      async ut1, prio=low, act=9
      add16 same, dsr0, r1
      done
t9:   tsc r20, 0
      unb 11
      li r2, 9
      jmp note
t11:  tsc r20, 0
      unb 10
      act 9
      act 9
      act 12
      li r2, 11
      b note
t12:  tsc r20, 0
      li r2, 12
      b note
t10:  tsc r20, 0
      li r2, 10
      b note
note: sth r2, r5
      sth r20, r5+2
      addi r5, r5, 4
      done
.data
a_: .dsd mem1d, a, 20, 4
log: .half 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
.bss
a: .space 400
.global log u16
.entry main
.task 9, t9
.task 10, t10, blocked, active
.task 11, t11, blocked, active
.task 12, t12
.place 0, 0, 1, 1, k
