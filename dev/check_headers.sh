#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# check_headers.sh - every header compiles alone: public ones as C11 and C++17, internal ones as
# C11, with each compiler that is here. Warnings fail.
set -eu
cd "$(dirname "$0")/.."
warnings="-Wall -Wextra -Wpedantic -Wundef -Werror"
llvm=
command -v llvm-config-19 >/dev/null && llvm="-isystem $(llvm-config-19 --includedir)"
here=0
bad=0

try() { # compiler language header flags...
    compiler=$1 language=$2 header=$3
    shift 3
    # shellcheck disable=SC2086
    echo "#include \"$header\"" | "$compiler" -x "$language" "$@" $warnings -Iinclude -Isrc -Itests \
        -fsyntax-only - || { echo "$header: fails alone as $*, $compiler"; bad=1; }
}

for compiler in gcc clang-19 clang; do
    command -v "$compiler" >/dev/null || continue
    [ "$compiler" = clang ] && command -v clang-19 >/dev/null && continue
    here=$((here + 1))
    for header in include/slipway/*.h; do
        try "$compiler" c "slipway/${header##*/}" -std=c11
    done
    for header in src/*/*.h; do
        case $header in
        src/front/* | src/target/* | src/compile/*) [ -n "$llvm" ] || continue ;;
        esac
        # shellcheck disable=SC2086
        try "$compiler" c "${header#src/}" -std=c11 $llvm
    done
done
for compiler in g++ clang++-19 clang++; do
    command -v "$compiler" >/dev/null || continue
    [ "$compiler" = clang++ ] && command -v clang++-19 >/dev/null && continue
    for header in include/slipway/*.h; do
        try "$compiler" c++ "slipway/${header##*/}" -std=c++17
    done
done
[ "$here" -gt 0 ] || { echo "no compiler was found"; exit 1; }
exit $bad
