#!/bin/bash
# headers.sh ROOT CC: compile every header of the tree on its own.
root=$1
cc=$2
bad=0
cd "$root" || exit 1
n=0
for h in $(find frontend ir backend runtime examples -name '*.h' | LC_ALL=C sort); do
    std=gnu11
    case $h in runtime/include/*) std='c11 -pedantic-errors' ;; esac
    # shellcheck disable=SC2086
    if ! printf '#include "%s"\n#include "%s"\n' "$h" "$h" |
        $cc -std=$std -fsyntax-only -Wall -Wextra -Wno-unused-function -Wno-unused-const-variable -Werror -I. -I"$(dirname "$h")" -x c -; then
        echo "header does not compile on its own: $h"
        bad=1
    fi
    n=$((n + 1))
done
echo "$n headers"
[ $n -gt 0 ] && exit $bad
