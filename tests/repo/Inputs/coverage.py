"""coverage.py ROOT [--draft]: holds tests/coverage.tsv to the tables of the project and to the tests that it names.

A row is: kind, item, test for wse2, test for wse3 (paths below tests/; several with a comma), note.  `-` for a test needs a note.
Kinds and what must have a row:
  builtin   each row of frontend/builtins.def that is built (a row that says LATER is held by repo/builtins.test)
  rule      P1 to P42: how CSL programs expect language, machine and host to behave
  lib       MODULE MEMBER: each function, constant and param of docs/library.md
  wsrt      each function of runtime/include/wsrt.h
  python    CLASS.METHOD or MODULE.NAME: each method and attribute of scheelite.Runtime, each public name of cerebras.*
What a named test must show, by its text and that of the files it runs: a RUN line that runs the program (a compile-time
item: compiles it) for that architecture; the item itself, outside of comments (a rule: its number, in a comment)."""
import os
import re
import sys

ROOT = sys.argv[1]
TESTS = os.path.join(ROOT, "tests")
TABLE = os.path.join(TESTS, "coverage.tsv")
# done by the compiler: a test that compiles is enough
COMPILED = set("comptime_assert comptime_print type_of is_same_type is_comptime strlen strcat get_array get_string_from_byte as_string "
               "dimensions element_count element_type rank field has_field concat_structs get_int set_control_task_table byte_size byte_align "
               "range_start range_stop range_step set_rectangle get_rectangle set_tile_code".split())


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8", errors="replace") as f:
        return f.read()


def items():
    """the items that need a row, by kind"""
    out = {"builtin": [], "rule": [f"P{k}" for k in range(1, 43)], "lib": [], "wsrt": [], "python": []}
    out["builtin"] = [n for n, owner in re.findall(r"^BUILTIN\( (\w+), (\w+),", read("frontend/builtins.def"), re.M) if owner != "LATER"]
    module = None
    for line in read("docs/library.md").splitlines():
        if line.startswith("## `<"):
            module = line[4:-1]
        m = re.match(r"\| `(?:fn|const|param|var) (\w+)", line)
        if m:
            out["lib"].append(f"{module} {m.group(1)}")
    out["wsrt"] = re.findall(r"\b(wsrt_\w+)\(", re.sub(r"/\*.*?\*/", "", read("runtime/include/wsrt.h"), flags=re.S))
    module = read("runtime/python/module.c")
    out["python"] = ["Runtime." + n for n in re.findall(r'^    \{"(\w+)", (?:KW\(|\(PyCFunction\))', module, re.M)]
    out["python"] += ["Runtime." + n for n in re.findall(r'\{"(\w+)", \(getter\)', module)]
    for path in ("sdk/sdk_utils.py", "sdk/debug/debug_util.py", "sdk/runtime/sdkruntimepybind.py", "geometry/geometry.py"):
        owner = os.path.basename(path)[:-3]
        for kind, name in re.findall(r"^(class|def|    def|(?=[A-Z]\w+ = )) ?(\w+)", read("runtime/python/cerebras", path), re.M):
            if kind in ("class", ""):
                owner = name
                if not name.startswith("_") and not name.isupper():
                    out["python"].append(name)
            elif not name.startswith("_"):
                out["python"].append((owner + "." if kind == "    def" else "") + name)
    return out


def sources(test):
    """RUN lines of a test; its text with that of the files in Inputs folders, examples and pages that these lines name"""
    own = read("tests", test)
    runs = "\n".join(re.findall(r"RUN: (.*)", own))
    texts, seen = [own], set()
    todo = [os.path.join("tests", os.path.dirname(test), p) for p in re.findall(r"%S/(Inputs/[\w./-]+)", runs)]
    todo += re.findall(r"%root/((?:docs|examples)/[\w./-]+)", runs)
    while todo:
        path = todo.pop()
        if path in seen:
            continue
        seen.add(path)
        if os.path.isdir(os.path.join(ROOT, path)):
            todo += [os.path.join(path, n) for n in os.listdir(os.path.join(ROOT, path)) if re.search(r"\.(c|h|csl|w|py|s)$|^Makefile$", n)]
            continue
        if not os.path.isfile(os.path.join(ROOT, path)):
            continue
        text = read(path)
        if path.endswith(".md"):                                    # what a page says in its fenced blocks
            text = "\n".join(re.findall(r"^```\w+ file=.*?\n(.*?)^```", text, re.M | re.S))
        texts.append(text)
        todo += [os.path.join(os.path.dirname(path), n) for n in re.findall(r"\"([\w./-]+\.csl)\"", text)]
    return runs, "\n".join(texts)


