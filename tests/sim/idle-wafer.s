; PEs that nothing touches cost nothing: on a whole wafer one PE sends a word to the next, whose data task answers into its
; memory; all others have a program, data of their own and a task that no word wakes.
; RUN: %wslc %s -o %t.obj && %wsrun %t.obj --engine fast --stats json --stats-file %t.json | count 0
; RUN: %python -c "import json; h = json.load(open('%t.json'))['host']; assert h['state_bytes_per_pe'] < 4 and h['touched_bytes_per_pe'] < 1, h"
; What they show is what the reference shows: memory with data of their own, and all counters.
; RUN: sed 's/762/7/; s/760/5/; s/1172/5/; s/1171/4/' %s > %t.s && %wslc %t.s -o %t.small.obj
; RUN: %python -c "open('%t.bin', 'wb').write(bytes(range(140)))" && %wsld %t.small.obj --set own=%t.bin -o %t.img
; RUN: %wsrun %t.img --engine reference --dump own --dump got --dump seven --max-cycles 1 > %t.ref1 || true
; RUN: %wsrun %t.img --engine fast --dump own --dump got --dump seven --stats text > %t.fast
; RUN: %wsrun %t.img --engine reference --dump own --dump got --dump seven --stats text > %t.ref
; RUN: grep -Ev '^(memory|engine|slow|$)' %t.fast > %t.fast2 && grep -Ev '^(memory|engine|$)' %t.ref | diff - %t.fast2
; RUN: FileCheck %s < %t.fast
; CHECK: own (0,0): 50462976
; CHECK: own (6,4): 2341112200
; CHECK: got (1,0): 42
; CHECK: got (2,0): 0
; CHECK: seven (6,4): 7
.arch wse3
.rect 762, 1172
.class sender
.entry main
main: li r2, 42
      lddsr d.0, out
      nop
      nop
      nop
      mov32 dsr0, r2
      done
.data
out: .dsd fabout, q0, 1
own: .word 1
.global own u32
got: .word 0
.global got u32
seven: .word 7
.global seven u32
.oq 0, 1
.class sleeper
t:    la r5, got
      stw r1, r5
      done
.data
own: .word 1
.global own u32
got: .word 0
.global got u32
seven: .word 7
.global seven u32
.iq 0, 1
.task data:0, t
.route 0, 0, 1, 1, 1, ramp, east
.route 1, 0, 1, 1, 1, west, ramp
.place 0, 0, 1, 1, sender
.place 1, 0, 1, 1, sleeper
.place 2, 0, 760, 1, sleeper
.place 0, 1, 762, 1171, sleeper
