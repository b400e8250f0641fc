// A byte that is not UTF-8 is an error wherever it stands; a control character in a string is one, too.
// RUN: printf 'const a = 1; // \377\376 bad\nconst b = "\300\200";\nconst \303\251 = "\001";\n\377' > %t.w
// RUN: not %wslc --emit=ast %t.w 2>&1 | FileCheck %s
// CHECK:      :1:17: error[E0101]: byte 0xFF at offset 16 is not UTF-8
// CHECK:      :2:12: error[E0101]: byte 0xC0 at offset 34 is not UTF-8
// CHECK:      :3:13: error[E0120]: a string cannot hold the control character U+0001
// CHECK:      :4:1: error[E0101]: byte 0xFF at offset
// RUN: printf 'const a = 1\000;\n' > %t2.w
// RUN: not %wslc --emit=ast %t2.w 2>&1 | FileCheck --check-prefix=NUL %s
// NUL: :1:12: error[E0102]: unexpected character U+0000
// RUN: printf '\357\273\277const a = 1;' > %t3.w
// RUN: %wslc --emit=ast %t3.w | FileCheck --check-prefix=BOM %s
// BOM: (const a = 1)
