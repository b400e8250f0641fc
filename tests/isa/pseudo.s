; pseudo instructions, and a 32-bit constant in as few instructions as it needs
; RUN: %wslc %s -o %t.obj && %wsobjdump -d --no-source %t.obj | FileCheck %s
; CHECK: add r1, r2, r0
; CHECK: liu r1, [[BUF:[0-9]+]]
; CHECK: liu r2, 1
; CHECK: li r2, -1
; CHECK: lui r2, 0x1234
; CHECK-NEXT: lui r2, 0x1234
; CHECK-NEXT: insl r2, 0x5678
; CHECK: liu r2, [[BUF]]
; CHECK: add r0, r0, r0
; CHECK: jmp top
; CHECK: jr r31
top:
    mv r1, r2
    la r1, buf
    lw32 r2, 1
    lw32 r2, 0xffffffff
    lw32 r2, 0x12340000
    lw32 r2, 0x12345678
    lw32 r2, buf
    nop
    b top
    ret
.bss
buf: .space 4
