#!/bin/sh
# run_test.sh TEST GOAL MODE: build, simulate and check one test of test.rc, in ./test-TEST.  Any other name with H, V and Z given
# is a test of its own.  Called by the Makefile, which sets SRC (this folder), OUT (the host tools), WSBIN (wslc, wsld, wsrun,
# wsobjdump) and passes the variables; a variable that is not set has the value of test.rc, or the default below.
# Leaves in test-TEST/: make-log, rr.csv (iter,rr), x.f32 (raw, index (y H + x) Z + z, y the grid row), perf.json; with TSTAMP=1
# ts.u16 and phases.txt.
# Exit status: 0 all checks passed, 1 one failed, 2 bad use: a constraint is violated, and said.
set -u
usage() { echo "hpcg: $*" >&2; exit 2; }
[ $# = 3 ] || usage "run_test.sh TEST GOAL MODE"
[ "$2" = test ] || usage "GOAL=$2: the only goal is test"
[ "$3" = sim ] || usage "MODE=$3: the only mode is sim, there is no machine"
name=$1
case $name in '' | *[!A-Za-z0-9_.-]*) usage "TEST='$name': a name of letters, digits, _ . -" ;; esac

# ---- the variables
row=$(sed 's/#.*//' "$SRC/test.rc" | awk -v t="$name" '$1 == t')
if [ -n "$row" ]; then
    # shellcheck disable=SC2086
    set -- $row
    H=${H:-$2} V=${V:-$3} Z=${Z:-$4} NGS=${NGS:-$5} CG_NITER=${CG_NITER:-$6}
    shift 6
    for word in "$@"; do
        [ "$word" = extra ] && continue
        eval "[ -n \"\${${word%%=*}:-}\" ] || ${word%%=*}=${word#*=}"
    done
elif [ -z "${H:-}" ] || [ -z "${V:-}" ] || [ -z "${Z:-}" ]; then
    usage "TEST=$name: test.rc has no such test; it has: $(sed 's/#.*//' "$SRC/test.rc" | awk 'NF {printf "%s ", $1}')sim extra all; another name wants H, V and Z"
fi
: "${CG_NITER:=10}" "${NGS:=16}" "${ZR:=16}" "${LEVELS:=4}" "${MG:=1}" "${BC:=frozen}" "${INIT:=random}" "${SEED:=1}" "${XTOL:=1e-5}"
: "${TSTAMP:=0}" "${UNROLL:=0}" "${CHECK_LEVELS:=1}" "${FAULT:=none}" "${REFCACHE:=}"

# ---- constraints
number() { # number NAME VALUE LOW HIGH
    case $2 in '' | *[!0-9]* | ??????*) usage "$1=$2: it is a whole number, $3 to $4" ;; esac
    [ "$2" -ge "$3" ] && [ "$2" -le "$4" ] || usage "$1=$2: it is a whole number, $3 to $4"
}
choice() { # choice NAME VALUE ALLOWED...
    what=$1 value=$2
    shift 2
    for ok in "$@"; do [ "$value" = "$ok" ] && return; done
    usage "$what=$value: it is one of $*"
}
number H "$H" 1 4096; number V "$V" 1 4096; number Z "$Z" 1 4096; number NGS "$NGS" 1 4096; number ZR "$ZR" 0 4096
number CG_NITER "$CG_NITER" 1 1000
choice MG "$MG" 0 1; choice LEVELS "$LEVELS" 1 2 3 4; choice BC "$BC" frozen sever; choice INIT "$INIT" exact random
choice TSTAMP "$TSTAMP" 0 1; choice UNROLL "$UNROLL" 0 1; choice CHECK_LEVELS "$CHECK_LEVELS" 0 1
number SEED "$SEED" 0 99999
case $XTOL in *[!0-9.eE+-]* | '') usage "XTOL=$XTOL: it is a number" ;; esac
for v in H V Z; do
    eval "value=\$$v"
    [ $((value % 8)) = 0 ] || usage "$v=$value: it must be divisible by 8"
done
if [ "$MG" = 1 ]; then
    [ $((NGS % 8)) = 0 ] || usage "NGS=$NGS: it must be divisible by 8"
    [ $((H % NGS)) = 0 ] || usage "H=$H: it must be divisible by NGS=$NGS, the edge of a GS domain"
    [ $((V % NGS)) = 0 ] || usage "V=$V: it must be divisible by NGS=$NGS, the edge of a GS domain"
    if [ "$ZR" != 0 ]; then
        [ $((ZR % 8)) = 0 ] || usage "ZR=$ZR: it must be 0 or divisible by 8, so that every level has whole z-ranks"
        [ $((Z % ZR)) = 0 ] || usage "Z=$Z: it must be divisible by ZR=$ZR, the height of a z-rank"
        if [ "$LEVELS" != 1 ]; then
            [ "$Z" -ge $((4 * ZR)) ] || usage "Z=$Z: it must be at least 4 ZR = $((4 * ZR)), so that every co-set chunk has a z-rank"
            [ $((Z % (4 * ZR))) = 0 ] || usage "Z=$Z: it must be divisible by 4 ZR = $((4 * ZR)), because chunk boundaries fall on z-rank boundaries"
        fi
    fi
    [ "$LEVELS" = 1 ] || [ $((Z % 32)) = 0 ] || usage "Z=$Z: with co-sets (LEVELS=$LEVELS) it must be divisible by 32"
