// RUN: exits 2 %wslc 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: exits 2 %wslc a.w b.w -o x 2>&1 | FileCheck --check-prefix=TWO %s
// RUN: exits 2 %wslc a.w --arch=wse4 2>&1 | FileCheck --check-prefix=ARCH %s
// RUN: exits 2 %wslc a.w --fast 2>&1 | FileCheck --check-prefix=OPT %s
// RUN: exits 2 %wslc a.w -O3 2>&1 | FileCheck --check-prefix=LEVEL %s
// RUN: exits 2 %wslc a.w 2>&1 | FileCheck --check-prefix=OUT %s
// RUN: exits 2 %wslc a.c -o x 2>&1 | FileCheck --check-prefix=SUFFIX %s
// RUN: exits 2 %wslc a.w --emit=tree 2>&1 | FileCheck --check-prefix=EMIT %s
// RUN: exits 2 %wslc a.w -o 2>&1 | FileCheck --check-prefix=VALUE %s
// RUN: exits 2 %wslc a.w --max-errors=x 2>&1 | FileCheck --check-prefix=NUM %s
// RUN: %wslc -h | FileCheck --check-prefix=HELP %s
// RUN: exits 1 %wslc %s --max-errors=1 -o %t.obj 2>&1 | FileCheck --check-prefix=MAX %s
// Bad options: one clear line, exit code 2.
// NONE: wslc: no source file
// TWO: wslc: one source at a time: what is b.w for?
// ARCH: wslc: --arch=wse4: it is wse2 or wse3
// OPT: wslc: unknown option --fast
// LEVEL: wslc: -O3: the levels are -O0 and -O2
// OUT: wslc: where to? give -o FILE.obj
// SUFFIX: wslc: a.c: a source is FILE.w, .csl, .s or .wir
// EMIT: wslc: --emit=tree: it is obj, ast, wir, asm or placement
// VALUE: wslc: -o needs a value
// NUM: wslc: --max-errors takes a positive number
// HELP: usage: wslc FILE.w
// MAX: error[E0201]
// MAX-NOT: error[E0201]
const x = 1;
export task main() void {
    a = 1;
    b = 1;
}
