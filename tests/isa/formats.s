; one line of each format: what is read is what is printed, and where the fields lie
; RUN: %wslc %s -o %t.obj && %wsobjdump -d --no-source %t.obj | FileCheck %s
start:
    done                                ; CHECK: 0000: 58000000  done
    jr r31                              ; CHECK: 4ef80000  jr r31
    sext16 r1, r2                       ; CHECK: 18088000  sext16 r1, r2
    add r1, r2, r3                      ; CHECK: 01088600  add r1, r2, r3
    sel r1, r2, r3, r4                  ; CHECK: 1b088640  sel r1, r2, r3, r4
    addi r1, r2, -1                     ; CHECK: 1c08bfff  addi r1, r2, -1
    ldw r1, r2+8                        ; CHECK: 34088008  ldw r1, r2+8
    stw r1, [sp-4]                      ; CHECK: 370fbffc  stw r1, r30-4
    ldh r3, 0x10                        ; CHECK: 32180010  ldh r3, r0+16
    li r5, -2                           ; CHECK: 2528fffe  li r5, -2
    lui r5, 0xabcd                      ; CHECK: 2728abcd  lui r5, 0xabcd
    trap 1                              ; CHECK: 60000001  trap 1
    beq r1, r2, start                   ; CHECK: 40{{[0-9a-f]+}}  beq r1, r2, start
    jmp 0x100                           ; CHECK: 4c{{[0-9a-f]+}}  jmp 0x100
    loop l1, r4, end                    ; CHECK: 504{{[0-9a-f]+}}  loop l1, r4, end
    endl l1, start                      ; CHECK: 514{{[0-9a-f]+}}  endl l1, start
    fsubs r5, dsr2, dsr4, n=1           ; CHECK: 81162901  fsubs r5, dsr2, dsr4, n=1
    fmss1 r6, r7, dsr3, dot0            ; CHECK: 8a1878f0  fmss1 r6, r7, dsr3, dot0
    lddsr s0.2, x1, r0+8                ; CHECK: 68488004  lddsr s0.2, x1, r0+8
    lddsrr d.15, x0, r1, r2             ; CHECK: 693c0440  lddsrr d.15, x0, r1, r2
    dsrb s1.3, r4                       ; CHECK: 6a8c8000  dsrb s1.3, r4
    act 9                               ; CHECK: 59000009  act 9
    unb data:3                          ; CHECK: 5b000023  unb data:3
    async ut2, prio=medium, act=9, unb=data:10   ; CHECK: 6c{{[0-9a-f]+}}  async ut2, prio=medium, act=9, unb=data:10
    async                               ; CHECK: 6c000000  async
    waitut 0x84                         ; CHECK: 6d000084  waitut 132
    sendc q2, r5                        ; CHECK: 72450000  sendc q2, r5
    tsc r3, 2                           ; CHECK: 5f180002  tsc r3, 2
end:
    done
