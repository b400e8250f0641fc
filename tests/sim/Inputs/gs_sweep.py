"""gs_sweep.py N Z [ARCH]: the forward Gauss-Seidel sweep of the HPCG document as hand-written assembly on N x N PEs, Z rows each: a
wavefront from the south-west.  Row z of a PE needs window z (rows z-1 to z+1) of its sw, s, se and w neighbours; a PE sends a window
north, and from there east and west, and east.  Streams at the edges are bound to the null color.  Symbol end: the cycle of
a PE's last row."""
import sys

n, z = int(sys.argv[1]), int(sys.argv[2])
arch = sys.argv[3] if len(sys.argv) > 3 else "wse3"
W, E, S, N, R = range(5)
NAMES = ["west", "east", "south", "north", "ramp"]
ROW = """dots dot0, dsr4, dsr4, n=3
dotas dot0, dsr5, dsr4, n=3
dotas dot0, dsr8, dsr5, n=1
dotas dot0, dsr6, dsr4, n=3
dotas dot0, dsr7, dsr4, n=3
fsubs r1, dsr0, dsr1, n=1
fmss1 r3, r4, dsr3, dot0
fmovs dsr1, dot0, n=1
fmuls r4, r1, dsr2, n=1
fmovs dsr2, r3, n=1
"""
print(f""".arch {arch}
.rect {n}, {n}
.class gs
main: la r1, soc
setsock r1
lddsr s0.0, r_
lddsr s1.1, ax_
lddsr s1.2, inv_
lddsr s1.3, inv_
lddsr s0.4, in0
lddsr s0.5, in1
lddsr s0.6, in2
lddsr s0.7, in3
lddsr s1.4, a3_
lddsr s0.8, y_
lddsr s1.5, a1_
lddsr d.1, axw_
lddsr d.2, yw_
lddsr d.3, out
lddsr s1.6, x1, win
liu r10, {z - 1}
fsubs r1, dsr0, dsr1, n=1
fmuls r4, r1, dsr2, n=1
{ROW}loop l0, r10, last
row: {ROW}fmovs dsr3, dsr6, n=3
endl l0, row
last: fmovs dsr3, dsr6, n=3
tsc r1, 0
sth r1, end
done
.data
r_: .dsd mem1d, r, {z}, 1
ax_: .dsd mem1d, ax, {z}, 1
inv_: .dsd mem1d, inv, {z}, 1
in0: .dsd fabin, q0, 3
in1: .dsd fabin, q1, 3
in2: .dsd fabin, q2, 3
in3: .dsd fabin, q3, 3
a3_: .dsd mem1d, a, {z}, 1
a1_: .dsd mem1d, a + 4, {z}, 0
y_: .dsd mem1d, y, {z}, 1
axw_: .dsd mem1d, ax + 4, {z}, 1
yw_: .dsd mem1d, y + 4, {z}, 1
out: .dsd fabout, q0, 3
win: .dsd memnd, y, {3 * z}, shape
shape: .shape 3, 1, {z}, 1
soc: .half 0, 0, 0, 0, 0, 0, 0, 0, 0
end: .half 0
.bss
.align 16
r: .space {4 * z + 4}
ax: .space {4 * z + 12}
inv: .space {4 * z + 4}
y: .space {4 * z + 16}
a: .space {52 * z + 16}
.global end u16
.entry main
.place 0, 0, {n}, {n}, gs""")


def color(ix, iy):
    return (ix + 3 * iy) % 6


def inside(ix, iy):
    return 0 <= ix < n and 0 <= iy < n


def route(ix, iy, c, rx, tx):
    print(f".route {ix}, {n - 1 - iy}, 1, 1, {c}, {NAMES[rx]}, {', '.join(NAMES[t] for t in tx)}")


def sock(c, q, out=False):
    return 0x8000 | (0x100 if out else 0) | q << 5 | c


socks = {}
for iy in range(n):
    for ix in range(n):
        c = color(ix, iy)
        tx = ([N] if inside(ix, iy + 1) else []) + ([E] if inside(ix + 1, iy) else [])
        if tx:
            route(ix, iy, c, R, tx)
        if inside(ix, iy + 1):
            route(ix, iy + 1, c, S, [R] + ([E] if inside(ix + 1, iy + 1) else []) + ([W] if inside(ix - 1, iy + 1) else []))
        if inside(ix + 1, iy):
            route(ix + 1, iy, c, W, [R])
        if inside(ix + 1, iy + 1):
            route(ix + 1, iy + 1, c, W, [R])
        if inside(ix - 1, iy + 1):
            route(ix - 1, iy + 1, c, E, [R])
        s = [sock(color(*p) if inside(*p) else 31, q)
             for q, p in enumerate([(ix - 1, iy - 1), (ix, iy - 1), (ix + 1, iy - 1), (ix - 1, iy)])]
        socks[ix, iy] = s + [sock(c if tx else 31, 0, True)] + [0] * 4
for y in range(n):
    for x in range(n):
        print(".pe soc u16: " + " ".join(map(str, socks[x, n - 1 - y])))
