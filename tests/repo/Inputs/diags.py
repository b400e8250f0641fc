"""diags.py ROOT: rows of the diagnostic tables.  A table is a .def file with rows

    ROW( E0301, ERROR, name, "text", "hint" )          or  DIAG( ... )

IDs are unique over all tables, names within one; a test (a file under tests/ or examples/) must mention each ID,
except those of class INTERNAL, which no input can bring about."""
import os
import re
import sys

ROW = re.compile(r'^\s*(?:ROW|DIAG|FAULT)\(\s*([A-Z]+\d{2,5})\s*,\s*([A-Z]+)\s*,\s*(\w+)\s*,')


def main():
    root = sys.argv[1]
    rows = []
    for top in ("frontend", "ir", "backend", "runtime"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in sorted(names):
                if name.endswith(".def"):
                    path = os.path.relpath(os.path.join(folder, name), root)
                    with open(os.path.join(root, path), encoding="utf-8") as f:
                        for number, line in enumerate(f, 1):
                            m = ROW.match(line)
                            if m:
                                rows.append((m.group(1), m.group(3), path, number, m.group(2)))
    text = []
    here = os.path.dirname(os.path.abspath(__file__))
    for top in ("tests", "examples"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            if os.path.abspath(folder) == here:
                continue
            for name in names:
                try:
                    with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as f:
                        text.append(f.read(1 << 20))
                except OSError:
                    pass                                # a file that another test of this run just removed
    mentioned = set(re.findall(r"\b[A-Z]+\d{2,5}\b", "\n".join(text)))
    bad = 0
    ids = {}
    in_table = {}
    for ident, name, path, number, kind in rows:
        if ident in ids:
            print(f"{path}:{number}: {ident} is also in {ids[ident]}")
            bad += 1
        ids[ident] = f"{path}:{number}"
        if (path, name) in in_table:
            print(f"{path}:{number}: the name {name} is used twice in this table")
            bad += 1
        in_table[path, name] = 1
        if ident not in mentioned and kind != "INTERNAL":
            print(f"{path}:{number}: no test mentions {ident} ({name})")
            bad += 1
    print(f"{len(rows)} rows, {bad} findings")
    sys.exit(1 if bad else 0)


main()
