#!/bin/sh
# Test the host tools of the HPCG example: sh run.sh BUILD_DIR [full].  Builds them there, prints one line a test, exits 1 if one
# fails.  full: also the long runs of the PE model.
set -u
full=${2:-}
if [ $# -lt 1 ] || [ $# -gt 2 ] || { [ -n "$full" ] && [ "$full" != full ]; }; then
    echo "usage: sh run.sh BUILD_DIR [full]" >&2
    exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
src=$(cd "$here/../../../examples/hpcg" && pwd)
mkdir -p "$1" || exit 2
B=$(cd "$1" && pwd)
W=$B/work
CC=${CC:-gcc}
CF="-O2 -std=gnu11 -Wall -Wextra -Werror -ffp-contract=off -I$src ${CFLAGS:-}"
LC_ALL=C
export LC_ALL
rm -rf "$W"
mkdir -p "$W" || exit 2

passed=0 failed=0
# expect STATUS NAME COMMAND...: run it, want that exit status
expect() {
    want=$1 name=$2
    shift 2
    "$@" >"$W/out" 2>&1
    got=$?
    if [ "$got" -eq "$want" ]; then
        passed=$((passed + 1))
        echo "ok    $name"
    else
        failed=$((failed + 1))
        echo "FAIL  $name: exit $got, expected $want"
        sed 's/^/      | /' "$W/out" | head -20
    fi
}
# said NAME TEXT: the last command printed TEXT
said() { expect 0 "$1" grep -q -e "$2" "$W/out.keep"; }
keep() { cp "$W/out" "$W/out.keep"; }

make -s -f "$src/Makefile" tools OUT="$B" || { echo "FAIL  build"; exit 1; }
$CC $CF "$here/pe_model.c" "$here/pe_fabric.c" -o "$B/pe_model" && $CC $CF "$here/route_faults.c" "$B/hpcg_common.o" -o "$B/route_faults" -lm ||
    { echo "FAIL  build of the tests"; exit 1; }

# ---- the reference against official HPCG: rr, rtz, pAp, max|x - 1| of all 11 rows, 1e-11 relative
# history CASE CSV TABLE: fails unless every row of the case is there and agrees
history() {
    awk -F, -v name="$1" '
        function far(a, b) { d = a - b; if (d < 0) d = -d; m = b < 0 ? -b : b; return !(d <= 1e-11 * m) }
        FNR == NR { if ($1 == name) { want[$2] = $3 "," $5 "," $6 "," $7; rows++ }; next }
        FNR == 1 { if ($0 != "iter,rr,rtz,pAp,max_err") { print "head: " $0; bad++ }; next }
        { if (!($1 in want)) { print "row " $1 " is not in the history"; bad++; next }
          split(want[$1], w, ",")
          for (c = 1; c <= 4; c++)
              if (far($(c + 1), w[c])) { printf "iteration %d column %d: got %s, expected %s\n", $1, c, $(c + 1), w[c]; bad++ }
          seen++ }
        END { if (rows != 11 || seen != rows) { printf "%d rows compared, %d in the history\n", seen, rows; bad++ }; exit bad != 0 }
    ' "$3" "$2"
}
H=$here/hpcg-history.csv
for c in "smoke 8 8 128 8" "small 16 16 128 16" "single16 16 16 16 16"; do
    set -- $c
    dir="--out-dir $W/$1"
    [ "$1" = single16 ] && dir=
    for order in hpcg fabric; do
        # shellcheck disable=SC2086
        expect 0 "ref $1 $order: runs" "$B/hpcg_ref1" --H "$2" --V "$3" --Z "$4" --NGS "$5" --init exact --order $order --iters 10 $dir
        grep -v flops "$W/out" >"$W/$1.$order.csv"
        # in fabric order the rounding differs: the last digits of max|x - 1| are below 1e-11 of it; hpcg order is compared in full
        [ $order = hpcg ] && expect 0 "ref $1: equals the official history" history "$1" "$W/$1.hpcg.csv" "$H"
        if [ $order = fabric ]; then
            cut -d, -f1-2 "$W/$1.fabric.csv" >"$W/$1.rr.csv"
            expect 0 "ref $1: the fabric's order agrees to 1e-10" "$B/rr_history" "$W/$1.rr.csv" "$W/$1.hpcg.csv" --rel 1e-10 --floor 1e-14
        fi
    done
done
sed '5s/,\([0-9]\)\.\([0-9]\)/,\1.9/' "$W/small.hpcg.csv" >"$W/bad.csv"
expect 1 "fault: a wrong rtz is seen" history small "$W/bad.csv" "$H"
sed '$d' "$W/small.hpcg.csv" >"$W/bad.csv"
expect 1 "fault: a missing row is seen" history small "$W/bad.csv" "$H"
awk -F, -v OFS=, 'NR == 4 { $2 = sprintf("%.17g", $2 * (1 + 3e-11)) } { print }' "$W/small.hpcg.csv" >"$W/bad.csv"
expect 1 "fault: rr off by 3e-11 is seen" history small "$W/bad.csv" "$H"
expect 1 "fault: another domain edge is another history" history smoke "$W/small.hpcg.csv" "$H"
# several domains and a random matrix: the two ways of doing SYMGS are one algorithm, frozen or severed
for bc in frozen sever; do
    for order in hpcg fabric; do
        expect 0 "ref 2x2 domains $bc $order: runs" "$B/hpcg_ref1" --H 32 --V 32 --Z 32 --ZR 8 --bc $bc --order $order --iters 4
        grep -v flops "$W/out" >"$W/dom.$bc.$order.csv"
    done
    expect 0 "ref 2x2 domains $bc: orders agree" "$B/rr_history" "$W/dom.$bc.fabric.csv" "$W/dom.$bc.hpcg.csv" --rel 1e-11
done
expect 1 "ref: sever is not frozen" "$B/rr_history" "$W/dom.sever.hpcg.csv" "$W/dom.frozen.hpcg.csv"
for c in "smoke 8 8 128 8 2522184" "small 16 16 128 16 11109504"; do
    set -- $c
    expect 0 "ref $1: credited flops" grep -q "\"flops_per_iter\": $6," "$W/$1/info.json"
done
expect 0 "ref smoke: non-zeros" grep -q '"nnz": \[184888, 19000, 1504, 46\]' "$W/smoke/info.json"
expect 0 "ref: 4 levels dumped" "$B/hpcg_ref1" --H 8 --V 8 --Z 128 --NGS 8 --iters 1 --dump-levels --out-dir "$W/levels" --quiet
expect 0 "ref: level 3 has 1 x 1 x 16 points" test "$(wc -c <"$W/levels/r_L3.f64")" -eq 128

# ---- routing: the checker over sizes, over the packed files, and over faults
for s in "8 8" "16 16" "32 16" "8 24" "24 8" "64 64" "128 72"; do
    set -- $s
    expect 0 "routing $1 x $2" "$B/hpcg_router1" --H "$1" --V "$2"
done
expect 0 "routing: written" "$B/hpcg_router1" --H 16 --V 24 --out-dir "$W/rt"
expect 0 "routing: .rt checked" "$B/hpcg_router1" --check "$W/rt/router.rt"
expect 0 "routing: packed" "$B/pack_routing" "$W/rt/router.rt" --out-dir "$W/rt"
expect 0 "routing: packed files checked" "$B/hpcg_router1" --check-dir "$W/rt" --H 16 --V 24
expect 1 "fault: packed for another shape is seen" "$B/hpcg_router1" --check-dir "$W/rt" --H 24 --V 16
expect 2 "fault: packed for another size is seen" "$B/hpcg_router1" --check-dir "$W/rt" --H 16 --V 16
head -c 1000 "$W/rt/router.rt" >"$W/short.rt"
expect 2 "fault: a short .rt file" "$B/pack_routing" "$W/short.rt" --out-dir "$W/x"
expect 2 "fault: no .rt file" "$B/pack_routing" "$W/smoke/A.bin" --out-dir "$W/x"
expect 0 "faults: every flipped bit is seen" "$B/route_faults"

# ---- all files of an image together: a model of the PE array runs them, bit for bit the fp32 reference
for c in "8 8 128 6" "16 24 16 10"; do
    set -- $c
    G="--H $1 --V $2 --Z $3"
    I=$W/image$1
    # shellcheck disable=SC2086
    {
        expect 0 "image $1 x $2: inputs" "$B/hpcg_ref1" $G --mg 0 --iters "$4" --quiet --out-dir "$I"
        expect 0 "image $1 x $2: fp32 reference" "$B/hpcg_ref1" $G --mg 0 --iters "$4" --quiet --order fabric --precision f32 --out-dir "$I.f32"
        expect 0 "image $1 x $2: routes" "$B/hpcg_router1" --H "$1" --V "$2" --out-dir "$I" --quiet
        expect 0 "image $1 x $2: packed" "$B/pack_routing" "$I/router.rt" --out-dir "$I"
        expect 0 "image $1 x $2: op program" "$B/vprog" --mg 0 --out-dir "$I"
        expect 0 "image $1 x $2: queues" "$B/host_stencil" --mg 0 --Z "$3" --out-dir "$I"
        bases=$("$B/pe_model" bases=1 mg=0 Z="$3")
        expect 0 "image $1 x $2: levels" "$B/host_levels" --mg 0 --Z "$3" --out-dir "$I" $bases
        M="dir=$I ref=$I.f32 mg=0 H=$1 V=$2 Z=$3 iters=$4"
        expect 0 "image $1 x $2: the model equals the reference" "$B/pe_model" $M
        expect 0 "image $1 x $2: ... in a random order" "$B/pe_model" $M seed=1
        expect 0 "image $1 x $2: x is good" "$B/fcmp_check" "$I/x_got.f32" "$I/x.f64" $G
        expect 0 "image $1 x $2: rr is good" "$B/rr_history" "$I/rr_got.f32" "$I/rr.csv" --got-f32 --iters "$4"
    }
done
I=$W/image8
expect 0 "A.bin: 26 f32 a row" test "$(wc -c <"$I/A.bin")" -eq $((8 * 8 * 128 * 26 * 4))
expect 0 "lvl_tab.bin: 8 iterators" test "$(wc -c <"$I/lvl_tab.bin")" -eq 32

# ---- MG=1: routing
for s in "8 8 8" "16 16 16" "16 16 8" "32 16 16" "24 48 24" "64 64 16" "128 72 8"; do
    set -- $s
    expect 0 "routing MG=1 $1 x $2, domains of $3" "$B/hpcg_router1" --mg 1 --H "$1" --V "$2" --NGS "$3" --bc sever
done
expect 0 "routing MG=1: written" "$B/hpcg_router1" --mg 1 --H 32 --V 16 --NGS 16 --out-dir "$W/rt1"
keep
said "routing MG=1: at most 9 slots on level 1" 'gs_fwd L1 .*at most 9 slots'
expect 0 "routing MG=1: .rt checked" "$B/hpcg_router1" --check "$W/rt1/router.rt" --NGS 16
expect 1 "fault: domains of another size" "$B/hpcg_router1" --check "$W/rt1/router.rt" --NGS 8
expect 0 "routing MG=1: packed" "$B/pack_routing" "$W/rt1/router.rt" --out-dir "$W/rt1"
expect 0 "routing MG=1: packed files checked" "$B/hpcg_router1" --check-dir "$W/rt1" --mg 1 --H 32 --V 16
expect 1 "fault: packed for another shape" "$B/hpcg_router1" --check-dir "$W/rt1" --mg 1 --H 16 --V 32
expect 0 "rt_ctx.bin: 17 contexts" test "$(wc -c <"$W/rt1/rt_ctx.bin")" -eq $((32 * 16 * 17 * 36))

# ---- MG=1: all files of an image, run by the model, bit for bit the fp32 reference
# image NAME H V Z NGS ZR LEVELS BC ITERS: makes $I, sets $M
image() {
    I=$W/mg$1 G="--H $2 --V $3 --Z $4" D="--NGS $5 --ZR $6 --levels $7 --bc $8 --iters $9 --quiet"
    M="dir=$I ref=$I.f32 H=$2 V=$3 Z=$4 ZR=$6 levels=$7 iters=$9"
    bases=$("$B/pe_model" bases=1 Z="$4" ZR="$6" levels="$7")
    # shellcheck disable=SC2086
    {
        expect 0 "$1: inputs" "$B/hpcg_ref1" $G $D --dump-levels --out-dir "$I"
        expect 0 "$1: fp32 reference" "$B/hpcg_ref1" $G $D --order fabric --precision f32 --out-dir "$I.f32"
        expect 0 "$1: routes" "$B/hpcg_router1" --H "$2" --V "$3" --NGS "$5" --bc "$8" --mg 1 --out-dir "$I" --quiet
        expect 0 "$1: packed" "$B/pack_routing" "$I/router.rt" --out-dir "$I"
        expect 0 "$1: op program" "$B/vprog" --levels "$7" --bc "$8" --out-dir "$I"
        expect 0 "$1: queues, z-ranks" "$B/host_stencil" --Z "$4" --ZR "$6" --levels "$7" --out-dir "$I"
        expect 0 "$1: level table" "$B/host_levels" --Z "$4" --levels "$7" --out-dir "$I" $bases
    }
}
# model WHAT STATUS ARGUMENT...
model() {
    what=$1 st=$2
    shift 2
    # shellcheck disable=SC2086
    expect "$st" "$what" "$B/pe_model" $M "$@"
}
image sever 16 16 64 8 16 4 sever 2
model "2 x 2 domains, severed: equals the reference" 0 poison=1 seed=1
image domains 16 16 64 8 16 4 frozen 3
model "2 x 2 domains: equals the reference" 0
model "2 x 2 domains: ... in a random order, with poison" 0 seed=1 poison=1
model "2 x 2 domains: ... without lent words" 0 seed=2 lend=0
# a phase must begin with set_router(nothing), set_sockets, set_router
model "fault: sockets first" 1 order=sockets_first
model "fault: router first" 1 order=router_first seed=1
image one_rank 16 8 32 8 0 4 frozen 3
model "one z-rank: equals the reference" 0 seed=3 poison=1
image three_levels 32 16 64 16 16 3 frozen 2
model "3 levels, 32 x 16: equals the reference" 0 poison=1
image two_levels 16 16 64 8 8 2 frozen 2
model "2 levels: equals the reference" 0 seed=4 poison=1
image one_level 8 16 24 8 0 1 frozen 3
model "1 level: equals the reference" 0 seed=5 poison=1
image small 16 16 128 16 16 4 frozen 2
model "small, 2 iterations: equals the reference" 0
if [ -n "$full" ]; then
    image small10 16 16 128 16 16 4 frozen 10
    model "small: equals the reference" 0
    model "small: ... in a random order" 0 seed=1
    image dom32 32 32 192 16 16 4 frozen 2
    model "domains2x2, 2 iterations: equals the reference" 0
    image z224 16 16 224 16 56 4 frozen 2
    model "Z = 224, ZR = 56: equals the reference" 0
    image quad 64 16 64 8 0 4 frozen 2
    model "16 domains: equals the reference" 0 seed=6
fi
image smoke 8 8 128 8 16 4 frozen 2
model "smoke: equals the reference" 0
for seed in 1 2 3; do
    model "smoke: ... in a random order, seed $seed" 0 seed=$seed poison=1
done
# shellcheck disable=SC2086
{
    expect 0 "smoke: x is good" "$B/fcmp_check" "$I/x_got.f32" "$I/x.f64" $G
    expect 0 "smoke: rr is good" "$B/rr_history" "$I/rr_got.f32" "$I/rr.csv" --got-f32 --iters 2
}

# ---- the levels after the first V-cycle, and faults planted in the tables
image faults 8 8 128 8 16 4 frozen 1
# levels STATUS NAME: r and x of the last model run against the reference
levels() {
    # shellcheck disable=SC2086
    expect "$1" "$2: r of the levels" "$B/fcmp_check" "$I/r_levels.f32" "$I" --vector r $G
    # shellcheck disable=SC2086
    expect "$3" "$2: x of the levels" "$B/fcmp_check" "$I/x_levels.f32" "$I" --vector x $G
}
model "levels: the model runs" 0
levels 0 "levels" 0
# patch FILE OFFSET OCTAL...: bytes of an image file, with a copy of the whole file kept
patch() {
    f=$I/$1
    [ -f "$W/kept" ] || cp "$f" "$W/kept"
    printf "$3" | dd of="$f" bs=1 seek="$2" conv=notrunc 2>/dev/null
}
restore() { mv "$W/kept" "$f"; }
for at in 32 98; do patch vprog.bin $at '\001\001'; done
for at in 52 76; do patch vprog.bin $at '\001\002'; done
model "fault: no chunk exchange (set_level in its place)" 1
levels 1 "fault: ... is seen" 1
restore
patch vprog.bin 72 '\001\002' # prolong to level 2 is op 37 at byte 74
patch vprog.bin 74 '\001\002'
model "fault: no prolongation to level 2" 1
levels 1 "fault: ... is seen" 1
restore
patch zf_tab.bin 0 '\040\000\004\000' # 4 z-ranks of 32 rows on level 0
model "fault: z-ranks of another height" 1
levels 1 "fault: ... is seen" 1
restore
# iterator walkres_r on level 1: one word further
bases=$("$B/pe_model" bases=1 Z=128)
# shellcheck disable=SC2086
at=$("$B/host_levels" --Z 128 --list $bases | awk '$2 == "walkres_r" { split($6, a, "/"); print a[1] + 4 }')
n_iter=$("$B/host_levels" --Z 128 --list | wc -l) i_res=$("$B/host_levels" --Z 128 --list | awk '$2 == "walkres_r" { print $1 }')
patch lvl_tab.bin $(((n_iter + i_res) * 4)) "$(printf '\\%03o\\%03o' $((at % 256)) $((at / 256)))"
model "fault: restriction off by one" 1
levels 1 "fault: ... is seen" 1
restore
# the coarsest level is one column: rows 152..155 of PE (0, 0), machine row 7; own z-1 of its last (not of row 1: the sweep of
# level 2 ends in row 0 and leaves no residual there)
patch A.bin $((((7 * 8) * 156 + 155) * 104 + 100)) '\000\000\000\000'
model "fault: a coefficient of the coarsest level is missing" 1
levels 1 "fault: ... is seen" 1
restore
model "levels: the image is whole again" 0

# ---- MG=1: tables and memory
expect 0 "memory: Z = 224 with ZR = 56 fits" "$B/host_levels" --Z 224 --ZR 56 --memory
expect 0 "memory: Z = 192 with ZR = 16 fits" "$B/host_levels" --Z 192 --memory
expect 1 "memory: Z = 256 does not" "$B/host_levels" --Z 256 --ZR 64 --memory
keep
said "memory: ... and says by how much" 'data take .* bytes, more than 40960'
expect 0 "lvl_tab.bin: 5 rows of all iterators" test "$(wc -c <"$W/mgfaults/lvl_tab.bin")" -eq $((5 * n_iter * 4))
expect 2 "levels: an array that leaves the memory" "$B/host_levels" --Z 128 --list A=0xf000

I=$W/image8
# ---- the checks fail when they must
G="--H 8 --V 8 --Z 128"
# shellcheck disable=SC2086
{
    expect 1 "fault: rows in the wrong order" "$B/fcmp_check" "$I/x_got.f32" "$I/x.f64" $G --got-order grid
    keep
    said "fault: ... and says where" 'x at grid ([0-9]*, [0-9]*, [0-9]*).*got .*expected'
    expect 0 "x: grid order" "$B/fcmp_check" "$I/x.f32" "$I/x.f64" $G --got-order grid
    cp "$I/x_got.f32" "$W/x1"
    printf '\000\000\300\177' | dd of="$W/x1" bs=4 seek=5000 conv=notrunc 2>/dev/null
    expect 1 "fault: a NaN in x" "$B/fcmp_check" "$W/x1" "$I/x.f64" $G --abs 1e30
    cp "$I/x_got.f32" "$W/x1"
    printf '\000\000\200\077' | dd of="$W/x1" bs=4 seek=8191 conv=notrunc 2>/dev/null
    expect 1 "fault: one wrong x" "$B/fcmp_check" "$W/x1" "$I/x.f64" $G
    expect 2 "fault: x of another size" "$B/fcmp_check" "$I/x_got.f32" "$I/x.f64" --H 8 --V 8 --Z 64
    expect 2 "fault: no tolerance" "$B/fcmp_check" "$I/x_got.f32" "$I/x.f64" $G --abs nan
}
expect 1 "fault: one iteration missing" "$B/rr_history" "$I/rr_got.f32" "$I/rr.csv" --got-f32 --iters 7
cp "$I/rr_got.f32" "$W/r1"
printf '\000\000\300\177' | dd of="$W/r1" bs=4 seek=2 conv=notrunc 2>/dev/null
expect 1 "fault: a NaN in rr" "$B/rr_history" "$W/r1" "$I/rr.csv" --got-f32
awk -F, -v OFS=, 'NR == 5 { $2 = sprintf("%.17g", $2 * 1.0002) } { print }' "$I/rr.csv" >"$W/r2"
expect 1 "fault: rr off by 2e-4" "$B/rr_history" "$W/r2" "$I/rr.csv"
keep
said "fault: ... and says where" 'iteration 3: got rr .*expected'
sed 3d "$I/rr.csv" >"$W/r3"
expect 1 "fault: a hole in rr.csv" "$B/rr_history" "$W/r3" "$I/rr.csv"
expect 2 "fault: rr.csv without columns" "$B/rr_history" "$I/info.json" "$I/rr.csv"
P="--H 16 --V 16 --Z 128 --iters 10"
echo '{"cycles": 520000, "clock_hz": 875000000, "other": [1]}' >"$W/s1"
echo '{"cycles": 177919}' >"$W/s2"
echo '{"cycles": 0}' >"$W/s3"
echo '{"cycles": 5,' >"$W/s4"
# shellcheck disable=SC2086
{
    expect 0 "perf: a report" "$B/perf_report" "$W/s1" $P --out-dir "$W"
    expect 0 "perf: perf.json" grep -q '"cycles_per_iter": 52000.0' "$W/perf.json"
    # 11109504 flops in 52000 cycles at 875 MHz
    expect 0 "perf: the rate" grep -q '"gflops": 186.938' "$W/perf.json"
    expect 1 "fault: below the floor of 139 Z" "$B/perf_report" "$W/s2" $P
    expect 0 "perf: MG=0 has another floor" "$B/perf_report" "$W/s2" $P --mg 0
    expect 2 "fault: no cycles" "$B/perf_report" "$W/s3" $P
    expect 2 "fault: half a JSON file" "$B/perf_report" "$W/s4" $P
    expect 2 "fault: no file" "$B/perf_report" "$W/none" $P
}

# ---- op program
expect 0 "vprog MG=0: 9 ops" test "$(wc -c <"$I/vprog.bin")" -eq 18
expect 0 "vprog MG=1: listed" "$B/vprog" --list
# 3 levels before and after the coarse grid, one SYMGS on the coarsest: 7 sweeps each way
expect 0 "vprog MG=1: 7 forward sweeps" test "$("$B/vprog" --list | grep -c GS_FWD_DOWN)" -eq 7
expect 0 "vprog MG=1: 7 backward sweeps" test "$("$B/vprog" --list | grep -c GS_BWD_UP)" -eq 7
expect 0 "vprog MG=1: 3 SpMV at level 0" test "$("$B/vprog" --list | grep -c SPMV_FULL)" -eq 3
expect 0 "vprog MG=1: 4 coarse SpMV" test "$("$B/vprog" --list | grep -c SPMV_DOWN)" -eq 4
expect 0 "vprog BC=sever: 3 cut SpMV" test "$("$B/vprog" --list --bc sever | grep -c -e 'SPMV_FULL.*context 17' -e 'SPMV_DOWN.*context \(19\|21\)')" -eq 3
expect 0 "vprog LEVELS=1: no co-sets" test "$("$B/vprog" --list --levels 1 | grep -c -e REDIST -e XCHG)" -eq 0
expect 2 "vprog: no level" "$B/vprog" --levels 0
expect 0 "vprog: constants" test "$("$B/vprog" --constants | grep -c '^const OP_')" -eq 22

# ---- bad use: one line, exit 2, never a crash
for t in hpcg_ref1 vprog hpcg_router1 pack_routing host_levels host_stencil fcmp_check rr_history perf_report; do
    expect 0 "$t --help" "$B/$t" --help
    expect 2 "$t: an unknown option" "$B/$t" --nonsense 3
    expect 2 "$t: an option without its value" "$B/$t" --out-dir
done
expect 2 "H not divisible by 8" "$B/hpcg_ref1" --H 12 --V 8 --Z 128
expect 2 "H not divisible by NGS" "$B/hpcg_ref1" --H 24 --V 24 --Z 128
expect 2 "Z not divisible by ZR" "$B/hpcg_ref1" --H 16 --V 16 --Z 72
expect 2 "Z < 4 ZR has no image" "$B/hpcg_ref1" --H 16 --V 16 --Z 16 --out-dir "$W/x"
expect 2 "a negative size" "$B/hpcg_ref1" --H -8 --V 8 --Z 128
expect 2 "a size that is no number" "$B/hpcg_router1" --H 8x --V 8
expect 2 "a huge size" "$B/hpcg_router1" --H 99999999999999999999 --V 8
expect 2 "an unknown choice" "$B/hpcg_ref1" --H 8 --V 8 --Z 128 --init zero
expect 2 "H not divisible by NGS in the router" "$B/hpcg_router1" --H 24 --V 24 --mg 1
expect 2 "an output folder that cannot be" "$B/vprog" --out-dir "$W/out/x"
expect 0 "no temporary file is left" test -z "$(find "$W" -name '*.tmp.*')"

echo "hpcg host tools: $passed passed, $failed failed"
[ "$failed" -eq 0 ] && rm -rf "$W"
[ "$failed" -eq 0 ]
