; placement, routes and their picture
; RUN: %wslc %s -o %t.obj && %wsobjdump -r %t.obj | FileCheck %s && %wsobjdump %t.obj | FileCheck --check-prefix=SUM %s
; SUM: object, wse2, 4 x 2 PEs, 2 classes
; SUM: class a: 6 PEs, code 4,
; SUM: class b: 2 PEs, code 4,
; SUM: colors routed: 5, 7
; CHECK:      color 5
; CHECK-NEXT:   west → east: 4 PEs
; CHECK-NEXT:   ramp → east: 2 PEs
; CHECK-NEXT:   west → ramp: 2 PEs
; CHECK-NEXT: {{^ +}}y \ x   0   1   2   3
; CHECK-NEXT: {{^ +}}0  ●→ →─→ →─→ →○{{$}}
; CHECK-NEXT: {{^ +}}1  ●→ →─→ →─→ →○{{$}}
; CHECK:      color 7
; CHECK:      {{^ +}}0  ·  →┐   ·   ·{{$}}
; CHECK-NEXT: {{^ +}}↓{{$}}
; CHECK-NEXT: {{^ +}}↓{{$}}
; CHECK-NEXT: {{^ +}}1  ·   ○   ·   ·{{$}}
.arch wse2
.rect 4, 2
.class a
    done
.class b
    done
.place 0, 0, 3, 2, a
.place 3, 0, 1, 2, b
.route 0, 0, 1, 2, 5, ramp, east
.route 1, 0, 2, 2, 5, west, east
.route 3, 0, 1, 2, 5, west, ramp
.route 1, 0, 1, 1, 7, west, south
.route 1, 1, 1, 1, 7, north, ramp
