"""by_row.py PHASES OP=MOST...: in the table of phase_report, a row of level 0 of OP must take at most MOST cycles."""
import sys

by_row = {}
for line in open(sys.argv[1]):
    word = line.split()
    if len(word) == 12 and word[1] == "0":
        by_row[word[0]] = float(word[10])
bad = False
for arg in sys.argv[2:]:
    op, most = arg.split("=")
    print(f"{op}: {by_row[op]} cycles a row, at most {most}")
    bad |= by_row[op] > float(most)
sys.exit(bad)
