; A control word in front of an input operand that says what to do with one: end the operation, activate a task, or both.
; 3 data words and a control word come; the operation wants 8.
; RUN: both '%wslc --arch=ARCH %s -o %t.obj && %wsrun %t.obj --dump got --dump after --dump seen --dump end_' | FileCheck %s
; CHECK: got (0,0): 1 2 3 0 0
; CHECK: after (0,0): 4 5
; CHECK: seen (0,0): 1
; CHECK: end_ (0,0): 7
; only activate: the operation goes on
; RUN: sed -e "s/^i: .*/i: .dsd fabin, q0, 5, oncontrol=9, act=11/" -e "s/^      lddsr d.1, a/      done/" %s > %t.s && %wslc --arch=wse3 %t.s -o %t.obj && %wsrun %t.obj --dump got --dump seen | FileCheck %s --check-prefix=ON
; ON: got (0,0): 1 2 3 4 5
; ON: seen (0,0): 1
; without either the operation waits, and the stall report names the wavelet
; RUN: sed -e 's/^i: .*/i: .dsd fabin, q0, 5, act=11/' %s > %t.s && %wslc --arch=wse3 %t.s -o %t.obj && exits 3 %wsrun %t.obj 2>&1 | FileCheck %s --check-prefix=WAIT
; WAIT: control wavelet 08040000 of color 2 is at the head of input queue 0, and its control task 4 has no code
.class k
.uses control
main: lddsr d.0, o
      lddsr s1.0, w
      lddsr d.1, g
      lddsr s1.1, i
      async ut3
      mov32 dsr1, dsr1
      mov32 dsr0, dsr0, n=3
      lw32 r2, 0x08040000
      sendc q2, r2
      mov32 dsr0, dsr0, n=2
      done
t9:   li r1, 1
      stw r1, seen
      done
t11:  li r1, 7
      stw r1, end_
      lddsr d.1, a
      lddsr s1.1, i2
      mov32 dsr1, dsr1
      done
.data
o: .dsd fabout, q2, 1
w: .dsd mem1d, words, 5, 1, save
i: .dsd fabin, q0, 8, end, oncontrol=9, act=11
i2: .dsd fabin, q0, 2
g: .dsd mem1d, got, 8, 1
a: .dsd mem1d, after, 2, 1
words: .word 1, 2, 3, 4, 5
got: .word 0, 0, 0, 0, 0
after: .word 0, 0
seen: .word 0
end_: .word 0
.global got u32
.global after u32
.global seen u32
.global end_ u32
.entry main
.iq 0, 2
.oq 2, 2
.task 9, t9
.task 11, t11
.route 0, 0, 1, 1, 2, ramp, ramp
.place 0, 0, 1, 1, k
