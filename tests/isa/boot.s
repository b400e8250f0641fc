; boot records
; RUN: %wslc %s -o %t.obj && %wsobjdump --boot %t.obj | FileCheck %s
.class c
.entry main                             ; CHECK: entry at 0x0000 main
.task 9, t active, high                 ; CHECK: task 9 at 0x0004 t active high
.task data:3, t blocked                 ; CHECK: task data:3 at 0x0004 t blocked
.iq q2, 5 lend                          ; CHECK: input queue 2 color 5 with the words of queue + 4
.iq 3, null                             ; CHECK: input queue 3 color null
.oq 1, 7                                ; CHECK: output queue 1 color 7
main: done
t:    done
