; The colors of queues by the registers of the machine.  PE 0 sends 5 and 7 as color 2, makes its queue one of color 3 at once, while
; both are still in it, and sends 9 and 11; PE 1 takes two words of color 2, then makes its queue one of color 3.
; RUN: both '%wslc --arch=ARCH %s -o %t.obj && %wsrun --engine both %t.obj --dump got --dump seen' | FileCheck %s
; CHECK: got (1,0): 5 7 9 11
; CHECK: seen (0,0): 32 48 496
; CHECK: seen (1,0): 32 48 496
; a queue that borrows
; RUN: sed 's/^\.iq 0, 2$/.iq 0, 2 lend/' %s > %t.lend.s && %wslc --arch=wse3 %t.lend.s -o %t.obj && %wsrun --engine both %t.obj --dump got | FileCheck --check-prefix=LEND %s
; LEND: got (1,0): 5 7 9 11
; a color that cannot be routed
; RUN: sed 's/, 0x30 *; three/, 0x190/' %s > %t.bad.s && %wslc --arch=wse3 %t.bad.s -o %t.obj && exits 4 %wsrun --engine both %t.obj 2>&1 | FileCheck --check-prefix=BAD %s
; BAD: fault S011 (bad_color): a socket word names color 25, which cannot be routed
; a queue that the machine does not have
; RUN: sed 's/sth r2, r1+4/sth r2, r1+10/' %s > %t.none.s && %wslc --arch=wse3 %t.none.s -o %t.obj && exits 4 %wsrun --engine both --arch-param oq5_words=0 %t.obj 2>&1 | FileCheck --check-prefix=NONE %s
; NONE: fault S010 {{.*}}output queue 5
.rect 2, 1
.class west
.uses registers
main: lddsr d.0, o
      lddsr s1.0, w
      liu r1, 0xfe10
      la r6, seen
      ldhu r3, r1+4
      sth r3, r6
      mov32 dsr0, dsr0, n=2
      liu r2, 0x30               ; three
      sth r2, r1+4
      mov32 dsr0, dsr0, n=2
      ldhu r3, r1+4
      sth r3, r6+2
      ldhu r3, r1+6              ; a queue without a color
      sth r3, r6+4
      done
.data
o: .dsd fabout, q2, 4
w: .dsd mem1d, words, 4, 1, save
words: .word 5, 7, 9, 11
seen: .half 0, 0, 0
.global seen u16
.entry main
.oq 2, 2
.class east
.uses registers
main: lddsr d.1, g
      lddsr s1.1, i
      liu r1, 0xfe00
      la r6, seen
      ldhu r3, r1
      sth r3, r6
      mov32 dsr1, dsr1, n=2
      liu r2, 0x8030             ; with the bit that says there is a filter
      sth r2, r1
      mov32 dsr1, dsr1, n=2
      ldhu r3, r1
      sth r3, r6+2
      ldhu r3, r1+2
      sth r3, r6+4
      done
.data
i: .dsd fabin, q0, 4
g: .dsd mem1d, got, 4, 1
got: .word 0, 0, 0, 0
seen: .half 0, 0, 0
.global got u32
.global seen u16
.entry main
.iq 0, 2
.route 0, 0, 1, 1, 2, ramp, east
.route 0, 0, 1, 1, 3, ramp, east
.route 1, 0, 1, 1, 2, west, ramp
.route 1, 0, 1, 1, 3, west, ramp
.place 0, 0, 1, 1, west
.place 1, 0, 1, 1, east
