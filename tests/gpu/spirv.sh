#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# spirv.sh SLIPC SPLIT VALIDATOR FILE.c... - compiles each file for spirv and puts each shader
# through the validator (spirv-val, or "none"). Fails with the validator's words; a file that no
# shader comes of fails too, unless every one of its tasks was left out for a reason that split
# names.
set -u
slipc=$1 split=$2 validator=$3
shift 3
. "$(dirname "$0")/common.sh"
need "$validator" spirv "there is no spirv-val (package spirv-tools)"

for file in "$@"; do
    take spirv "$file" || continue
    for shader in "$work"/*.spv; do
        [ -e "$shader" ] || continue
        kernels=$((kernels + 1))
        if ! "$validator" --target-env vulkan1.2 "$shader" >"$work/log" 2>&1; then
            echo "$file: $(basename "$shader"):" && cat "$work/log"
            failed=1
        fi
    done
done
echo "$kernels shaders of $# files, $left_out left out"
[ "$kernels" -gt 0 ] || failed=1
exit $failed
