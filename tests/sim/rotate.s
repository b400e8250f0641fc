; Rotating tasks: after two starts of data task 2 control task 4, the first of its queue's table, starts instead and takes the word.
; Control words of queue 2 name tasks from 4 on; those of queue 3 from 0 on.
; RUN: %wslc --arch=wse3 %s -o %t.obj && %wsrun %t.obj --dump got --dump alt --dump ctl | FileCheck %s
; CHECK: got (0,0): 1 2 4 5 7
; CHECK: alt (0,0): 3 6
; CHECK: ctl (0,0): 1 5
; the first round is shorter by the starts that are counted at boot
; RUN: sed 's/^\.rotate .*/& first=1/' %s > %t.s && %wslc --arch=wse3 %t.s -o %t1.obj && %wsrun %t1.obj --dump got --dump alt | FileCheck %s --check-prefix=FIRST
; FIRST: got (0,0): 1 3 4 6 7
; FIRST: alt (0,0): 2 5
; RUN: %wsobjdump --boot %t1.obj | FileCheck %s --check-prefix=DUMP
; DUMP: input queue 2 color 2, control tasks from 4 on
; DUMP: data task 2 rotates after 2 starts, 1 counted
; RUN: sed 's/^\.control 4.*//' %s > %t.s && not %wslc --arch=wse3 %t.s -o %t.obj 2>&1 | FileCheck %s --check-prefix=NONE
; NONE: data task 2 rotates with no task
.class k
.uses control
main: la r20, got
      la r21, alt
      la r22, ctl
      lddsr d.0, o
      lddsr s1.0, w
      lddsr d.1, o3
      lw32 r2, 0x08010000        ; control task 1 of the table
      mov32 dsr0, dsr0
      sendc q2, r2
      sendc q3, r2
      done
data: stw r1, r20
      addi r20, r20, 4
      done
a4:   sth r1, r21
      addi r21, r21, 2
      done
c5:   li r3, 5
      b put
c1:   li r3, 1
put:  sth r3, r22
      addi r22, r22, 2
      done
.data
o: .dsd fabout, q2, 7
o3: .dsd fabout, q3, 1
w: .dsd mem1d, words, 7, 1
words: .word 1, 2, 3, 4, 5, 6, 7
got: .word 0, 0, 0, 0, 0
alt: .half 0, 0
ctl: .half 0, 0
.global got u32
.global alt u16
.global ctl u16
.entry main
.iq 2, 2 control=4
.iq 3, 3
.oq 2, 2
.oq 3, 3
.task data:2, data
.control 4, a4
.control 5, c5
.control 1, c1
.rotate data:2, 2
.route 0, 0, 1, 1, 2, ramp, ramp
.route 0, 0, 1, 1, 3, ramp, ramp
.place 0, 0, 1, 1, k
