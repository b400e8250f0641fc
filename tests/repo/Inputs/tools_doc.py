"""tools_doc.py ROOT BIN: the options in the section of each tool in docs/tools.md against those of its --help."""
import re
import subprocess
import sys

OPTION = re.compile(r"(?<![\w-])(--?[A-Za-z][\w-]*)")


def main():
    root, bin_dir = sys.argv[1:]
    with open(root + "/docs/tools.md", encoding="utf-8") as f:
        sections = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", f.read(), re.M | re.S))
    bad = 0
    for tool in ("wslc", "wsld", "wsobjdump", "wsrun"):
        text = subprocess.run([f"{bin_dir}/{tool}", "--help"], stdout=subprocess.PIPE, check=True).stdout.decode()
        rows = re.findall(r"^\| `(-.*?)\|", sections[tool], re.M)
        page, told = set(OPTION.findall("\n".join("`" + r for r in rows))), set(OPTION.findall(text))
        assert len(page) > 5 and len(told) > 5, tool
        for name in sorted(page ^ told):
            print(f"{tool}: {name} is only in", "docs/tools.md" if name in page else "--help")
            bad += 1
    sys.exit(bad != 0)


main()
