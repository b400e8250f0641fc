"""fewer.py PLAIN UNROLLED [LOW HIGH]: the second run must take fewer cycles an iteration, by LOW to HIGH percent."""
import json
import sys

a, b = (json.load(open(d + "/perf.json"))["cycles_per_iter"] for d in sys.argv[1:3])
low, high = (float(v) for v in sys.argv[3:5]) if len(sys.argv) > 3 else (0, 100)
saved = 100 * (1 - b / a)
print(f"{a} to {b}: {saved:.1f} % fewer")
sys.exit(not (b < a and low <= saved <= high))
