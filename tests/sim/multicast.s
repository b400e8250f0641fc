; A multicast is lock-step: (1, 0) sends 40 words west and east; the west reads one word every 10 cycles, so the east,
; which reads at once, gets no more than that: word k passes the middle when word k - 8 is read in the west (queue 6, FIFO 2).
;   west: 13 + 10 * 39 read of the last word, 10 more; east: 13 + 10 * (39 - 8) read, + 2 credits, + 1 hop, + 2 ramp, + 1
; RUN: %wslc --arch=wse2 %s -o %t.obj && %wsrun %t.obj --dump t:0,0,1,1 --dump t:2,0,1,1 | FileCheck %s
; CHECK: t (0,0): 413
; CHECK: t (2,0): 329
.rect 3, 1
.class mid
main: lddsr d.0, out
      fmovs dsr0, r0
      done
.data
out: .dsd fabout, q2, 40
.entry main
.oq 2, 5
.class slow
main: lddsr s1.0, in
      liu r1, 40
      loop l0, r1, end
row:  fmovs r2, dsr0, n=1
      nop
      nop
      nop
      nop
      nop
      nop
      nop
      nop
      endl l0, row
end:  tsc r1, 0
      sth r1, t
      done
.data
in: .dsd fabin, q0, 40
t: .half 0
.global t u16
.entry main
.iq 0, 5
.class fast
main: lddsr s1.0, in
      fmovs r2, dsr0
      tsc r1, 0
      sth r1, t
      done
.data
in: .dsd fabin, q0, 40
t: .half 0
.global t u16
.entry main
.iq 0, 5
.place 0, 0, 1, 1, slow
.place 1, 0, 1, 1, mid
.place 2, 0, 1, 1, fast
.route 1, 0, 1, 1, 5, ramp, west, east
.route 0, 0, 1, 1, 5, east, ramp
.route 2, 0, 1, 1, 5, west, ramp
