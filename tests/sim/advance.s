; An output that advances the switch: the last word of each operation leaves by the old position, then this router's switch moves.
; Three operations of two words: to the east, to the south, to the east (ring).  An index goes into the high halves of 16-bit words.
; RUN: both '%wslc --arch=ARCH %s -o %t.obj && %wsrun %t.obj --dump got:1,0,1,1 --dump got:0,1,1,1' | FileCheck %s
; CHECK: got (1,0): 65537 65538 65541 65542
; CHECK: got (0,1): 65539 65540 0 0
; without the word "fifo" of .uses (the directive's .dsd says it) the flag means nothing
; RUN: sed -e 's/^\.dsd fabout.*/.half 2, 2, 0, 0x404/' -e 's/^      dsrx.*//' -e 's/^o: .dsd.*/o: .half 2, 2, 0, 0x404/' %s > %t.s && %wslc --arch=wse3 %t.s -o %t.obj && %wsrun %t.obj --dump got:1,0,1,1 --dump got:0,1,1,1 | FileCheck %s --check-prefix=PLAIN
; PLAIN: got (1,0): 1 2 3 4
.rect 2, 2
.class src
main: lddsr d.0, o
      lddsr s1.0, w
      li r1, 1
      dsrx d.0, r1
      mov16 dsr0, dsr0
      mov16 dsr0, dsr0
      mov16 dsr0, dsr0
      done
.data
o: .dsd fabout, q2, 2, advance
w: .dsd mem1d, words, 2, 1, save
words: .half 1, 2, 3, 4, 5, 6
.entry main
.oq 2, 2
.class dst
main: lddsr d.0, g
      lddsr s1.0, i
      async
      mov32 dsr0, dsr0
      done
.data
g: .dsd mem1d, got, 6, 1
i: .dsd fabin, q0, endless
got: .word 0, 0, 0, 0, 0, 0
.global got u32
.entry main
.iq 0, 2
.place 0, 0, 1, 1, src
.place 1, 0, 1, 2, dst
.place 0, 1, 1, 1, dst
.route 0, 0, 1, 1, 2, ramp, east pos1 tx=south ring
.route 1, 0, 1, 1, 2, west, ramp
.route 0, 1, 1, 1, 2, north, ramp
