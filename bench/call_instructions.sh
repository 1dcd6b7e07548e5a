#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# call_instructions.sh BUILD - how many instructions a repeated call on memory of the device takes
# before and after those of the driver: the caller's, the generated function's and the library's, with
# the locks of libc that it calls. Counted by valgrind, so that it is the same on a machine that does
# other things, on the CPU and on the look-alike of libcuda (tests/fake). VERBOSE=1 adds each function.
#
# BUILD has -DSLIPWAY_BENCH=ON -DSLIPWAY_TESTS=ON, and the targets bench_call_count, fake_cuda, fake_module.
set -euo pipefail

[ $# -eq 1 ] || { echo "usage: bench/call_instructions.sh BUILD" >&2; exit 2; }
build=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/code"
module=$(find "$build/bench" -name scale_kernels.slip | head -1)
"$build/tests/fake/fake_module" --folder "$work/code" "$module"
export SLIPWAY_CUDA_LIBRARY=$build/tests/fake/libcuda.so.1 SLIPFAKE_CODE=$work/code SLIPFAKE_SCHEDULE=eager
export SLIPWAY_CPU_THREADS=1

# What each function of the program took, of `calls` calls: a line each.
count() {
    calls=$1
    shift
    valgrind --tool=callgrind --callgrind-out-file="$work/out" --compress-strings=no --compress-pos=no \
        "$build/bench/call_count" "$1" "$calls" "${@:2}" 2> "$work/log" || { cat "$work/log" >&2; exit 1; }
    awk '/^ob=/ { own = /call_count$/ } /^fn=/ { name = substr($0, 4); next }
         /^calls=/ { getline; next }
         /^[0-9]/ { if (own || name ~ /pthread_mutex_(try|un)lock/) sum[name] += $2 }
         END { for (name in sum) print name, sum[name] }' "$work/out" | sort
}

row() {
    count 200 "$@" > "$work/few"
    count 400 "$@" > "$work/many"
    join "$work/few" "$work/many" | awk -v what="$*" -v verbose="${VERBOSE:-}" '
        { each = ($3 - $2) / 200; total += each
          if (verbose && each >= 1) printf "    %6.0f  %s\n", each, $1 }
        END { printf "%6.0f  %s\n", total, what }'
}

echo "instructions of a call, by device, tasks and stream"
row cpu 1
row cpu 8
row cuda:0 1
row cuda:0 1 explicit
row cuda:0 8
