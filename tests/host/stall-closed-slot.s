; A context switch waits for a teardown that nobody sends: the slot is never closed.
; RUN: %wslc %s -o %t.obj
; RUN: exits 3 %wsrun %t.obj 2>&1 | FileCheck %s
; CHECK:      1 PE class recv {{.*}}:[[#LINE:]] (main) main thread in main waits for the teardown of color 5, to set the router; e.g. PE (0, 0)
; CHECK:      PE (0, 0) {{.*}}:[[#LINE]] waits for the teardown of color 5, which PE (1, 0) should send
; CHECK-NEXT: PE (1, 0) has nothing left to do
.arch wse3
.rect 2, 1
.equ OPEN, 0x8000
.class recv
.entry main
main:
    la r1, first
    setrtr r1
    la r1, second
    setrtr r1
    done
.data
first: .half 5, OPEN | 1 | 16 << 3, 31, 0, 31, 0, 31, 0, 31, 0, 31, 0, 31, 0, 31, 0, 31, 0
second: .half 6, OPEN | 1 | 16 << 3, 31, 0, 31, 0, 31, 0, 31, 0, 31, 0, 31, 0, 31, 0, 31, 0
.class send
.entry main
main:
    done
.place 0, 0, 1, 1, recv
.place 1, 0, 1, 1, send
.route 1, 0, 1, 1, 5, ramp, west
