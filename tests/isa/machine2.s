; switches, filters, FIFOs, control tasks: directives, words, boot records, pictures
; RUN: %wslc %s -o %t.obj && readelf -x .data.main %t.obj | FileCheck %s
; RUN: %wsobjdump --boot %t.obj | FileCheck %s --check-prefix=BOOT
; RUN: %wsobjdump -d --no-source %t.obj | FileCheck %s --check-prefix=CODE
; RUN: %wsobjdump -r %t.obj | FileCheck %s --check-prefix=ROUTE
; RUN: readelf -x .w.route %t.obj | FileCheck %s --check-prefix=WORDS
; BOOT: uses control
; BOOT: uses registers
; BOOT: uses fifo
; BOOT: uses teardown
; BOOT: control task 63 at 0x0000 main blocked high
; CODE: vleft r3, 0
; CODE: dsrx d.2, r4
; ROUTE: (0, 0) 1 x 1: also from east; pos1 tx south; pos2 rx ramp; ring; starts at 2; pop advance; closed at boot; filter counter from 1, through up to 2, back after 3, counts data control;
; ROUTE: (1, 0) 1 x 1: pop always; swap west and east; swap north and south; filter range 5 to 6;
; ROUTE: (1, 0) 1 x 1: swap west and east; swap north and south;
.arch wse2
.rect 2, 1
.uses teardown, registers
main: vleft r3, 0
      dsrx d.2, r4
      done
.data
; CHECK: 0x00000010 02c90300 49000303 03000500 00000c04
    .dsd fabin, q2, 3, act=9, prio=high, oncontrol=9, end
    .dsd fabout, 3, 5, control, advance
; CHECK-NEXT: 0x00000020 34000000 4a000502 34122000 00000000 {{.*}}
    .dsd fifo, rec, 0, act=10, prio=medium
    .half 0x1234, 32, 0, 0
; CHECK-NEXT: 0x00000030 00000000 00000400 00000000 4b4ad200 {{.*}}
    .space 4
rec: .fifo 0, 4, 2, push=11, pop=10, empty=end, full=fault
.control 63, main, high blocked
.task 9, main
.place 0, 0, 2, 1, main
; WORDS: 0x00000000 00000000 01000100 0302
.route 0, 0, 1, 1, 3, west, ramp north pos1 tx=south pos2 rx=ramp ring at=2 pop=advance closed also=east filter counter 1 2 3 control
.route 1, 0, 1, 1, 4, west, ramp pop=always swap_ew swap_ns filter range 5 6
.route 1, 0, 1, 1, 5, west, ramp swap_ew swap_ns
