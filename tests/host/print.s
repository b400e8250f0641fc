; A kernel prints: a line has the PE and the cycle in front; lines come in the order of (cycle, y, x).
; RUN: %wslc %s -o %t.obj
; RUN: %wsrun %t.obj | FileCheck %s
; RUN: %wsrun --quiet %t.obj 2>&1 | FileCheck %s
; With data on stdout, prints go to stderr.
; RUN: %wsrun %t.obj --stats json 2>%t.err | %python -c "import json,sys; assert json.load(sys.stdin)['end'] == 'idle'"
; RUN: FileCheck %s < %t.err
; CHECK:      {{^}}(0,0) @[[#CYCLE:]]: pi 3.14{{[0-9]*}} n -7 u 4294967289 h {{(0x)?f+}}9 c A{{$}}
; CHECK-NEXT: {{^}}(1,0) @[[#CYCLE]]: pi {{.*}}A{{$}}
; CHECK-NOT:  {{.}}
.arch wse3
.rect 2, 1
.class c
.entry main
main:
    la r1, s_pi
    hout r1, 0
    ldw r1, pi
    hout r1, 4
    la r1, s_n
    hout r1, 0
    li r2, -7
    hout r2, 1
    la r1, s_u
    hout r1, 0
    hout r2, 2
    la r1, s_h
    hout r1, 0
    hout r2, 3
    la r1, s_c
    hout r1, 0
    li r2, 65
    hout r2, 6
    hout r0, 7
    done
.data
pi: .float 3.14159274
s_pi: .string "pi "
s_n: .string " n "
s_u: .string " u "
s_h: .string " h "
s_c: .string " c "
.place 0, 0, 2, 1, c
