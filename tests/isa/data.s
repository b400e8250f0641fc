; data directives; symbols get type and size from what follows them, padding not counted
; RUN: %wslc %s -o %t.obj && %wsobjdump -t %t.obj | FileCheck --check-prefix=SYM %s
; RUN: readelf -x .data.main %t.obj | FileCheck %s
; CHECK:      0x00000010 78ff0500 01000000 000080bf 00386869
; CHECK-NEXT: 0x00000020 0a002a00
.data
one:  .byte 'x', -1                     ; SYM: 0x0010 2 u8 local set one
five: .half 5                           ; SYM: 0x0012 2 u16 local set five
w:    .word 1                           ; SYM: 0x0014 4 u32 local set w
f:    .float -1.0                       ; SYM: 0x0018 4 f32 local set f
h:    .half16f 0.5                      ; SYM: 0x001c 2 f16 local set h
s:    .string "hi\n"                    ; SYM: 0x001e 4 u8 local set s
n:    .half (4 + 3) * 6                 ; SYM: 0x0022 2 u16 local set n
      .align 16
.bss
z:    .space 6                          ; SYM: 0x0030 6 bytes export unset z
.global z
.text
      done
