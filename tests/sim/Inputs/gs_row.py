"""gs_row.py ORDER [ARCH [LAST]]: rows B1 and B2 of docs/machine.md: one row of HPCG's Gauss-Seidel in the middle PE of 3 x 3, whose
four neighbours stream 3-word windows as fast as they are taken.  It runs 20, 50 and LAST (150) rows; symbol period is the difference of
the last two: 100 rows of the steady state.  ORDER: document (as in the HPCG document), rotated (ra and rinv of the next row behind the last dot
step, where they hide the drain), unrolled (B3: two rows over two
dot registers), up (B2: gs_fwd_up, 13 multiply-adds, store, send), alone (the neighbours' streams
are bound to the null color: nothing to wait for)."""
import sys

order = sys.argv[1]
arch = sys.argv[2] if len(sys.argv) > 2 else "wse3"
last = int(sys.argv[3]) if len(sys.argv) > 3 else 150
null = order == "alone"
rows, pre = 70 + last, []
RA, RINV = "fsubs r1, dsr0, dsr1, n=1", "fmuls r2, r1, dsr2, n=1"
DOTS = ["dots dot0, dsr4, dsr4, n=3", "dotas dot0, dsr5, dsr4, n=3", "dotas dot0, dsr8, dsr5, n=1",
        "dotas dot0, dsr6, dsr4, n=3", "dotas dot0, dsr7, dsr4, n=3"]
AX, Y, SEND = "fmovs dsr1, dot0, n=1", "fmovs dsr2, r3, n=1", "fmovs dsr3, dsr6, n=3"
FMS = "fmss1 r3, r2, dsr3, dot0"
if order == "rotated":
    row = DOTS + [RA, "fmss1 r3, r4, dsr3, dot0", AX, "fmuls r4, r1, dsr2, n=1", Y, SEND]
elif order == "up":
    row = DOTS + [SEND, AX]
elif order == "unrolled":                                # two rows: the next row's first two steps hide the drain
    row, pre, rows = [], DOTS[:2], 2 * rows
    for k in range(2):
        this, other = f"dot{k}", f"dot{1 - k}"
        row += [o.replace("dot0", this) for o in DOTS[2:]] + [RA] + [o.replace("dot0", other) for o in DOTS[:2]]
        row += [f"fmuls r{5 - k}, r1, dsr2, n=1", f"fmss1 r3, r{4 + k}, dsr3, {this}", f"fmovs dsr1, {this}, n=1", Y, SEND]
else:
    row = [RA, RINV] + DOTS + [FMS, AX, Y, SEND]
names = ["west", "east", "south", "north"]
print(f""".arch {arch}
.rect 3, 3
.class row
main: lddsr s0.0, x0, r_
lddsr s1.1, x0, ax_
lddsr s1.2, x0, inv_
lddsr s1.3, x0, inv_
lddsr s0.4, x0, in0
lddsr s0.5, x0, in1
lddsr s0.6, x0, in2
lddsr s0.7, x0, in3
lddsr s1.4, x0, a3_
lddsr s0.8, x0, y_
lddsr s1.5, x0, a1_
lddsr d.1, x0, axw_
lddsr d.2, x0, yw_
lddsr d.3, x0, out
lddsr s1.6, x1, win
liu r10, 20
{RA}
fmuls r4, r1, dsr2, n=1
""" + "\n".join(pre) + """
again: tsc r22, 0
loop l0, r10, end
row: """ + "\n".join(row) + """
endl l0, row
end: tsc r21, 0
sub r21, r21, r22
sub r20, r21, r23
mv r23, r21
liu r12, """ + str(last) + """
beq r10, r12, out2
mv r13, r10
liu r10, 50
bne r13, r10, again
mv r10, r12
jmp again
out2: stw r20, period
done
.data
r_: .dsd mem1d, r, 200, 1
ax_: .dsd mem1d, ax, 200, 1
inv_: .dsd mem1d, inv, 200, 1
in0: .dsd fabin, q0, 3
in1: .dsd fabin, q1, 3
in2: .dsd fabin, q2, 3
in3: .dsd fabin, q3, 3
a3_: .dsd mem1d, a, 200, 1
a1_: .dsd mem1d, a+4, 200, 1
y_: .dsd mem1d, y, 200, 1
axw_: .dsd mem1d, ax+800, 200, 1
yw_: .dsd mem1d, y+4, 200, 1
out: .dsd fabout, q0, 3
win: .dsd memnd, y, 600, shape
shape: .shape 3, 1, 200, -2
period: .word 0
.bss
.align 16
r:   .space 2000
ax: .space 2600
inv:   .space 2000
a:   .space 20000
y: .space 2000
.global period u32
.entry main""")
for i in range(4):
    print(f".iq {i}, {'null' if null else i} lend")
print(".oq 0, null" if null else ".oq 0, 4")
for i, name in enumerate([] if null else names):
    print(f"""
.class {name}
main: lddsr d.0, x0, out
lddsr s1.0, x0, vec
lddsr s1.1, x0, in
lddsr d.1, x0, sink
liu r1, {rows + (order == 'unrolled' and i < 2)}
async ut1
fmovs dsr1, dsr1
loop l0, r1, end
row: fmovs dsr0, dsr0, n=3
endl l0, row
end: done
.data
out: .dsd fabout, q1, 3
in: .dsd fabin, q0, endless
sink: .dsd mem1d, v, 0, 0
vec: .dsd mem1d, v, 3, 0
v: .word 0
.entry main
.iq 0, 4
.oq 1, {i}""")
print(".place 1, 1, 1, 1, row")
where = {"west": (0, 1), "east": (2, 1), "south": (1, 2), "north": (1, 0)}
back = {"west": "east", "east": "west", "south": "north", "north": "south"}
for i, name in enumerate([] if null else names):
    x, y = where[name]
    print(f".place {x}, {y}, 1, 1, {name}\n.route {x}, {y}, 1, 1, {i}, ramp, {back[name]}\n.route 1, 1, 1, 1, {i}, {name}, ramp")
    print(f".route {x}, {y}, 1, 1, 4, {back[name]}, ramp")
if not null:
    print(".route 1, 1, 1, 1, 4, ramp, west, east, south, north")