fi
if [ "$UNROLL" = 1 ]; then
    multiple=$((LEVELS == 1 || MG == 0 ? 8 : 1 << (LEVELS + 2)))
    [ $((Z % multiple)) = 0 ] || usage "Z=$Z: with UNROLL=1 and LEVELS=$LEVELS it must be divisible by $multiple, so that a PE has an even number of rows on every level"
fi
case $MG$BC in 0*) NCTX=1 ;; 1frozen) NCTX=17 ;; *) NCTX=22 ;; esac
for tool in wslc wsld wsrun wsobjdump; do
    [ -x "$WSBIN/$tool" ] || usage "$WSBIN/$tool is not there: build the toolchain first (README.md), or set WSBIN"
done

# ---- build
dir=test-$name
mkdir -p "$dir" || exit 1
rm -f "$dir/rr.csv" "$dir/x.f32" "$dir/perf.json" "$dir/stats.json" "$dir/phases.txt"
log=$dir/make-log
: > "$log"
step() {    # step COMMAND...: runs it, logs it; on failure shows what it said and ends
    echo "+ $*" >> "$log"
    "$@" >> "$log" 2>&1 && return
    status=$?
    echo "hpcg: $name: failed (status $status): $*" >&2
    awk '/^\+ / { n = 0 } { line[n++] = $0 } END { for (i = n > 20 ? n - 20 : 0; i < n; i++) print line[i] }' "$log" >&2
    [ $status = 2 ] && exit 2
    exit 1
}
geo="--H $H --V $V --Z $Z"
# what does not fit is said before anything is simulated: first the data, then (wslc) data and code
memory=$("$OUT/host_levels" --mg "$MG" --Z "$Z" --ZR "$ZR" --levels "$LEVELS" --iters "$CG_NITER" --memory) ||
    usage "Z=$Z: it does not fit in the memory of a PE, 49152 bytes; Z = 224 with ZR = 56 does
$memory"
echo "$memory" >> "$log"

# the reference: all that it depends on is in the name under which REFCACHE keeps it
refopts="--mg $MG --iters $CG_NITER --NGS $NGS --ZR $ZR --levels $LEVELS --bc $BC --init $INIT --seed $SEED"
[ "$MG" = 1 ] && refopts="$refopts --dump-levels"
reference() { # shellcheck disable=SC2086
    step "$OUT/hpcg_ref1" $geo $refopts --quiet --out-dir "$1"
}
ref=$dir/ref
if [ -n "$REFCACHE" ]; then
    mkdir -p "$REFCACHE" || usage "REFCACHE=$REFCACHE: cannot be made"
    key=$(echo "$geo $refopts $(sha256sum < "$OUT/hpcg_ref1")" | sha256sum | cut -c 1-32)
    ref=$REFCACHE/$key
    if [ ! -d "$ref" ]; then
        part=$REFCACHE/part.$$.$key
        reference "$part"
        echo "$geo $refopts" > "$part/options"
        mv -T "$part" "$ref" 2>> "$log" || rm -rf "$part"    # another test was first
        [ -d "$ref" ] || usage "REFCACHE=$REFCACHE: cannot be written"
    fi
    echo "reference: $ref" >> "$log"
else
    rm -rf "$ref"
    reference "$ref"
fi

# planted faults (README.md): some patch a file, some are options of a tool, some are code
fault_code=0 rt_ngs=$NGS rt_bc=$BC A=$ref/A.bin
case $FAULT in
none | sweep_order | stale | no_post | lost_xchg | restriction | mirrored) ;;
domain) rt_ngs=$H ;;
sever) rt_bc=sever NCTX=22 ;;
gs_coef) fault_code=1 ;;
spmv_coef) fault_code=2 ;;
beta) fault_code=3 ;;
z_rank)
    fault_code=4
    [ "$ZR" != 0 ] && [ "$ZR" != "$Z" ] || usage "FAULT=z_rank: with ZR=$ZR and Z=$Z there is one z-rank, and no boundary to open"
    ;;
coarsest_coef) ;;
*) usage "FAULT=$FAULT: it is one of none sweep_order z_rank domain stale sever no_post lost_xchg restriction mirrored gs_coef spmv_coef coarsest_coef beta" ;;
esac

