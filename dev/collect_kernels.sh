#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# collect_kernels.sh BUILD OUT - copies the generated kernel files of a build into OUT, laid out like the
# sources, for a machine without LLVM: configure there with -DSLIPWAY_KERNELS_FROM=OUT. For a machine of
# another kind, the build is one with -DSLIPWAY_KERNEL_TARGETS=cpu-all,ptx,spirv.
set -euo pipefail

[ $# -eq 2 ] || { echo "usage: dev/collect_kernels.sh BUILD OUT" >&2; exit 2; }
build=$1 out=$2
top=$(cd "$(dirname "$0")/.." && pwd)

# Each generated file names its source in its dependency file.
find "$build" -path '*/slipway_kernels/*.slip.d' | while read -r depfile; do
    stem=${depfile%.slip.d}
    source=$(sed -n 's/^ *\([^ ]*\.c\).*/\1/p' "$depfile" | head -n 1)
    folder=$(dirname "$(realpath --relative-to="$top" "$source")")
    mkdir -p "$out/$folder"
    cp "$stem.slip.c" "$stem.slip.h" "$out/$folder/"
done
