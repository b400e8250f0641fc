; A PE waits for words that the sender never sends: exit code 3, and the report names queue, color, direction and line.
; RUN: %wslc %s -o %t.obj
; RUN: exits 3 %wsrun %t.obj 2>&1 | FileCheck %s
; CHECK:      wsrun: stall at cycle {{[0-9]+}}: nothing can move, and 1 of 2 PEs are not done
; CHECK-NEXT: 1 PE class recv {{.*}}stall-empty-queue.s:[[#RECV:]] (main) main thread in main waits for a word of input queue 2 (color 3, from the east); e.g. PE (0, 0), 2 of 4 elements done
; CHECK-NEXT: who waits for whom:
; CHECK-NEXT: PE (0, 0) {{.*}}stall-empty-queue.s:[[#RECV]] waits for a word of input queue 2, color 3, which PE (1, 0) sends
; CHECK-NEXT: PE (1, 0) has nothing left to do
.arch wse3
.rect 2, 1
.class recv
.iq 2, 3
.entry main
main:
    lddsr s1.0, from
    lddsr d.0, to
    mov32 dsr0, dsr0
    done
.data
from: .dsd fabin, q2, 4
to: .dsd mem1d, buf, 4, 1
.bss
buf: .space 16
.class send
.oq 1, 3
.entry main
main:
    lddsr d.0, out
    lddsr s1.0, words
    mov32 dsr0, dsr0
    done
.data
out: .dsd fabout, q1, 2
words: .dsd mem1d, two, 2, 1
two: .word 1, 2
.place 0, 0, 1, 1, recv
.place 1, 0, 1, 1, send
.route 0, 0, 1, 1, 3, east, ramp
.route 1, 0, 1, 1, 3, ramp, west
