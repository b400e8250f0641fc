; Every wrong option, file or size: exit code 2 and one clear line.
; RUN: %wslc %s -o %t.obj
; RUN: bash %S/Inputs/options.sh %wsrun %t.obj %t > %t.out
; RUN: FileCheck %s < %t.out
; CHECK:      [] wsrun: no object or image is named (see --help)
; CHECK-NEXT: [OBJ OBJ] wsrun: one object or image at a time: {{.*}}
; CHECK-NEXT: [OBJ --nix] wsrun: unknown option --nix (see --help)
; CHECK-NEXT: [OBJ -x] wsrun: unknown option -x (see --help)
; CHECK-NEXT: [OBJ --read] wsrun: --read needs a value (see --help)
; CHECK-NEXT: [OBJ --list=3] wsrun: unknown option --list=3 (see --help)
; CHECK-NEXT: [OBJ --read x] wsrun: --read x: -o FILE must follow
; CHECK-NEXT: [OBJ --read x --quiet -o F] wsrun: --read x: -o FILE must follow
; CHECK-NEXT: [OBJ -o F] wsrun: -o F: it follows a --read
; CHECK-NEXT: [OBJ --dump x -o F] wsrun: -o F: it follows a --read
; CHECK-NEXT: [OBJ --read x:1,2 -o F] wsrun: --read x:1,2: the rectangle is written x,y,w,h
; CHECK-NEXT: [OBJ --read x:0,0,1,1,1 -o F] wsrun: --read x:0,0,1,1,1: the rectangle is written x,y,w,h
; CHECK-NEXT: [OBJ --read x:-1,0,1,1 -o F] wsrun: --read x:-1,0,1,1: the rectangle is written x,y,w,h
; CHECK-NEXT: [OBJ --read :0,0,1,1 -o F] wsrun: --read :0,0,1,1: no symbol is named
; CHECK-NEXT: [OBJ --read nix -o F] wsrun: --read nix: there is no symbol nix
; CHECK-NEXT: [OBJ --dump nix] wsrun: --dump nix: there is no symbol nix
; CHECK-NEXT: [OBJ --read x:1,0,2,1 -o F] wsrun: --read x: rectangle 1,0,2,1 is not inside the machine of 2 x 2 PEs
; CHECK-NEXT: [OBJ --read x:0,0,9,9 -o F] wsrun: --read x: rectangle 0,0,9,9 is not inside the machine of 2 x 2 PEs
; CHECK-NEXT: [OBJ --read x:0,0,0,1 -o F] wsrun: --read x: rectangle 0,0,0,1 is empty
; CHECK-NEXT: [OBJ --read only:0,0,2,1 -o F] wsrun: --read only: PE (1, 0), class b, has no symbol only
; CHECK-NEXT: [OBJ --read some -o F] wsrun: --read some: not every PE of 0,0,2,2 has it, in one size; name a rectangle: some:x,y,w,h
; CHECK-NEXT: [OBJ --read x -o /no/such/folder/f] wsrun: /no/such/folder/f: No such file or directory
; CHECK-NEXT: [OBJ --read x -o /tmp] wsrun: /tmp: Is a directory
; CHECK-NEXT: [OBJ --stats xml] wsrun: --stats xml: the formats are json and text
; CHECK-NEXT: [OBJ --stats-file /no/such/folder/f] wsrun: /no/such/folder/f: No such file or directory
; CHECK-NEXT: [OBJ --max-cycles 0] wsrun: --max-cycles 0: not a number of cycles from 1
; CHECK-NEXT: [OBJ --max-cycles ten] wsrun: --max-cycles ten: not a number of cycles from 1
; CHECK-NEXT: [OBJ --max-cycles -5] wsrun: --max-cycles -5: not a number of cycles from 1
; CHECK-NEXT: [OBJ --max-cycles 99999999999999999999] wsrun: --max-cycles 99999999999999999999: not a number of cycles from 1
; CHECK-NEXT: [OBJ --arch-param hop_cycles] wsrun: --arch-param hop_cycles: write NAME=NUMBER
; CHECK-NEXT: [OBJ --arch-param hop_cycles=x] wsrun: --arch-param hop_cycles=x: write NAME=NUMBER
; CHECK-NEXT: [OBJ --arch-param hop_cycles=-1] wsrun: --arch-param hop_cycles=-1: write NAME=NUMBER
; CHECK-NEXT: [OBJ --arch-param =1] wsrun: --arch-param =1: write NAME=NUMBER
; CHECK-NEXT: [OBJ --arch-param nix=1] wsrun: --arch-param nix: there is no architecture parameter nix (docs/machine.md lists them)
; CHECK-NEXT: [OBJ --engine warp] wsrun: --engine warp: there is no engine warp; there is reference
; CHECK-NEXT: [OBJ --quiet --verbose] wsrun: --verbose and --quiet at once
; CHECK-NEXT: [OBJ --set x] wsrun: --set x: write SYMBOL=FILE
; CHECK-NEXT: [OBJ --set x=] wsrun: --set x=: write SYMBOL=FILE
; CHECK-NEXT: [OBJ --set nix=F4] wsrun: --set nix: there is no symbol nix
; CHECK-NEXT: [OBJ --set x=/no/such] wsrun: --set x: /no/such: No such file or directory
; CHECK-NEXT: [OBJ --set x=/tmp] wsrun: --set x: /tmp: Is a directory
; CHECK-NEXT: [OBJ --set x=F3] wsrun: --set x: {{.*}}.3 has 3 bytes; one PE's data is 4 bytes, that of 2 x 2 PEs 16
; CHECK-NEXT: [OBJ --set x=F99] wsrun: --set x: {{.*}}.99 has too many bytes; one PE's data is 4 bytes, that of 2 x 2 PEs 16
; CHECK-NEXT: [OBJ --set x:5,0,1,1=F4] wsrun: --set x: rectangle 5,0,1,1 is not inside the machine of 2 x 2 PEs
; CHECK-NEXT: [OBJ --set main=F4] wsrun: --set main: it is code, not data
; CHECK-NEXT: [/no/such.img] wsrun: {{.*}}/no/such.img: No such file or directory
; CHECK-NEXT: [/tmp] wsrun: {{.*}}/tmp: {{.*}}
; CHECK-NEXT: [EMPTY] wsrun: {{.*}}
; CHECK-NEXT: [TEXT] wsrun: {{.*}}
; CHECK-NEXT: [HALF] wsrun: {{.*}}
; CHECK-NEXT: [VERSION] wsrun: {{.*}}version{{.*}}
; CHECK-NEXT: [ELF] wsrun: {{.*}}
; CHECK-NEXT: done
.arch wse3
.rect 2, 2
.class a
.entry main
main: done
.bss
x: .space 4
only: .space 4
some: .space 4
.sym x, i32, 4
.sym only, i32, 4
.sym some, i32, 4
.class b
.entry main
main: done
.bss
x: .space 4
.sym x, i32, 4
.class d
.entry main
main: done
.bss
x: .space 4
some: .space 4
.sym x, i32, 4
.sym some, i32, 4
.place 0, 0, 1, 2, a
.place 1, 0, 1, 1, b
.place 1, 1, 1, 1, d
