#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# Libraries inside of actors: undo and re-execution agree, nothing is found that is not there. A line of libraries.txt is
#
#     PROGRAM PACKAGE FLAGS... : STATUS EXECUTIONS DELIVERIES KINDS
#
# with the package as pkg-config knows it, - for none; FLAGS are for the compiler.
. "$SOURCE/tests/programs/verdict.shlib"
if [ -n "${SANITIZE:-}" ]; then
    echo 'nothing is undone where malloc is a sanitizer'"'"'s'
    exit 77
fi

# compile_row PROGRAM PACKAGE FLAGS...: sets verdict_binary to the program, or to nothing if it does not compile.
compile_row() {
    source=$SOURCE/tests/thirdparty/$1
    package=$2
    shift 2
    [ "$package" = - ] || set -- "$@" $(pkg-config --cflags --libs "$package")
    rows=$((${rows:-0} + 1))
    verdict_binary=compiled/$rows/$(basename "${source%.*}")
    mkdir -p "${verdict_binary%/*}"
    ${CC:-cc} -g ${CFLAGS:-} -I"$SOURCE/include" "$source" "${LIBRARY:-$BUILD/librehearse.a}" -o "$verdict_binary" "$@" \
        -ldw -lelf -ljansson -lm ${LDLIBS:-} || verdict_binary=
}

# run_row LABEL EXPECTED...: the program in every way to go back, and with states compared.
run_row() {
    label=$1
    shift
    for options in '--undo verify' '--undo on' '--undo off'; do
        explore_json row --keep-going $options "$verdict_binary"
        expect "$label $options" row "$@"
    done
}

set -f
while IFS= read -r line; do
    line=${line%%#*}
    case $line in *:*) ;; *) continue ;; esac
    set -- ${line%%:*}
    if [ "$2" != - ] && ! pkg-config --exists "$2"; then
        echo "SKIPPED $*: there is no $2; tools/install-deps test installs it"
        continue
    fi
    compile_row "$@"
    run_row "$*" ${line#*:}
done <"${LIBRARIES:-$SOURCE/tests/thirdparty/libraries.txt}"
verdict_end
