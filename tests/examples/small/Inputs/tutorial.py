"""tutorial.py PAGE FOLDER [--update]: does what a tutorial page says, in FOLDER, and compares what comes out.

    ```w file=hello.w          a file: written to FOLDER
    ```console                 commands behind "$ ", each followed by what it prints (output and errors);
                               a last line "[exit code 3]" says that it fails
    other blocks               not looked at

Numbers of cycles ("@12:", "cycle 93", "cycles 93") may differ: they change with every better compiler.  --update
writes what came out into the page instead."""
import os
import re
import subprocess
import sys

FENCE = re.compile(r"^```(.*)$")
CYCLES = re.compile(r"(@|cycles? +)\d+")


def run(command, folder):
    env = dict(os.environ, LC_ALL="C")
    p = subprocess.run(["bash", "-c", command], cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                       stdin=subprocess.DEVNULL, timeout=60)
    lines = p.stdout.decode("utf-8", "replace").rstrip("\n").split("\n")
    lines = [] if lines == [""] else lines
    return lines + ([f"[exit code {p.returncode}]"] if p.returncode else [])


def same(a, b):
    return [CYCLES.sub(r"\1N", x.rstrip()) for x in a] == [CYCLES.sub(r"\1N", x.rstrip()) for x in b]


def console(body, folder, number):
    """the block with what really came out, and whether that is what it says"""
    out, ok, i, commands = [], True, 0, 0
    while i < len(body):
        command = body[i]
        if not command.startswith("$ "):
            print(f"line {number + i}: output without a command: {command}")
            return body, False, commands
        j = i + 1
        while j < len(body) and not body[j].startswith("$ "):
            j += 1
        got, commands = run(command[2:], folder), commands + 1
        if not same(got, body[i + 1:j]):
            print(f"line {number + i}: {command}\n  the page says:")
            print("".join(f"    {x}\n" for x in body[i + 1:j]), end="")
            print("  it prints:")
            print("".join(f"    {x}\n" for x in got), end="")
            ok = False
            out += [command] + got
        else:
            out += body[i:j]
        i = j
    return out, ok, commands


def main():
    page, folder = sys.argv[1], sys.argv[2]
    update = "--update" in sys.argv
    os.makedirs(folder, exist_ok=True)
    with open(page, encoding="utf-8") as f:
        lines = f.read().split("\n")
    out, all_ok, i, commands, files = [], True, 0, 0, 0
    while i < len(lines):
        m = FENCE.match(lines[i])
        if not m:
            out.append(lines[i])
            i += 1
            continue
        end = next(k for k in range(i + 1, len(lines)) if lines[k] == "```")
        body = lines[i + 1:end]
        named = re.search(r"file=(\S+)", m.group(1))
        if named:
            with open(os.path.join(folder, named.group(1)), "w", encoding="utf-8") as f:
                f.write("\n".join(body) + "\n")
            files += 1
        elif m.group(1) == "console":
            body, ok, n = console(body, folder, i + 2)
            all_ok, commands = all_ok and ok, commands + n
        out += [lines[i]] + body + ["```"]
        i = end + 1
    if update:
        with open(page, "w", encoding="utf-8") as f:
            f.write("\n".join(out))
    print(f"{files} files, {commands} commands")
    sys.exit(0 if all_ok or update else 1)


main()
