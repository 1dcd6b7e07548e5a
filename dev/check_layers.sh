#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# check_layers.sh - does any file of src/ include what its row in src/LAYERS does not allow, or a
# tool an internal header, or a layer other than its owner a library's header?
# Prints each offence as file:line, and fails.
set -eu
top=${1:-$(cd "$(dirname "$0")/.." && pwd)}
cd "$top"

find src tools -name '*.[ch]' | LC_ALL=C sort | xargs awk '
    BEGIN {
        while ((getline row < "src/LAYERS") > 0) {
            sub(/#.*/, "", row)
            if (split(row, half, ":") != 2)
                continue
            known[half[1]] = 1
            n = split(half[2], uses, " ")
            for (i = 1; i <= n; i++)
                may[half[1], uses[i]] = 1
        }
        owner["clang-c"] = "front"
        owner["llvm-c"] = "target"
    }
    function offence(text) {
        printf "%s:%d: %s\n", FILENAME, FNR, text
        bad = 1
    }
    FNR == 1 {
        split(FILENAME, folder, "/")
        layer = folder[1] == "tools" ? "tools" : folder[2]
        if (layer != "tools" && !known[layer])
            offence("folder " layer " has no row in src/LAYERS")
    }
    /^[ \t]*#[ \t]*include[ \t]*"/ {
        split($0, quoted, "\"")
        used = quoted[2]
        sub(/\/.*/, "", used)
        if (layer == "tools") {
            if (quoted[2] ~ /\//)
                offence("a tool may not include " quoted[2] "; public headers only")
        } else if (quoted[2] !~ /\//)
            offence("write \"" layer "/" quoted[2] "\": includes are named from src/")
        else if (used != layer && !((layer, used) in may))
            offence("layer " layer " may not include " used)
    }
    /^[ \t]*#[ \t]*include[ \t]*</ {
        used = $0
        sub(/^[^<]*</, "", used)
        sub(/[\/>].*/, "", used)
        if (used in owner && owner[used] != layer)
            offence("only " owner[used] " may include <" used "/...>")
    }
    END { exit bad }'
