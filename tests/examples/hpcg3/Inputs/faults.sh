#!/bin/sh
# faults.sh SRC WSBIN DIR CFLAGS: plant each fault of plant.c, one run each; a fault is caught if a check (not a tool that breaks) fails.
set -u
check() { make -s -f "$1/Makefile" check TEST=f H=16 V=16 Z=64 NGS=8 CG_NITER=3 ENGINE=fast REFCACHE="$3/cache" OUT="$3/tools" WSBIN="$2" CFLAGS="$4" FAULT="$5"; }
check "$1" "$2" "$3" "$4" none > "$3/out" 2>&1 || { cat "$3/out"; exit 1; }
echo "none: $(grep -o passed "$3/out")"
planted=0 caught=0
for fault in $("$3/tools/plant" --list); do
    planted=$((planted + 1))
    if check "$1" "$2" "$3" "$4" "$fault" > "$3/out" 2>&1; then
        echo "$fault: not caught"
    elif why=$(grep 'failed (status 1)' "$3/out") && grep -q -e 'fcmp_check: FAIL' -e 'rr_history: FAIL' "$3/out"; then
        caught=$((caught + 1))
        echo "$fault: caught: $(grep FAIL: "$3/out" | head -1)"
    else
        echo "$fault: something else went wrong: $why"
        cat "$3/out"
    fi
done
echo "$planted faults planted, $caught caught"
