#!/usr/bin/env python3
"""Random CSL programs against Python: does compiled code compute what the program says?

    tests/fuzz/src_fuzz.py [--build DIR] [--seed N] [--count N] [--out DIR] [--print]

A program is generated twice, statement by statement: as CSL and as Python with the language's arithmetic (integers that wrap, f32
rounded after each operation, conversions that cut or saturate).  It has integers of 8 to 64 bits and f32, in variables, arrays,
structs, parameters and results; if, for, while, switch, calls that change what others read, at -O0 and -O2, for both machines.
What is exported must be equal in the end.  A difference is told, the program stays in DIR as differs-SEED.csl, and the exit status
is 1.  Nothing divides by 0, no loop is endless: such cases are other tests'.
"""
import argparse
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

INTS = ["u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64"]
TYPES = INTS + ["f32"]
TOO_LONG = 300000       # lines of Python that a program may take
REFUSED = ("error[E0604]", "error[E0215]")    # a known operation that overflows, a known value that does not fit: nothing to run


# ---- the language's arithmetic
def bits(t):
    return int(t[1:])


def low(t):
    return -(1 << bits(t) - 1) if t[0] == "i" else 0


def high(t):
    return (1 << bits(t) - (t[0] == "i")) - 1


def wrap(t, x):
    x &= (1 << bits(t)) - 1
    return x - (1 << bits(t)) if x > high(t) else x


def f32(x):
    """x rounded to f32.  Sums and products of two f32 are rounded right even so: a double has more than twice the digits."""
    try:
        return struct.unpack("f", struct.pack("f", x))[0]
    except OverflowError:
        return float("inf") if x > 0 else float("-inf")


def from_int(x):
    """An integer of up to 64 bits as f32, rounded once, ties to even."""
    n = abs(x).bit_length() - 24
    if n > 0:
        q, r, half = abs(x) >> n, abs(x) & (1 << n) - 1, 1 << n - 1
        x = (q + (r > half or (r == half and q & 1)) << n) * (-1 if x < 0 else 1)
    return f32(float(x))


def to_int(t, x):
    return 0 if x != x else high(t) if x >= high(t) else low(t) if x <= low(t) else int(x)


def divide(a, b):
    return abs(a) // abs(b) * (-1 if (a < 0) != (b < 0) else 1)


def remainder(a, b):
    return a - b * divide(a, b)


def pattern(t, v):
    """The bits of a value, as an unsigned number; a NaN is any NaN."""
    if t != "f32":
        return v & (1 << bits(t)) - 1
    return "nan" if v != v else struct.unpack("I", struct.pack("f", v))[0]


