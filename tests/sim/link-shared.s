; Two colors share the link from (1, 0) to (2, 0): 40 words take 40 cycles, 10..49.  The oldest at the router goes first: the
; words of (1, 0) wait in its output queue, those of (0, 0) wait one router back for a credit and so arrive later, which gives
; color 2 the turn a few times more: it is done 2 cycles before color 1, whose last word passes at 49.
;   color 2: last at 47, + hop + ramp_down = 50 read, task 10 at 53, DONE at 55; color 1: read at 52, task 9 at 58
; RUN: %wslc --arch=wse2 %s -o %t.obj && %wsrun %t.obj --dump t1:2,0,1,1 --dump t2:2,0,1,1 --stats text | FileCheck %s
; CHECK: t1 (2,0): 58
; CHECK: t2 (2,0): 53
; CHECK: hop_e {{ *}}60
.rect 3, 1
.class west
main: lddsr d.0, o
      fmovs dsr0, r0
      done
.data
o: .dsd fabout, q2, 20
.entry main
.oq 2, 1
.class mid
main: lddsr d.0, o
      fmovs dsr0, r0
      done
.data
o: .dsd fabout, q2, 20
.entry main
.oq 2, 2
.class east
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
.route 1, 0, 1, 1, 1, west, east
.route 1, 0, 1, 1, 2, ramp, east
.route 2, 0, 1, 1, 1, west, ramp
.route 2, 0, 1, 1, 2, west, ramp
