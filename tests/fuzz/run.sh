#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# run.sh NAME [SECONDS [FOLDER]]: builds tests/fuzz/NAME_fuzz.c with clang, ASan and UBSan and fuzzes from its corpus.
# Findings and new inputs go to FOLDER, never into the source tree.
set -eu
name=$1
seconds=${2:-600}
folder=${3:-/tmp/slipway-fuzz}
root=$(cd "$(dirname "$0")/../.." && pwd)
clang=$(command -v clang-19 || command -v clang)
mkdir -p "$folder/$name"
cmake -S "$root" -B "$folder/build" -G Ninja -DCMAKE_C_COMPILER="$clang" -DCMAKE_BUILD_TYPE=RelWithDebInfo \
    -DSLIPWAY_SANITIZE=address,undefined -DSLIPWAY_FUZZ=ON -DSLIPWAY_EXAMPLES=OFF \
    -DCMAKE_C_FLAGS=-fsanitize=fuzzer-no-link > "$folder/cmake.log"
cmake --build "$folder/build" --target "fuzz_$name" -j 2 > "$folder/build.log" || {
    tail -40 "$folder/build.log"
    exit 1
}
cd "$folder"
exec nice -n 10 "$folder/build/tests/fuzz/fuzz_$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=4096 \
    -max_len=8192 -print_final_stats=1 -artifact_prefix="$folder/$name-" "$folder/$name" \
    "$root/tests/fuzz/corpus/$name"
