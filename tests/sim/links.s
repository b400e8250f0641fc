; A stream over three hops: when its first word can be read, and one word a cycle from then on.
;   first: cycle after the read of the first word   = 7 issue + fab_op + ramp_up + 3 hops + ramp_down + 1
;   rest:  cycles of the 100 words behind it
; RUN: %wslc --arch=wse2 %s -o %t.obj && %wsrun %t.obj --dump first:3,0,1,1 --dump rest:3,0,1,1 --stats text | FileCheck %s --check-prefixes=WSE2,BOTH
; RUN: %wslc --arch=wse3 %s -o %t.obj && %wsrun %t.obj --dump first:3,0,1,1 --dump rest:3,0,1,1 --stats text | FileCheck %s --check-prefixes=WSE3,BOTH
; WSE2: first (3,0): 16
; WSE3: first (3,0): 25
; BOTH: rest (3,0): 100
; BOTH: sent {{ *}}101 {{.*}}(0,0)
; BOTH: received {{ *}}101 {{.*}}(3,0)
; BOTH: hop_e {{ *}}303
; BOTH: ramp {{ *}}101
.rect 4, 1
.class send
main: lddsr d.0, out
      fmovs dsr0, r0
      done
.data
out: .dsd fabout, q2, 101
.entry main
.oq 2, 5
.class recv
main: lddsr s1.0, in
      fmovs r1, dsr0, n=1
      tsc r20, 0
      fmovs r1, dsr0
      tsc r21, 0
      sth r20, first
      sub r21, r21, r20
      addi r21, r21, -1
      sth r21, rest
      done
.data
in: .dsd fabin, q0, 100
first: .half 0
rest: .half 0
.global first u16
.global rest u16
.entry main
.iq 0, 5
.place 0, 0, 1, 1, send
.place 3, 0, 1, 1, recv
.route 0, 0, 1, 1, 5, ramp, east
.route 1, 0, 2, 1, 5, west, east
.route 3, 0, 1, 1, 5, west, ramp
