"""numbers.py ROOT: looks for numbers of the machine outside runtime/isa."""
import os
import re
import sys

# spelled in full, these can hardly mean anything else
NUMBER = re.compile(r"\b(49152|0xc000|0xbfff|49151|750|994|762|1172|850000000|875000000|850e6|875e6)\b", re.I)
PARAM = re.compile(r"^\s*PARAM\(")
DEFINE = re.compile(r"#\s*define\s+\w*(HOP|RAMP|LATENCY|CLOCK|MEM_BYTES|QUEUE_DEPTH)\w*\s+\d", re.I)


def code_of(text):
    """the text without comments and strings, line by line"""
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m.group(0).count("\n"), text, flags=re.S)
    text = re.sub(r"//[^\n]*", "", text)
    return re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)


def main():
    root = sys.argv[1]
    bad = seen = 0
    for top in ("frontend", "ir", "backend", "runtime"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            rel = os.path.relpath(folder, root)
            if rel == "runtime/isa" or rel.startswith("runtime/isa/"):
                continue
            for name in sorted(names):
                if not name.endswith((".c", ".h", ".y", ".l", ".def")):
                    continue
                seen += 1
                with open(os.path.join(folder, name), encoding="utf-8") as f:
                    lines = code_of(f.read()).split("\n")
                for number, line in enumerate(lines, 1):
                    if NUMBER.search(line) or PARAM.search(line) or DEFINE.search(line):
                        print(f"{rel}/{name}:{number}: a number of the machine outside runtime/isa: {line.strip()}")
                        bad += 1
    # the library is written in W and cannot include isa.h: its addresses must be those of isa.h
    with open(os.path.join(root, "runtime/isa/isa.h"), encoding="utf-8") as f:
        there = dict(re.findall(r"\bREG_(\w+) = (0x[0-9a-f]+)", f.read()))
    library = re.compile(r"^\s*const (\w+) = (0xf[c-f][0-9a-f]{2})\b", re.M)
    addresses = 0
    for folder, _, names in os.walk(os.path.join(root, "stdlib")):
        for name in sorted(names):
            with open(os.path.join(folder, name), encoding="utf-8") as f:
                for register, value in library.findall(f.read()):
                    addresses += 1
                    if there.get(register) != value:
                        print(f"stdlib/.../{name}: {register} is {value}, and REG_{register} in isa.h {there.get(register)}")
                        bad += 1
    print(f"{seen} files, {addresses} addresses in the library, {bad} findings")
    sys.exit(1 if bad or not seen or not addresses else 0)


main()
