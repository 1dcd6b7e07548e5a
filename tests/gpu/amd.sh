#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# amd.sh SLIPC SPLIT READOBJ OBJDUMP FILE.c... - compiles each file for the levels of AMD GPUs and
# asks LLVM's own tools what the code objects say: version 5, one argument by value and no hidden
# one, the level's wave, as many threads as the module says at most, no stack of unknown depth.
# Not run on hardware.
set -u
slipc=$1 split=$2 readobj=$3 objdump=$4
shift 4
. "$(dirname "$0")/common.sh"

wrong() {
    echo "$file: $level: $1"
    failed=1
}

# count PATTERN: lines of the notes
count() {
    grep -cE "$1" "$work/notes"
}

for file in "$@"; do
    take hip "$file" || continue
    for level in gfx90a gfx942 gfx1030 gfx1100; do
        case $level in
        gfx9*) wave=64 ;;
        *) wave=32 ;;
        esac
        "$readobj" --notes "$work/$level" >"$work/notes" 2>&1 || wrong "no code object"
        all=$(count '^ *\.symbol: *s[0-9]+\.kd')
        kernels=$((kernels + all))
        [ "$all" -eq 0 ] || count "amdhsa.target: *amdgcn-amd-amdhsa--$level\$" >/dev/null ||
            wrong "another level"
        [ "$(count '\.value_kind:')" -eq "$all" ] || wrong "not one argument a kernel"
        [ "$(count '\.value_kind: *by_value$')" -eq "$all" ] || wrong "an argument not by value"
        [ "$(count '\.offset: *0$')" -eq "$all" ] || wrong "an argument that is not the first"
        [ "$(count "\.wavefront_size: *$wave\$")" -eq "$all" ] || wrong "another wave than $wave"
        [ "$(count '\.uses_dynamic_stack: *false$')" -eq "$all" ] || wrong "a stack without end"
        [ "$(count '\.kernarg_segment_align: *8$')" -eq "$all" ] || wrong "another alignment"
        [ "$(count '\.max_flat_workgroup_size: *(1|64|256|1024)$')" -eq "$all" ] ||
            wrong "another number of threads"
        [ "$(grep -A1 'amdhsa.version:' "$work/notes" | grep -c -- '- 1$')" -eq 1 ] &&
            [ "$(grep -A2 'amdhsa.version:' "$work/notes" | grep -c -- '- 2$')" -eq 1 ] ||
            wrong "another version of the metadata"
        "$objdump" -d "$work/$level" >"$work/code" 2>"$work/log" || wrong "no disassembly"
        ends=$(grep -c 's_endpgm' "$work/code")
        [ "$ends" -ge "$all" ] || wrong "$ends of $all kernels end"
        # What loses updates of memory that the host shares, and may take subnormal numbers for 0.
        grep -nE '(global|flat)_atomic_(pk_)?(add|min|max)_f' "$work/code" &&
            wrong "an instruction that is not exact"
    done
done
echo "$kernels kernels of $# files, $left_out left out"
[ "$kernels" -gt 0 ] || failed=1
exit $failed
