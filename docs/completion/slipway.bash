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

_slipway_files() { # prefix, globs of names
    local prefix=$1 glob
    shift
    mapfile -t COMPREPLY < <(for glob; do compgen -f -X "!$glob" -- "$prefix"; done; compgen -d -- "$prefix")
}

_slipway() {
    local word=$2 before=$3 command=${COMP_WORDS[1]} file='' kernel='' i
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        _slipway_words "devices run explain dump --help --version" "$word"
        return
    fi
    for ((i = 2; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
        --on | --out | --repeat | --memory | --stream | -I | -D | -O) ((i++)) ;;
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
        _slipway_words "default explicit" "$word"
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
    explain:-*) _slipway_words "--on --memory --stream --svg --json -I -D -O --fma --help" "$word" ;;
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
    COMPREPLY=()
    case $2 in
    -*)
        _slipway_words "-o --header -I -D -O -g --fma --target= --dump= -MD -MF --version --help" "$2"
        ;;
    *) _slipway_files "$2" '*.c' ;;
    esac
}

complete -F _slipway slipway
complete -F _slipc slipc
