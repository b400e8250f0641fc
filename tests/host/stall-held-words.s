; A teardown closes the route; words sent behind it can never leave.
; RUN: %wslc %s -o %t.obj
; RUN: exits 3 %wsrun %t.obj 2>&1 | FileCheck %s
; CHECK:      and 1 of 2 PEs are not done
; CHECK-NEXT: 1 PE class send 2 words of color 3 from the core wait: the slot of the color is closed, and nobody opens it; e.g. PE (1, 0)
.arch wse3
.rect 2, 1
.class recv
.iq 2, 3
.entry main
main:
    done
.class send
.oq 1, 3
.entry main
main:
    lddsr d.0, out
    ldw r1, teardown
    sendc q1, r1
    mov32 dsr0, r0
    done
.data
teardown: .word 0x09df9249
out: .dsd fabout, q1, 2
.place 0, 0, 1, 1, recv
.place 1, 0, 1, 1, send
.route 0, 0, 1, 1, 3, east, ramp
.route 1, 0, 1, 1, 3, ramp, west