# ---- the generator: every expression is (CSL, Python, known to the compiler?)
class Program:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.names = 0
        self.fns = []
        self.globals = [(f"g{i}", "u16" if i == 0 else self.r.choice(TYPES)) for i in range(8)]
        self.arrays = [(f"a{i}", self.r.choice(TYPES), self.r.choice([2, 4, 8])) for i in range(3)]
        self.fields = [(f, self.r.choice(TYPES)) for f in "xyz"]
        self.init = {n: self.number(t) for n, t in self.globals}
        self.init |= {n: [self.number(t) for _ in range(k)] for n, t, k in self.arrays}
        self.init["s"] = {f: self.number(t) for f, t in self.fields}
        csl, py = [], []
        for i in range(3):
            c, p = self.function(i)
            csl, py = csl + c, py + p
        body = [self.block(1, 3, list(self.globals), frozenset()) for _ in range(5)]
        self.csl = "\n".join(self.head() + csl + ["task main() void {"] + [x for c, _ in body for x in c] +
                             [f"    s_{f} = s.{f};" for f, _ in self.fields] +
                             ["}", "comptime {", "    @bind_local_task(main, @get_local_task_id(9));", "    @activate(@get_local_task_id(9));", "}", ""])
        self.py = "\n".join(py + ["def main():", self.declares()] + [x for _, p in body for x in p])

    def fresh(self, letter):
        self.names += 1
        return f"{letter}{self.names}"

    def number(self, t):
        if t == "f32":
            return self.r.choice([0.5, 1.0, -2.0, 3.25, 100.0, -0.125, 1e6])
        return self.r.choice([0, 1, 2, high(t), low(t), self.r.randint(low(t), high(t)), self.r.randint(max(low(t), -10), min(high(t), 100))])

    @staticmethod
    def literal(t, v):
        return repr(v) if t == "f32" or v >= 0 else f"({v})" if v != low("i64") else f"({v + 1} - 1)"

    def head(self):
        out = [f"export var {n}: {t} = {self.literal(t, self.init[n])};" for n, t in self.globals]
        out += [f"export var {n} = [{k}]{t}{{ {', '.join(self.literal(t, v) for v in self.init[n])} }};" for n, t, k in self.arrays]
        out.append("const S = struct { " + ", ".join(f"{f}: {t}" for f, t in self.fields) + " };")
        out.append("var s = S{ " + ", ".join(f".{f} = {self.literal(t, self.init['s'][f])}" for f, t in self.fields) + " };")
        return out + [f"export var s_{f}: {t} = 0;" for f, t in self.fields]

    def declares(self):
        return "    global " + ", ".join(n for n, _ in self.globals)

    def leaf(self, t, scope):
        names = [(n, n) for n, x in scope if x == t] + [(f"s.{f}", f"s['{f}']") for f, x in self.fields if x == t]
        arrays = [a for a in self.arrays if a[1] == t]
        if (names or arrays) and self.r.random() < 0.85:
            if arrays and self.r.random() < 0.4:
                n, _, k = self.r.choice(arrays)
                c, p, _ = self.leaf("u16", scope)
                return f"{n}[{c} & {k - 1}]", f"{n}[{p} & {k - 1}]", False
            if names:
                return *self.r.choice(names), False
        v = self.number(t)
        return f"@as({t}, {self.literal(t, v)})", repr(v), True

    def condition(self, depth, scope):
        t = self.r.choice(TYPES)
        a, b, op = self.expr(t, depth, scope), self.expr(t, depth, scope), self.r.choice(["==", "!=", "<", "<=", ">", ">="])
        if a[2] and b[2]:
            return "g0 != 0", "g0 != 0"
        if depth > 0 and self.r.random() < 0.3:
            c, word = self.condition(depth - 1, scope), self.r.choice(["and", "or"])
            return f"({a[0]} {op} {b[0]}) {word} ({c[0]})", f"((({a[1]}) {op} ({b[1]})) {word} ({c[1]}))"
        return f"{a[0]} {op} {b[0]}", f"({a[1]}) {op} ({b[1]})"

    def expr(self, t, depth, scope):
        if depth <= 0 or self.r.random() < 0.2:
            return self.leaf(t, scope)
        calls = [f for f in self.fns if f[2] == t]
        if calls and self.r.random() < 0.15:
            name, params, _ = self.r.choice(calls)
            args = [self.expr(x, depth - 1, scope) for x in params]
            return f"{name}({', '.join(a[0] for a in args)})", f"{name}({', '.join(a[1] for a in args)})", False
        if self.r.random() < 0.15:
            c, a, b = self.condition(depth - 1, scope), self.expr(t, depth - 1, scope), self.expr(t, depth - 1, scope)
            return f"(if ({c[0]}) {a[0]} else {b[0]})", f"(({a[1]}) if {c[1]} else ({b[1]}))", False
        return self.float_expr(depth, scope) if t == "f32" else self.int_expr(t, depth, scope)

    def float_expr(self, depth, scope):
        a, op = self.expr("f32", depth - 1, scope), self.r.choice(["+", "-", "*", "neg", "as"])
        if op == "neg":
            return f"(-{a[0]})", f"(-({a[1]}))", a[2]
        if op == "as":
            a = self.expr(self.r.choice(INTS), depth - 1, scope)
            return f"@as(f32, {a[0]})", f"from_int({a[1]})", a[2]
        b = self.expr("f32", depth - 1, scope)
        return a if a[2] and b[2] else (f"({a[0]} {op} {b[0]})", f"f32({a[1]} {op} {b[1]})", False)

    def int_expr(self, t, depth, scope):
        op = self.r.choice("+ - * & | ^ << >> / % ~ as bits float flag".split())
        a = self.expr(t, depth - 1, scope)
        if op in "+-*&|^/%":
            b = self.expr(t, depth - 1, scope)
            if a[2] and b[2] or op in "/%" and (a[2] or b[2]):
                return a
            if op in "/%":
                return f"({a[0]} {op} (({b[0]} & 63) + 1))", f"wrap('{t}', {'divide' if op == '/' else 'remainder'}({a[1]}, ({b[1]} & 63) + 1))", False
            return f"({a[0]} {op} {b[0]})", f"wrap('{t}', {a[1]} {op} {b[1]})", False
        if op in ("<<", ">>"):
            b = self.leaf("u16", scope)
            return a if a[2] else (f"({a[0]} {op} ({b[0]} & {bits(t) - 1}))", f"wrap('{t}', ({a[1]}) {op} ({b[1]} & {bits(t) - 1}))", False)
        if op == "~":
            return f"(~{a[0]})", f"wrap('{t}', ~({a[1]}))", a[2]
        if op == "flag":
            c = self.condition(depth - 1, scope)
            return f"(if ({c[0]}) @as({t}, 1) else @as({t}, 0))", f"(1 if {c[1]} else 0)", False
        u = "f32" if op == "float" else ("i" if t[0] == "u" else "u") + t[1:] if op == "bits" else self.r.choice(INTS)
        a = self.expr(u, depth - 1, scope)
        if a[2] or (op == "float" and bits(t) < 32):    # the machine converts to whole words
            return self.leaf(t, scope)
        if op == "float":
            return f"@as({t}, {a[0]})", f"to_int('{t}', {a[1]})", False
        return f"{'@bitcast' if op == 'bits' else '@as'}({t}, {a[0]})", f"wrap('{t}', {a[1]})", False

    def assignment(self, pad, scope, fixed):
        """The place is found before the value is computed, so that a call in the value may change what the place depends on."""
        k, before = self.r.random(), []
        if k < 0.2:
            n, t, length = self.r.choice(self.arrays)
            i = self.expr("u16", 1, scope)
            before, c, p = [f"{pad}at = ({i[1]}) & {length - 1}"], f"{n}[{i[0]} & {length - 1}]", f"{n}[at]"
        elif k < 0.35:
            f, t = self.r.choice(self.fields)
            c, p = f"s.{f}", f"s['{f}']"
        else:
            c, t = self.r.choice([v for v in scope if v[0] not in fixed])
            p = c
        if t != "f32" and not before and self.r.random() < 0.3:
            op, e = self.r.choice("+-*^|&"), self.leaf(t, scope)
            return [f"{pad}{c} {op}= {e[0]};"], [f"{pad}{p} = wrap('{t}', {p} {op} {e[1]})"]
        e = self.expr(t, 3, scope)
        return [f"{pad}{c} = {e[0]};"], before + [f"{pad}{p} = {e[1]}"]

    def statement(self, level, depth, scope, fixed):
        pad, k = "    " * level, self.r.random()
        if k < 0.5 or depth <= 0:
            return self.assignment(pad, scope, fixed)
        if k < 0.6:
            n, t = self.fresh("v"), self.r.choice(TYPES)
            e = self.expr(t, 2, scope)
            scope.append((n, t))
            return [f"{pad}var {n}: {t} = {e[0]};"], [f"{pad}{n} = {e[1]}"]
        if k < 0.75:
            c, a, b = self.condition(2, scope), self.block(level + 1, depth - 1, scope, fixed), self.block(level + 1, depth - 1, scope, fixed)
            return [f"{pad}if ({c[0]}) {{"] + a[0] + [f"{pad}}} else {{"] + b[0] + [f"{pad}}}"], [f"{pad}if {c[1]}:"] + a[1] + [f"{pad}else:"] + b[1]
        if k < 0.87:
            n, t, rounds = self.fresh("k"), self.r.choice(INTS), self.r.randint(1, 5)
            a = self.block(level + 1, depth - 1, scope + [(n, t)], fixed | {n})
            return [f"{pad}for (@range({t}, {rounds})) |{n}| {{"] + a[0] + [f"{pad}}}"], [f"{pad}for {n} in range({rounds}):"] + a[1]
        if k < 0.94:
            n, rounds = self.fresh("w"), self.r.randint(1, 6)
            a, c = self.block(level + 1, depth - 1, scope + [(n, "u16")], fixed | {n}), self.condition(1, scope)
            return ([f"{pad}{{", f"{pad}var {n}: u16 = 0;", f"{pad}while ({n} < {rounds} and ({c[0]})) : ({n} += 1) {{"] + a[0] + [f"{pad}}}", f"{pad}}}"],
                    [f"{pad}{n} = 0", f"{pad}while {n} < {rounds} and ({c[1]}):"] + a[1] + [f"{pad}    {n} += 1"])
        on, n = self.expr(self.r.choice(INTS), 2, scope), self.fresh("q")
        if on[2]:
            return [], [f"{pad}pass"]
        out, py = [f"{pad}switch ({on[0]} & 3) {{"], [f"{pad}{n} = ({on[1]}) & 3"]
        for label, test in (("0", f"if {n} == 0:"), ("1, 3", f"elif {n} != 2:"), ("else", "else:")):
            a = self.block(level + 1, depth - 1, scope, fixed)
            out += [f"{pad}{label} => {{"] + a[0] + [f"{pad}}},"]
            py += [pad + test] + a[1]
        return out + [f"{pad}}}"], py

    def block(self, level, depth, scope, fixed):
        scope, csl, py = list(scope), [], []
        for _ in range(self.r.randint(1, 3)):
            c, p = self.statement(level, depth, scope, fixed)
            csl, py = csl + c, py + p
        return csl, py

    def function(self, i):
        params = [(f"p{i}_{k}", self.r.choice(TYPES)) for k in range(self.r.randint(0, 4))]
        result, local = self.r.choice(TYPES), (f"l{i}", self.r.choice(INTS))
        v, scope = self.number(local[1]), self.globals + params + [local]
        c, p = self.block(1, 2, scope, frozenset(n for n, _ in params))
        e = self.expr(result, 3, scope)
        self.fns.append((f"f{i}", [t for _, t in params], result))
        return ([f"fn f{i}({', '.join(f'{n}: {t}' for n, t in params)}) {result} {{", f"    var {local[0]}: {local[1]} = {self.literal(local[1], v)};"] + c + [f"    return {e[0]};", "}"],
                [f"def f{i}({', '.join(n for n, _ in params)}):", self.declares(), f"    {local[0]} = {v}"] + p + [f"    return {e[1]}"])

    def expected(self):
        """What is exported in the end, by name: type and bit patterns; None if that takes too long."""
        env, lines = dict(wrap=wrap, f32=f32, from_int=from_int, to_int=to_int, divide=divide, remainder=remainder), 0
        env |= {n: dict(v) if isinstance(v, dict) else list(v) if isinstance(v, list) else v for n, v in self.init.items()}

        def count(frame, event, arg):
            nonlocal lines
            lines += 1
            if lines > TOO_LONG:
                raise TimeoutError
            return count
        exec(self.py, env)
        sys.settrace(count)
        try:
            env["main"]()
        except TimeoutError:
            return None
        finally:
            sys.settrace(None)
        out = {n: (t, [pattern(t, env[n])]) for n, t in self.globals}
        out |= {n: (t, [pattern(t, v) for v in env[n]]) for n, t, _ in self.arrays}
        return out | {f"s_{f}": (t, [pattern(t, env["s"][f])]) for f, t in self.fields}


