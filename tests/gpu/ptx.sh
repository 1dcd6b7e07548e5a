#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# ptx.sh SLIPC SPLIT PTXAS FILE.c... - compiles each file for ptx and puts the text through
# NVIDIA's assembler (or "none") for the H200's level. Fails with its words, and where a text asks
# for anything that rounds otherwise than C does.
set -u
slipc=$1 split=$2 ptxas=$3
shift 3
. "$(dirname "$0")/common.sh"
need "$ptxas" ptxas "there is none (it comes with CUDA)"

for file in "$@"; do
    take ptx "$file" || continue
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
