; On a terminal a run shows progress and ends with cycles, time and rate; --quiet and a pipe silence it.
; REQUIRES: script
; RUN: %wslc %s -o %t.obj
; RUN: script -qec "%wsrun %t.obj" /dev/null < /dev/null | FileCheck %s
; RUN: script -qec "%wsrun -q %t.obj" /dev/null < /dev/null | count 0
; RUN: %wsrun %t.obj 2>&1 | count 0
; RUN: %wsrun --verbose %t.obj 2>&1 | FileCheck %s
; CHECK: wsrun: {{[0-9,]+}} cycles, {{[0-9.]+}} s, {{.*}} PE-cycles/s
.arch wse3
.rect 1, 1
.class c
.entry main
main: done
.place 0, 0, 1, 1, c
