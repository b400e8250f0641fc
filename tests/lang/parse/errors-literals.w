// RUN: not %wslc --emit=ast %s 2>&1 | FileCheck %s
const a = 0b12;
const b = 12abc + 0x;
const c = 1.5e400;
const d = "ab\q";
const e = "ab;
const f = 'ab' + '';
const g = 3 $ 4;
const h = "\xZ1 \u{110000}";
const i = 2 ≤ 3;
const j = #;
// CHECK:      :2:11: error[E0107]: malformed number '0b12'
// CHECK:      help: numbers are
// CHECK:      :3:11: error[E0107]: malformed number '12abc'
// CHECK:      :3:19: error[E0107]: malformed number '0x'
// CHECK:      :4:11: error[E0108]: the number 1.5e400 is too large
// CHECK:      :5:14: error[E0106]: unknown escape \q in a string
// CHECK:      :6:11: error[E0105]: the string does not end on its line
// CHECK-NOT:  error[E
// CHECK:      :7:11: error[E0109]: a character literal holds one character
// CHECK:      :7:18: error[E0109]
// CHECK:      :8:13: error[E0102]: unexpected character '$'
// CHECK:      :8:15: error[E0111]: unexpected '4'; expected an operator or ';'
// CHECK:      :9:12: error[E0106]: unknown escape \x
// CHECK:      :9:17: error[E0106]: unknown escape \u
// CHECK:      :10:13: error[E0102]: unexpected character '≤' (U+2264)
// CHECK:      :11:11: error[E0102]: unexpected character '#'
