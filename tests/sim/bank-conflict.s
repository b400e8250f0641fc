; Bank conflicts: twice the slots when the first addresses agree in bank mod 4 and there are two or more elements.
; Each symbol is the number of cycles from the first slot of a sequence to the slot behind it.
; RUN: %wslc --arch=wse2 %s -o %t.obj && %wsrun %t.obj --dump free32 --dump conflict32 --dump conflict16 --dump reg_source --dump mod4 --dump dest_only --dump dot_conflict --dump two_elements --dump one_element | FileCheck %s --check-prefix=WSE2
; RUN: %wslc --arch=wse3 %s -o %t.obj && %wsrun %t.obj --dump free32 --dump conflict32 --dump conflict16 --dump reg_source --dump mod4 --dump dest_only --dump dot_conflict --dump two_elements --dump one_element | FileCheck %s --check-prefix=WSE3
.rect 1, 1
.class k
main:
    lddsr d.0, dd
    lddsr s0.0, da
    lddsr s1.0, db
    lddsr s1.1, dc
    lddsr s1.2, d8
    lddsr d.1, da
    tsc r20, 0
    fmacs same, dsr0, dsr0, r1
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, free32
; WSE2: free32 (0,0): 32
; WSE3: free32 (0,0): 32
    tsc r20, 0
    fmacs same, dsr0, dsr1, r1
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, conflict32
; WSE2: conflict32 (0,0): 64
; WSE3: conflict32 (0,0): 64
    tsc r20, 0
    faddh dsr0, dsr0, dsr1
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, conflict16
; WSE2: conflict16 (0,0): 16
; WSE3: conflict16 (0,0): 16
    tsc r20, 0
    fmacs dsr0, dsr0, r1, r2
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, reg_source
; WSE2: reg_source (0,0): 32
; WSE3: reg_source (0,0): 32
    tsc r20, 0
    faddh dsr0, dsr0, dsr2
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, mod4
; WSE2: mod4 (0,0): 16
; WSE3: mod4 (0,0): 16
    tsc r20, 0
    fmovs dsr1, dsr0
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, dest_only
; WSE2: dest_only (0,0): 16
; WSE3: dest_only (0,0): 8
    tsc r20, 0
    dots dot0, dsr0, dsr1, n=3
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, dot_conflict
; WSE2: dot_conflict (0,0): 6
; WSE3: dot_conflict (0,0): 6
    tsc r20, 0
    fadds dsr0, dsr0, dsr1, n=2
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, two_elements
; WSE2: two_elements (0,0): 2
; WSE3: two_elements (0,0): 2
    tsc r20, 0
    fmacs1 same, dsr0, dsr1, r1
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, one_element
; WSE2: one_element (0,0): 1
; WSE3: one_element (0,0): 1
    done
.bss
.align 16
a: .space 160
pad: .space 2
b: .space 190
.align 16
c: .space 160
d: .space 160
.data
dd: .dsd mem1d, d, 32, 1
da: .dsd mem1d, a, 32, 1
db: .dsd mem1d, b, 32, 1
dc: .dsd mem1d, c, 32, 1
d8: .dsd mem1d, c+8, 32, 1
free32: .half 0
conflict32: .half 0
conflict16: .half 0
reg_source: .half 0
mod4: .half 0
dest_only: .half 0
dot_conflict: .half 0
two_elements: .half 0
one_element: .half 0
.global free32 u16
.global conflict32 u16
.global conflict16 u16
.global reg_source u16
.global mod4 u16
.global dest_only u16
.global dot_conflict u16
.global two_elements u16
.global one_element u16
.entry main
.place 0, 0, 1, 1, k
