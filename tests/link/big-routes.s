; a full wafer's routes are drawn in a few lines: runs of equal rows and columns once
; RUN: %wslc %s -o %t.obj && %wsobjdump -r %t.obj | FileCheck %s
; CHECK:      color 3
; CHECK-NEXT: west → east: 890720 PEs
; CHECK-NEXT: ramp → east: 1172 PEs
; CHECK-NEXT: west → ramp: 1172 PEs
; CHECK-NEXT: y \ x      0  1-760    761
; CHECK-NEXT: 0-1171 {{ *}}●→ →─→ →○
; CHECK-NOT:  only
.rect 762, 1172
done
.route 0, 0, 1, 1172, 3, ramp, east
.route 1, 0, 760, 1172, 3, west, east
.route 761, 0, 1, 1172, 3, west, ramp
