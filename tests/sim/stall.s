; What is idle and what is stalled when nothing can move: an endless microthread and a blocked task are idle; a word in an
; input queue that nobody reads, a finite operation, a task in its middle are not.
; RUN: %wslc %s -o %t.obj && %wsrun %t.obj --stats text | FileCheck %s --check-prefix=IDLE
; RUN: sed 's/endless/1/' %s > %t.s && %wslc %t.s -o %t.obj && exits 3 %wsrun %t.obj --stats text 2>/dev/null | FileCheck %s --check-prefix=STALL
; RUN: sed 's/^      nop/      sendc q0, r0/' %s > %t.s && %wslc %t.s -o %t.obj && exits 3 %wsrun %t.obj --stats text 2>/dev/null | FileCheck %s --check-prefix=STALL
; RUN: sed 's/^      nop/      fmovs dsr1, r0/' %s > %t.s && %wslc %t.s -o %t.obj && exits 3 %wsrun %t.obj --stats text 2>/dev/null | FileCheck %s --check-prefix=STALL
; RUN: sed 's/^      nop/      waitut 2/' %s > %t.s && %wslc %t.s -o %t.obj && exits 3 %wsrun %t.obj --stats text 2>/dev/null | FileCheck %s --check-prefix=STALL
; IDLE: end idle
; STALL: end stall
.class k
main: lddsr s1.0, in
      lddsr d.0, mem
      lddsr d.1, out
      act 9
      async ut1
      fmovs dsr0, dsr0
      nop
      done
t9:   done
.data
in: .dsd fabin, q0, endless
mem: .dsd mem1d, word, 0, 0
out: .dsd fabout, q1, 1
word: .word 0
.entry main
.iq 0, 1
.iq 1, 2
.oq 0, 4
.oq 1, 2
.task 9, t9, blocked
.route 0, 0, 1, 1, 2, ramp, ramp
.place 0, 0, 1, 1, k
