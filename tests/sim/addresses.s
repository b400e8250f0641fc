; Where elements are: strides, nested shapes, save_address, own counts, in place, wrap of addresses, zero-stride accumulation.
; RUN: %wslc %s -o %t.obj && %wsrun %t.obj --dump stride --dump nested --dump deep --dump window --dump saved --dump own --dump same --dump acc --dump shared --dump p1 --dump wide --dump zero --stats text | FileCheck %s
; CHECK: stride (0,0): 19 17 15 13
; nested: 3 x 2, rows 8 apart
; CHECK: nested (0,0): 0 1 2 8 9 10
; deep: 2 x 2 x 2, the outermost goes on
; CHECK: deep (0,0): 0 1 4 5 16 17 20 21 32 33
; window: 3 of each row, one further each time
; CHECK: window (0,0): 0 1 2 1 2 3 2 3 4
; saved: 2, then 2 more, then 2 more with a length from the other operand
; CHECK: saved (0,0): 0 1 2 3 4 5
; own: n=2 twice, then without own count from there, twice the same
; CHECK: own (0,0): 0 1 2 3 4 5 6 7 4 5 6 7 4 5 6 7
; CHECK: same (0,0): 1 3 5 7
; acc: a destination of stride 0 adds up
; CHECK: acc (0,0): 6
; shared: two DSRs of one XDSR, each with its own position
; CHECK: shared (0,0): 0 1 8 9 0 1
; p1: the length is that of the first source that has one: 3, not 5
; CHECK: p1 (0,0): 0 2 4 0 0
; wide: 32-bit operation on a descriptor of 16-bit data: strides in its own elements
; CHECK: wide (0,0): 65536 196610
; zero: beyond the memory a read gives 0 and counts
; CHECK: zero (0,0): 0 0
; CHECK: stray {{ *}}2
.class k
main: lddsr d.0, d_stride
      lddsr s1.0, s_stride
      mov16 dsr0, dsr0
      lddsr d.1, d_nested
      lddsr s1.1, x1, s_nested
      mov16 dsr1, dsr1
      lddsr d.2, d_deep
      lddsr s1.2, x2, s_deep
      mov16 dsr2, dsr2
      lddsr d.3, d_window
      lddsr s1.3, x3, s_window
      mov16 dsr3, dsr3
      lddsr d.4, d_saved
      lddsr s1.4, s_saved
      mov16 dsr4, dsr4
      mov16 dsr4, dsr4
      dsrl s1.4, r0
      mov16 dsr4, dsr4
      lddsr d.5, d_own
      lddsr s1.5, s_own
      mov16 dsr5, dsr5, n=2
      mov16 dsr5, dsr5, n=2
      mov16 dsr5, dsr5, n=4
      lddsr s1.5, s_own
      mov16 r1, dsr5, n=4
      mov16 dsr5, dsr5
      mov16 dsr5, dsr5
      lddsr s0.6, s_same
      lddsr s1.6, s_base
      add16 same, dsr6, dsr6
      lddsr d.7, d_acc
      lddsr s0.7, d_acc
      lddsr s1.7, s_acc
      add16 dsr7, dsr7, dsr7
      lddsr d.8, d_shared
      lddsr s1.8, x4, s_shared
      lddsr s1.9, x4, s_shared
      mov16 dsr8, dsr8, n=4
      mov16 dsr8, dsr9, n=2
      lddsr d.10, d_p1
      lddsr s0.10, s_p1a
      lddsr s1.10, s_p1b
      add16 dsr10, dsr10, dsr10
      lddsr d.11, d_wide
      lddsr s1.11, s_wide
      mov32 dsr11, dsr11
      lddsr d.12, d_zero
      lddsr s1.12, s_zero
      mov16 dsr12, dsr12
      done
.data
d_stride: .dsd mem1d, stride, 4, 1
s_stride: .dsd mem1d, seq+38, 4, -2
d_nested: .dsd mem1d, nested, 6, 1
s_nested: .dsd memnd, seq, 6, sh_nested
sh_nested: .shape 3, 1, 2, 8
d_deep: .dsd mem1d, deep, 10, 1
s_deep: .dsd memnd, seq, 10, sh_deep
sh_deep: .shape 2, 1, 2, 4, 9, 16
d_window: .dsd mem1d, window, 9, 1
s_window: .dsd memnd, seq, 9, sh_window
sh_window: .shape 3, 1, 3, 1
d_saved: .dsd mem1d, saved, 2, 1, save
s_saved: .dsd mem1d, seq, 2, 1, save
d_own: .dsd mem1d, own, 4, 1, save
s_own: .dsd mem1d, seq, 4, 1
s_same: .dsd mem1d, same, 4, 1
s_base: .dsd mem1d, seq, 4, 1
d_acc: .dsd mem1d, acc, 4, 0
s_acc: .dsd mem1d, seq, 4, 1
d_shared: .dsd mem1d, shared, 6, 1
s_shared: .dsd memnd, seq, 6, sh_shared
sh_shared: .shape 2, 1, 9, 8
d_p1: .dsd mem1d, p1, 9, 1
s_p1a: .dsd mem1d, seq, 3, 1
s_p1b: .dsd mem1d, seq, 5, 1
d_wide: .dsd mem1d, wide, 2, 1
s_wide: .dsd mem1d, seq, 2, 1
d_zero: .dsd mem1d, zero, 2, 1
s_zero: .dsd mem1d, 0xfffe, 2, -1
seq: .half 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19
     .half 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39
stride: .half 0, 0, 0, 0
nested: .half 0, 0, 0, 0, 0, 0
deep: .half 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
window: .half 0, 0, 0, 0, 0, 0, 0, 0, 0
saved: .half 0, 0, 0, 0, 0, 0
own: .half 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
same: .half 1, 2, 3, 4
acc: .half 0
shared: .half 9, 9, 9, 9, 9, 9
p1: .half 0, 0, 0, 0, 0
wide: .word 0, 0
zero: .half 7, 7
.global stride u16
.global nested u16
.global deep u16
.global window u16
.global saved u16
.global own u16
.global same u16
.global acc u16
.global shared u16
.global p1 u16
.global wide u32
.global zero u16
.entry main
.place 0, 0, 1, 1, k
