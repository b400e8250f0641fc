#!/bin/sh
# run_test.sh TEST GOAL MODE: build, simulate and check one test of test.rc (TEST=sim: all of them), in ./test-TEST.
# Called by the Makefile, which sets SRC (this folder), OUT (the host tools), WSBIN (wslc, wsld, wsrun) and the variables.
# Leaves in test-TEST/: make-log, rr.csv (iter,rr), x.f32 (raw, index (y H + x) Z + z, y the grid row), perf.json.
# Exit status: 0 all checks passed, 1 one failed, 2 bad use.
set -u
usage() { echo "hpcg: $*" >&2; exit 2; }
[ $# = 3 ] || usage "run_test.sh TEST GOAL MODE"
[ "$2" = test ] || usage "GOAL=$2: the only goal is test"
[ "$3" = sim ] || usage "MODE=$3: the only mode is sim, there is no machine"
case $MG in
0) NCTX=1 ;;
1) NCTX=17; [ "$BC" = sever ] && NCTX=22 ;;
*) usage "MG=$MG: it is 0 (plain CG) or 1 (V-cycle)" ;;
esac
case $INIT in exact|random) ;; *) usage "INIT=$INIT: it is exact or random" ;; esac

if [ "$1" = sim ]; then
    rc=0
    for t in $(sed -e 's/#.*//' -e '/^ *$/d' "$SRC/test.rc" | awk '{print $1}'); do
        sh "$0" "$t" "$2" "$3" || rc=1
    done
    exit $rc
fi
row=$(sed 's/#.*//' "$SRC/test.rc" | awk -v t="$1" '$1 == t') 
[ -n "$row" ] || usage "TEST=$1: test.rc has no such test; it has: $(sed -e 's/#.*//' "$SRC/test.rc" | awk 'NF {printf "%s ", $1}')sim"
set -- $row
name=$1
H=${H:-$2} V=${V:-$3} Z=${Z:-$4} NGS=${NGS:-$5} CG_NITER=${CG_NITER:-$6}
for tool in wslc wsld wsrun wsobjdump; do
    [ -x "$WSBIN/$tool" ] || usage "$WSBIN/$tool is not there: build the toolchain first (README.md), or set WSBIN"
done

dir=test-$name
mkdir -p "$dir" || exit 1
rm -f "$dir/rr.csv" "$dir/x.f32" "$dir/perf.json" "$dir/stats.json"
log=$dir/make-log
: > "$log"
step() {    # step COMMAND...: runs it, logs it; on failure shows what it said and ends
    echo "+ $*" >> "$log"
    "$@" >> "$log" 2>&1 && return
    status=$?
    echo "hpcg: $name: failed (status $status): $*" >&2
    tail -n 25 "$log" >&2
    [ $status = 2 ] && exit 2
    exit 1
}
geo="--H $H --V $V --Z $Z"
step "$OUT/hpcg_ref1" $geo --mg "$MG" --iters "$CG_NITER" --NGS "$NGS" --ZR "$ZR" --levels "$LEVELS" --bc "$BC" --init "$INIT" --seed "$SEED" \
    --quiet --out-dir "$dir/ref"
step "$OUT/hpcg_router1" --H "$H" --V "$V" --mg "$MG" --NGS "$NGS" --bc "$BC" --out-dir "$dir"
step "$OUT/pack_routing" "$dir/router.rt" --out-dir "$dir"
step "$OUT/vprog" --mg "$MG" --levels "$LEVELS" --bc "$BC" --words 128 --out-dir "$dir"
step "$WSBIN/wslc" "$SRC/hpcg.w" "$SRC/bench.paint" -o "$dir/bench.obj" ${WSLCFLAGS:-} \
    --params="H:$H,V:$V,Z:$Z,ZR:$ZR,MG:$MG,LEVELS:$LEVELS,NCTX:$NCTX,CG_NITER:$CG_NITER"
# the level table holds PE addresses of the arrays
bases=$("$WSBIN/wsobjdump" -t "$dir/bench.obj" | awk '$NF ~ /^(A|diag|invd|r|ax|x|p|Ap)$/ {print $NF "=" $1}')
step "$OUT/host_levels" --mg "$MG" --Z "$Z" --ZR "$ZR" --levels "$LEVELS" --ready --out-dir "$dir" $bases
mgset=
if [ "$MG" = 1 ]; then
    step "$OUT/host_stencil" --mg "$MG" --Z "$Z" --ZR "$ZR" --levels "$LEVELS" --out-dir "$dir"
    mgset="--set invd=$dir/ref/invd.bin --set zf_tab=$dir/zf_tab.bin"
fi
step "$WSBIN/wsld" "$dir/bench.obj" --set A="$dir/ref/A.bin" --set diag="$dir/ref/diag.bin" --set rcg="$dir/ref/b.bin" $mgset \
    --set vprog="$dir/vprog.bin" --set lvl_tab="$dir/lvl_tab.bin" --set rt_ctx="$dir/rt_ctx.bin" --set rt_sock="$dir/rt_sock.bin" \
    --set rt_dot="$dir/rt_dot.bin" --set rt_dot_sock="$dir/rt_dot_sock.bin" --set rt_role="$dir/rt_role.bin" -o "$dir/bench.img"
step "$WSBIN/wsrun" "$dir/bench.img" ${WSRUNFLAGS:-} --read xcg -o "$dir/xcg.f32" --read rrh:0,0,1,1 -o "$dir/rrh.f32" \
    --stats json --stats-file "$dir/stats.json"
step "$OUT/fcmp_check" "$dir/xcg.f32" "$dir/ref/x.f64" $geo --abs "$XTOL" --grid-out "$dir/x.f32"
step "$OUT/rr_history" "$dir/rrh.f32" "$dir/ref/rr.csv" --got-f32 --iters "$CG_NITER" --csv-out "$dir/rr.csv"
step "$OUT/perf_report" "$dir/stats.json" $geo --mg "$MG" --iters "$CG_NITER" --out-dir "$dir"
echo "hpcg: $name passed"
sed -n -e '/^x: /p' -e '/^rr: /p' -e '/^cycles per/p' -e '/^credited/p' -e '/^rate/p' "$log"
