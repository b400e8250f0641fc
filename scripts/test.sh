#!/bin/bash
# test.sh: builds what is needed and runs the tests; the last line is "N passed, N failed, N skipped".
#
#   ./scripts/test.sh              all tests
#   ./scripts/test.sh --quick      without the slow ones: under a minute
#   ./scripts/test.sh --sanitized  all tests, then all of them again with ASan and UBSan (what CI does, with --small)
#   ./scripts/test.sh --small      all tests, then the quick ones again on both engines at once, each run compared, with small limits
#   ./scripts/test.sh --filter RE  only tests whose name matches
set -uo pipefail
cd "$(dirname "$0")/.."

suites=(build) target=(--slow) more=()
while [ $# -gt 0 ]; do
    case $1 in
    --quick) target=() ;;
    --sanitized) suites+=(build-san) ;;
    --small) suites+=(build-small) ;;
    --filter) more=(--filter "${2:?--filter needs a pattern}"); shift ;;
    -h | --help) sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "test: unknown option $1 (see --help)" >&2; exit 2 ;;
    esac
    shift
done

counts=$(mktemp)
trap 'rm -f "$counts"' EXIT
bad=0
for dir in "${suites[@]}"; do
    opt=()
    slow=("${target[@]}")
    [ "$dir" = build-san ] && opt=(--sanitize)
    [ "$dir" = build-small ] && opt=(--small) slow=()
    ./scripts/setup.sh --build "${opt[@]}" || { echo "test: the build in $dir/ failed" >&2; bad=1; continue; }
    cmake --build "$dir" --target test-programs || { echo "test: the build in $dir/ failed" >&2; bad=1; continue; }
    lit=$(sed -n 's/^LIT_PY:FILEPATH=//p' "$dir/CMakeCache.txt")
    echo "test: suite in $dir/"
    python3 tests/tools/runlit.py --lit "$lit" "${slow[@]}" "${more[@]}" --count-file "$counts" "$dir/tests" || bad=1
done
awk -v bad=$bad '{ p += $1; f += $2; s += $3 }
     END { if (bad && !f) f = 1; printf "%d passed, %d failed, %d skipped\n", p, f, s; exit bad || f || !p }' "$counts"
