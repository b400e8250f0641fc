; A microthread of medium priority goes before the main thread, slot by slot; one of low priority behind it.
;   medium:  launch of 10 slots (2), then 10 nops of the main thread: 2 + 10 + 10
;   low:     the same with low priority: the nops first, 2 + 10; then TSC, the 10 slots, WAITUT: low_end 2 + 10 + 1 + 10 + 1
;   busy:    a second launch on the microthread waits until it is free: 2 + 1 + 10 + 1
;   gap:     an operation waits for a word from the fabric and gives its slots up: 2 + 10
; RUN: %wslc --arch=wse2 %s -o %t.obj && %wsrun %t.obj --dump medium --dump low --dump low_end --dump busy --dump gap --dump sum --stats text | FileCheck %s
; CHECK: medium (0,0): 22
; CHECK: low (0,0): 12
; CHECK: low_end (0,0): 24
; CHECK: busy (0,0): 14
; CHECK: gap (0,0): 12
; CHECK: sum (0,0): 4
; CHECK: slots_ut {{ *}}40
; CHECK: stall_ut {{ *}}30
; CHECK: stall_slot {{ *}}10
.class k
main: lddsr s0.0, a_
      lddsr s1.1, i_
      lddsr d.1, b_
      li r1, 1
      nop
      tsc r20, 0
      async ut1
      add16 same, dsr0, r1
      nop
      nop
      nop
      nop
      nop
      nop
      nop
      nop
      nop
      nop
      tsc r21, 0
      sub r21, r21, r20
      addi r21, r21, -1
      sth r21, medium
      tsc r20, 0
      async ut1, prio=low
      add16 same, dsr0, r1
      nop
      nop
      nop
      nop
      nop
      nop
      nop
      nop
      nop
      nop
      tsc r21, 0
      waitut 2
      tsc r22, 0
      sub r21, r21, r20
      addi r21, r21, -1
      sth r21, low
      sub r22, r22, r20
      addi r22, r22, -1
      sth r22, low_end
      tsc r20, 0
      async ut1, prio=low
      add16 same, dsr0, r1
      async ut1, prio=low
      add16 same, dsr0, r1
      tsc r21, 0
      sub r21, r21, r20
      addi r21, r21, -1
      sth r21, busy
      waitut 2
      tsc r20, 0
      async ut2
      fmovs dsr1, dsr1
      nop
      nop
      nop
      nop
      nop
      nop
      nop
      nop
      nop
      nop
      tsc r21, 0
      sub r21, r21, r20
      addi r21, r21, -1
      sth r21, gap
      dsrl s0.0, r1
      lddsr s1.2, a_
      add16 r2, dsr0, r0
      sth r2, sum
      done
.data
a_: .dsd mem1d, a, 20, 4
i_: .dsd fabin, q0, endless
b_: .dsd mem1d, a, 0, 0
medium: .half 0
low: .half 0
low_end: .half 0
busy: .half 0
gap: .half 0
sum: .half 0
.bss
a: .space 400
.global medium u16
.global low u16
.global low_end u16
.global busy u16
.global gap u16
.global sum u16
.entry main
.iq 0, 3
.place 0, 0, 1, 1, k
