; --set, --read, --dump, --list over a rectangle: each PE doubles its x into y.
; RUN: %wslc %s -o %t.obj
; RUN: %python -c "import struct,sys; sys.stdout.buffer.write(struct.pack('<12i', *range(12)))" > %t.x
; RUN: %wsrun %t.obj --set x=%t.x --read y -o %t.y --read y:1,0,2,1 -o %t.part --dump y:2,1,1,1 --dump h | FileCheck %s
; RUN: %python -c "import struct; assert struct.unpack('<12i', open('%t.y','rb').read()) == tuple(2*i for i in range(12))"
; RUN: %python -c "import struct; assert struct.unpack('<4i', open('%t.part','rb').read()) == (4, 6, 8, 10)"
; CHECK:      {{^}}y (2,1): 20 22{{$}}
; CHECK-NEXT: {{^}}h (0,0): 1.5{{$}}
; CHECK-COUNT-5: {{^h .*: 1.5$}}
; CHECK-NOT:  {{.}}
; One PE's data for all; a rectangle; stdout.
; RUN: head -c 8 %t.x > %t.one
; RUN: %wsrun %t.obj --set x=%t.one --dump y | FileCheck --check-prefix=ONE %s
; ONE-COUNT-6: y ({{.*}}): 0 2
; RUN: %wsrun %t.obj --set x:1,0,2,1=%t.one --dump y | FileCheck --check-prefix=RECT %s
; RECT:      y (0,0): 0 0
; RECT-NEXT: y (1,0): 0 2
; RECT-NEXT: y (2,0): 0 2
; RECT-NEXT: y (0,1): 0 0
; RUN: %wsrun %t.obj --set x=%t.x --read y -o - | cmp - %t.y
; RUN: %wsrun %t.obj --list | FileCheck --check-prefix=LIST %s
; LIST: symbol type elements bytes PEs
; LIST: y i32 2 8 6 unset, exported
; LIST: h f16 1 2 6 set
; LIST: main {{func|task}} 6
; LIST: x i32 2 8 6 unset
; Two runs give the same bytes and cycles.
; RUN: %wsrun %t.obj --set x=%t.x --stats json | grep -v second > %t.1
; RUN: %wsrun %t.obj --set x=%t.x --stats json | grep -v second | diff %t.1 -
.arch wse2
.rect 3, 2
.class c
.entry main
main:
    ldw r1, x
    add r1, r1, r1
    stw r1, y
    ldw r1, x+4
    add r1, r1, r1
    stw r1, y+4
    done
.data
h: .half16f 1.5
.bss
.align 4
x: .space 8
y: .space 8
.sym x, i32, 8
.sym y, i32, 8
.global y, i32
.place 0, 0, 3, 2, c
