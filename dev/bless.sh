#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# bless.sh [BUILD] [CTEST ARGUMENTS] - run the tests and let them rewrite their golden files; then
# show what changed. Read the difference before committing it.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-$top/build/test}
[ $# -gt 0 ] && shift
SLIPWAY_BLESS=1 ctest --test-dir "$build" --output-on-failure "$@" || true
git -C "$top" status --short -- '*golden*'
git -C "$top" diff --stat -- '*golden*'
