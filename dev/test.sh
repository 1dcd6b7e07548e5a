#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# test.sh BUILD TEST-BUILD THREAD-BUILD JOBS - every test: with address and undefined sanitizers, those
# about threads with the thread sanitizer, and all again in the release build, because code is
# optimised there. Fails if any fails; the last lines printed are the summaries.
#
# The Vulkan validation layer listens, and fails the test that it speaks in. SLIPWAY_REQUIRE names what must
# not be skipped; dev/setup.sh installs all of it on Debian and Ubuntu. Elsewhere it may be set empty.
set -uo pipefail
release=$1 instrumented=$2 threads=$3 jobs=$4
export SLIPWAY_REQUIRE=${SLIPWAY_REQUIRE-cpu,vulkan,validation,spirv}
export SLIPWAY_VULKAN_VALIDATE=${SLIPWAY_VULKAN_VALIDATE-1}

summary=()
failed=0
run() { # title build arguments...
    local title=$1 build=$2 log
    shift 2
    log=$(mktemp)
    echo "== $title"
    ctest --test-dir "$build" --output-on-failure -j "$jobs" "$@" 2>&1 | tee "$log"
    [ "${PIPESTATUS[0]}" -eq 0 ] || failed=1
    summary+=("$title: $(grep -E 'tests? (passed|failed)|No tests were found' "$log" | tail -1)")
    rm -f "$log"
}

# What the tests of waits and edges counted, over all of them (tests/prove, tests/fake/stream).
counts() { # build
    awk '/ plans proved: / && $11 == 0 { plans += $1; edges += $4; found += $8 }
         / plans proved: / && $11 > 0 { mixed += $1; kept += $11 }
         / plans run on the look-alike, nothing unordered; / {
             run += $1
             without += $9
             inverted += $(NF - 5)
         }
         / calls failed: .* refused, / { calls += $1; refused += $4; lost += $6 }
         / runs of [0-9]+ scenes, under / { runs += $1 }
         END {
             printf "plans proved: %d, with %d waits and edges; removals detected: %d\n", plans, edges, found
             printf "plans proved, conservative ones among them: %d, right without their %d conservative " \
                    "waits\n", mixed, kept
             printf "plans run on look-alikes: %d; with a wait removed, unordered: %d, and run in the " \
                    "wrong order: %d\n", run, without, inverted
             printf "runs of scenes under schedules: %d; driver calls failed: %d, refused %d, lost %d\n",
                    runs, calls, refused, lost
         }' "$1/Testing/Temporary/LastTest.log"
}

run "with ASan and UBSan" "$instrumented"
run "runtime with TSan" "$threads" -R '^(runtime|launch|driver|fake)/'
run "release" "$release"
echo "== counts of the release run"
counts "$release"
printf '%s\n' "${summary[@]}"
exit $failed
