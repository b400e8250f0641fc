; descriptors and shapes, word by word (docs/isa.md)
; RUN: %wslc %s -o %t.obj && readelf -x .data.main %t.obj | FileCheck %s
; CHECK:      0x00000000 40000400 ff000100 40000580 50000200
; CHECK-NEXT: 0x00000010 0200ff7f 49630303 03000800 00000c02
; CHECK-NEXT: 0x00000020 03000100 00001a00 00000000 00000000
.data
    .dsd mem1d, 0x40, 4, -1
    .dsd memnd, 0x40, 5, 0x50, save
    .dsd fabin, q2, endless, act=9, unb=data:3, prio=high
    .dsd fabout, 3, 8, control, prio=medium
    .shape 3, 1, 12, 26
