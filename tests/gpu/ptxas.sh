#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# ptxas.sh SLIPC SPLIT PTXAS FILE.c... - compiles each file for ptx and puts the text through
# NVIDIA's assembler for the H200's level. Fails with its words, and where a text asks for anything
# that rounds otherwise than C does. PTXAS may be "none": then it is skipped (exit status 77), or
# fails where SLIPWAY_REQUIRE names ptxas.
set -u
slipc=$1 split=$2 ptxas=$3
shift 3
if [ "$ptxas" = none ]; then
    case ",${SLIPWAY_REQUIRE:-}," in
    *,ptxas,*) echo "ptxas is required, and missing" && exit 1 ;;
    esac
    echo "skipped: ptxas: there is none (it comes with CUDA)"
    exit 77
fi
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0 kernels=0 left_out=0

for file in "$@"; do
    rm -f "$work"/*
    if ! "$slipc" ${SLIPC_FLAGS:-} --target=ptx -o "$work/m.slip" "$file" >"$work/log" 2>&1; then
        echo "$file does not compile:" && cat "$work/log"
        failed=1
        continue
    fi
    if ! "$split" "$work/m.slip" "$work" >"$work/left"; then
        echo "$file: no code"
        failed=1
        continue
    fi
    sed "s|^|$file: |" "$work/left"
    left_out=$((left_out + $(wc -l <"$work/left")))
    kernels=$((kernels + $(grep -c '^\.visible \.entry s[0-9]*(' "$work/ptx")))
    if ! "$ptxas" -arch=sm_90 "$work/ptx" -o "$work/cubin" >"$work/log" 2>&1; then
        echo "$file: ptxas:" && cat "$work/log"
        failed=1
    fi
    if grep -nE '\.ftz|\.approx|\.full|^[[:space:]]+(add|sub|mul)\.f(32|64)' "$work/ptx"; then
        echo "$file: rounds otherwise"
        failed=1
    fi
done
echo "$kernels kernels of $# files, $left_out left out"
[ "$kernels" -gt 0 ] || failed=1
exit $failed
