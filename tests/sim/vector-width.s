; Vector operations of 32 elements: width by class, ports and strides; no bank conflict (a and b differ in bank mod 4).
; Each symbol is the number of cycles from the first slot of a sequence to the slot behind it.
; RUN: %wslc --arch=wse2 %s -o %t.obj && %wsrun %t.obj --dump add16_mm --dump add16_mr --dump mov16 --dump mov16_reg --dump faddh_mm --dump fmach_mr --dump fadds_mm --dump fadds_mr --dump fadds_n5 --dump fmovs --dump mov32 --dump faddhs --dump fmaxs --dump fmaxh --dump fh2s --dump fs2h --dump sll16 --dump mul16 --dump fmuls --dump fmacs --dump add32 --dump dots --dump sums --dump stride2 --dump stride4 --dump stride_m1 --dump stride8 --dump stride9 --dump stride0 | FileCheck %s --check-prefix=WSE2
; RUN: %wslc --arch=wse3 %s -o %t.obj && %wsrun %t.obj --dump add16_mm --dump add16_mr --dump mov16 --dump mov16_reg --dump faddh_mm --dump fmach_mr --dump fadds_mm --dump fadds_mr --dump fadds_n5 --dump fmovs --dump mov32 --dump faddhs --dump fmaxs --dump fmaxh --dump fh2s --dump fs2h --dump sll16 --dump mul16 --dump fmuls --dump fmacs --dump add32 --dump dots --dump sums --dump stride2 --dump stride4 --dump stride_m1 --dump stride8 --dump stride9 --dump stride0 | FileCheck %s --check-prefix=WSE3
.rect 1, 1
.class k
main:
    lddsr d.0, dd
    lddsr s0.0, da
    lddsr s1.0, db
    lddsr s0.1, dc
    lddsr d.1, dz
    lddsr s1.2, ds2
    lddsr s1.3, ds4
    lddsr s1.4, dsm1
    lddsr s1.5, ds8
    lddsr s1.6, ds9
    tsc r20, 0
    add16 dsr0, dsr0, dsr0
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, add16_mm
; WSE2: add16_mm (0,0): 8
; WSE3: add16_mm (0,0): 8
    tsc r20, 0
    add16 dsr0, dsr0, r1
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, add16_mr
; WSE2: add16_mr (0,0): 8
; WSE3: add16_mr (0,0): 4
    tsc r20, 0
    mov16 dsr0, dsr0
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, mov16
; WSE2: mov16 (0,0): 8
; WSE3: mov16 (0,0): 4
    tsc r20, 0
    mov16 r2, dsr0
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, mov16_reg
; WSE2: mov16_reg (0,0): 8
; WSE3: mov16_reg (0,0): 4
    tsc r20, 0
    faddh dsr0, dsr0, dsr0
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, faddh_mm
; WSE2: faddh_mm (0,0): 8
; WSE3: faddh_mm (0,0): 8
    tsc r20, 0
    fmach dsr0, dsr0, r1, r2
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, fmach_mr
; WSE2: fmach_mr (0,0): 8
; WSE3: fmach_mr (0,0): 4
    tsc r20, 0
    fadds dsr0, dsr0, dsr0
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, fadds_mm
; WSE2: fadds_mm (0,0): 16
; WSE3: fadds_mm (0,0): 16
    tsc r20, 0
    fadds dsr0, dsr0, r1
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, fadds_mr
; WSE2: fadds_mr (0,0): 16
; WSE3: fadds_mr (0,0): 8
    tsc r20, 0
    fadds dsr0, dsr0, r1, n=5
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, fadds_n5
; WSE2: fadds_n5 (0,0): 3
; WSE3: fadds_n5 (0,0): 2
    tsc r20, 0
    fmovs dsr0, dsr0
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, fmovs
; WSE2: fmovs (0,0): 16
; WSE3: fmovs (0,0): 8
    tsc r20, 0
    mov32 dsr0, dsr0
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, mov32
; WSE2: mov32 (0,0): 16
; WSE3: mov32 (0,0): 8
    tsc r20, 0
    faddhs dsr0, r1, dsr0
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, faddhs
; WSE2: faddhs (0,0): 16
; WSE3: faddhs (0,0): 8
    tsc r20, 0
    fmaxs dsr0, dsr0, r1
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, fmaxs
; WSE2: fmaxs (0,0): 32
; WSE3: fmaxs (0,0): 8
    tsc r20, 0
    fmaxh dsr0, dsr0, r1
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, fmaxh
; WSE2: fmaxh (0,0): 32
; WSE3: fmaxh (0,0): 4
    tsc r20, 0
    fh2s dsr0, dsr0
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, fh2s
; WSE2: fh2s (0,0): 32
; WSE3: fh2s (0,0): 8
    tsc r20, 0
    fs2h dsr0, dsr0
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, fs2h
; WSE2: fs2h (0,0): 32
; WSE3: fs2h (0,0): 8
    tsc r20, 0
    sll16 dsr0, dsr0, r1
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, sll16
; WSE2: sll16 (0,0): 32
; WSE3: sll16 (0,0): 8
    tsc r20, 0
    mul16 dsr0, dsr0, r1
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, mul16
; WSE2: mul16 (0,0): 32
; WSE3: mul16 (0,0): 8
    tsc r20, 0
    fmuls dsr0, dsr0, r1
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, fmuls
; WSE2: fmuls (0,0): 32
; WSE3: fmuls (0,0): 32
    tsc r20, 0
    fmacs dsr0, dsr0, dsr0, r2
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, fmacs
; WSE2: fmacs (0,0): 32
; WSE3: fmacs (0,0): 32
    tsc r20, 0
    add32 dsr0, dsr0, r1
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, add32
; WSE2: add32 (0,0): 32
; WSE3: add32 (0,0): 32
    tsc r20, 0
    dots dot0, dsr0, dsr0
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, dots
; WSE2: dots (0,0): 32
; WSE3: dots (0,0): 32
    tsc r20, 0
    sums dot1, dsr0
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, sums
; WSE2: sums (0,0): 32
; WSE3: sums (0,0): 32
    tsc r20, 0
    mov16 dsr0, dsr2
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, stride2
; WSE2: stride2 (0,0): 8
; WSE3: stride2 (0,0): 4
    tsc r20, 0
    mov16 dsr0, dsr3
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, stride4
; WSE2: stride4 (0,0): 16
; WSE3: stride4 (0,0): 16
    tsc r20, 0
    mov16 dsr0, dsr4
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, stride_m1
; WSE2: stride_m1 (0,0): 16
; WSE3: stride_m1 (0,0): 16
    tsc r20, 0
    mov16 dsr0, dsr5
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, stride8
; WSE2: stride8 (0,0): 32
; WSE3: stride8 (0,0): 32
    tsc r20, 0
    mov16 dsr0, dsr6
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, stride9
; WSE2: stride9 (0,0): 16
; WSE3: stride9 (0,0): 16
    tsc r20, 0
    mov16 d.1, dsr0
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, stride0
; WSE2: stride0 (0,0): 8
; WSE3: stride0 (0,0): 4
    done
