"""same_stats.py A.json B.json: statistics of two runs must be equal in everything but the key `host`."""
import json
import sys


def load(path):
    with open(path) as f:
        stats = json.load(f)
    del stats["host"]
    return stats


a, b = map(load, sys.argv[1:])
assert a["cycles"] > 0 and a["counters"]
for key in sorted(a.keys() | b.keys()):
    if a.get(key) != b.get(key):
        sys.exit(f"{key}: {a.get(key)} and {b.get(key)}")
