; Ctrl-C: says where the PEs stand, exit code 130, no half-written output.  A task that loops for ever, and the limit of
; cycles: exit code 5.
; RUN: %wslc %s -o %t.obj
; RUN: rm -f %t.bin
; RUN: exits 130 timeout --preserve-status --foreground -k 20 -s INT 0.5 %wsrun %t.obj --read x -o %t.bin 2>&1 | FileCheck %s
; RUN: not ls %t.bin %t.bin.tmp*
; RUN: exits 5 %wsrun %t.obj --max-cycles 1000 2>&1 | FileCheck --check-prefix=MAX %s
; CHECK: wsrun: interrupted; at cycle {{[0-9]+}}: 4 of 4 PEs have something to do
; CHECK: {{[1-4]}} PE{{s?}} {{ *}}class c {{.*}}ctrl-c.s:[[@LINE+7]] (main) main thread in main {{runs|waits for an earlier instruction}}; e.g. PE (
; MAX: wsrun: stopped at the limit of 1000 cycles
.arch wse3
.rect 2, 2
.class c
.entry main
main:
    jmp main
.bss
x: .space 4
.place 0, 0, 2, 2, c
