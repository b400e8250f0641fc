// RUN: %wslc --emit=ast %s | FileCheck %s
const a = 0x1F + 0b101 + 0o17 + 1_000;         // CHECK: (const a = (+ (+ (+ 31 5) 15) 1000))
const b = 18446744073709551615;                // CHECK: (const b = 18446744073709551615)
const c = 18446744073709551616;                // CHECK: (const c = (overflow 18446744073709551616))
const d = 0x1_0000_0000_0000_0000;             // CHECK: (const d = (overflow 0x10000000000000000))
const e = 1.5 + 2e3 + 1_0.5e-3;                // CHECK: (const e = (+ (+ 1.5 2e3) 10.5e-3))
const f = true or false;                       // CHECK: (const f = (or true false))
const g = "a\n\t\"\\\x41\u{2211}";             // CHECK: (const g = "a\n\x09\"\\A∑")
const h = 'a' + '\n' + '∑';                    // CHECK: (const h = (+ (+ 97 10) 8721))