step "$OUT/hpcg_router1" --H "$H" --V "$V" --mg "$MG" --NGS "$rt_ngs" --bc "$rt_bc" --out-dir "$dir"
step "$OUT/pack_routing" "$dir/router.rt" --out-dir "$dir"
step "$OUT/vprog" --mg "$MG" --levels "$LEVELS" --bc "$rt_bc" --words 128 --out-dir "$dir"
params="H:$H,V:$V,Z:$Z,ZR:$ZR,MG:$MG,LEVELS:$LEVELS,NCTX:$NCTX,TSTAMP:$TSTAMP,UNROLL:$UNROLL,FAULT:$fault_code"
# compile NAME ITERATIONS: NAME.obj, level table, NAME.img
compile() {
    # shellcheck disable=SC2086
    step "$WSBIN/wslc" "$SRC/hpcg.w" "$SRC/bench.paint" -o "$dir/$1.obj" ${WSLCFLAGS:-} --params="$params,CG_NITER:$2"
    # the level table holds PE addresses of the arrays
    bases=$("$WSBIN/wsobjdump" -t "$dir/$1.obj" | awk '$NF ~ /^(A|diag|invd|r|ax|x|p|Ap)$/ {print $NF "=" $1}')
    # shellcheck disable=SC2086
    step "$OUT/host_levels" --mg "$MG" --Z "$Z" --ZR "$ZR" --levels "$LEVELS" --ready --out-dir "$dir" $bases
    mgset=
    if [ "$MG" = 1 ]; then
        step "$OUT/host_stencil" --mg "$MG" --Z "$Z" --ZR "$ZR" --levels "$LEVELS" --out-dir "$dir"
        mgset="--set invd=$ref/invd.bin --set zf_tab=$dir/zf_tab.bin"
    fi
    if [ "$FAULT" != none ]; then
        # shellcheck disable=SC2086
        step "$OUT/plant" "$FAULT" --dir "$dir" --ref "$ref" $geo --levels "$LEVELS" --ZR "$ZR"
        [ -f "$dir/A.bin" ] && A=$dir/A.bin
    fi
    # shellcheck disable=SC2086
    step "$WSBIN/wsld" "$dir/$1.obj" --set A="$A" --set diag="$ref/diag.bin" --set rcg="$ref/b.bin" $mgset \
        --set vprog="$dir/vprog.bin" --set lvl_tab="$dir/lvl_tab.bin" --set rt_ctx="$dir/rt_ctx.bin" --set rt_sock="$dir/rt_sock.bin" \
        --set rt_dot="$dir/rt_dot.bin" --set rt_dot_sock="$dir/rt_dot_sock.bin" --set rt_role="$dir/rt_role.bin" -o "$dir/$1.img"
}
engine=
[ -n "${ENGINE:-}" ] && engine="--engine $ENGINE"
rm -f "$dir/A.bin"

# ---- r and x of every level after the first V-cycle: a run of one iteration leaves them
if [ "$MG$CHECK_LEVELS" = 11 ]; then
    compile one 1
    # shellcheck disable=SC2086
    step "$WSBIN/wsrun" "$dir/one.img" -q $engine ${WSRUNFLAGS:-} --read r -o "$dir/levels_r.f32" --read x -o "$dir/levels_x.f32"
    # shellcheck disable=SC2086
    step "$OUT/fcmp_check" "$dir/levels_r.f32" "$ref" --vector r $geo --levels "$LEVELS"
    # shellcheck disable=SC2086
    step "$OUT/fcmp_check" "$dir/levels_x.f32" "$ref" --vector x $geo --levels "$LEVELS"
    rm -f "$dir/one.obj" "$dir/one.img"
fi

# ---- simulate, check, report
compile bench "$CG_NITER"
stamps=
[ "$TSTAMP" != 0 ] && stamps="--read ts -o $dir/ts.u16"
# shellcheck disable=SC2086
step "$WSBIN/wsrun" "$dir/bench.img" -q $engine ${WSRUNFLAGS:-} --read xcg -o "$dir/xcg.f32" --read rrh:0,0,1,1 -o "$dir/rrh.f32" \
    --stats json --stats-file "$dir/stats.json" $stamps
# shellcheck disable=SC2086
step "$OUT/fcmp_check" "$dir/xcg.f32" "$ref/x.f64" $geo --abs "$XTOL" --grid-out "$dir/x.f32"
step "$OUT/rr_history" "$dir/rrh.f32" "$ref/rr.csv" --got-f32 --iters "$CG_NITER" --csv-out "$dir/rr.csv"
# shellcheck disable=SC2086
step "$OUT/perf_report" "$dir/stats.json" $geo --mg "$MG" --levels "$LEVELS" --iters "$CG_NITER" --out-dir "$dir"
if [ "$TSTAMP" != 0 ]; then
    # shellcheck disable=SC2086
    step "$OUT/phase_report" "$dir/ts.u16" "$dir/vprog.bin" $geo --ZR "$ZR" --levels "$LEVELS" --mg "$MG" --out "$dir/phases.txt"
fi
echo "hpcg: $name passed"
sed -n -e '/^level [0-3], /p' -e '/^x: /p' -e '/^rr: /p' -e '/^cycles per/p' -e '/^credited/p' -e '/^rate/p' "$log"
[ "$TSTAMP" = 0 ] || cat "$dir/phases.txt"
