#!/bin/bash
# setup.sh: everything from a fresh Debian 12 to a checked HPCG run, in one command.
#
#   ./scripts/setup.sh            install what is missing, configure, build into build/, run HPCG smoke with its checks
#   ./scripts/setup.sh --deps     only install what is missing (Debian packages; as root or through sudo)
#   ./scripts/setup.sh --build    install what is missing, configure and build; no run
#   ./scripts/setup.sh --sanitize with --build: into build-san/, with AddressSanitizer and UndefinedBehaviorSanitizer
#   ./scripts/setup.sh --small    with --build: into build-small/, with small limits (WS_SMALL_LIMITS) and both engines
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(gcc libc6-dev make cmake ninja-build flex bison python3 python3-dev python3-numpy python3-scipy
          libelf-dev libjansson-dev libstb-dev
          libcmocka-dev llvm-19-tools python3-psutil binutils bsdutils)

install_deps() {
    local missing=() p
    for p in "${packages[@]}"; do
        dpkg-query -W -f='${db:Status-Abbrev}' "$p" 2>/dev/null | grep -q '^.i' || missing+=("$p")
    done
    [ ${#missing[@]} -eq 0 ] && return
    echo "setup: installing ${missing[*]}"
    local as=()
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || { echo "setup: not root, and there is no sudo" >&2; exit 1; }
        as=(sudo)
    fi
    # a fresh machine has no package lists, an old one stale lists: update when there is nothing to install from
    local install=("${as[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}")
    if ! apt-cache show "${missing[@]}" >/dev/null 2>&1 || ! "${install[@]}"; then
        "${as[@]}" apt-get update -q
        "${install[@]}"
    fi
}

build() {   # build DIR OPTIONS...
    local dir=$1 log
    shift
    log=$(cmake -S . -B "$dir" -G Ninja "$@" 2>&1) || { echo "$log"; exit 1; }
    cmake --build "$dir"
}

what=all dir=build options=()
for a in "$@"; do
    case $a in
    --deps) what=deps ;;
    --build) what=build ;;
    --sanitize) dir=build-san options=(-DWS_SANITIZE=ON) ;;
    --small) dir=build-small options=(-DWS_SMALL_LIMITS=ON -DWS_DEFAULT_ENGINE=both) ;;
    -h | --help) sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "setup: unknown option $a (see --help)" >&2; exit 2 ;;
    esac
done

install_deps
[ $what = deps ] && exit 0
build $dir "${options[@]}"
[ $what = build ] && exit 0

if [ -f examples/hpcg/Makefile ]; then
    make -C examples/hpcg check GOAL=test TEST=smoke MODE=sim MG=0
fi
echo "setup: done; the tools are in $dir/bin"
