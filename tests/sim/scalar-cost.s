; Scalar costs: branches, jumps, division, latencies, hardware loops.
; Each symbol is the number of cycles from the first slot of a sequence to the slot behind it.
; RUN: %wslc --arch=wse2 %s -o %t.obj && %wsrun %t.obj --dump plain --dump not_taken --dump taken --dump jump --dump call --dump callr --dump load_use --dump fp_use --dump fp_no_use --dump fp_to_int --dump mov_use --dump over --dump fdiv --dump fdiv_use --dump fdivh --dump idiv --dump loop5 --dump loop0 --dump nested | FileCheck %s --check-prefix=WSE2
; RUN: %wslc --arch=wse3 %s -o %t.obj && %wsrun %t.obj --dump plain --dump not_taken --dump taken --dump jump --dump call --dump callr --dump load_use --dump fp_use --dump fp_no_use --dump fp_to_int --dump mov_use --dump over --dump fdiv --dump fdiv_use --dump fdivh --dump idiv --dump loop5 --dump loop0 --dump nested | FileCheck %s --check-prefix=WSE3
.rect 1, 1
.class k
main:

    tsc r20, 0
    add r1, r2, r3
    add r4, r1, r1
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, plain
; WSE2: plain (0,0): 2
; WSE3: plain (0,0): 2
    tsc r20, 0
    bne r0, r0, out1
    out1:
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, not_taken
; WSE2: not_taken (0,0): 3
; WSE3: not_taken (0,0): 3
    tsc r20, 0
    beq r0, r0, out2
    nop
    out2:
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, taken
; WSE2: taken (0,0): 6
; WSE3: taken (0,0): 6
    tsc r20, 0
    jmp out3
    nop
    out3:
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, jump
; WSE2: jump (0,0): 4
; WSE3: jump (0,0): 4
    tsc r20, 0
    call f
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, call
; WSE2: call (0,0): 8
; WSE3: call (0,0): 8
    tsc r20, 0
    la r9, f
    callr r9
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, callr
; WSE2: callr (0,0): 9
; WSE3: callr (0,0): 9
    tsc r20, 0
    ldw r1, word
    add r2, r1, r1
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, load_use
; WSE2: load_use (0,0): 2
; WSE3: load_use (0,0): 2
    tsc r20, 0
    fadds r1, r2, r3, n=1
    fadds r2, r1, r1, n=1
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, fp_use
; WSE2: fp_use (0,0): 3
; WSE3: fp_use (0,0): 3
    tsc r20, 0
    fadds r1, r2, r3, n=1
    fadds r4, r2, r2, n=1
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, fp_no_use
; WSE2: fp_no_use (0,0): 2
; WSE3: fp_no_use (0,0): 2
    tsc r20, 0
    fadds r1, r2, r3, n=1
    add r4, r1, r1
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, fp_to_int
; WSE2: fp_to_int (0,0): 3
; WSE3: fp_to_int (0,0): 3
    tsc r20, 0
    fmovs r1, r2, n=1
    add r4, r1, r1
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, mov_use
; WSE2: mov_use (0,0): 2
; WSE3: mov_use (0,0): 2
    tsc r20, 0
    fadds r1, r2, r3, n=1
    li r1, 7
    add r4, r1, r1
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, over
; WSE2: over (0,0): 3
; WSE3: over (0,0): 3
    tsc r20, 0
    fdivs r1, r2, r3
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, fdiv
; WSE2: fdiv (0,0): 50
; WSE3: fdiv (0,0): 50
    tsc r20, 0
    fdivs r1, r2, r3
    add r4, r1, r1
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, fdiv_use
; WSE2: fdiv_use (0,0): 52
; WSE3: fdiv_use (0,0): 52
    tsc r20, 0
    fdivh r1, r2, r3
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, fdivh
; WSE2: fdivh (0,0): 50
; WSE3: fdivh (0,0): 50
    tsc r20, 0
    divu r1, r2, r3
    add r4, r1, r1
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, idiv
; WSE2: idiv (0,0): 37
; WSE3: idiv (0,0): 37
    tsc r20, 0
    li r1, 5
    loop l0, r1, out4
    in4: nop
    endl l0, in4
    out4:
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, loop5
; WSE2: loop5 (0,0): 12
; WSE3: loop5 (0,0): 12
    tsc r20, 0
    loop l0, r0, out5
    in5: nop
    endl l0, in5
    out5:
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, loop0
; WSE2: loop0 (0,0): 1
; WSE3: loop0 (0,0): 1
    tsc r20, 0
    li r1, 3
    loop l0, r1, out6
    in6: loop l1, r1, out7
    in7: nop
    endl l1, in7
    out7: endl l0, in6
    out6:
    tsc r21, 0
    sub r21, r21, r20
    addi r21, r21, -1
    sth r21, nested
; WSE2: nested (0,0): 26
; WSE3: nested (0,0): 26
    done
f: jr r31
.data
word: .word 5
plain: .half 0
not_taken: .half 0
taken: .half 0
jump: .half 0
call: .half 0
callr: .half 0
load_use: .half 0
fp_use: .half 0
fp_no_use: .half 0
fp_to_int: .half 0
mov_use: .half 0
over: .half 0
fdiv: .half 0
fdiv_use: .half 0
fdivh: .half 0
idiv: .half 0
loop5: .half 0
loop0: .half 0
nested: .half 0
.global plain u16
.global not_taken u16
.global taken u16
.global jump u16
.global call u16
.global callr u16
.global load_use u16
.global fp_use u16
.global fp_no_use u16
.global fp_to_int u16
.global mov_use u16
.global over u16
.global fdiv u16
.global fdiv_use u16
.global fdivh u16
.global idiv u16
.global loop5 u16
.global loop0 u16
.global nested u16
.entry main
.place 0, 0, 1, 1, k
