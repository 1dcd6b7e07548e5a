#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# collect_kernels.sh BUILD OUT - copies the generated kernel files of a build into OUT, laid out like the
# build, for a machine without LLVM: configure there with -DSLIPWAY_KERNELS_FROM=OUT. For a machine of
# another kind, the build is one with -DSLIPWAY_KERNEL_TARGETS=cpu-all,ptx,spirv.
set -euo pipefail

[ $# -eq 2 ] || { echo "usage: dev/collect_kernels.sh BUILD OUT" >&2; exit 2; }
build=$1 out=$2

find "$build" -path '*/slipway_kernels/*.slip.c' | while read -r made; do
    folder=$(dirname "$(dirname "$(realpath --relative-to="$build" "$made")")")
    mkdir -p "$out/$folder"
    cp "$made" "${made%.c}.h" "$out/$folder/"
done
