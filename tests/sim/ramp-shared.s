; Two colors share the ramp of (1, 0), one word a cycle in all: words that arrive together go in the order of their colors.
; Both streams of 20 words arrive from cycle 11 on; the ramp is busy in 11..50, color 1 in odd cycles, color 2 in even ones.
; Each word is read 2 later by its microthread, so color 1 is done at 51 and task 9 runs at 54; color 2 at 52, and task 10
; runs 3 behind the DONE of task 9 at 56.
; RUN: %wslc --arch=wse2 %s -o %t.obj && %wsrun %t.obj --dump t1:1,0,1,1 --dump t2:1,0,1,1 --stats text | FileCheck %s
; CHECK: t1 (1,0): 54
; CHECK: t2 (1,0): 59
; CHECK: ramp {{ *}}40
.rect 3, 1
.class west
main: lddsr d.0, o
      fmovs dsr0, r0
      done
.data
o: .dsd fabout, q2, 20
.entry main
.oq 2, 1
.class east
main: lddsr d.0, o
      fmovs dsr0, r0
      done
.data
o: .dsd fabout, q2, 20
.entry main
.oq 2, 2
.class mid
main: lddsr s1.1, i1
      lddsr s1.2, i2
      lddsr d.1, a
      async ut1, act=9
      fmovs dsr1, dsr1
      async ut2, act=10
      fmovs dsr1, dsr2
      done
t9:   tsc r1, 0
      sth r1, t1
      done
t10:  tsc r1, 0
      sth r1, t2
      done
.data
i1: .dsd fabin, q0, 20
i2: .dsd fabin, q1, 20
a: .dsd mem1d, b, 0, 0
t1: .half 0
t2: .half 0
.bss
b: .space 4
.global t1 u16
.global t2 u16
.entry main
.iq 0, 1
.iq 1, 2
.task 9, t9
.task 10, t10
.place 0, 0, 1, 1, west
.place 1, 0, 1, 1, mid
.place 2, 0, 1, 1, east
.route 0, 0, 1, 1, 1, ramp, east
.route 2, 0, 1, 1, 2, ramp, west
.route 1, 0, 1, 1, 1, west, ramp
.route 1, 0, 1, 1, 2, east, ramp
