; Color swap (wse2): a word that comes to a router from the west or the east changes to the other color of its pair there; what a
; PE sends to its own ramp does not.  PE 0 sends one word of color 1 to itself and east; it runs data task 1, 0, 1, 0 on PEs 0 to 3.
; RUN: %wslc --arch=wse2 %s -o %t.obj && %wsrun %t.obj --dump seen | FileCheck %s
; CHECK: seen (0,0): 1
; CHECK: seen (1,0): 0
; CHECK: seen (2,0): 1
; CHECK: seen (3,0): 0
; RUN: %wsobjdump -r %t.obj | FileCheck %s --check-prefix=DUMP
; DUMP: swap west and east;
; only on wse2, and of both colors of a pair
; RUN: not %wslc --arch=wse3 %s -o %t.x 2>&1 | FileCheck %s --check-prefix=WSE3
; RUN: sed 's/^\.route 1, 0, 2, 1, 0, west, ramp, east swap_ew/.route 1, 0, 2, 1, 0, west, ramp, east/' %s > %t.s && not %wslc --arch=wse2 %t.s -o %t.x 2>&1 | FileCheck %s --check-prefix=ONE
; WSE3: colors are swapped at PE (0, 0), which wse3 cannot
; ONE: colors 0 and 1 are not both swapped at PE (1, 0)
.rect 4, 1
.class src
main: lddsr d.0, o
      mov32 dsr0, r0
      done
t0:   li r1, 0
      stw r1, seen
      done
t1:   li r1, 1
      stw r1, seen
      done
.data
o: .dsd fabout, q2, 1
seen: .word 9
.global seen u32
.entry main
.oq 2, 1
.iq 0, 0
.iq 1, 1
.task data:0, t0
.task data:1, t1
.class dst
t0:   li r1, 0
      stw r1, seen
      done
t1:   li r1, 1
      stw r1, seen
      done
.data
seen: .word 9
.global seen u32
.iq 0, 0
.iq 1, 1
.task data:0, t0
.task data:1, t1
.place 0, 0, 1, 1, src
.place 1, 0, 3, 1, dst
.route 0, 0, 1, 1, 1, ramp, ramp, east swap_ew
.route 0, 0, 1, 1, 0, ramp, ramp, east swap_ew
.route 1, 0, 2, 1, 1, west, ramp, east swap_ew
.route 1, 0, 2, 1, 0, west, ramp, east swap_ew
.route 3, 0, 1, 1, 1, west, ramp swap_ew
.route 3, 0, 1, 1, 0, west, ramp swap_ew
