; two classes that share A; only the first has N, F, K
.rect 3, 2
.class first
main: done
.data
K: .half 3
.bss
A: .space 8
F: .space 8
N: .space 2
.global A u16
.global F f32
.global N u16
.sym K, u16, 2
.class second
main: done
.bss
A: .space 8
.global A u16
.place 0, 0, 2, 2, first
.place 2, 0, 1, 2, second
