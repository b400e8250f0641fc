; A queue bound to the null color: zeros in, one a cycle, without waiting; words out vanish.
; RUN: %wslc --arch=wse2 %s -o %t.obj && %wsrun %t.obj --dump time --dump sum --stats text | FileCheck %s
; CHECK: time (0,0): 40
; CHECK: sum (0,0): 0
; CHECK: sent {{ *}}0
; CHECK: dropped {{ *}}20
; CHECK: received {{ *}}0
; CHECK: zeros {{ *}}20
.class k
main: lddsr s1.0, in
      lddsr d.1, out
      nop
      nop
      nop
      tsc r20, 0
      sums dot0, dsr0
      fmovs dsr1, r1
      tsc r21, 0
      sub r21, r21, r20
      addi r21, r21, -1
      sth r21, time
      fmovs r3, dot0
      stw r3, sum
      done
.data
in: .dsd fabin, q4, 20
out: .dsd fabout, q0, 20
sum: .word 1
time: .half 0
.global time u16
.global sum u32
.entry main
.iq 4, null
.oq 0, null
.place 0, 0, 1, 1, k
