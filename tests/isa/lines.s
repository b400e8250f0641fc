; the source of the code: this file, or what .line says
; RUN: %wslc %s -o %t.obj && %wsobjdump -d %t.obj | FileCheck %s
; CHECK:      class a
; CHECK:      ; {{.*}}lines.s:[[#]]: nop
; CHECK:      class b
; CHECK-NEXT: 0000: {{.*}} add
; CHECK-NEXT: ; kernel.w:12
; CHECK-NEXT: 0004:
; CHECK-NEXT: 0008:
; CHECK-NEXT: ; kernel.w:70000
.class a
nop
.class b
nop
.line "kernel.w", 12
nop
nop
.line "kernel.w", 70000
done
.rect 2, 1
.place 0, 0, 1, 1, a
.place 1, 0, 1, 1, b
