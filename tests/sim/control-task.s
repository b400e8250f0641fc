; Control tasks: a control wavelet for the core waits its turn in the input queue, between the data words; at the head it starts
; the task that it names, with its low half in r1.  One that names none is dropped; "not to the core" never enters the queue.
; RUN: sed "s/data:0/data:2/" %s > %t.s && %wslc --arch=wse2 %t.s -o %t.obj && %wsrun %t.obj --dump log --stats text | FileCheck %s
; RUN: %wslc --arch=wse3 %s -o %t.obj && %wsrun %t.obj --dump log --stats text | FileCheck %s
; CHECK: log (0,0): 1 2 4660 3 500 4
; CHECK: received {{ *}}7
; CHECK: ramp {{ *}}8
; RUN: %wsobjdump --boot %t.obj | FileCheck %s --check-prefix=BOOT
; BOOT: uses control
; BOOT: control task 5 at 0x{{.*}} ctrl
; BOOT: control task 9 at 0x{{.*}} ctrl9 high
; a blocked one waits at the head, and all that is behind it; so does one of a queue whose data task is blocked
; RUN: sed 's/^\.control 5, ctrl/& blocked/' %s > %t.s && %wslc --arch=wse3 %t.s -o %t.obj && exits 3 %wsrun %t.obj 2>&1 | FileCheck %s --check-prefix=BLOCKED
; BLOCKED: control wavelet 08051234 of color 2 is at the head of input queue 0, and its control task 5 (ctrl) is blocked; e.g. PE (0, 0)
; one that no code is bound to stays there too
; RUN: sed 's/^\.control 5, ctrl/.control 6, ctrl/' %s > %t.s && %wslc --arch=wse3 %t.s -o %t.obj && exits 3 %wsrun %t.obj 2>&1 | FileCheck %s --check-prefix=NOCODE
; NOCODE: control wavelet 08051234 of color 2 is at the head of input queue 0, and its control task 5 has no code; e.g. PE (0, 0)
; a program that says nothing of control wavelets cannot take them
; RUN: sed 's/^\.control .*//' %s > %t.s && %wslc --arch=wse3 %t.s -o %t.obj && exits 4 %wsrun %t.obj 2>&1 | FileCheck %s --check-prefix=NONE
; NONE: program fault S030 (control_task): {{.*}}control wavelet 0x8051234 of color 2 reached a core whose program takes none
.class k
main: la r5, log
      lddsr d.0, o
      lddsr s1.0, w
      mov32 dsr0, dsr0, n=2
      lw32 r2, 0x08051234     ; nop for the core, task 5, data 0x1234
      sendc q2, r2
      lw32 r2, 0x095f9249     ; advance, not to the core
      sendc q2, r2
      lw32 r2, 0x081f0000     ; nop for the core, no task
      sendc q2, r2
      mov32 dsr0, dsr0, n=1
      lw32 r2, 0x080901f4
      sendc q2, r2
      mov32 dsr0, dsr0, n=1
      done
data: sth r1, r5
      addi r5, r5, 2
      done
ctrl: sth r1, r5
      addi r5, r5, 2
      done
ctrl9: sth r1, r5
      addi r5, r5, 2
      done
.data
o: .dsd fabout, q2, 1
w: .dsd mem1d, words, 4, 1, save
words: .word 1, 2, 3, 4
log: .half 0, 0, 0, 0, 0, 0
.global log u16
.entry main
.iq 0, 2
.oq 2, 2

.task data:0, data
.control 5, ctrl
.control 9, ctrl9, high
.route 0, 0, 1, 1, 2, ramp, ramp
.place 0, 0, 1, 1, k
