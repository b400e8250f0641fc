; Statistics as data: cycles, clock, machine, every counter with total, maximum and minimum.
; RUN: %wslc %s -o %t.obj
; RUN: %wsrun %t.obj --engine reference --stats json > %t.json
; RUN: %python %S/Inputs/stats.py %t.json
; RUN: %wsrun %t.obj --stats-file %t.2.json --arch-param hop_cycles=3 | count 0
; RUN: %python -c "import json; assert json.load(open('%t.2.json'))['arch_params'] == {'hop_cycles': 3}"
; RUN: %wsrun %t.obj --engine fast --stats json > %t.fast.json
; RUN: %python %S/Inputs/slow.py %t.fast.json %t.json
; RUN: %wsrun %t.obj --engine fast --stats text | FileCheck %s --check-prefixes=CHECK,FAST
; CHECK: end idle
; CHECK: PEs 2 x 1, 2 with a program
; CHECK: tasks 2 1 (0,0) 1 (0,0) tasks
; FAST: slow task_ins 2
; RUN: %wsrun %t.obj --engine reference --stats text | FileCheck %s --implicit-check-not=slow
; A changed number of the machine changes the cycles.
; RUN: %wsrun %t.obj --arch-param task_start=40 --stats json | %python -c "import json,sys; assert json.load(sys.stdin)['cycles'] == json.load(open('%t.json'))['cycles'] + 37"
.arch wse3
.rect 2, 1
.class c
.entry main
main:
    nop
    done
.place 0, 0, 2, 1, c
