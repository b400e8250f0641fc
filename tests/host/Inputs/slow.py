# The statistics of the fast engine: why it left its quick way, and else what the reference engine says.
import json
import sys

fast, ref = (json.load(open(f)) for f in sys.argv[1:3])
assert fast["engine"] == "fast" and len(fast["slow"]) > 10 and ref["slow"] == {}
assert {k: n for k, n in fast["slow"].items() if n} == {"task_ins": 2}, fast["slow"]     # DONE on each of two PEs
for key in set(ref) - {"engine", "host", "slow"}:
    assert fast[key] == ref[key], key
