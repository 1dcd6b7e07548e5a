#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# sizes.sh [BUILD] - how large things are: lines per folder, the longest files and functions, the
# libraries stripped. It informs; of sizes only the 1000-line limit of check_spdx.sh fails.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-$top/build}
cd "$top"

echo "lines by folder"
for folder in include src/* tools examples bench tests dev cmake; do
    [ -d "$folder" ] || continue
    printf '%8d  %s\n' "$(find "$folder" -type f -name '*.[ch]' -exec cat {} + | wc -l)" "$folder"
done
echo "longest files"
find src tools include -name '*.[ch]' -exec wc -l {} + | grep -v ' total$' | sort -rn | head -8
echo "longest functions"
find src tools -name '*.c' -exec awk '
    /^[a-z].*\)$/ || /^ +.*\)$/ { if (!inside) name = $0 }
    /^\{/ { start = FNR; inside = 1 }
    /^\}/ && inside { printf "%8d  %s:%d\n", FNR - start, FILENAME, start; inside = 0 }' {} + |
    sort -rn | head -8
for library in "$build/libslipway.a" "$build/libslipc.a"; do
    [ -f "$library" ] || continue
    copy=$(mktemp)
    strip --strip-debug -o "$copy" "$library"
    echo "$library: $(size -t "$copy" | awk 'END { print $1 + $2 }') bytes of code and data"
    rm -f "$copy"
done
