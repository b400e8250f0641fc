#!/usr/bin/env python3
"""Run lit over the tests of a build and close with one line, "N passed, N failed, N skipped".

usage: runlit.py --lit LIT.PY [--slow] [--filter REGEX] [--jobs N] [--count-file FILE] BUILD/tests
Exit code: 0 all passed, 1 a failure, 2 nothing ran.
"""
import argparse
import glob
import json
import os
import subprocess
import sys
import tempfile

SKIPPED = ("UNSUPPORTED", "SKIPPED", "EXCLUDED")
GOOD = ("PASS", "XFAIL", "FLAKYPASS")


def interpreter():
    """A Python with psutil, which lit needs for time-outs; else this one, without."""
    for python in (sys.executable, "/usr/bin/python3"):
        if os.path.exists(python) and subprocess.call([python, "-c", "import psutil"], stderr=subprocess.DEVNULL) == 0:
            return python, ["--timeout", "300"]
    return sys.executable, []


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--lit", required=True)
    p.add_argument("--slow", action="store_true", help="the slow tests too")
    p.add_argument("--filter")
    p.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    p.add_argument("--count-file", help="add the counts to this file, for a sum over suites")
    p.add_argument("--verbose", "-v", action="store_true")
    p.add_argument("dir")
    a = p.parse_args()
    with tempfile.TemporaryDirectory() as tmp:
        out = os.path.join(tmp, "lit.json")
        python, limit = interpreter()
        cmd = [python, a.lit, "-j", str(a.jobs), "--order=lexical", "-o", out, "-v"] + limit
        if not sys.stdout.isatty() or a.verbose:
            cmd.append("--no-progress-bar")
        if a.slow:
            cmd += ["-D", "slow=1"]
        if a.filter:
            cmd += ["--filter", a.filter]
        dirs = [a.dir]
        if glob.glob(os.path.join(a.dir, "unit", "*.test")):
            dirs.append(os.path.join(a.dir, "unit"))
        env = dict(os.environ, PYTHONDONTWRITEBYTECODE="1")
        rc = subprocess.call(cmd + dirs, env=env)
        try:
            with open(out) as f:
                tests = json.load(f)["tests"]
        except (OSError, ValueError, KeyError):
            tests = []
    passed = sum(t["code"] in GOOD for t in tests)
    skipped = [t for t in tests if t["code"] in SKIPPED]
    failed = [t for t in tests if t["code"] not in GOOD + SKIPPED]
    slow = sorted(tests, key=lambda t: -(t.get("elapsed") or 0))[:5]
    if slow and a.verbose:
        print("slowest:", ", ".join("%s %.1fs" % (t["name"], t.get("elapsed") or 0) for t in slow))
    for t in failed:
        print("FAILED:", t["name"])
    if rc and not failed:
        print("lit itself failed with exit code", rc)
    if a.count_file:
        with open(a.count_file, "a") as f:
            print(passed, len(failed), len(skipped), file=f)
    print("%s%d passed, %d failed, %d skipped" % ("of this suite " if a.count_file else "", passed, len(failed), len(skipped)),
          flush=True)
    if failed or rc:
        sys.exit(1)
    sys.exit(0 if passed else 2)


if __name__ == "__main__":
    main()
