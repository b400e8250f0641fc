"""chain.py P N [ARCH]: assembly of a chain reduction (row D1): PE P-1 sends N fp32 words west, each PE between adds its own
vector and passes the sum on, PE 0 adds and stores.  Two alternating colors."""
import sys

p, n = int(sys.argv[1]), int(sys.argv[2])
arch = sys.argv[3] if len(sys.argv) > 3 else "wse2"
HEAD = """
.class %s
main: lddsr d.0, x0, %s
lddsr s0.0, x0, v
%s
nop
nop
nop
%s
done
.data
vec: .dsd mem1d, a, %d, 1
v: .dsd mem1d, a, %d, 1
in: .dsd fabin, q0, %d
out: .dsd fabout, q2, %d
.bss
.align 16
a: .space %d
.global a f32
.entry main
"""
print(f".arch {arch}\n.rect {p}, 1")
for name, dest, load, op, io in (
        ("first", "vec", "lddsr s1.0, x0, in", "fadds dsr0, dsr0, dsr0", ".iq 0, 1"),
        ("odd", "out", "lddsr s1.0, x0, in", "fadds dsr0, dsr0, dsr0", ".iq 0, 0\n.oq 2, 1"),
        ("even", "out", "lddsr s1.0, x0, in", "fadds dsr0, dsr0, dsr0", ".iq 0, 1\n.oq 2, 0"),
        ("last", "out", "lddsr s1.0, x0, v", "fmovs dsr0, dsr0", f".oq 2, {(p - 1) & 1}")):
    print(HEAD % (name, dest, load, op, n, n, n, n, 4 * n) + io)
print(".place 0, 0, 1, 1, first")
for x in range(1, p - 1):
    print(f".place {x}, 0, 1, 1, {'odd' if x & 1 else 'even'}")
print(f".place {p - 1}, 0, 1, 1, last")
for x in range(1, p):
    print(f".route {x}, 0, 1, 1, {x & 1}, ramp, west\n.route {x - 1}, 0, 1, 1, {x & 1}, east, ramp")
print(".pe a f32:")
for x in range(p):
    print(".pe a f32: " + " ".join(["1"] * n))
