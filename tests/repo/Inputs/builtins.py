"""builtins.py ROOT WSLC FILE: rows of frontend/builtins.def.  A row that is built is used (`@name`) by a file under tests/
or examples/, or by a module in stdlib/, all of which are tested; a row that says LATER gives E0602 with its name.  FILE: where to write programs."""
import os
import re
import subprocess
import sys


def main():
    root, wslc, path = sys.argv[1:4]
    with open(os.path.join(root, "frontend/builtins.def"), encoding="utf-8") as f:
        rows = re.findall(r"^BUILTIN\( (\w+), (\w+),", f.read(), re.M)
    used = set()
    for top in ("tests", "examples", "stdlib"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            if folder.endswith("tests/repo/Inputs"):
                continue
            for name in names:
                try:
                    with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as f:
                        used |= set(re.findall(r"@(\w+)", f.read(1 << 20)))
                except OSError:
                    pass                                # a file that another test of this run just removed
    bad = [f"no test uses @{name}" for name, owner in rows if owner != "LATER" and name not in used]
    later = [name for name, owner in rows if owner == "LATER"]
    with open(path, "w", encoding="utf-8") as f:
        f.write("fn f() void {\n" + "".join(f"    @{name}();\n" for name in later) + "}\ncomptime { @export_symbol(f); }\n")
    run = subprocess.run([wslc, "--max-errors=1000", path, "-o", path + ".obj"], capture_output=True, text=True, timeout=60)
    bad += [f"@{name} is not refused by name" for name in later if f"error[E0602]: @{name} is known" not in run.stderr]
    print("\n".join(bad))
    sys.exit(1 if bad or run.returncode != 1 else 0)


main()
