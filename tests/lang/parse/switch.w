// RUN: %wslc --emit=ast %s | FileCheck %s
fn f(x: i16) i16 {
    switch (x) {
        0 => g(),                          // CHECK: (switch x
        1, 2 => { h(); },                  // CHECK-NEXT: (case (0) (call g))
        3...5, 7 => return,                // CHECK-NEXT: (case (1 2)
        .A => y = 1,                       // CHECK-NEXT: (block
        9 => while (a) { },                // CHECK-NEXT: (call h)))
        10 => if (a) { b(); } else c(),    // CHECK-NEXT: (case ((range 3 5) 7) (return))
        11 => {},                          // CHECK-NEXT: (case (.A)
        else => return -x,                 // CHECK-NEXT: (= y 1))
    }                                      // CHECK-NEXT: (case (9)
    const y = switch (x) { 1 => 2, else => switch (z) { 3 => 4 } } + 1;
    // CHECK: (case (11) (void-value))
    // CHECK-NEXT: (case else (return (- x))))
    // CHECK-NEXT: (const y = (+ (switch x
    // CHECK-NEXT: (case (1) 2)
    // CHECK-NEXT: (case else (switch z
    // CHECK-NEXT: (case (3) 4)))) 1))
    return y;
}
