; Filters act on what goes down the ramp, not on what goes on.  range: the high half within bounds.  counter: the counter starts at
; init, counts each word, let through or not, and goes from limit back to 0; words pass while it is at most max.
; RUN: %wslc --arch=wse2 %s -o %t.obj && %wsrun %t.obj --dump got:1,0,3,1 --stats text | FileCheck %s
; RUN: %wslc --arch=wse3 %s -o %t.obj && %wsrun %t.obj --dump got:1,0,3,1 --stats text | FileCheck %s
; CHECK: got (1,0): 131073 196610 262147 0 0 0 0 0
; CHECK: got (2,0): 65536 131073 393221 458758 0 0 0 0
; CHECK: got (3,0): 65536 131073 196610 262147 327684 393221 458758 0
; CHECK: ramp {{ *}}24
; CHECK: filtered {{ *}}7
; RUN: %wsobjdump -r %t.obj | FileCheck %s --check-prefix=DUMP
; DUMP: (1, 0) 1 x 1: filter range 2 to 4;
; DUMP: (2, 0) 1 x 1: filter counter from 0, through up to 1, back after 4, counts data;
; the numbers of a filter are registers: PE 2 lets nothing through from the start
; RUN: sed -e 's/^p2:.*/.uses registers/' -e 's/^r2: .*/liu r1, 0xff02\nsth r0, r1\nliu r1, 0xff00\nli r2, 1\nsth r2, r1/' %s > %t.s && %wslc --arch=wse3 %t.s -o %t.obj && %wsrun %t.obj --dump got:2,0,1,1 | FileCheck %s --check-prefix=REGS
; REGS: got (2,0): 327684 0
; sparse: the second round has the second limit, and behind it all words pass; without a second limit that is behind the first, and
; without the first from the start
; RUN: sed 's/filter counter 0 1 4/filter sparse 0 0 2 1/' %s > %t.s && %wslc --arch=wse3 %t.s -o %t.obj && %wsrun %t.obj --dump got:2,0,1,1 | FileCheck %s --check-prefix=SPARSE
; SPARSE: got (2,0): 65536 262147 393221 458758 0
; RUN: sed 's/filter counter 0 1 4/filter sparse 0 0 2 0/' %s > %t.s && %wslc --arch=wse2 %t.s -o %t.obj && %wsrun %t.obj --dump got:2,0,1,1 | FileCheck %s --check-prefix=ONCE
; ONCE: got (2,0): 65536 262147 327684 393221 458758 0
; RUN: sed 's/filter counter 0 1 4/filter sparse 5 0 0 3/' %s > %t.s && %wslc --arch=wse3 %t.s -o %t.obj && %wsrun %t.obj --dump got:2,0,1,1 | FileCheck %s --check-prefix=NEVER
; NEVER: got (2,0): 65536 131073 196610 262147 327684 393221 458758 0
; RUN: %wsobjdump -r %t.obj | FileCheck %s --check-prefix=DUMP2
; DUMP2: filter sparse counter from 5, through up to 0, back after 0, counts data; then after 3;
; only: control words at max, and nothing else
; RUN: sed 's/filter counter 0 1 4/filter counter 0 7 9 only/' %s > %t.s && %wslc --arch=wse3 %t.s -o %t.obj && %wsrun %t.obj --dump got:2,0,1,1 | FileCheck %s --check-prefix=ONLY
; ONLY: got (2,0): 0 0
.rect 4, 1
.class src
main: lddsr d.0, o
      lddsr s1.0, w
      nop
      nop
      nop
      nop
      nop
      mov32 dsr0, dsr0
      lw32 r2, 0x095f9249     ; a control word is neither counted nor judged
      sendc q2, r2
      done
.data
o: .dsd fabout, q2, 7
w: .dsd mem1d, words, 7, 1
words: .word 0x10000, 0x20001, 0x30002, 0x40003, 0x50004, 0x60005, 0x70006
.entry main
.oq 2, 3
.class dst
main: 
r2:   nop
      lddsr d.0, g
      lddsr s1.0, i
      async
      mov32 dsr0, dsr0
      done
.data
p2: .half 0
.align 4
g: .dsd mem1d, got, 8, 1
i: .dsd fabin, q0, endless
got: .word 0, 0, 0, 0, 0, 0, 0, 0
.global got u32
.entry main
.iq 0, 3
.place 0, 0, 1, 1, src
.place 1, 0, 3, 1, dst
.route 0, 0, 1, 1, 3, ramp, east
.route 1, 0, 1, 1, 3, west, east, ramp, filter range 2 4
.route 2, 0, 1, 1, 3, west, east, ramp, filter counter 0 1 4
.route 3, 0, 1, 1, 3, west, ramp
