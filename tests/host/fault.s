; A program fault: exit code 4, one line with kind, ID and text at the source line, one with cycle, PE and pc; results are
; not written, statistics are.
; RUN: %wslc %s -o %t.obj
; RUN: rm -f %t.bin
; RUN: exits 4 %wsrun %t.obj --read x -o %t.bin --stats json >%t.json 2>%t.err
; RUN: FileCheck %s < %t.err
; RUN: not ls %t.bin %t.bin.tmp*
; RUN: FileCheck --check-prefix=JSON %s < %t.json
; CHECK:      wsrun: {{.*}}fault.s:[[@LINE+16]]: program fault S003 (assert_failed): assertion failed
; CHECK-NEXT: {{^}}  cycle {{[0-9]+}}, PE (1, 0), pc 0x0008 in main{{$}}
; CHECK-NOT:  {{.}}
; JSON:       "end": "fault"
; JSON:       "fault": {
; JSON-NEXT:  "id": "S003"
.arch wse3
.rect 2, 1
.class good
.entry main
main: done
.class bad
.entry main
main:
    nop
    nop
    trap 0
.bss
x: .space 4
.place 0, 0, 1, 1, good
.place 1, 0, 1, 1, bad
