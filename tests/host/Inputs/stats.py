import json
import sys

s = json.load(open(sys.argv[1]))
assert s["end"] == "idle" and s["engine"] == "reference" and s["arch"] == "wse3" and s["fault"] is None and s["report"] is None
assert (s["width"], s["height"], s["pes"]) == (2, 1, 2)
assert s["clock_hz"] == 875000000 and abs(s["seconds"] - s["cycles"] / s["clock_hz"]) < 1e-12
c = s["counters"]
assert c["tasks"] == {"total": 2, "max": 1, "max_pe": [0, 0], "min": 1, "min_pe": [0, 0]}, c["tasks"]
assert c["instrs"]["total"] == 4 and len(c) >= 30
assert set(s["host"]) == {"seconds", "pe_cycles_per_second", "state_bytes_per_pe", "touched_bytes_per_pe"}
assert s["host"]["state_bytes_per_pe"] > 500 and s["host"]["touched_bytes_per_pe"] >= 2048
