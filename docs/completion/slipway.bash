# SPDX-License-Identifier: Apache-2.0
#
# slipway.bash - completion of slipway and slipc for bash. Kernels and parameters of a module come from
# `slipway dump --json`; a kernel file is not compiled for it.

_slipway_kernels() { # module
    slipway dump "$1" --json 2>/dev/null | sed -n 's/^    {"name": "\([^"]*\)".*/\1/p'
}

_slipway_params() { # module kernel kind-regex
    slipway dump "$1" --json 2>/dev/null |
        sed -n '/^    {"name": "'"$2"'"/,/"scratch"/s/^ *{"name": "\([^"]*\)", "kind": "'"$3"'".*/\1=/p'
}

_slipway_words() {
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
}

_slipway_files() { # prefix, globs of names; what slipc has generated is no kernel file
    local prefix=$1 glob
    shift
    compopt -o filenames
    mapfile -t COMPREPLY < <({
        for glob; do compgen -f -X "!$glob" -- "$prefix"; done
        compgen -d -- "$prefix"
    } | grep -v '\.slip\.c$')
}

# The word that is typed, with what stands before its "=", where readline splits it: "u=v" of "--out u=v".
_slipway_whole() {
    local line=${COMP_LINE:0:COMP_POINT}
    printf '%s' "${line##*[[:space:]]}"
}

# Completes what follows an "=": $1 is the word as a whole, $2 what readline has of it.
_slipway_value() {
    local word=$2 list
    case $word in [=:]*) word='' ;; esac
    case $1 in
    --on=*) _slipway_words "auto cpu cuda hip vulkan" "$word" ;;
    --stream=*) _slipway_words "default explicit wrapped" "$word" ;;
    --sync=*) _slipway_words "minimal conservative" "$word" ;;
    --dump=*) _slipway_words "front launch llvm optimized asm spirv inline fold promote dce access atomics" "$word" ;;
    --target=*)
        compopt -o nospace
        list=$(slipc --target=. . 2>&1 | sed -n 's/.*there are //; s/,//gp')
        case $word in
        *,*) mapfile -t COMPREPLY < <(compgen -P "${word%,*}," -W "$list" -- "${word##*,}") ;;
        *) _slipway_words "$list" "$word" ;;
        esac
        ;;
    *=@*) # readline keeps the "@" in its word, and would quote it among file names
        mapfile -t COMPREPLY < <(compgen -P @ -f -- "${2#*@}")
        [ -d "${COMPREPLY[*]#@}" ] && compopt -o nospace && COMPREPLY=("${COMPREPLY[0]}/")
        ;;
    *)
        case $3 in
        out) _slipway_files "$word" '*.npy' ;;
        memory) _slipway_words "unknown pinned kept device" "$word" ;;
        *) compopt -o nospace && _slipway_words "@ zeros rand:" "$word" ;;
        esac
        ;;
    esac
}

_slipway() {
    local word=$2 before=$3 command=${COMP_WORDS[1]} file='' kernel='' i whole
    COMPREPLY=()
    whole=$(_slipway_whole)
    case $whole in
    *=*)
        local of=''
        for ((i = COMP_CWORD; i > 1; i--)); do
            case ${COMP_WORDS[i]} in --out | --memory) of=${COMP_WORDS[i]#--} ;; esac
            [ $((COMP_CWORD - i)) -lt 3 ] || break
        done
        _slipway_value "$whole" "$word" "$of"
        return
        ;;
    esac
    if [ "$COMP_CWORD" -eq 1 ]; then
        _slipway_words "devices run explain dump --help --version" "$word"
        return
    fi
    for ((i = 2; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
        --on | --out | --repeat | --memory | --stream | --sync | -I | -D | -O) ((i++)) ;;
        -*) ;;
        *)
            if [ -z "$file" ]; then
                file=${COMP_WORDS[i]}
            elif [ -z "$kernel" ]; then
                kernel=${COMP_WORDS[i]}
            fi
            ;;
        esac
    done
    case $before in
    --on)
        if [ "$command" = explain ]; then
            _slipway_words "cpu cuda hip vulkan" "$word"
        else
            _slipway_words "auto cpu cuda hip vulkan" "$word"
        fi
        return
        ;;
    --stream)
        _slipway_words "default explicit wrapped" "$word"
        return
        ;;
    --sync)
        _slipway_words "minimal conservative" "$word"
        return
        ;;
    --out | --memory)
        compopt -o nospace
        [ -n "$kernel" ] && _slipway_words "$(_slipway_params "$file" "$kernel" array)" "$word"
        return
        ;;
    esac
    case $command:$word in
    devices:*) _slipway_words "--json --help" "$word" ;;
    run:-*) _slipway_words "--out --on --repeat --json -I -D -O --fma --help" "$word" ;;
    explain:-*) _slipway_words "--on --memory --stream --sync --svg --json -I -D -O --fma --help" "$word" ;;
    dump:-*) _slipway_words "--json -I -D -O --fma --help" "$word" ;;
    *)
        if [ -z "$file" ]; then
            _slipway_files "$word" '*.slip' '*.c'
        elif [ "$command" != dump ] && [ -z "$kernel" ]; then
            _slipway_words "$(_slipway_kernels "$file")" "$word"
        elif [ "$command" != dump ]; then
            compopt -o nospace
            _slipway_words "$(_slipway_params "$file" "$kernel" '[a-z]*')" "$word"
        fi
        ;;
    esac
}

_slipc() {
    local whole
    COMPREPLY=()
    whole=$(_slipway_whole)
    case $whole in
    *=*) _slipway_value "$whole" "$2" '' ;;
    -*)
        _slipway_words "-o --header -I -D -O -g --fma --target= --dump= -MD -MF --version --help" "$2"
        case ${COMPREPLY[*]} in *=) compopt -o nospace ;; esac
        ;;
    *)
        if [ "$3" = -o ]; then
            _slipway_files "$2" '*.slip'
        else
            _slipway_files "$2" '*.c'
        fi
        ;;
    esac
}

complete -F _slipway slipway
complete -F _slipc slipc
