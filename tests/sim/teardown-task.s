; Teardown as CSL programs do it: the color starts closed, task 29 runs after each teardown, new routes are set by stores to the
; registers of the machine, and clearing the closed bit opens the color.  Words that come early wait.
; PE 0 sends 1 2 and a teardown east to PE 1, then both turn the color round, and PE 1 sends 7 8 west.
; RUN: %wslc --arch=wse2 %s -o %t.obj && %wsrun %t.obj --dump got --dump pend --stats text | FileCheck %s
; RUN: %wslc --arch=wse3 %s -o %t.obj && %wsrun %t.obj --dump got --dump pend --stats text | FileCheck %s
; CHECK: got (0,0): 7 8
; CHECK: got (1,0): 1 2
; CHECK: pend (0,0): 4 0
; CHECK: pend (1,0): 4 0
; CHECK: tasks {{ *}}4
; a route changed while the color is open
; RUN: sed -e 's/sendc q2, r2/divu r6, r6, r6/' -e 's/^.*; not closed$/      liu r1, 0xfe44\nliu r2, 0x8030\nsth r2, r1/' %s > %t.s && %wslc --arch=wse3 %t.s -o %t.obj && exits 4 %wsrun %t.obj 2>&1 | FileCheck %s --check-prefix=OPEN
; OPEN: program fault S013 (slot_open): color 2 is opened again while it is open and has carried words: it was not torn down
; without a word of registers, these addresses are no memory
; RUN: sed 's/^\.uses .*/.uses teardown/' %s > %t.s && %wslc --arch=wse3 %t.s -o %t.obj && exits 3 %wsrun %t.obj --stats text 2>&1 | FileCheck %s --check-prefix=STRAY
; STRAY: stray {{ *}}[[#]]
.rect 2, 1
.class west
.uses teardown, registers
main: liu r1, 0xfe44           ; color 2
      liu r2, 0x8202           ; from the ramp, east; open
      sth r2, r1
      lddsr d.0, o
      lddsr s1.0, w
      mov32 dsr0, dsr0
      lw32 r2, 0x09df9249
      sendc q2, r2
      nop                      ; not closed
      done
td:   liu r1, 0xfec0
      ldhu r2, r1
      la r5, pend
      sth r2, r5
      liu r1, 0xfe44
      liu r2, 0x8050           ; from the east to the ramp
      sth r2, r1
      liu r1, 0xfec0
      ldhu r2, r1
      sth r2, r5+2
      lddsr d.1, g
      lddsr s1.1, i
      mov32 dsr1, dsr1
      done
.data
o: .dsd fabout, q2, 2
w: .dsd mem1d, words, 2, 1
words: .word 1, 2
i: .dsd fabin, q0, 2
g: .dsd mem1d, got, 2, 1
got: .word 0, 0
pend: .half 0, 0
.global got u32
.global pend u16
.entry main
.iq 0, 2
.oq 2, 2
.task 29, td
.class east
.uses teardown, registers
main: liu r1, 0xfe44
      liu r2, 0x8030           ; from the west to the ramp
      sth r2, r1
      lddsr d.1, g
      lddsr s1.1, i
      mov32 dsr1, dsr1
      done
td:   liu r1, 0xfec0
      ldhu r2, r1
      la r5, pend
      sth r2, r5
      liu r1, 0xfe44
      liu r2, 0x8201           ; from the ramp, west
      sth r2, r1
      liu r1, 0xfec0
      ldhu r2, r1
      sth r2, r5+2
      lddsr d.0, o
      lddsr s1.0, w
      mov32 dsr0, dsr0
      done
.data
o: .dsd fabout, q2, 2
w: .dsd mem1d, words, 2, 1
words: .word 7, 8
i: .dsd fabin, q0, 2
g: .dsd mem1d, got, 2, 1
got: .word 0, 0
pend: .half 0, 0
.global got u32
.global pend u16
.entry main
.iq 0, 2
.oq 2, 2
.task 29, td
.place 0, 0, 1, 1, west
.place 1, 0, 1, 1, east
.route 0, 0, 1, 1, 2, ramp, east closed
.route 1, 0, 1, 1, 2, west, ramp closed
