; Rows F1 and F2: one FMACS of n elements between two time stamps of three TSC and three STH each.
; F1: no bank conflict, n = 5124 and 1028: n + 6.  F2: both sources 16-byte aligned: 2 n + 6.
.class k
main: lw32 r2, 0x40000000
      la r10, f1a
      lddsr s0.0, da
      lddsr s1.0, db
      call time
      liu r3, 1028
      dsrl s0.0, r3
      call time
      lddsr s0.0, da
      lddsr s1.0, dc
      call time
      dsrl s0.0, r3
      call time
      done
time: tsc r4, 0
      tsc r5, 1
      tsc r6, 2
      sth r4, t0
      sth r5, t0+2
      sth r6, t0+4
      fmacs same, dsr0, dsr0, r2
      tsc r4, 0
      tsc r5, 1
      tsc r6, 2
      sth r4, t1
      sth r5, t1+2
      sth r6, t1+4
      ldhu r4, t0
      ldhu r5, t1
      sub r6, r5, r4
      sth r6, r10
      addi r10, r10, 2
      ret
.data
da: .dsd mem1d, a, 5124, 1
db: .dsd mem1d, b, 5124, 1
dc: .dsd mem1d, c, 5124, 1
t0: .half 0, 0, 0
t1: .half 0, 0, 0
f1a: .half 0
f1b: .half 0
f2a: .half 0
f2b: .half 0
.bss
.align 16
a: .space 20496
   .space 2
b: .space 14
c: .space 20496
.global f1a u16
.global f1b u16
.global f2a u16
.global f2b u16
.entry main
.place 0, 0, 1, 1, k
