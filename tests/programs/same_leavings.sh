#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 600
# The library built by gcc and by clang, and the same objects of a program without debug information: the same bytes in
# everything, though the messages of the program hold what earlier calls left on its stack. The compiler that $BUILD was not
# built with compiles what runs on the stacks of handlers, or may call what does: not the search, nor what comes after it.
# With LEAVINGS_BUILDS, a directory, the libraries are those of the whole builds gcc and clang in it (tests/deep/toolchains.sh).
set -u
command -v gcc >/dev/null && command -v clang >/dev/null || {
    echo "needs gcc and clang"
    exit 77
}
if [ -n "${SANITIZE:-}" ]; then
    echo "under a sanitizer the stacks of handlers are not ours"
    exit 77
fi
failed=0

wrong() {
    echo "FAIL $*"
    failed=$((failed + 1))
}

# compile_parts COMPILER: to COMPILER/*.o, unless there is a library by this compiler.
compile_parts() {
    present=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$BUILD/CMakeCache.txt")
    [ -z "${LEAVINGS_BUILDS:-}" ] && [ "$(readlink -f "$present")" != "$(readlink -f "$(command -v "$1")")" ] || return 0
    mkdir "$1"
    hashes=$(pkg-config --cflags libxxhash)
    for source in "$SOURCE"/src/base/*.c "$SOURCE"/src/entry/*.c "$SOURCE"/src/memory/*.c "$SOURCE"/src/libc/*.c \
        "$SOURCE"/src/world/*.c "$SOURCE"/src/world/*/*.c "$SOURCE"/src/adapters/native/*.c; do
        flags=$hashes
        case $source in */interpose_*) flags="$hashes -fno-builtin" ;; esac
        object=$(echo "${source#"$SOURCE"/src/}" | tr / -)
        # shellcheck disable=SC2086
        "$1" -std=c17 -D_GNU_SOURCE -fPIC -ftls-model=initial-exec $flags -I"$SOURCE/src" -I"$SOURCE/include" \
            -c "$source" -o "$1/$object.o" || exit 1
    done
}

# library COMPILER: what a program is linked with. What stands before $BUILD's library is not taken out of that.
library() {
    if [ -n "${LEAVINGS_BUILDS:-}" ]; then
        echo "$LEAVINGS_BUILDS/$1/librehearse.a"
    elif [ -d "$1" ]; then
        echo "$1"/*.o "$BUILD/librehearse.a"
    else
        echo "$BUILD/librehearse.a"
    fi
}

# run COMPILER OBJECT: what the program that the object makes with that library says, in COMPILER.all. The program has
# the same name both times, and the code of the object, which is in a section of its own, the same addresses.
run() {
    rm -rf run
    mkdir run
    # shellcheck disable=SC2046
    gcc "$2" -o run/program $(library "$1") $(pkg-config --libs libdw libelf jansson) -lm ${LDLIBS:-} \
        -Wl,--section-start=program_text=0x1000000 || wrong "$2 with the library by $1: not linked"
    (
        cd run || exit
        ./program explore --reduction none --keep-going --json --no-times --max-executions 100 >json 2>&1
        echo "status $?" >status
        for states in exact actors; do
            ./program explore --reduction none --states $states --keep-going --no-times >text.$states 2>&1
        done
        for schedule in *.schedule; do
            ./program replay --trace-states --no-times "$schedule" >"$schedule.replay" 2>&1
        done
        rm program
    ) </dev/null
    for file in run/*; do
        echo "== ${file#run/}"
        cat "$file"
    done >"$1.all"
}

compile_parts gcc
compile_parts clang
for compiler in gcc clang; do
    for level in -O0 -O2; do
        object=$compiler$level.o
        $compiler $level -g0 -I"$SOURCE/include" -c "$SOURCE/tests/programs/leavings.c" -o "$object" &&
            objcopy --rename-section .text=program_text "$object" || wrong "$object: not compiled"
        run gcc "$object"
        grep -q '^status 1$' gcc.all || wrong "$object: $(head -n 20 gcc.all)"
        # The number that guards frames shows that these are what is looked at.
        grep -q ' 0x5265686561727300 ' gcc.all || wrong "$object: nothing is left behind"
        run clang "$object"
        cmp -s gcc.all clang.all || wrong "$object: $(diff gcc.all clang.all | cut -c 1-300 | head -n 20)"
    done
done
[ $failed -eq 0 ]
