"""math_ulp.py WSLC WSRUN DIR: each function of <math> on arguments from a fixed generator; the error of a result is its
distance from the exact value in units of the last place of a float of its type there."""
import math
import os
import random
import struct
import subprocess
import sys

WSLC, WSRUN, DIR = sys.argv[1:4]
ARCHS = ("wse3", "wse2")
INF, NAN = math.inf, math.nan


def f32(x):
    try:
        return struct.unpack("<f", struct.pack("<f", x))[0]
    except OverflowError:
        return math.copysign(INF, x)


def quiet(f, *a):
    """f as IEEE has it: what Python raises becomes a NaN or an infinity"""
    try:
        return f(*a)
    except OverflowError:
        return INF
    except (ValueError, ZeroDivisionError):
        return NAN


def div(a, b):
    if b == 0:
        return NAN if a == 0 or a != a else math.copysign(INF, math.copysign(1, b) * a)
    return a / b


def log(x):
    return -INF if x == 0 else quiet(math.log, x)


def power(x, y):
    try:
        return math.pow(x, y)
    except OverflowError:
        return -INF if x < 0 and y % 2 == 1 else INF
    except ValueError:
        return (-INF if math.copysign(1, x) < 0 and y % 2 == 1 else INF) if x == 0 else NAN


def ulp(exact, digits, least):
    if exact == 0 or math.isinf(exact):
        return 2.0 ** least
    return 2.0 ** max(math.frexp(exact)[1] - digits, least)


def error(got, exact, digits, least, largest):
    if exact != exact or got != got:
        return 0 if exact != exact and got != got else INF
    if math.isinf(got) or math.isinf(exact) or abs(exact) > largest:
        over = math.copysign(INF, exact) if abs(exact) >= largest else exact
        return 0 if got == over or (abs(got) == largest and abs(exact) < largest * 1.001) else INF
    return abs(got - exact) / ulp(exact, digits, least)


def bits(lo, hi, n, rng):
    """floats of 32 bits whose patterns lie between those of lo and hi, of both signs"""
    a, b = (struct.unpack("<I", struct.pack("<f", x))[0] for x in (lo, hi))
    out = [struct.unpack("<f", struct.pack("<I", rng.randint(a, b)))[0] for _ in range(n)]
    return [x if rng.random() < 0.5 else -x for x in out]


SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, 3.0, INF, -INF, NAN, 1e-45, -1e-45, 1.17549435e-38, 3.4028235e38, 8388607.5,
           8388608.0, -2.5, 0.785398, 0.7853982, 1.5707964, 3.1415927, 11.0, 88.72283, 88.72284, -87.33655, -103.97]
# name, exact, range of arguments, largest error for f32
ONE = [
    ("sqrt", lambda x: x if x == 0 else quiet(math.sqrt, x), (1e-45, 3.4e38), 0.50001),
    ("inv", lambda x: div(1, x), (1e-38, 3.4e38), 0.5),
    ("invsqrt", lambda x: div(1, x if x == 0 else quiet(math.sqrt, x)), (1e-45, 3.4e38), 1.5),
    ("exp", lambda x: quiet(math.exp, x), (1e-10, 120.0), 1),
    ("log", log, (1e-45, 3.4e38), 1),
    ("log", log, (0.3, 3.0), 1),
    ("sin", lambda x: quiet(math.sin, x), (1e-10, 3.4e38), 1.5),
    ("sin", lambda x: quiet(math.sin, x), (0.1, 100.0), 1.5),
    ("cos", lambda x: quiet(math.cos, x), (1e-10, 3.4e38), 1.5),
    ("cos", lambda x: quiet(math.cos, x), (0.1, 100.0), 1.5),
    ("tan", lambda x: quiet(math.tan, x), (0.01, 1000.0), 3),
    ("tanh", math.tanh, (1e-6, 20.0), 2),
    ("sigmoid", lambda x: x if x != x else 1 / (1 + math.exp(-x)) if x > -700 else 0.0, (1e-3, 110.0), 2.5),
    ("floor", lambda x: x if math.isinf(x) or x != x or x == 0 else float(math.floor(x)), (0.1, 1e9), 0),
    ("ceil", lambda x: x if math.isinf(x) or x != x or x == 0 else float(math.ceil(x)), (0.1, 1e9), 0),
    ("abs", abs, (1e-45, 3.4e38), 0),
    ("sign", lambda x: 0.0 if x == 0 or x != x else math.copysign(1, x), (1e-45, 3.4e38), 0),
]
TWO = [
    ("pow", power, (1e-3, 50.0), 2),
    ("pow", power, (1e-30, 1e30), 2),
    ("max", lambda x, y: x if y != y else y if x != x else max(x, y), (1e-3, 50.0), 0),
    ("min", lambda x, y: x if y != y else y if x != x else min(x, y), (1e-3, 50.0), 0),
]
ASK = [("isNaN", lambda x: x != x), ("isInf", math.isinf), ("isFinite", math.isfinite)]


