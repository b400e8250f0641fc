; The registers of the machine: state of the queues, a report when a queue is empty, blocked microthreads, priorities.
; RUN: both '%wslc --arch=ARCH %s -o %t.obj && %wsrun --arch-param iq0_words=2 %t.obj --dump out --dump order --dump got0' | FileCheck %s
; input queue 0 full and not empty; output queue 2 empty; nothing is flushed yet; queue 0 reports after its words are taken
; CHECK: out (0,0): 1 0 1 0 1 0
; task 11 of high priority goes before 10, which was activated first
; CHECK: order (0,0): 11 10 29
; the blocked microthread took no word before it was unblocked
; CHECK: got0 (0,0): 0 9
; RUN: sed 's/^      sth r0, r8 *; unblock/      nop/' %s > %t.s && %wslc --arch=wse3 %t.s -o %t.obj && exits 3 %wsrun %t.obj 2>&1 | FileCheck %s --check-prefix=BLOCKED
; BLOCKED: microthread 5 is blocked by the program
.class k
.uses registers
main: lddsr d.0, o
      lddsr s1.0, w
      lddsr s1.1, i
      lddsr d.1, g
      liu r7, 0xfec0
      la r5, out
      la r9, order
      liu r8, 0xfed0
      liu r3, 32
      sth r3, r8                 ; block microthread 5
      async ut5
      mov16 dsr1, dsr1
      mov32 dsr0, dsr0           ; fills the queue
      li r1, 1
      divu r1, r1, r1
      ldhu r1, r7+10
      sth r1, r5                 ; queue 0 is full
      ldhu r1, r7+8
      andi r1, r1, 1
      sth r1, r5+2               ; and not empty
      ldhu r1, r7+12
      srli r1, r1, 2
      andi r1, r1, 1
      sth r1, r5+4               ; output queue 2 is empty
      li r1, 1
      sth r1, r7+4               ; report when input queue 0 is empty
      ldhu r1, r7+6
      sth r1, r5+6
      ldh r1, got
      sth r1, got0
      liu r1, 0x0800
      sth r1, r8+8               ; task 11: high
      act 10
      act 11
      sth r0, r8                 ; unblock
      done
t10:  li r1, 10
      b put
t11:  li r1, 11
      b put
td:   ldhu r1, r7+6
      sth r1, r5+8
      sth r1, r7+6               ; taken note of
      ldhu r1, r7+6
      sth r1, r5+10
      li r1, 29
put:  sth r1, r9
      addi r9, r9, 2
      done
.data
o: .dsd fabout, q2, 2
w: .dsd mem1d, words, 2, 1
i: .dsd fabin, q0, 2
g: .dsd mem1d, got, 2, 0
words: .word 7, 9
out: .half 8, 8, 8, 8, 8, 8
order: .half 0, 0, 0
got0: .half 0
got: .half 0
.global out u16
.global order u16
.sym got0, u16, 4
.global got0 u16
.entry main
.iq 0, 2
.oq 2, 2
.task 10, t10
.task 11, t11
.task 29, td
.route 0, 0, 1, 1, 2, ramp, ramp
.place 0, 0, 1, 1, k
