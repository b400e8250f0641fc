; readelf, nm and size answer about objects
; RUN: %wslc %s -o %t.obj && nm %t.obj | FileCheck --check-prefix=NM %s
; RUN: size -A %t.obj | FileCheck --check-prefix=SIZE %s && readelf -sW %t.obj | FileCheck --check-prefix=SYM %s
; NM:   0000000000000020 b A
; NM:   0000000000000010 d D
; NM:   0000000000000000 t main
; SIZE: .text.k {{ *}}8 {{ *}}0
; SIZE: .data.k {{ *}}4 {{ *}}16
; SIZE: .bss.k {{ *}}12 {{ *}}32
; SYM:  FILE LOCAL DEFAULT ABS k
; SYM:  FUNC LOCAL HIDDEN {{.*}} main
; SYM:  OBJECT LOCAL HIDDEN {{.*}} D
; SYM:  OBJECT LOCAL DEFAULT {{.*}} A
.class k
main: nop
      done
.data
D:    .word 1
.bss
A:    .space 12
.global A f32