def run(name, xs, ys, t, ask, arch):
    """results of math.NAME for arguments of type t; ask: they are bools.  math.NAME_f32 (or _f16) must give the same bits."""
    n = len(xs)
    code, word = ("e", "u16") if t == "f16" else ("f", "u32")
    out, kind = ("u8", "B") if ask else (t, code)
    args = "(xs[i]" + (", ys[i])" if ys else ")")
    if ask:
        value, typed = (f"if (math.{f}{args}) @as(u8, 1) else @as(u8, 0)" for f in (name, f"{name}_{t}"))
        differ = "out[i] != a"
    else:
        value, typed = f"math.{name}{args}", f"math.{name}_{t}{args}"
        differ = f"@bitcast({word}, out[i]) != @bitcast({word}, a)"
    src = os.path.join(DIR, "p.csl")
    with open(src, "w") as f:
        f.write(f'const math = @import_module("<math>");\nexport var xs: [{n}]{t};\nexport var ys: [{n}]{t};\nexport var out: [{n}]{out};\n'
                f"export var wrong: u16;\ntask t() void {{ for (@range(u16, {n})) |i| {{\n    out[i] = {value};\n    const a = {typed};\n"
                f"    if ({differ}) wrong += 1;\n}} }}\n"
                "comptime { @bind_local_task(t, @get_local_task_id(9)); @activate(@get_local_task_id(9)); }\n")
    sets = []
    for sym, v in (("xs", xs), ("ys", ys or xs)):
        with open(os.path.join(DIR, sym), "wb") as f:
            f.write(struct.pack(f"<{n}{code}", *v))
        sets += ["--set", f"{sym}={os.path.join(DIR, sym)}"]
    obj = os.path.join(DIR, "p.obj")
    subprocess.run([WSLC, f"--arch={arch}", src, "-o", obj], check=True)
    r = subprocess.run([WSRUN, obj, "-q", *sets, "--read", "out", "-o", "-", "--read", "wrong", "-o", os.path.join(DIR, "wrong")],
                       check=True, stdout=subprocess.PIPE).stdout
    with open(os.path.join(DIR, "wrong"), "rb") as f:
        wrong = struct.unpack("<H", f.read())[0]
    if wrong:
        sys.exit(f"{arch}: math.{name} and the function of one type differ for {wrong} of {n} arguments")
    return struct.unpack(f"<{n}{kind}", r)


def check(name, exact, xs, ys, limit, half):
    got = run(name, xs, ys, "f16" if half else "f32", False, ARCHS[0])
    again = run(name, xs, ys, "f16" if half else "f32", False, ARCHS[1])
    if [struct.pack("<f", x) for x in got] != [struct.pack("<f", x) for x in again]:
        print(f"{name}: {ARCHS[0]} and {ARCHS[1]} differ")
        return False
    shape = (11, -24, 65504.0) if half else (24, -149, 3.4028234663852886e38)
    worst, at = 0, None
    for i, g in enumerate(got):
        a = (xs[i], ys[i]) if ys else (xs[i],)
        want = exact(*a)
        e = error(g, want, *shape)
        allow = limit + (1 if abs(want) < (6.2e-5 if half else 1.2e-38) and limit > 0.5 else 0)
        if e > worst:
            worst, at = e, (a, g, want)
        if e > allow:
            print(f"{name}{a} gives {g!r}, exact {want!r}: {e} ulp, allowed {allow}")
            return False
    print(f"{name} {'f16' if half else 'f32'} {worst:.3f} ulp at {at}")
    return True


def main():
    rng = random.Random(20261)
    ok = True
    for name, exact, (lo, hi), limit in ONE:
        xs = SPECIAL + bits(f32(lo), f32(hi), 1500, rng)
        ok &= check(name, exact, [f32(x) for x in xs], None, limit, False)
        hs = [struct.unpack("<e", struct.pack("<H", rng.randrange(65536)))[0] for _ in range(700)]
        ok &= check(name, exact, hs, None, limit if limit == 0 else 0.51, True)
    for name, exact, (lo, hi), limit in TWO:
        few = [0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 3.0, 0.5, INF, -INF, NAN]
        xs = [x for x in few for _ in few] + bits(f32(lo), f32(hi), 1200, rng)
        ys = few * len(few) + [x if rng.random() < 0.7 else float(round(x)) for x in bits(0.01, 20.0, 1200, rng)]
        ok &= check(name, exact, [f32(x) for x in xs], [f32(y) for y in ys], limit, False)
        hs = [[struct.unpack("<e", struct.pack("<H", rng.randrange(65536)))[0] for _ in range(400)] for _ in range(2)]
        ok &= check(name, exact, hs[0], [float(struct.unpack("<e", struct.pack("<e", math.fmod(y, 8)))[0]) if math.isfinite(y) else y for y in hs[1]],
                    limit if limit == 0 else 0.51, True)
    for name, exact in ASK:
        xs = [f32(x) for x in SPECIAL]
        hs = [0.0, -0.0, 1.0, -65504.0, 6e-8, INF, -INF, NAN]
        for arch in ARCHS:
            ok &= [bool(g) for g in run(name, xs, None, "f32", True, arch)] == [exact(x) for x in xs]
            ok &= [bool(g) for g in run(name, hs, None, "f16", True, arch)] == [exact(x) for x in hs]
    sys.exit(0 if ok else 1)


main()
