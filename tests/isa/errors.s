; RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s && test ! -e %t.obj
    add r1, r2                          ; CHECK: errors.s:[[#@LINE]]:{{[0-9]+}}: error[E0801]: expected ',', found the end of the line
    addi r1, r2, 9000                   ; CHECK: errors.s:[[#@LINE]]:{{[0-9]+}}: error[E0804]: 9000 is out of range: -8192 to 8191
                                        ; CHECK: {{^ +\| +\^~~~$}}
    fads r1, r2, r3                     ; CHECK: errors.s:[[#@LINE]]:5: error[E0802]: no instruction 'fads'; did you mean {{.*}}'fadds'
    .wrod 1                             ; CHECK: errors.s:[[#@LINE]]:5: error[E0803]: no directive '.wrod'; did you mean
    jmp lop                             ; CHECK: errors.s:[[#@LINE]]:9: error[E0805]: no symbol 'lop' in class main; did you mean 'loop'?
loop:
loop:                                   ; CHECK: errors.s:[[#@LINE]]:1: error[E0806]: 'loop' is defined twice
    dots r1, dsr1, dsr2                 ; CHECK: errors.s:[[#@LINE]]:5: error[E0807]: dots: the destination must be a dot register
    fmacs dsr0, dsr1, dsr2, dsr3        ; CHECK: error[E0807]: fmacs: the fourth operand must be a register or a dot register
    done done                           ; CHECK: errors.s:[[#@LINE]]:10: error[E0808]: unexpected 'done' behind the statement
    .word 1                             ; CHECK: error[E0809]: .word is not allowed in .text
    jmp 0x102                           ; CHECK: error[E0811]: the target 0x102 is not a multiple of 4
    beq r0, r0, 0xf000                  ; CHECK: error[E0804]: a distance of {{[0-9]+}} bytes is out of range: -32768 to 32764
    lddsr s0.1, x0, r0+3                ; CHECK: error[E0811]: the descriptor's address is not a multiple of 2
    li r1, 12345678901234               ; CHECK: error[E0804]: the number is out of range
.bss
    .space end                          ; CHECK: errors.s:[[#@LINE]]:12: error[E0810]: this value must be known here
    nop                                 ; CHECK: error[E0809]: an instruction is not allowed in .bss
end:
