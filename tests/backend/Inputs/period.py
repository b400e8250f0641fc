"""period.py STATS1 STATS2 N: cycles per turn of a loop, from the statistics (wsrun --stats json) of two runs that differ by N turns."""
import json
import sys

a, b = (json.load(open(p))["cycles"] for p in sys.argv[1:3])
n = int(sys.argv[3])
print("%g cycles" % ((b - a) / n))
