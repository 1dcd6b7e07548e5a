#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# check_exports.sh LIBRARY PREFIX - the names a library defines for others all begin with PREFIX,
# and every SLIP_API function of the public headers with that prefix is among them.
set -eu
library=$1 prefix=$2
top=$(cd "$(dirname "$0")/.." && pwd)
names=$(mktemp)
promised=$(mktemp)
trap 'rm -f "$names" "$promised"' EXIT

case $library in
*.so*) nm -D --defined-only "$library" ;;
*) nm -g --defined-only "$library" ;;
esac | awk 'NF == 3 && $2 ~ /[A-Z]/ { print $3 }' | LC_ALL=C sort -u >"$names"

bad=0
# A sanitizer's own marks (__odr_asan...) come with the build type, not with the source.
others=$(grep -v -e "^$prefix" -e '^__odr_asan' -e '^__*asan_' -e '^__sancov' "$names" || true)
if [ -n "$others" ]; then
    echo "$library defines names that do not begin with $prefix:"
    echo "$others"
    bad=1
fi
cat "$top"/include/slipway/*.h | tr '\n' ' ' |
    sed 's/;/;\n/g' | grep SLIP_API |
    sed -n "s/.*[^A-Za-z0-9_]\\($prefix[a-z0-9_]*\\)(.*/\\1/p" | LC_ALL=C sort -u >"$promised"
missing=$(LC_ALL=C comm -13 "$names" "$promised")
if [ -n "$missing" ]; then
    echo "$library lacks what its header declares:"
    echo "$missing"
    bad=1
fi
[ -s "$promised" ] || { echo "no header declares a function $prefix..."; bad=1; }
[ -s "$names" ] || { echo "$library defines nothing"; bad=1; }
exit $bad
