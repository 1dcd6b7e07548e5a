#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# setup.sh - installs the packages a build needs where they are missing (Debian 12, Ubuntu 24.04).
# Does nothing, and needs no network or rights, where all are there.
set -euo pipefail

packages=(gcc g++ make cmake ninja-build pkg-config llvm-19-dev libclang-19-dev clang-19 lld-19
          libcmocka-dev libxxhash-dev libmpfr-dev python3 python3-numpy
          libvulkan1 mesa-vulkan-drivers vulkan-validationlayers libvulkan-dev spirv-tools)

if ! command -v dpkg-query >/dev/null; then
    echo "setup: this is no Debian or Ubuntu; docs/dependencies.md lists what is needed" >&2
    exit 0
fi
missing=()
for package in "${packages[@]}"; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$state" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

echo "setup: installing ${missing[*]}"
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "setup: needs root, or sudo, to install them" >&2; exit 1; }
    as_root=(sudo)
fi
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -q
"${as_root[@]}" apt-get install -q -y --no-install-recommends "${missing[@]}"
