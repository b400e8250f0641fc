; operands of vector operations: registers, dot registers, DSRs by number or by file, in place, own count
; RUN: %wslc %s -o %t.obj && %wsobjdump -d --no-source %t.obj | FileCheck %s
    fadds same, dsr1, dsr2              ; CHECK: fadds same, dsr1, dsr2
    fadds d.0, s0.1, s1.2               ; CHECK: fadds dsr0, dsr1, dsr2
    fmovs dsr0, r7                      ; CHECK: fmovs dsr0, r7
    fmovs r7, -, dsr3, n=1              ; CHECK: fmovs r7, dsr3, n=1
    dots dot0, dsr1, dsr2, n=3          ; CHECK: dots dot0, dsr1, dsr2, n=3
    sumas dot3, dsr2                    ; CHECK: sumas dot3, dsr2
    fmuls r1, r2, dot1                  ; CHECK: fmuls r1, r2, dot1
    fmacs dsr0, dsr0, dsr2, r4          ; CHECK: fmacs dsr0, dsr0, dsr2, r4
    mov16 dsr1, dsr2, n=63              ; CHECK: mov16 dsr1, dsr2, n=63