def archs(runs, text, compiled):
    """the architectures for which a test runs (compiled: compiles) programs"""
    out = set()
    joined = runs
    scripts = re.findall(r"ARCHS = \(([^)]*)\)", text)              # a Python script that goes through them
    for s in scripts:
        out |= set(re.findall(r"wse[23]", s))
    for line in joined.splitlines():
        goes = re.search(r"%wsrun|%wspy|wspy|cs_python|\.exe|make -s|tutorial\.py|\.shared|\.static|\.py", line)
        builds = re.search(r"%wslc|cslc|wslc|make -s|tutorial\.py|\.py", line)
        refused = re.match(r"(not|exits [1-9]) ", line.split("&& ")[-1]) and not re.search(r"exits [34] .*wsrun|not %wsrun|not %t", line)
        if refused and not compiled:
            continue
        if not (builds or goes):
            continue
        if re.search(r"\bboth '", line) or "wse2 wse3" in line or "for a in" in line:
            out |= {"wse2", "wse3"}
        elif "wse2" in line:
            out.add("wse2")
        elif builds:
            out.add("wse3")
    if not compiled and not re.search(r"%wsrun|wspy|cs_python|\.exe|make -s|tutorial\.py|\.shared|\.py", runs):
        return set()
    return out


def code(text):
    """the text without comments and without what a test expects to be printed"""
    return "\n".join(re.sub(r"(?<![:\"])//.*|/\*.*?\*/", "", line) for line in text.splitlines() if not re.match(r"\s*(//|#|;|/?\*)", line))


def contains(kind, item, test, text, plain):
    if kind == "rule":
        return re.search(rf"(//|#|;|/?\*|\"\"\").*\b{item}\b", text) is not None
    if kind == "builtin":
        return f"@{item}(" in plain
    if kind == "lib":
        module, member = re.match(r"<(.*)> (\w+)", item).groups()
        if module == "math" and re.search(rf'"{re.sub("_f(16|32)$", "", member)}"', text) and "math.{name}_{t}" in text:
            return True                                             # a table of names, each with both types
        parent = module.split("/")[0]
        return (f"<{module}>" in plain or f"<{parent}>" in plain or "<math>" in plain and module == "math") and re.search(rf"(?<!@)\b{member}\b", plain) is not None
    if kind == "wsrt":
        return f"{item}(" in plain
    owner, _, name = item.rpartition(".")
    if ("import scheelite" if owner == "Runtime" else "cerebras") not in plain:
        return False
    return re.search((r"\." if owner else r"\b") + rf"{name}\b", plain) is not None


def main():
    want = items()
    rows, bad = {}, []
    for n, line in enumerate(read("tests/coverage.tsv").splitlines() if os.path.exists(TABLE) else [], 1):
        if not line or line.startswith("#"):
            continue
        f = line.split("\t") + [""] * 5
        if (f[0], f[1]) in rows:
            bad.append(f"line {n}: {f[0]} {f[1]} has a row already")
        rows[f[0], f[1]] = (n, f[2], f[3], f[4])
    cache = {}
    for kind, names in want.items():
        for item in names:
            if (kind, item) not in rows:
                bad.append(f"{kind} {item} has no row in tests/coverage.tsv: name a test that shows its value, on both architectures")
    for (kind, item), (n, two, three, note) in rows.items():
        if item not in want.get(kind, ()):
            bad.append(f"line {n}: there is no {kind} {item}")
            continue
        for arch, tests in (("wse2", two), ("wse3", three)):
            if tests == "-":
                if not note:
                    bad.append(f"line {n}: {kind} {item} has no test for {arch}, and no note that says why")
                continue
            for test in tests.split(","):
                if not os.path.isfile(os.path.join(TESTS, test)):
                    bad.append(f"line {n}: {kind} {item}: there is no test {test}")
                    continue
                if test not in cache:
                    runs, text = sources(test)
                    cache[test] = (runs, text, code(text))
                runs, text, plain = cache[test]
                if not contains(kind, item, test, text, plain):
                    bad.append(f"line {n}: {kind} {item} does not stand in {test}")
                if arch not in archs(runs, text, kind == "builtin" and item in COMPILED):
                    bad.append(f"line {n}: {kind} {item}: {test} does not run for {arch}")
    if "--draft" in sys.argv:
        return draft(want, rows)
    print("\n".join(bad))
    sys.exit(1 if bad else 0)


def rank(path):
    """which of several tests a draft names first: those that are about the item rather than those that use it by the way"""
    order = ("lang/rules/", "lang/dsd/ops", "lang/dsd/", "lang/config/", "stdlib/", "lang/sema/builtin", "lang/sema/run/", "lang/", "host/", "python/")
    return next((i for i, o in enumerate(order) if path.startswith(o)), len(order)), path


def draft(want, rows):
    """a first table for rows that are missing: candidates by text alone, to be read and chosen from"""
    tests = {}
    for folder, dirs, names in os.walk(TESTS):
        dirs[:] = [d for d in dirs if d not in ("Inputs", "inputs", "tools", "unit", "bench", "repo")]
        for name in sorted(names):
            path = os.path.relpath(os.path.join(folder, name), TESTS)
            if re.search(r"\.(test|w|csl|s)$", name) and "RUN:" in read("tests", path):
                runs, text = sources(path)
                tests[path] = (runs, text, code(text))
    for kind, names in want.items():
        for item in names:
            if (kind, item) in rows:
                continue
            cand = {"wse2": [], "wse3": []}
            for path, (runs, text, plain) in tests.items():
                if contains(kind, item, path, text, plain):
                    for a in archs(runs, text, kind == "builtin" and item in COMPILED):
                        cand[a].append(path)
            print("\t".join([kind, item] + [",".join(sorted(c, key=rank)[:1]) or "?" for c in cand.values()]))


main()
