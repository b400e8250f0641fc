; RUN: not %wslc %s -o %t.obj 2>&1 | FileCheck %s
.rect 2, 2
.class one
main: done
.bss
A: .space 4
.place 0, 0, 3, 1, one                  ; CHECK: error[E0815]: (0, 0) 3 x 1 reaches outside the rectangle of 2 x 2 PEs
.place 0, 0, 1, 1, on                   ; CHECK: error[E0814]: no class 'on'; did you mean 'one'?
.iq 8, 1                                ; CHECK: error[E0804]: 8 is out of range: 0 to 7
.oq 0, 24                               ; CHECK: error[E0804]: 24 is out of range: 0 to 23
.task 9, man                            ; CHECK: error[E0805]: no symbol 'man' in class one; did you mean 'main'?
.route 0, 0, 1, 1, 3, up, ramp          ; CHECK: error[E0801]: expected west, east, south, north or ramp, found 'up'
