#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# kernels.sh - times slipc's kernels beside nvcc's, without contraction on both sides and with it.
#
#     bench/cuda/kernels.sh BUILD [DEVICE]
#
# BUILD is a build folder with SLIPWAY_BENCH=ON. The rivals are compiled for the device that is
# here; where there is no nvcc, those that the build has compiled are used (for SLIPWAY_RIVAL_ARCH).
set -euo pipefail
build=$1
device=${2:-0}
here=$(cd "$(dirname "$0")" && pwd)
folder=$build/bench/rivals

if command -v nvcc >/dev/null; then
    level=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader -i "$device" | tr -d .)
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    for contraction in false true; do
        mkdir -p "$folder/$contraction"
        for rival in "$here"/rivals/*.cu; do
            nvcc -O3 -fmad=$contraction -arch="sm_$level" -cubin "$rival" \
                -o "$folder/$contraction/$(basename "$rival" .cu).cubin"
        done
    done
fi
echo "without contraction"
"$build/bench/cuda_kernels" "$device" "$folder/false"
echo "with contraction"
"$build/bench/cuda_kernels_fma" "$device" "$folder/true"
