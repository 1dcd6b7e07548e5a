#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# check_spdx.sh - every source file says its licence in its first two lines, stays under 1000
# lines, and has no tab and no line far beyond 100 columns (tables in .def files excepted).
set -eu
cd "$(dirname "$0")/.."

files=$(find include src tools tests examples bench dev cmake math -type f \
    \( -name '*.[ch]' -o -name '*.def' -o -name '*.sh' -o -name '*.py' -o -name '*.cmake' \
    -o -name CMakeLists.txt \) -not -path 'tests/golden/*' -not -path '*/golden/*' \
    -not -path 'tests/fuzz/corpus/*' 2>/dev/null | LC_ALL=C sort)
[ -n "$files" ] || { echo "no source files were found"; exit 1; }
echo "$files" | xargs awk '
    FNR == 1 { if (seen && !marked) print seen ": no SPDX line"; bad += seen && !marked
               seen = FILENAME; marked = 0; long = 0 }
    FNR <= 2 && /SPDX-License-Identifier: Apache-2\.0/ { marked = 1 }
    FNR == 1000 { print FILENAME ": 1000 lines or more"; bad++ }
    FILENAME !~ /\.def$/ && length($0) > 120 && !long {
        printf "%s:%d: %d columns\n", FILENAME, FNR, length($0); long = 1; bad++ }
    /\t/ && FILENAME ~ /\.[ch]$/ { printf "%s:%d: a tab\n", FILENAME, FNR; bad++ }
    END { if (seen && !marked) { print seen ": no SPDX line"; bad++ } exit bad != 0 }'
