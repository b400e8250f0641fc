; The chain goes through microthreads: the main thread waits for a busy one, that waits for a word, the PE between
; forwards for ever, and the last one has nothing to do.
; RUN: %wslc %s -o %t.obj
; RUN: exits 3 %wsrun %t.obj 2>&1 | FileCheck %s
; CHECK:      and 1 of 3 PEs are not done
; CHECK-DAG:  1 PE class recv {{.*}}:[[#MAIN:]] (main) main thread in main waits for microthread 2 to finish; e.g. PE (0, 0)
; CHECK-DAG:  1 PE class recv {{.*}}:[[#UT:]] (main) microthread 2 waits for a word of input queue 2 (color 3, from the east); e.g. PE (0, 0), 0 of 4 elements done
; CHECK:      PE (0, 0) {{.*}}:[[#MAIN]] waits for microthread 2
; CHECK-NEXT: PE (0, 0) {{.*}}:[[#UT]] microthread 2 waits for a word of input queue 2, color 3, which PE (1, 0) sends
; CHECK-NEXT: PE (1, 0) {{.*}} microthread 5 waits for a word of input queue 5, color 4, which PE (2, 0) sends
; CHECK-NEXT: PE (2, 0) local task 9 (later) is active and blocked: nobody unblocks it
.arch wse3
.rect 3, 1
.class recv
.iq 2, 3
.entry main
main:
    lddsr s1.0, from
    lddsr d.0, to
    async ut2
    mov32 dsr0, dsr0
    async ut2
    mov32 dsr0, dsr0
    done
.data
from: .dsd fabin, q2, 4
to: .dsd mem1d, buf, 4, 1
.bss
buf: .space 16
.class hop
.iq 5, 4
.oq 1, 3
.entry main
main:
    lddsr s1.0, from
    lddsr d.0, to
    async ut5
    mov32 dsr0, dsr0
    done
.data
from: .dsd fabin, q5, endless
to: .dsd fabout, q1, endless
.class late
.oq 1, 4
.task 9, later, active, blocked
later:
    done
.place 0, 0, 1, 1, recv
.place 1, 0, 1, 1, hop
.place 2, 0, 1, 1, late
.route 0, 0, 1, 1, 3, east, ramp
.route 1, 0, 1, 1, 3, ramp, west
.route 1, 0, 1, 1, 4, east, ramp
.route 2, 0, 1, 1, 4, ramp, west
