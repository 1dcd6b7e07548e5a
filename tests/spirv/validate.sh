#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# validate.sh SLIPC SPLIT VALIDATOR FILE.c... - compiles each file for spirv and puts each shader
# through the validator (spirv-val). Fails with the validator's words; a file that no shader comes of
# fails too, unless every one of its tasks was left out for a reason that split names. VALIDATOR may be
# "none": then it is skipped (exit status 77), or fails where SLIPWAY_REQUIRE names spirv.
set -u
slipc=$1 split=$2 validator=$3
shift 3
if [ "$validator" = none ]; then
    case ",${SLIPWAY_REQUIRE:-}," in
    *,spirv,*) echo "spirv is required, and missing: there is no spirv-val" && exit 1 ;;
    esac
    echo "skipped: spirv: there is no spirv-val (package spirv-tools)"
    exit 77
fi
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0 shaders=0 left_out=0

for file in "$@"; do
    rm -f "$work"/*
    if ! "$slipc" ${SLIPC_FLAGS:-} --target=spirv -o "$work/m.slip" "$file" >"$work/log" 2>&1; then
        echo "$file does not compile:" && cat "$work/log"
        failed=1
        continue
    fi
    if ! "$split" "$work/m.slip" "$work" >"$work/left"; then
        echo "$file: no shaders"
        failed=1
    fi
    sed "s|^|$file: |" "$work/left"
    left_out=$((left_out + $(wc -l <"$work/left")))
    for shader in "$work"/*.spv; do
        [ -e "$shader" ] || continue
        shaders=$((shaders + 1))
        if ! "$validator" --target-env vulkan1.2 "$shader" >"$work/log" 2>&1; then
            echo "$file: $(basename "$shader"):" && cat "$work/log"
            failed=1
        fi
    done
done
echo "$shaders shaders of $# files, $left_out left out"
[ "$shaders" -gt 0 ] || failed=1
exit $failed
