; A sender fills the queue of a PE that does not read: the sender waits for space, and the reader's queue is named.
; RUN: %wslc %s -o %t.obj
; RUN: exits 3 %wsrun %t.obj 2>&1 | FileCheck %s
; CHECK:     and 2 of 3 PEs are not done
; CHECK-DAG: 1 PE class send {{.*}}stall-full-queue.s:[[#]] (main) main thread in main waits for space in output queue 1 (color 3); e.g. PE (0, 0), {{[0-9]+}} of 99 elements done
; CHECK-DAG: 1 PE class sink 4 words of color 3 in input queue 2 that nobody reads; e.g. PE (2, 0)
; CHECK:     who waits for whom:
; CHECK:     PE (0, 0) {{.*}} waits for space in output queue 1, color 3: input queue 2 of PE (2, 0) stays full
; CHECK:     PE (2, 0) has nothing left to do
.arch wse3
.rect 3, 1
.class send
.oq 1, 3
.entry main
main:
    lddsr d.0, out
    mov32 dsr0, r0
    done
.data
out: .dsd fabout, q1, 99
.class sink
.iq 2, 3
.entry main
main:
    done
.class hop
.entry main
main:
    done
.place 0, 0, 1, 1, send
.place 1, 0, 1, 1, hop
.place 2, 0, 1, 1, sink
.route 0, 0, 1, 1, 3, ramp, east
.route 1, 0, 1, 1, 3, west, east
.route 2, 0, 1, 1, 3, west, ramp
