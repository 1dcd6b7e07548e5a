#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# demo.sh BUILD - the arm example on the best device here: 1000 steps of 256 environments, checked
# against the reference states and trajectories.
set -euo pipefail
build=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."

echo "== devices"
"$build/slipway" devices
echo
echo "== arm"
exec "$build/examples/arm/arm" demo
