; An object in which nothing starts is run with a warning; one with main, or with an active task, without.
; RUN: rm -rf %t && split-file %s %t
; RUN: %wslc %t/none.s -o %t/none.obj && %wsrun %t/none.obj --dump x > %t/out 2> %t/err
; RUN: FileCheck --check-prefix=WARN %s < %t/err && FileCheck --check-prefix=OUT %s < %t/out
; WARN: wsrun: warning: no PE of {{.*}}none.obj starts anything: main, or an active task
; OUT: x (0,0): 5
; RUN: %wslc %t/main.s -o %t/main.obj && %wsrun %t/main.obj 2>&1 | count 0
; RUN: %wslc %t/task.s -o %t/task.obj && %wsrun %t/task.obj 2>&1 | count 0
;--- none.s
.arch wse3
.class c
.task 9, t
t: done
.data
x: .word 5
.sym x, i32, 4
.place 0, 0, 1, 1, c
;--- main.s
.arch wse3
.class c
.entry t
t: done
.place 0, 0, 1, 1, c
;--- task.s
.arch wse3
.class c
.task 9, t, active
t: done
.place 0, 0, 1, 1, c