# ---- running
def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def measured(path, t, n):
    data = pathlib.Path(path).read_bytes()
    step, size = len(data) // n, 4 if t == "f32" else bits(t) // 8
    out = [int.from_bytes(data[i * step:i * step + size], "little") for i in range(n)]
    return ["nan" if t == "f32" and v & 0x7fffffff > 0x7f800000 else v for v in out]


def difference(a, source, want, work):
    """What is wrong, or None; "": the compiler refuses a known overflow."""
    for arch in ("wse3", "wse2"):
        for level in ("-O0", "-O2"):
            obj = os.path.join(work, "x.obj")
            r = run(os.path.join(a.build, "bin", "wslc"), "--arch=" + arch, level, source, "-o", obj)
            if r.returncode:
                return "" if any(e in r.stderr for e in REFUSED) else f"{arch} {level}: wslc: {r.stderr}"
            reads = [x for n in want for x in ("--read", n, "-o", os.path.join(work, n))]
            r = run(os.path.join(a.build, "bin", "wsrun"), obj, "--max-cycles", "30000000", *reads)
            if r.returncode:
                return f"{arch} {level}: wsrun: {r.stderr}"
            for n, (t, values) in want.items():
                got = measured(os.path.join(work, n), t, len(values))
                if got != values:
                    return f"{arch} {level}: {n} of type {t} is {got}, not {values}\n"
    return None


