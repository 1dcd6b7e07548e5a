# SPDX-License-Identifier: Apache-2.0
#
# common.sh - what the scripts of this folder do alike. They set slipc and split; $work is a folder
# of their own, and $failed what they end with.

# need TOOL WORD WHY: where TOOL is "none" the script is skipped (exit status 77), or fails where
# SLIPWAY_REQUIRE names WORD.
need() {
    [ "$1" = none ] || return 0
    case ",${SLIPWAY_REQUIRE:-}," in
    *,"$2",*) echo "$2 is required, and missing: $3" && exit 1 ;;
    esac
    echo "skipped: $2: $3"
    exit 77
}

# take TARGET FILE: the file's code for the target lies in $work. Says what is left out, or why
# there is none.
take() {
    rm -f "$work"/*
    if ! "$slipc" ${SLIPC_FLAGS:-} --target="$1" -o "$work/m.slip" "$2" >"$work/log" 2>&1; then
        echo "$2 does not compile:" && cat "$work/log"
        failed=1
        return 1
    fi
    if ! "$split" "$work/m.slip" "$work" >"$work/left"; then
        echo "$2: no code"
        failed=1
        return 1
    fi
    sed "s|^|$2: |" "$work/left"
    left_out=$((left_out + $(wc -l <"$work/left")))
}

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0 kernels=0 left_out=0
