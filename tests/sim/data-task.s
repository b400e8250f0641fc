; Data tasks: one word a run, in r1; 3 cycles from the pick to the first instruction, DONE to first instruction the same.
; A blocked one leaves its words in the queue.  The words are sent by a microthread at 9, 10, 11, 12 and can be read 5 later.
; RUN: %wslc --arch=wse2 %s -o %t.obj && %wsrun %t.obj --dump time --dump word --stats text | FileCheck %s
; RUN: %wslc --arch=wse3 %s -o %t.obj && %wsrun %t.obj --dump word | FileCheck %s --check-prefix=WORD
; RUN: sed 's/^\.task data:0, t/&, blocked/' %s > %t.s && %wslc --arch=wse2 %t.s -o %t.obj && exits 3 %wsrun %t.obj 2>&1 | FileCheck %s --check-prefix=STALL
; CHECK: time (0,0): 17 24 31 38
; CHECK: word (0,0): 11 12 13 14
; CHECK: tasks {{ *}}5
; CHECK: received {{ *}}4
; WORD: word (0,0): 11 12 13 14
; STALL: stall
.class k
main: lddsr s1.0, w_
      lddsr d.0, o_
      la r5, time
      async
      fmovs dsr0, dsr0
      done
t:    tsc r2, 0
      sth r2, r5
      stw r1, r5+8
      addi r5, r5, 2
      done
.data
w_: .dsd mem1d, words, 4, 1
o_: .dsd fabout, q2, 4
words: .word 11, 12, 13, 14
time: .half 0, 0, 0, 0
word: .half 0, 0, 0, 0, 0
.global time u16
.sym word, u16, 8
.global word u16
.entry main
.iq 0, 0
.oq 2, 0
.task data:0, t
.route 0, 0, 1, 1, 0, ramp, ramp
.place 0, 0, 1, 1, k
