; When the actions of an asynchronous operation take effect: an output when its last word has entered the queue, an input
; when its last element is stored.  Task 9 runs 3 later.  Descriptor's actions count unless ASYNC has its own.
;   output: DONE at 10, words at 11, 12, 13 (low priority); entered at 14, so task 9 runs from 17 to its DONE at 19.
;   input:  the words can be read at 16, 17, 18: read at 16, and behind task 9 at 20 and 21; task 10, active and blocked
;           so far, is unblocked at 21 and runs at 24.
; RUN: %wslc --arch=wse2 %s -o %t.obj && %wsrun %t.obj --dump out --dump in | FileCheck %s
; CHECK: out (0,0): 17
; CHECK: in (0,0): 24
.class k
main: lddsr d.0, o_
      lddsr s1.1, i_
      lddsr d.1, a_
      async
      fmovs dsr0, r0
      async
      fmovs dsr1, dsr1
      done
t9:   tsc r1, 0
      sth r1, out
      done
t10:  tsc r1, 0
      sth r1, in
      done
t11:  trap 0
.data
o_: .dsd fabout, q2, 3, act=9, prio=low
i_: .dsd fabin, q0, 3, ut=1, unb=10, prio=low
a_: .dsd mem1d, a, 3, 1
out: .half 0
in: .half 0
.bss
a: .space 12
.global out u16
.global in u16
.entry main
.iq 0, 1
.oq 2, 1
.task 9, t9
.task 10, t10, active, blocked
.task 11, t11
.route 0, 0, 1, 1, 1, ramp, ramp
.place 0, 0, 1, 1, k
