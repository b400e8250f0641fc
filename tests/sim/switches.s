; Switches: a control wavelet leaves by the position that it found, then moves the switch.  PE 0 sends 11, advance, 12, advance, 13, ...
; on a color that goes to PE 1 at position 0 and on to PE 2 at position 1.
; ring: position 0 again after the last; without it the switch stays there.
; RUN: both '%wslc --arch=ARCH %s -o %t.obj && %wsrun %t.obj --dump got:1,0,2,1' | FileCheck %s --check-prefix=STAY
; RUN: sed 's/, pos1 tx=east/& ring/' %s > %t.s && %wslc --arch=wse3 %t.s -o %t.obj && %wsrun %t.obj --dump got:1,0,2,1 | FileCheck %s --check-prefix=RING
; RUN: sed 's/, pos1 tx=east/& at=1/' %s > %t.s && %wslc --arch=wse2 %t.s -o %t.obj && %wsrun %t.obj --dump got:1,0,2,1 | FileCheck %s --check-prefix=AT1
; the reset command
; RUN: sed 's/^\.equ second, .*/.equ second, RST/' %s > %t.s && %wslc --arch=wse2 %t.s -o %t.obj && %wsrun %t.obj --dump got:1,0,2,1 | FileCheck %s --check-prefix=RESET
; an advance that PE 1 takes off the list does not move PE 2's switch, whose position 1 would send the words off the machine
; RUN: sed -e 's/, pos1 tx=east/& ring pop=advance/' -e 's/west, ramp ; end/west, ramp pos1 tx=east/' %s > %t.s && %wslc --arch=wse2 %t.s -o %t.obj && %wsrun %t.obj --dump got:1,0,2,1 | FileCheck %s --check-prefix=RING
; RUN: sed -e 's/, pos1 tx=east/& ring/' -e 's/west, ramp ; end/west, ramp pos1 tx=east/' %s > %t.s && %wslc --arch=wse2 %t.s -o %t.obj && exits 4 %wsrun %t.obj 2>&1 | FileCheck %s --check-prefix=OFF
; nothing and then an advance: PE 0's router takes off the nothing in the mode for it, and PE 1 advances; in the mode for advances alone it does not
; RUN: sed -e 's/^\.equ ADV, [^ ]*/.equ ADV, 0x0b1f9249/' -e 's/ramp, east$/& pop=advance_nop/' %s > %t.s && %wslc --arch=wse3 %t.s -o %t.obj && %wsrun %t.obj --dump got:1,0,2,1 | FileCheck %s --check-prefix=STAY
; RUN: sed -e 's/^\.equ ADV, [^ ]*/.equ ADV, 0x0b1f9249/' -e 's/ramp, east$/& pop=advance/' %s > %t.s && %wslc --arch=wse3 %t.s -o %t.obj && %wsrun %t.obj --dump got:1,0,2,1 | FileCheck %s --check-prefix=NOP
; NOP: got (1,0): 11 12 13 14
; STAY: got (1,0): 11 0 0 0
; STAY: got (2,0): 12 13 14 0
; RING: got (1,0): 11 13 0 0
; RING: got (2,0): 12 14 0 0
; AT1: got (1,0): 0 0 0 0
; AT1: got (2,0): 11 12 13 14
; RESET: got (1,0): 11 13 0 0
; RESET: got (2,0): 12 14 0 0
; OFF: program fault S014 (off_fabric): a word of color 2 would leave the machine to the east
.equ ADV, 0x095f9249       ; advance, then nops, all of them not to the core
.equ RST, 0x099f9249       ; reset
.equ second, ADV
.rect 3, 1
.class src
main: lddsr d.0, o
      lddsr s1.0, w
      lw32 r2, ADV
      lw32 r3, second
      mov32 dsr0, dsr0, n=1
      sendc q2, r2
      mov32 dsr0, dsr0, n=1
      sendc q2, r3
      mov32 dsr0, dsr0, n=1
      sendc q2, r2
      mov32 dsr0, dsr0, n=1
      done
.data
o: .dsd fabout, q2, 1
w: .dsd mem1d, words, 4, 1, save
words: .word 11, 12, 13, 14
.entry main
.oq 2, 2
.class dst
main: lddsr d.0, g
      lddsr s1.0, i
      async
      mov32 dsr0, dsr0
      done
.data
g: .dsd mem1d, got, 4, 1
i: .dsd fabin, q0, endless
got: .word 0, 0, 0, 0
.global got u32
.entry main
.iq 0, 2
.place 0, 0, 1, 1, src
.place 1, 0, 2, 1, dst
.route 0, 0, 1, 1, 2, ramp, east
.route 1, 0, 1, 1, 2, west, ramp, pos1 tx=east
.route 2, 0, 1, 1, 2, west, ramp ; end
