"""includes.py ROOT: every quoted #include of a C file must be one that its folder may look at."""
import os
import re
import sys

# folder: prefixes that its files may include; the longest folder that matches counts
RULES = {
    "runtime/base": ["runtime/base"],
    "runtime/isa": ["runtime/base", "runtime/isa"],
    "runtime/sim": ["runtime/base", "runtime/isa", "runtime/sim"],
    "runtime/jit": ["runtime/base", "runtime/isa", "runtime/sim", "runtime/jit"],
    "runtime/observe": ["runtime/base", "runtime/isa", "runtime/sim", "runtime/observe"],
    "runtime/include": [],
    "runtime/host": ["runtime/base", "runtime/isa", "runtime/sim", "runtime/jit", "runtime/observe", "runtime/host",
                     "runtime/include"],
    "runtime/python": ["runtime/include", "runtime/python"],
    "runtime": ["runtime"],
    "ir": ["ir", "runtime/base"],
    "backend": ["backend", "ir", "runtime/base", "runtime/isa"],
    "frontend": ["frontend", "ir", "runtime/base", "runtime/isa"],
    "frontend/options.c": ["frontend", "backend", "ir", "runtime/base", "runtime/isa"],
    "frontend/wslc.c": ["frontend", "backend", "ir", "runtime/base", "runtime/isa"],
    "examples": ["examples", "runtime/include"],
    "docs/gen": ["frontend", "backend", "ir", "runtime"],
}
GENERATED = re.compile(r"^(parser|paint)\.tab\.h$|^(lexer|paintlex)\.h$")
SYSTEM_OK = {"wsrt.h"}


def allowed(path):
    best = max((k for k in RULES if path == k or path.startswith(k + "/")), key=len, default=None)
    return None if best is None else RULES[best]


def resolve(root, path, inc):
    for base in (os.path.dirname(path), "", "frontend", "runtime/include"):
        cand = os.path.normpath(os.path.join(base, inc))
        if os.path.exists(os.path.join(root, cand)):
            return cand
    return None


def main():
    root = sys.argv[1]
    bad = seen = 0
    for top in ("frontend", "ir", "backend", "runtime", "examples", "docs"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in sorted(names):
                if not name.endswith((".c", ".h", ".y", ".l", ".def", ".inc")):
                    continue
                path = os.path.relpath(os.path.join(folder, name), root)
                rule = allowed(path)
                if rule is None:
                    continue
                seen += 1
                with open(os.path.join(root, path), encoding="utf-8") as f:
                    for number, line in enumerate(f, 1):
                        m = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
                        if not m:
                            continue
                        inc = m.group(1)
                        if GENERATED.match(inc) and path.startswith("frontend/"):
                            continue
                        target = resolve(root, path, inc)
                        if target is None:
                            print(f"{path}:{number}: no such file: {inc}")
                            bad += 1
                        elif not any(target.startswith(p + "/") for p in rule):
                            print(f"{path}:{number}: a file of {os.path.dirname(path)} may not include {target}")
                            bad += 1
    print(f"{seen} files, {bad} wrong includes")
    sys.exit(1 if bad or not seen else 0)


main()
