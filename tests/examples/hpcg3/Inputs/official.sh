#!/bin/sh
# official.sh CASE ITERATIONS FLOPS HISTORY TOOLS: results in test-CASE/ against rows of the official history.
set -eu
d=test-$1
awk -F, -v c="$1" 'NR == 1 { for (i = 1; i <= NF; i++) col[$i] = i; print "iter,rr"; next } $1 == c { print $2 "," $3 }' "$4" > "$d/official.csv"
"$5/rr_history" "$d/rr.csv" "$d/official.csv" --iters "$2" --rel 1e-4 --floor 1e-10
grep -q "\"flops_per_iter\": $3,\$" "$d/perf.json"
want=$(awk -F, -v c="$1" -v k="$2" '$1 == c && $2 == k { print $7 }' "$4")
od -An -v -tf4 -w4 "$d/x.f32" | awk -v want="$want" '
    { e = $1 - 1; if (e < 0) e = -e; if (!(e < 1e30)) exit bad = 1; if (e > top) top = e; n++ }
    END { d = top - want; if (d < 0) d = -d; print "max |x - 1| " top ", official " want; exit bad || n == 0 || d > 1e-5 }'
