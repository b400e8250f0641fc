// RUN: %wslc --emit=ast %s | FileCheck %s
index i3 = 3;                              // CHECK: (index-set i3 = 3)
index nz = z_len + 1;                      // CHECK: (index-set nz = (+ z_len 1))
iter a: f32 = |z,k|{N,12} -> A[26*z + c + k];
// CHECK: (iter a : f32 = (lambda (z k) (N 12) (at A (+ (+ (* 26 z) c) k))))
socket sw: in wv = queue 0;                // CHECK: (socket sw in wv 0)
socket tx: out f32 = queue q_base + 1;     // CHECK: (socket tx out f32 (+ q_base 1))
fn f() void {
    a[] <- b[];                            // CHECK: (move (elem a) (elem b))
    a[] ← b[] + 1;                         // CHECK: (move (elem a) (+ (elem b) 1))
    r ← b[];                               // CHECK: (<- r (elem b))
    (r) <- b[];                            // CHECK: (move r (elem b))
    p.* <- b[];                            // CHECK: (move (deref p) (elem b))
    wv:tx[] <- hp:rx[];                    // CHECK: (move (view wv (elem tx)) (view hp (elem rx)))
    x = sp:m.rx[] * (hp)(w[]);             // CHECK: (= x (* (view sp (elem (field m rx))) (call (paren hp) (elem w))))
    forall i3 a[] <- b[];                  // CHECK: (forall i3 (move (elem a) (elem b)))
    ∀i ∀j { g(a[]); }
    // CHECK: (forall i (forall j
    // CHECK-NEXT: (block
    // CHECK-NEXT: (call g (elem a)))))
    forever { if (a[] == 0) break; }
    // CHECK: (forever
    // CHECK-NEXT: (block
    // CHECK-NEXT: (if (== (elem a) 0) (break))))
    top: forever { break :top; }           // CHECK: (forever :top
    // CHECK: (break :top)
    dispatch (op) { 0 => f(), 1, 2 => { x = 1; }, 3...5 => r <- a[], }
    // CHECK: (dispatch op
    // CHECK-NEXT: (case (0) (call f))
    // CHECK-NEXT: (case (1 2)
    // CHECK-NEXT: (block
    // CHECK-NEXT: (= x 1)))
    // CHECK-NEXT: (case ((range 3 5))
    // CHECK-NEXT: (<- r (elem a))))
    parallel { ∀i a[] <- b[]; ∀i c[] <- d[]; }
    // CHECK: (parallel
    // CHECK-NEXT: (block
    // CHECK-NEXT: (forall i (move (elem a) (elem b)))
    // CHECK-NEXT: (forall i (move (elem c) (elem d)))))
    index k = 4;                           // CHECK: (index-set k = 4)
}
