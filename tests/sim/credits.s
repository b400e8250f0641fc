; How many words fit between a sender and a receiver that does not read: input queue, router_slots at each of three
; routers, output queue; a lent queue adds its words.  The run ends stalled.
; RUN: %wslc --arch=wse2 %s -o %t.obj && exits 3 %wsrun %t.obj --stats text 2>/dev/null | FileCheck %s --check-prefix=WSE2
; RUN: %wslc --arch=wse3 %s -o %t.obj && exits 3 %wsrun %t.obj --stats text 2>/dev/null | FileCheck %s --check-prefix=WSE3
; RUN: sed 's/^.iq 0, 5/.iq 0, 5 lend/' %s > %t.s && %wslc --arch=wse2 %t.s -o %t.obj && exits 3 %wsrun %t.obj --stats text 2>/dev/null | FileCheck %s --check-prefix=LEND
; RUN: exits 3 %wsrun %t.obj --arch-param router_slots=5 --stats text 2>/dev/null | FileCheck %s --check-prefix=SLOTS
; 6 + 3 * 2 + 6, 8 + 3 * 4 + 8, two more, 3 * 3 more
; WSE2: sent {{ *}}18
; WSE3: sent {{ *}}28
; LEND: sent {{ *}}20
; SLOTS: sent {{ *}}29
.rect 4, 1
.class send
main: lddsr d.0, out
      fmovs dsr0, r0
      done
.data
out: .dsd fabout, q2, 101
.entry main
.oq 2, 5
.class recv
main: done
.entry main
.iq 0, 5
.place 0, 0, 1, 1, send
.place 3, 0, 1, 1, recv
.route 0, 0, 1, 1, 5, ramp, east
.route 1, 0, 2, 1, 5, west, east
.route 3, 0, 1, 1, 5, west, ramp
