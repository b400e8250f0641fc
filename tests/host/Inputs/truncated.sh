#!/bin/bash
# truncated.sh WSRUN OBJ TMP: every length of the file in steps of 37 bytes, and a random byte changed 200 times
# (a changed file may be sound by chance; it must not crash: exit codes 0 to 5 only).
wsrun=$1 obj=$2 tmp=$3 bad=0
size=$(stat -c %s "$obj")
for ((n = 0; n < size; n += 37)); do
    head -c $n "$obj" >"$tmp.cut"
    out=$("$wsrun" "$tmp.cut" 2>&1)
    code=$?
    if [ $code != 2 ] || [ "$(wc -l <<<"$out")" != 1 ]; then
        echo "cut at $n: exit code $code: $out"
        bad=1
    fi
done
RANDOM=1
for ((i = 0; i < 200; i++)); do
    cp "$obj" "$tmp.cut"
    at=$(((RANDOM * 32768 + RANDOM) % size))
    # shellcheck disable=SC2059
    printf "\\x$(printf %x $((RANDOM % 256)))" | dd of="$tmp.cut" bs=1 seek=$at conv=notrunc status=none
    out=$("$wsrun" "$tmp.cut" --max-cycles 1000 2>&1)
    code=$?
    if [ $code -gt 5 ] || [ $code = 1 ]; then
        echo "byte $at changed: exit code $code: $out"
        bad=1
    fi
done
exit $bad
