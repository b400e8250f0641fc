; Operands in memory that an engine may do in pieces: a destination that a later element reads, nested operands whose rows overlap,
; chains of a nested operand whose rows end within an operation, against words and against the null color. Both engines agree.
; RUN: %wslc %s -o %t.obj && %wsrun --engine=both %t.obj --dump smear --dump slide --dump rows --dump twice --dump sums --dump none | FileCheck %s
; smear: the first element goes to all
; CHECK: smear (1,0): 7 7 7 7 7 7 7
; slide: rows of 3, one further to the left
; CHECK: slide (1,0): 2 3 4 5 6 6 6
; rows: in place, rows 4 apart; what is between them stays
; CHECK: rows (1,0): 2 4 3 4 10 12 7 8
; twice: a nested destination of step 0 in its second dimension adds up
; CHECK: twice (1,0): 5 7 9
; sums: products of 1 2 (3) 1 2 (3)... with 1, 10, 100 and then 1000, 10000, 100000 of a queue: 1 + 20 + 300, then of nested rows of 2
; CHECK: sums (1,0): 321 212121
; none: infinity times the zeros of the null color is no number
; CHECK: none (1,0): 2143289344
.rect 2, 1
.class k
main: lddsr s1.0, s_smear
      lddsr d.0, d_smear
      mov16 dsr0, dsr0
      lddsr s1.1, x1, s_slide
      lddsr d.1, x2, d_slide
      mov16 dsr1, dsr1
      lddsr s0.2, x3, s_rows
      lddsr s1.2, x3, s_rows
      add16 same, dsr2, dsr2
      lddsr s0.3, x4, d_twice
      lddsr s1.3, s_twice
      add16 same, dsr3, dsr3
      lddsr s0.4, q_in
      lddsr s1.4, x5, s_three
      dots dot0, dsr4, dsr4, n=3
      fmovs r1, dot0
      cvtis r1, r1
      stw r1, sums
      lddsr s1.5, q_in
      lddsr s0.5, x6, s_two
      dots dot1, dsr5, dsr5, n=3
      dotas dot1, dsr5, dsr5, n=3
      fmovs r1, dot1
      cvtis r1, r1
      stw r1, sums+4
      lddsr s1.6, q_null
      lddsr s0.6, x7, s_inf
      dots dot2, dsr6, dsr6, n=3
      fmovs r1, dot2
      stw r1, none
      done
.data
s_smear: .dsd mem1d, smear, 6, 1
d_smear: .dsd mem1d, smear+2, 6, 1
s_slide: .dsd memnd, slide+2, 6, sh_slide
d_slide: .dsd memnd, slide, 6, sh_slide
sh_slide: .shape 3, 1, 2, 3
s_rows: .dsd memnd, rows, 4, sh_rows
sh_rows: .shape 2, 1, 2, 4
d_twice: .dsd memnd, twice, 6, sh_twice
sh_twice: .shape 3, 1, 2, 0
s_twice: .dsd mem1d, ones, 6, 1
q_in: .dsd fabin, q2, 9
q_null: .dsd fabin, q4, 9
s_three: .dsd memnd, f, 9, sh_three
sh_three: .shape 3, 1, 3, 0
s_two: .dsd memnd, f, 9, sh_two
sh_two: .shape 2, 1, 9, 0
s_inf: .dsd memnd, inf, 9, sh_two
smear: .half 7, 1, 2, 3, 4, 5, 6
slide: .half 1, 2, 3, 4, 5, 6, 6
rows: .half 1, 2, 3, 4, 5, 6, 7, 8
twice: .half 0, 0, 0
ones: .half 1, 2, 3, 4, 5, 6
.align 4
f: .float 1.0, 2.0, 3.0
inf: .word 0x7f800000, 0x7f800000
sums: .word 0, 0
none: .word 0
.global smear u16
.global slide u16
.global rows u16
.global twice u16
.global sums u32
.global none u32
.entry main
.iq 2, 5
.iq 4, null
.class sender
main: lddsr s1.0, s
      lddsr d.0, d
      fmovs dsr0, dsr0
      done
.data
s: .dsd mem1d, words, 9, 1
d: .dsd fabout, q2, 9
words: .float 1.0, 10.0, 100.0, 1.0, 10.0, 100.0, 1000.0, 10000.0, 100000.0
.entry main
.oq 2, 5
.place 0, 0, 1, 1, sender
.place 1, 0, 1, 1, k
.route 0, 0, 1, 1, 5, ramp, east
.route 1, 0, 1, 1, 5, west, ramp
