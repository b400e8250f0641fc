; A word lies in the queue of a data task that is blocked, and nobody unblocks it.
; RUN: %wslc %s -o %t.obj
; RUN: exits 3 %wsrun %t.obj 2>&1 | FileCheck %s
; CHECK:      and 1 of 2 PEs are not done
; CHECK-NEXT: 1 PE class recv 1 word of color 3 in input queue 2 for data task 2 (take), which is blocked; e.g. PE (0, 0)
.arch wse3
.rect 2, 1
.class recv
.iq 2, 3
.task data:2, take, blocked
take:
    done
.class send
.oq 1, 3
.entry main
main:
    lddsr d.0, out
    mov32 dsr0, r0
    done
.data
out: .dsd fabout, q1, 1
.place 0, 0, 1, 1, recv
.place 1, 0, 1, 1, send
.route 0, 0, 1, 1, 3, east, ramp
.route 1, 0, 1, 1, 3, ramp, west
