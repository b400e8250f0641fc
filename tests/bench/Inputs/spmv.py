"""spmv.py W H Z [ITERS]: assembly of the sparse product of HPCG (spmv_full of examples/hpcg): every PE sends the window of
3 words of each row to its eight neighbours and reads theirs, 8 dot steps of 3 and 3 of 1 a row; Z rows, ITERS times."""
import sys

w, h, z = (int(a) for a in sys.argv[1:4])
iters = int(sys.argv[4]) if len(sys.argv) > 4 else 1
near = {"sw": (-1, 1), "s": (0, 1), "se": (1, 1), "w": (-1, 0), "ne": (1, -1), "n": (0, -1), "nw": (-1, -1), "e": (1, 0)}
queue = {n: q for q, n in enumerate(near)}


def color(x, y):
    return (x + 3 * y) % 9


def inside(x, y):
    return 0 <= x < w and 0 <= y < h


classes = {}
for y in range(h):
    for x in range(w):
        boot = [f".oq 0, {color(x, y)}"]
        for n, (dx, dy) in near.items():
            c = color(x + dx, y + dy) if inside(x + dx, y + dy) else "null"
            boot.append(f".iq {queue[n]}, {c}")
        classes.setdefault("\n".join(boot), []).append((x, y))
print(f".arch wse3\n.rect {w}, {h}")
body = f"""
main: li r10, {iters}
again: lddsr d.0, x0, out
liu r9, win
lddsr s1.0, x1, r9
""" + "".join(f"liu r9, in{q}\nlddsr s0.{q}, x0, r9\n" for q in range(8)) + """
liu r9, a3_
lddsr s1.1, x0, r9
liu r9, a1_
lddsr s1.2, x0, r9
liu r9, up
lddsr s0.8, x0, r9
liu r9, down
lddsr s0.9, x0, r9
liu r9, own
lddsr s0.10, x0, r9
liu r9, ax_
lddsr d.1, x0, r9
""" + f"liu r11, {z}\n" + """
loop l0, r11, end
row: fmovs dsr0, dsr0, n=3
dots dot0, dsr4, dsr1, n=3
""" + "".join(f"dotas dot0, dsr{q}, dsr1, n=3\n" for q in (5, 6, 7, 0, 1, 2, 3)) + f"""
dotas dot0, dsr8, dsr2, n=1
dotas dot0, dsr9, dsr2, n=1
dotas dot0, dsr10, dsr2, n=1
fmovs dsr1, dot0, n=1
endl l0, row
end: addi r10, r10, -1
bne r10, r0, again
done
.data
out: .dsd fabout, q0, 3
win: .dsd memnd, p, {3 * z}, shape
shape: .shape 3, 1, {z}, -2
a3_: .dsd mem1d, a, {24 * z}, 1
a1_: .dsd mem1d, a+96, {3 * z}, 1
up: .dsd mem1d, p+8, {z}, 1
down: .dsd mem1d, p, {z}, 1
own: .dsd mem1d, p+4, {z}, 1
ax_: .dsd mem1d, ax, {z}, 1
""" + "".join(f"in{q}: .dsd fabin, q{q}, 3\n" for q in range(8)) + f"""
.bss
.align 16
a: .space {4 * 27 * z}
p: .space {4 * (z + 2)}
ax: .space {4 * z}
.entry main
"""
for k, (boot, places) in enumerate(classes.items()):
    print(f".class c{k}{body}{boot}")
    for x, y in places:
        print(f".place {x}, {y}, 1, 1, c{k}")
for y in range(h):
    for x in range(w):
        def route(px, py, rx, tx):
            dirs = {"west": (-1, 0), "east": (1, 0), "south": (0, 1), "north": (0, -1), "ramp": (0, 0)}
            out = [d for d in tx if inside(px + dirs[d][0], py + dirs[d][1])]
            if inside(px, py) and out:
                print(f".route {px}, {py}, 1, 1, {color(x, y)}, {rx}, {', '.join(out)}")
        route(x, y, "ramp", ("west", "east", "south", "north"))
        route(x - 1, y, "east", ("ramp",))
        route(x + 1, y, "west", ("ramp",))
        for dy, rx in ((1, "north"), (-1, "south")):
            if inside(x, y + dy):
                route(x, y + dy, rx, ("ramp", "west", "east"))
                route(x - 1, y + dy, "east", ("ramp",))
                route(x + 1, y + dy, "west", ("ramp",))
