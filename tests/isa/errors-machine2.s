; RUN: rm -rf %t && split-file %s %t
; RUN: not %wslc %t/words.s -o %t/x.obj 2>&1 | FileCheck %t/words.s
; RUN: for f in %t/o*.s; do echo "== $(basename $f)"; not %wslc --arch=wse3 $f -o %t/x.obj; done 2>&1 | FileCheck %s --check-prefix=OBJ
;--- words.s
.class k
main: done
.uses fish                                   ; CHECK: error[E0801]: expected control, registers, fifo or teardown, found 'fish'
.control 64, main                            ; CHECK: error[E0804]: 64 is out of range: 0 to 63
.control 3, main, active                     ; CHECK: error[E0801]: expected blocked or high, found 'active'
.control 3, man                              ; CHECK: error[E0805]: no symbol 'man' in class k
.data
.fifo 0, 4, 3                                ; CHECK: error[E0801]: expected an element of 2 or 4 bytes
.fifo 0, 0, 2                                ; CHECK: error[E0804]: 0 is out of range: 1 to 32767
.fifo 0, 4, 2, full=stop                     ; CHECK: error[E0801]: expected test, end, wait or fault, found 'stop'
.fifo 0, 4, 2, act=3                         ; CHECK: error[E0801]: expected push=, pop=, empty= or full=, found 'act'
.dsd fabin, q0, 1, advance                   ; CHECK: error[E0801]: expected act=, unb=, ut=, prio=, end or oncontrol=, found 'advance'
.dsd fabout, q0, 1, end                      ; CHECK: error[E0801]: expected act=, unb=, ut=, prio=, control or advance, found 'end'
.dsd fifo, 4, 1, control                     ; CHECK: error[E0801]: expected act=, unb=, ut= or prio=, found 'control'
.route 0, 0, 1, 1, 2, west, ramp pos1 east   ; CHECK: error[E0801]: expected rx= or tx=, found 'east'
.route 0, 0, 1, 1, 2, west, pos1 tx=east     ; CHECK: error[E0801]: expected an output
.route 0, 0, 1, 1, 2, west, ramp at=4        ; CHECK: error[E0804]: 4 is out of range: 0 to 3
.route 0, 0, 1, 1, 2, west, ramp pop=once    ; CHECK: error[E0801]: expected none, always or advance, found 'once'
.route 0, 0, 1, 1, 2, west, ramp filter tag  ; CHECK: error[E0801]: expected range or counter, found 'tag'
.route 0, 0, 1, 1, 2, west, ramp filter range 1 65536 ; CHECK: error[E0804]: 65536 is out of range: 0 to 65535
; objects that make no sense as a whole
;--- o1.s
; OBJ: == o1.s
; OBJ: route 0 has switch position 2 and not 1
main: done
.route 0, 0, 1, 1, 2, west, ramp pos2 tx=east
;--- o2.s
; OBJ: == o2.s
; OBJ: route 0 starts at switch position 2 of 2
main: done
.route 0, 0, 1, 1, 2, west, ramp pos1 tx=east at=2
;--- o3.s
; OBJ: == o3.s
; OBJ: route 0: color 10 has no switch on wse3
main: done
.route 0, 0, 1, 1, 10, west, ramp pos1 tx=east
;--- o4.s
; OBJ: == o4.s
; OBJ: route 0 has further inputs 0x1
main: done
.route 0, 0, 1, 1, 2, west, ramp also=west
;--- o5.s
; OBJ: == o5.s
; OBJ: more than 6 filters at PE (0, 0)
main: done
.route 0, 0, 1, 1, 1, west, ramp filter range 0 1
.route 0, 0, 1, 1, 2, west, ramp filter range 0 1
.route 0, 0, 1, 1, 3, west, ramp filter range 0 1
.route 0, 0, 1, 1, 4, west, ramp filter range 0 1
.route 0, 0, 1, 1, 5, west, ramp filter range 0 1
.route 0, 0, 1, 1, 6, west, ramp filter range 0 1
.route 0, 0, 1, 1, 7, west, ramp filter range 0 1
;--- o6.s
; OBJ: == o6.s
; OBJ: class main: boot records twice for the same control task
main: done
.control 4, main
.control 4, main
;--- o7.s
; OBJ: == o7.s
; OBJ: class main: control task 31
main: done
.control 31, main
