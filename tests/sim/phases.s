; Two phases on 3 x 3 with one color: first rows west to east, then columns north to south.  Each stream ends with a teardown
; word; SETRTR waits for it, SETSOCK waits for the queue it closes.  Senders read zeros (null color), and the PE in the
; middle of the first row is late, so that words and slots of both phases meet.
; PE (x, y) ends with 5 words of its row's first PE and 5 of its column's first PE.
; RUN: %wslc %s -o %t.obj && %wsrun %t.obj --dump sum1 --dump sum2 --stats text | FileCheck %s
; RUN: %wslc --arch=wse2 %s -o %t.obj && %wsrun %t.obj --dump sum1 --dump sum2 --stats text | FileCheck %s
; RUN: %wsrun %t.obj --arch-param hop_cycles=7 --arch-param router_slots=1 --dump sum1 --dump sum2 --stats text | FileCheck %s
; RUN: %wsrun %t.obj --arch-param iq0_words=1 --arch-param oq2_words=1 --arch-param ramp_up=30 --dump sum1 --dump sum2 --stats text | FileCheck %s
; CHECK-DAG: sum1 (0,0): 0
; CHECK-DAG: sum1 (1,0): 5
; CHECK-DAG: sum1 (2,0): 5
; CHECK-DAG: sum1 (0,1): 0
; CHECK-DAG: sum1 (1,1): 20
; CHECK-DAG: sum1 (2,2): 35
; CHECK-DAG: sum2 (0,0): 0
; CHECK-DAG: sum2 (1,0): 0
; CHECK-DAG: sum2 (0,1): 5
; CHECK-DAG: sum2 (1,2): 10
; CHECK-DAG: sum2 (2,2): 15
; CHECK: end idle
; CHECK: stall_router {{ *[1-9]}}
; CHECK: sent {{ *}}36
.rect 3, 3
.class k
main: lddsr d.0, out
      lddsr s1.0, in
      ldw r10, late
      loop l0, r10, go
wait: nop
      endl l0, wait
go:   ldw r9, id
      lw32 r8, 0x09df9249
      la r1, soc1
      la r2, ctx1
      ldhu r3, first1
      call phase
      stw r7, sum1
      la r1, soc2
      la r2, ctx2
      ldhu r3, first2
      call phase
      stw r7, sum2
      done
; r1 sockets, r2 context, r3 whether this PE sends; r7 = sum of what came
phase: setrtr r2
      setsock r1
      sums dot0, dsr0
      beq r3, r0, last
      mov32 dsr0, r9
      sendc q2, r8
last: fmovs r7, dot0
      ret
.data
out: .dsd fabout, q2, 5
in: .dsd fabin, q0, 5
late: .word 0
id: .word 0
sum1: .word 9
sum2: .word 9
first1: .half 0
first2: .half 0
ctx1: .half 0,0, 0,0, 0,0, 0,0, 0,0, 0,0, 0,0, 0,0, 0,0
ctx2: .half 0,0, 0,0, 0,0, 0,0, 0,0, 0,0, 0,0, 0,0, 0,0
; the color is 3; queue q0 in, q2 out
soc1: .half 0, 0, 0, 0, 0, 0, 0, 0, 0
soc2: .half 0, 0, 0, 0, 0, 0, 0, 0, 0
.global sum1 f32
.global sum2 f32
.entry main
.iq 0, null
.oq 2, null
.place 0, 0, 3, 3, k
; ids 1..9 as fp32
.pe id f32: 1 2 3 4 5 6 7 8 9
.pe late u32: 0 100 0 0 0 0 0 0 0
.pe first1 u16: 1 0 0 1 0 0 1 0 0
.pe first2 u16: 1 1 1 0 0 0 0 0 0
; contexts: 3, slot word; sockets: queue 0, queue 2
.pe ctx1 u16: 3 32788 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
.pe ctx1 u16: 3 32912 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
.pe ctx1 u16: 3 32896 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
.pe ctx1 u16: 3 32788 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
.pe ctx1 u16: 3 32912 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
.pe ctx1 u16: 3 32896 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
.pe ctx1 u16: 3 32788 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
.pe ctx1 u16: 3 32912 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
.pe ctx1 u16: 3 32896 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
.pe ctx2 u16: 3 32804 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
.pe ctx2 u16: 3 32804 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
.pe ctx2 u16: 3 32804 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
.pe ctx2 u16: 3 32931 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
.pe ctx2 u16: 3 32931 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
.pe ctx2 u16: 3 32931 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
.pe ctx2 u16: 3 32899 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
.pe ctx2 u16: 3 32899 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
.pe ctx2 u16: 3 32899 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
.pe soc1 u16: 32799 33091 0 0 0 0 0 0 0
.pe soc1 u16: 32771 33119 0 0 0 0 0 0 0
.pe soc1 u16: 32771 33119 0 0 0 0 0 0 0
.pe soc1 u16: 32799 33091 0 0 0 0 0 0 0
.pe soc1 u16: 32771 33119 0 0 0 0 0 0 0
.pe soc1 u16: 32771 33119 0 0 0 0 0 0 0
.pe soc1 u16: 32799 33091 0 0 0 0 0 0 0
.pe soc1 u16: 32771 33119 0 0 0 0 0 0 0
.pe soc1 u16: 32771 33119 0 0 0 0 0 0 0
.pe soc2 u16: 32799 33091 0 0 0 0 0 0 0
.pe soc2 u16: 32799 33091 0 0 0 0 0 0 0
.pe soc2 u16: 32799 33091 0 0 0 0 0 0 0
.pe soc2 u16: 32771 33119 0 0 0 0 0 0 0
.pe soc2 u16: 32771 33119 0 0 0 0 0 0 0
.pe soc2 u16: 32771 33119 0 0 0 0 0 0 0
.pe soc2 u16: 32771 33119 0 0 0 0 0 0 0
.pe soc2 u16: 32771 33119 0 0 0 0 0 0 0
.pe soc2 u16: 32771 33119 0 0 0 0 0 0 0
