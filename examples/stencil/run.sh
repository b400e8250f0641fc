#!/bin/bash
# run.sh BIN OUT W H R C STEPS: make the data, compile, pack, run, check.  OUT/field must be there.
#   ENGINE=NAME  wsrun's engine     MEASURE=1  print CPU seconds and the most memory of each step
set -euo pipefail
bin=$1 out=$2 w=$3 h=$4 r=$5 c=$6 steps=$7
here=$(dirname "$0")

step() {
    if [ "${MEASURE:-}" ]; then /usr/bin/time -f "$1: %U s user, %S s system, %M KiB" "${@:2}"; else "${@:2}"; fi
}

"$out/field" make "$w" "$h" "$r" "$c" "$out/u.bin"
step wslc "$bin/wslc" "$here/stencil.w" --params=W:"$w",H:"$h",R:"$r",C:"$c",STEPS:"$steps" -o "$out/stencil.obj"
step wsld "$bin/wsld" "$out/stencil.obj" --set u="$out/u.bin" -o "$out/stencil.img"
step wsrun "$bin/wsrun" "$out/stencil.img" --engine "${ENGINE:-fast}" --stats text --stats-file "$out/stats.txt" \
    --read u -o "$out/v.bin" --read total -o "$out/total.bin"
"$out/field" check "$w" "$h" "$r" "$c" "$steps" "$out/u.bin" "$out/v.bin" "$out/total.bin"
