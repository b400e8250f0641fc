; Two PEs wait for each other: the chain closes.
; RUN: %wslc %s -o %t.obj
; RUN: exits 3 %wsrun %t.obj 2>&1 | FileCheck %s
; CHECK:      and 2 of 2 PEs are not done
; CHECK:      1 PE class west {{.*}} waits for a word of input queue 2 (color 4, from the east)
; CHECK:      1 PE class east {{.*}} waits for a word of input queue 2 (color 3, from the west)
; CHECK:      PE (0, 0) {{.*}} color 4, which PE (1, 0) sends
; CHECK-NEXT: PE (1, 0) {{.*}} color 3, which PE (0, 0) sends
; CHECK-NEXT: PE (0, 0) again: a cycle of 2 waits
.arch wse2
.rect 2, 1
.class west
.iq 2, 4
.oq 1, 3
.entry main
main:
    lddsr s1.0, from
    mov32 r1, dsr0
    lddsr d.0, to
    mov32 dsr0, r1
    done
.data
from: .dsd fabin, q2, 1
to: .dsd fabout, q1, 1
.class east
.iq 2, 3
.oq 1, 4
.entry main
main:
    lddsr s1.0, from
    mov32 r1, dsr0
    lddsr d.0, to
    mov32 dsr0, r1
    done
.data
from: .dsd fabin, q2, 1
to: .dsd fabout, q1, 1
.place 0, 0, 1, 1, west
.place 1, 0, 1, 1, east
.route 0, 0, 1, 1, 3, ramp, east
.route 1, 0, 1, 1, 3, west, ramp
.route 1, 0, 1, 1, 4, ramp, west
.route 0, 0, 1, 1, 4, east, ramp
