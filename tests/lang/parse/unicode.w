// RUN: %wslc --emit=ast %s | FileCheck %s
// Identifiers may hold Unicode letters; the operators end them.
const é = ε1 + naïve_ß * 变量;                // CHECK: (const é = (+ ε1 (* naïve_ß 变量)))
const Σ = 1;                                  // CHECK: (const Σ = 1)
fn f() void {
    é<-∑∀é é[]*Σ[];                           // CHECK: (<- é (sum é (* (elem é) (elem Σ))))
    é[]←ε[];                                  // CHECK: (move (elem é) (elem ε))
}
