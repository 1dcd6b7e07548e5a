#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# check_package.sh BUILD - installs the build into a folder of its own and uses it from there: as a
# CMake package from C and C++, and through pkg-config. Expects the figures of README.md, and of the
# program in docs/guide/calling.md that has the compiler in it.
set -eu
build=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/prefix" >"$work/log" || { cat "$work/log"; exit 1; }

# A link of an installed page leads to what is installed.
find "$work/prefix" -name '*.md' | while read -r page; do
    grep -o '](\([^)#: ]*\)' "$page" | sed 's/^](//' | while read -r to; do
        [ -e "$(dirname "$page")/$to" ] || echo "${page#"$work/prefix/"} has a link to $to, which is not there"
    done
done >"$work/dead"
[ -s "$work/dead" ] && { cat "$work/dead"; exit 1; }
find "$work/prefix" -name README.md | grep -q . || { echo "no page is installed"; exit 1; }

mkdir "$work/user"
cp "$here/axpy.c" "$here/main.c" "$here/waves.c" "$here/waves_main.c" "$work/user/"
cp "$here/user.cmake" "$work/user/CMakeLists.txt"
awk '/^```c main made_now.c$/ { on = 1; next } /^```$/ { on = 0 } on' \
    "$here/../../docs/guide/calling.md" >"$work/user/made_now.c"
expected='12 14 16 18, sum 60'

said() { # name what-it-printed
    [ "$2" = "$expected" ] && return
    echo "$1 printed \"$2\", expected \"$expected\""
    exit 1
}

cmake -S "$work/user" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$work/prefix" >"$work/log" 2>&1 &&
    cmake --build "$work/cmake" >>"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
said "the CMake program in C" "$("$work/cmake/user")"
said "the CMake program in C++" "$("$work/cmake/user_cxx")"
[ "$("$work/cmake/made_now")" = "10 40" ] || { echo "the CMake program with the compiler in it fails"; exit 1; }
[ "$("$work/cmake/waves")" = "the same bits" ] || { echo "the reference has other math functions"; exit 1; }

# Ninja compiles kernels again when a file that they include has changed, and at no other time.
again() {
    cmake --build "$work/ninja" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
}
if command -v ninja >/dev/null; then
    printf '#include "part.h"\n' | cat - "$here/axpy.c" >"$work/user/axpy.c"
    : >"$work/user/part.h"
    cmake -G Ninja -S "$work/user" -B "$work/ninja" -DCMAKE_PREFIX_PATH="$work/prefix" \
        >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
    again
    again
    grep -q "Compiling kernels" "$work/log" && { echo "nothing changed, and kernels are compiled"; exit 1; }
    sleep 1
    echo "/* changed */" >"$work/user/part.h"
    again
    grep -q "Compiling kernels of axpy.c" "$work/log" ||
        { echo "an included file changed, and the kernels are not compiled"; exit 1; }
fi

# By hand, as README.md has it.
cd "$work/user"
pc=$(find "$work/prefix" -name slipway.pc)
flags=$(PKG_CONFIG_PATH=$(dirname "$pc") pkg-config --cflags --libs slipway)
"$work/prefix/bin/slipc" -o axpy.slip axpy.c
# shellcheck disable=SC2086
cc main.c axpy.slip.c $flags -o by_hand
said "the program by hand" "$(./by_hand)"
flags=$(PKG_CONFIG_PATH=$(dirname "$pc") pkg-config --cflags --libs slipc slipway)
# shellcheck disable=SC2086
cc made_now.c $flags -o made_now
[ "$(./made_now)" = "10 40" ] || { echo "the program by hand with the compiler in it fails"; exit 1; }