def main():
    p = argparse.ArgumentParser(prog="src_fuzz.py", description="Random CSL programs against Python.")
    p.add_argument("--build", default=str(pathlib.Path(__file__).resolve().parents[2] / "build"), help="build folder (build)")
    p.add_argument("--seed", type=int, default=1, help="of the first program (1)")
    p.add_argument("--count", type=int, default=100, help="programs (100)")
    p.add_argument("--out", default=".", help="where programs that differ go (.)")
    p.add_argument("--print", action="store_true", help="only print the programs")
    a = p.parse_args()
    sys.setrecursionlimit(10000)
    equal = refused = long = bad = 0
    with tempfile.TemporaryDirectory() as work:
        for seed in range(a.seed, a.seed + a.count):
            program = Program(seed)
            if a.print:
                print(program.csl)
                continue
            want = program.expected()
            if want is None:
                long += 1
                continue
            source = os.path.join(work, f"{seed}.csl")
            pathlib.Path(source).write_text(program.csl)
            why = difference(a, source, want, work)
            equal, refused = equal + (why is None), refused + (why == "")
            if why:
                bad += 1
                kept = os.path.join(a.out, f"differs-{seed}.csl")
                pathlib.Path(kept).write_text(program.csl)
                print(f"{kept}: {why}", end="", flush=True)
    if not a.print:
        print(f"{equal} programs equal, {bad} differ; {refused} refused, {long} too long")
    return 1 if bad or (not a.print and not equal) else 0


if __name__ == "__main__":
    sys.exit(main())
