"""fewer.py PLAIN UNROLLED: the second run must take fewer cycles an iteration."""
import json
import sys

a, b = (json.load(open(d + "/perf.json"))["cycles_per_iter"] for d in sys.argv[1:])
print(f"{a} to {b}: {100 * (1 - b / a):.1f} % fewer")
sys.exit(not b < a)
