"""architecture.py ROOT BIN TMP: the tables of docs/architecture.md against the tree and the tools."""
import os
import re
import subprocess
import sys

PROGRAM = """param n: i16 = 4;
export var y: i16;
export task main() void {
    for (@range(i16, n)) |i| y += i;
}
"""


def main():
    root, bin_dir, tmp = sys.argv[1:]
    source = os.path.join(tmp, "map.w")
    with open(source, "w") as f:
        f.write(PROGRAM)
    obj = os.path.join(tmp, "map.obj")
    subprocess.run([bin_dir + "/wslc", source, "-o", obj], check=True)
    with open(os.path.join(root, "docs/architecture.md"), encoding="utf-8") as f:
        page = f.read()
    bad = []
    for path in re.findall(r"`((?:frontend|ir|backend|runtime|docs|tests|scripts|examples)/[\w./-]*)`", page):
        if not os.path.exists(os.path.join(root, path)) and "NAME" not in path:
            bad.append(f"{path} is not there")

    rows = 0
    for row in re.findall(r"^\| [^|]* \| [^|]*`[^|]* \| [^|]* \| [^|]*\|$", page, re.M):
        _, stage, files, entry, flags, _ = (c.strip() for c in row.split("|"))
        if stage == "table" or entry.startswith("`docs") or not entry:
            continue
        rows += 1
        paths = re.findall(r"`([\w./-]+)`", files)
        text = "".join(open(os.path.join(root, p), encoding="utf-8").read() for p in paths if os.path.isfile(os.path.join(root, p)))
        for name in re.findall(r"`(\w+)`", entry):
            if not re.search(r"\b%s\(" % name, text):
                bad.append(f"{stage}: no {name}() in {', '.join(paths)}")
        for flag in re.findall(r"`(ws\w+ [^`]*)`", flags):
            words = flag.split()
            if words[0] == "wslc":
                cmd = [bin_dir + "/wslc", source] + words[1:] + ([] if "--emit" in flag else ["-o", obj + "2"])
            else:
                cmd = [os.path.join(bin_dir, words[0]), obj] + words[1:] + (["y"] if words[-1] == "--dump" else [])
            p = subprocess.run(cmd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if p.returncode or (not p.stdout.strip() and "--engine" not in flag):
                bad.append(f"{flag}: exit code {p.returncode}, {p.stdout.decode()!r}")
    if rows < 30:
        bad.append(f"only {rows} rows found")
    print("\n".join(bad) or f"{rows} rows")
    sys.exit(bool(bad))


main()
