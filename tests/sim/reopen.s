; A slot that a store opens within ramp_down cycles of its teardown: the queue of its color, which that teardown was still to close,
; stays open.  PE 0 sends 5, a teardown and 7 east; both clear the closed bit again and again.
; RUN: both '%wslc --arch=ARCH %s -o %t.obj && %wsrun %t.obj --dump got' | FileCheck %s
; with the longest of such times too, and the shortest
; RUN: %wslc --arch=wse3 %s -o %t.obj && %wsrun --arch-param ramp_down=9 %t.obj --dump got | FileCheck %s
; RUN: %wslc --arch=wse3 %s -o %t.obj && %wsrun --arch-param ramp_down=0 %t.obj --dump got | FileCheck %s
; CHECK: got (1,0): 5 7
; not opened, the next word is held for good
; RUN: sed 's/^      sth r2, r1 *; open/      nop/' %s > %t.s && %wslc --arch=wse3 %t.s -o %t.obj && exits 3 %wsrun %t.obj
.rect 2, 1
.class west
.uses registers
main: lddsr d.0, o
      lddsr s1.0, w
      mov32 dsr0, dsr0, n=1
      lw32 r2, 0x09df9249
      sendc q2, r2
      mov32 dsr0, dsr0, n=1
      liu r1, 0xfe44           ; color 2
      liu r2, 0x8202           ; from the core east
      li r3, 80
      loop l0, r3, endw
againw:
      sth r2, r1
      endl l0, againw
endw: done
.data
o: .dsd fabout, q2, 1
w: .dsd mem1d, words, 2, 1, save
words: .word 5, 7
.entry main
.oq 2, 2
.class east
.uses registers
main: liu r1, 0xfe44           ; color 2
      liu r2, 0x8030           ; from the west to the ramp
      lddsr d.1, g
      lddsr s1.1, i
      async ut3
      mov32 dsr1, dsr1
      li r3, 80
      loop l0, r3, end
again:
      sth r2, r1               ; open
      endl l0, again
end:  done
.data
i: .dsd fabin, q0, 2
g: .dsd mem1d, got, 2, 1
got: .word 0, 0
.global got u32
.entry main
.iq 0, 2
.route 0, 0, 1, 1, 2, ramp, east
.route 1, 0, 1, 1, 2, west, ramp
.place 0, 0, 1, 1, west
.place 1, 0, 1, 1, east
