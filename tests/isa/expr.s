; numbers and expressions
; RUN: %wslc %s -o %t.obj && %wsobjdump -d --no-source %t.obj | FileCheck %s
.equ K, (2 + 3) * 4 - 1
    li r1, K                            ; CHECK: li r1, 19
    li r1, -K + 0x10                    ; CHECK: li r1, -3
    li r1, 0b101                        ; CHECK: li r1, 5
    li r1, 'A'                          ; CHECK: li r1, 65
    li r1, '\n'                         ; CHECK: li r1, 10
    liu r1, 1 << 15 | 3                 ; CHECK: liu r1, 32771
    li r1, 7 / 2                        ; CHECK: li r1, 3
    la r1, tab + 2                      ; CHECK: liu r1, 50
    la r1, end - tab                    ; CHECK: liu r1, 4
    jmp . + 8                           ; CHECK: 0024: {{.*}} jmp end_of_code
    done
end_of_code:
    done
.data
tab: .half 1, 2
end:
