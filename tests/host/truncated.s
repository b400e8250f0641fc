; An image cut anywhere is refused with one clear line, exit code 2: never a crash, never a run.
; REQUIRES: slow
; RUN: %wslc %s -o %t.obj
; RUN: bash %S/Inputs/truncated.sh %wsrun %t.obj %t
.arch wse3
.rect 2, 2
.class a
.entry main
main: done
.data
x: .word 1
.place 0, 0, 2, 2, a
.route 0, 0, 1, 1, 3, ramp, east