.bss
.align 16
a: .space 160
pad: .space 2
b: .space 1024
.align 16
c: .space 160
d: .space 160
.data
dd: .dsd mem1d, d, 32, 1
da: .dsd mem1d, a, 32, 1
db: .dsd mem1d, b, 32, 1
dc: .dsd mem1d, c, 32, 1
dz: .dsd mem1d, d, 32, 0
ds2: .dsd mem1d, b, 32, 2
ds4: .dsd mem1d, b, 32, 4
dsm1: .dsd mem1d, b+512, 32, -1
ds8: .dsd mem1d, b, 32, 8
ds9: .dsd mem1d, b, 32, 9
add16_mm: .half 0
add16_mr: .half 0
mov16: .half 0
mov16_reg: .half 0
faddh_mm: .half 0
fmach_mr: .half 0
fadds_mm: .half 0
fadds_mr: .half 0
fadds_n5: .half 0
fmovs: .half 0
mov32: .half 0
faddhs: .half 0
fmaxs: .half 0
fmaxh: .half 0
fh2s: .half 0
fs2h: .half 0
sll16: .half 0
mul16: .half 0
fmuls: .half 0
fmacs: .half 0
add32: .half 0
dots: .half 0
sums: .half 0
stride2: .half 0
stride4: .half 0
stride_m1: .half 0
stride8: .half 0
stride9: .half 0
stride0: .half 0
.global add16_mm u16
.global add16_mr u16
.global mov16 u16
.global mov16_reg u16
.global faddh_mm u16
.global fmach_mr u16
.global fadds_mm u16
.global fadds_mr u16
.global fadds_n5 u16
.global fmovs u16
.global mov32 u16
.global faddhs u16
.global fmaxs u16
.global fmaxh u16
.global fh2s u16
.global fs2h u16
.global sll16 u16
.global mul16 u16
.global fmuls u16
.global fmacs u16
.global add32 u16
.global dots u16
.global sums u16
.global stride2 u16
.global stride4 u16
.global stride_m1 u16
.global stride8 u16
.global stride9 u16
.global stride0 u16
.entry main
.place 0, 0, 1, 1, k
