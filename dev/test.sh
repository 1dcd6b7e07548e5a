#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# test.sh BUILD TEST-BUILD JOBS - every test: the instrumented build's, then those of the release
# build that depend on how code is optimised. Fails if either fails; the last line printed is
# the summary of both.
set -uo pipefail
release=$1 instrumented=$2 jobs=$3

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

run "with ASan and UBSan" "$instrumented"
run "release" "$release"
printf '%s\n' "${summary[@]}"
exit $failed
