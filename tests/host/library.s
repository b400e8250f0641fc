; A C program with nothing but wsrt.h and the library, shared and static: opens, writes, runs, reads.
; RUN: %wslc %s -o %t.obj
; RUN: %cc -std=c11 -pedantic-errors -Wall -Wextra -Werror %sancflags %S/Inputs/library.c -I%root/runtime/include -L%build/lib -Wl,-rpath,%build/lib -l:libwsrt.so -o %t.shared
; RUN: %t.shared %t.obj
; RUN: %cc -std=c11 %sancflags %S/Inputs/library.c -I%root/runtime/include %build/lib/libwsrt.a -lelf -lm -o %t.static
; RUN: %t.static %t.obj
; the shared library shows its interface and nothing else
; RUN: nm -D --defined-only %build/lib/libwsrt.so | awk '$2 == "T" && $3 !~ /^wsrt_/' | count 0
.arch wse3
.rect 4, 2
.class c
.entry main
main:
    ldw r1, x
    add r1, r1, r1
    stw r1, x
    done
.bss
x: .space 4
.sym x, i32, 4
.place 0, 0, 4, 2, c
; the program of docs/tools.md compiles
; RUN: awk '/^```c/{on=1;next} /^```/{on=0} on' %root/docs/tools.md > %t.doc.c
; RUN: %cc -std=c11 -Wall -Wextra -Werror %sancflags %t.doc.c -I%root/runtime/include -L%build/lib -l:libwsrt.so -o %t.doc
