#!/bin/bash
# options.sh WSRUN OBJ TMP: each line below is one wrong command line; prints "[arguments] what wsrun said".
# Anything but exit code 2, one line on stderr and nothing on stdout is reported as WRONG.
wsrun=$1 obj=$2 tmp=$3
export ASAN_OPTIONS=abort_on_error=1:detect_leaks=0    # a wrong command line ends at once, with what it holds
head -c 3 /dev/zero >"$tmp.3"
head -c 4 /dev/zero >"$tmp.4"
head -c 99 /dev/zero >"$tmp.99"
: >"$tmp.empty"
echo 'fn main() void {}' >"$tmp.text"
head -c $(($(stat -c %s "$obj") / 2)) "$obj" >"$tmp.half"
cp "$obj" "$tmp.version"
printf '\143' | dd of="$tmp.version" bs=1 seek=48 conv=notrunc status=none    # e_flags, low byte: 99

try() {
    local args=() shown="$*" a out code
    for a in "$@"; do
        a=${a/#OBJ/$obj}
        a=${a/#EMPTY/$tmp.empty}
        a=${a/#TEXT/$tmp.text}
        a=${a/#HALF/$tmp.half}
        a=${a/#VERSION/$tmp.version}
        a=${a/#ELF/$wsrun}
        a=${a/=F/=$tmp.}
        args+=("$a")
    done
    "$wsrun" "${args[@]}" >"$tmp.stdout" 2>"$tmp.stderr" </dev/null
    code=$?
    out=$(cat "$tmp.stderr")
    if [ $code != 2 ] || [ "$(wc -l <"$tmp.stderr")" != 1 ] || [ -s "$tmp.stdout" ] || [ -e F ]; then
        echo "WRONG: exit code $code, stdout $(wc -c <"$tmp.stdout") bytes: [$shown] $out"
    else
        echo "[$shown] $out"
    fi
}
cd "$(dirname "$tmp")" || exit 1
try
try OBJ OBJ
try OBJ --nix
try OBJ -x
try OBJ --read
try OBJ --list=3
try OBJ --read x
try OBJ --read x --quiet -o F
try OBJ -o F
try OBJ --dump x -o F
try OBJ --read x:1,2 -o F
try OBJ --read x:0,0,1,1,1 -o F
try OBJ --read x:-1,0,1,1 -o F
try OBJ --read :0,0,1,1 -o F
try OBJ --read nix -o F
try OBJ --dump nix
try OBJ --read x:1,0,2,1 -o F
try OBJ --read x:0,0,9,9 -o F
try OBJ --read x:0,0,0,1 -o F
try OBJ --read only:0,0,2,1 -o F
try OBJ --read some -o F
try OBJ --read x -o /no/such/folder/f
try OBJ --read x -o /tmp
try OBJ --stats xml
try OBJ --stats-file /no/such/folder/f
try OBJ --max-cycles 0
try OBJ --max-cycles ten
try OBJ --max-cycles -5
try OBJ --max-cycles 99999999999999999999
try OBJ --arch-param hop_cycles
try OBJ --arch-param hop_cycles=x
try OBJ --arch-param hop_cycles=-1
try OBJ --arch-param =1
try OBJ --arch-param nix=1
try OBJ --engine warp
try OBJ --quiet --verbose
try OBJ --set x
try OBJ --set x=
try OBJ --set nix=F4
try OBJ --set x=/no/such
try OBJ --set x=/tmp
try OBJ --set x=F3
try OBJ --set x=F99
try OBJ --set x:5,0,1,1=F4
try OBJ --set main=F4
try /no/such.img
try /tmp
try EMPTY
try TEXT
try HALF
try VERSION
try ELF
echo done
