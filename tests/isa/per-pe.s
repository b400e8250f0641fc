; per-PE data: y, then x, then element; lines of one symbol go on
; RUN: %wslc %s -o %t.obj && readelf -x .w.pe.A %t.obj | FileCheck %s
; CHECK: 0x00000000 01000200 03000400 05000600 0700ffff
.rect 2, 2
    done
.bss
A: .space 4
.pe A u16: 1 2  3 4
.pe A u16: 5, 6, 7, -1
