; What the main thread waits for: DSR loads, registers, dot registers, and how long.
; Each symbol is the number of cycles from the first slot of a sequence to the slot behind it.
; RUN: %wslc --arch=wse2 %s -o %t.obj && %wsrun %t.obj --dump dsr_load --dump dsr_exact --dump dsr_base --dump dsr_length --dump dsr_other --dump dot_read --dump dot_read_late --dump dot_new --dump dot_go_on --dump dot_two --dump dot_sub --dump vec_scalar --dump own_one | FileCheck %s
.rect 1, 1
.class k
main:
    lddsr d.1, de
    lddsr s0.2, da
    lddsr s1.2, db
    nop
    tsc r20, 0
    lddsr s0.0, da
    fmovs r1, r0, n=1
    add16 dsr1, dsr0, r0, n=1
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, dsr_load
; CHECK: dsr_load (0,0): 5
    tsc r20, 0
    lddsr s0.0, da
    nop
    nop
    nop
    add16 dsr1, dsr0, r0, n=1
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, dsr_exact
; CHECK: dsr_exact (0,0): 5
    tsc r20, 0
    dsrb s0.0, r1
    add16 dsr1, dsr0, r0, n=1
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, dsr_base
; CHECK: dsr_base (0,0): 5
    tsc r20, 0
    dsrl s0.0, r2
    add16 dsr1, dsr0, r0, n=1
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, dsr_length
; CHECK: dsr_length (0,0): 5
    tsc r20, 0
    lddsr s0.0, da
    add16 dsr1, dsr2, r0, n=1
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, dsr_other
; CHECK: dsr_other (0,0): 2
    tsc r20, 0
    dots dot0, dsr2, dsr2, n=3
    fmovs r1, dot0, n=1
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, dot_read
; CHECK: dot_read (0,0): 7
    tsc r20, 0
    dots dot0, dsr2, dsr2, n=3
    nop
    nop
    nop
    fmovs r1, dot0, n=1
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, dot_read_late
; CHECK: dot_read_late (0,0): 7
    tsc r20, 0
    dots dot0, dsr2, dsr2, n=3
    dots dot0, dsr2, dsr2, n=3
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, dot_new
; CHECK: dot_new (0,0): 9
    tsc r20, 0
    dots dot0, dsr2, dsr2, n=3
    dotas dot0, dsr2, dsr2, n=3
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, dot_go_on
; CHECK: dot_go_on (0,0): 6
    tsc r20, 0
    dots dot0, dsr2, dsr2, n=3
    dots dot1, dsr2, dsr2, n=3
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, dot_two
; CHECK: dot_two (0,0): 6
    tsc r20, 0
    dots dot0, dsr2, dsr2, n=3
    dotns dot0, dsr2, dsr2, n=1
    sumas dot0, dsr2, n=1
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, dot_sub
; CHECK: dot_sub (0,0): 5
    tsc r20, 0
    fadds r1, dsr2, r0, n=8
    add r2, r1, r1
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, vec_scalar
; CHECK: vec_scalar (0,0): 6
    tsc r20, 0
    fadds r1, r0, r0
    add r2, r1, r1
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, own_one
; CHECK: own_one (0,0): 3
    done
.bss
.align 16
a: .space 100
pad: .space 2
b: .space 100
.align 16
e: .space 100
.data
da: .dsd mem1d, a, 8, 1
db: .dsd mem1d, b, 8, 1
de: .dsd mem1d, e, 8, 1
dsr_load: .half 0
dsr_exact: .half 0
dsr_base: .half 0
dsr_length: .half 0
dsr_other: .half 0
dot_read: .half 0
dot_read_late: .half 0
dot_new: .half 0
dot_go_on: .half 0
dot_two: .half 0
dot_sub: .half 0
vec_scalar: .half 0
own_one: .half 0
.global dsr_load u16
.global dsr_exact u16
.global dsr_base u16
.global dsr_length u16
.global dsr_other u16
.global dot_read u16
.global dot_read_late u16
.global dot_new u16
.global dot_go_on u16
.global dot_two u16
.global dot_sub u16
.global vec_scalar u16
.global own_one u16
.entry main
.place 0, 0, 1, 1, k
