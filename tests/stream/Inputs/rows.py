# rows.py A B C D: statistics of the forward sweep at Z = 64, 128 and of gs_fwd_up at Z = 64, 128; checks the slots of a row.
import json
import sys

a, b, c, d = (json.load(open(p)) for p in sys.argv[1:5])


def rows(x, y, of):
    return (of(y) - of(x)) / 64


def slots(s):
    return s["counters"]["slots"]["max"]


def total(s):
    return s["counters"]["slots"]["total"]


got = (rows(a, b, total) / 4, rows(c, d, slots), rows(c, d, lambda s: s["cycles"]))
if got != (22, 18, 18):
    sys.exit("slots a row forward, slots a row up, cycles a row up: %s, expected 22, 18, 18" % (got,))
period = rows(a, b, lambda s: s["cycles"])
if not 22 <= period <= 25:
    sys.exit("the forward sweep takes %s cycles a row, expected 22 to 25" % period)
