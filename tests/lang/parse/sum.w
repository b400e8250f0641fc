// RUN: %wslc --emit=ast %s | FileCheck %s
// A sum binds like +: it takes products, not sums.  Every form has an ASCII twin.
fn f() void {
    r <- ∑ ∀i3 a[]*b[] + c;              // CHECK: (<- r (+ (sum i3 (* (elem a) (elem b))) c))
    r <- c + ∑ ∀i3 a[]*b[];              // CHECK: (<- r (+ c (sum i3 (* (elem a) (elem b)))))
    r <- c - ∑ ∀i3 a[] - d;              // CHECK: (<- r (- (- c (sum i3 (elem a))) d))
    r <- ∑ ∀i (a[] + b[]) * c;           // CHECK: (<- r (sum i (* (+ (elem a) (elem b)) c)))
    r <- ∑ ∀i (a[]) == b;                // CHECK: (<- r (== (sum i (elem a)) b))
    r <- ∑ ∀i a[] << 2;                  // CHECK: (<- r (<< (sum i (elem a)) 2))
    r <- -∑ ∀i a[] * b[];                // CHECK: (<- r (- (sum i (* (elem a) (elem b)))))
    r <- 2 * ∑ ∀i a[] * b[];             // CHECK: (<- r (* 2 (sum i (* (elem a) (elem b)))))
    r <- ∑ ∀i ∑ ∀j a[] * b[];            // CHECK: (<- r (sum i (sum j (* (elem a) (elem b)))))
    r <- sum forall i3 a[]*b[] + c;      // CHECK: (<- r (+ (sum i3 (* (elem a) (elem b))) c))
    r <- sum ∀i3 (sp)(s[]);              // CHECK: (<- r (sum i3 (call (paren sp) (elem s))))
    r <+- ∑ forall i3 -a[];              // CHECK: (<+- r (sum i3 (- (elem a))))
    x = @as(f32, ∑ ∀n a[]);              // CHECK: (= x (@as f32 (sum n (elem a))))
}
