// RUN: %wslc --emit=ast %s | FileCheck %s
// The row body of the HPCG document, verbatim.
// CHECK-LABEL: (task row () void
task row() void {
    ra <- walkr_fwd[] - walkax_rd_fwd[]; // r - upper sum
    rinv <- ra * walkinvd_fwd[];
    acc <- ∑ ∀i3 (sp)(sw[]) *walkA3_down[]; // 3 z offsets per neighbour
    acc <+- ∑ ∀i3 (sp)(s[]) *walkA3_down[];
    acc <+- ∑ ∀i1 walkZ1b_fwd[] *walkA1b_down[]; // own column, z-1
    acc <+- ∑ ∀i3 (sp)(se[]) *walkA3_down[];
    acc <+- ∑ ∀i3 (sp)(w[]) *walkA3_down[];
    walky_fwd[] = rinv - walkinvd2_fwd[] * acc; // x[z] = (r - ax - acc) / diag
    walkax_wr_fwd[] = acc; // lower sum for gs_bwd_up
    ∀i3 wv:tx[] ← tx_window_fd[]; // send the x window
}
// CHECK-NEXT: (block
// CHECK-NEXT: (<- ra (- (elem walkr_fwd) (elem walkax_rd_fwd)))
// CHECK-NEXT: (<- rinv (* ra (elem walkinvd_fwd)))
// CHECK-NEXT: (<- acc (sum i3 (* (call (paren sp) (elem sw)) (elem walkA3_down))))
// CHECK-NEXT: (<+- acc (sum i3 (* (call (paren sp) (elem s)) (elem walkA3_down))))
// CHECK-NEXT: (<+- acc (sum i1 (* (elem walkZ1b_fwd) (elem walkA1b_down))))
// CHECK-NEXT: (<+- acc (sum i3 (* (call (paren sp) (elem se)) (elem walkA3_down))))
// CHECK-NEXT: (<+- acc (sum i3 (* (call (paren sp) (elem w)) (elem walkA3_down))))
// CHECK-NEXT: (= (elem walky_fwd) (- rinv (* (elem walkinvd2_fwd) acc)))
// CHECK-NEXT: (= (elem walkax_wr_fwd) acc)
// CHECK-NEXT: (forall i3 (move (view wv (elem tx)) (elem tx_window_fd)))))
