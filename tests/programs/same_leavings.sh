#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 600
# The library built by gcc and by clang, and the same objects of a program without debug information: the same bytes in
# everything, though the messages of the program hold what earlier calls left on its stack. LEAVINGS_LEVEL is how far the
# library is optimized.
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

# build COMPILER: the library, unless $BUILD has it from this compiler.
build() {
    mkdir -p "$1"
    present=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$BUILD/CMakeCache.txt")
    if [ "$(readlink -f "$present")" = "$(readlink -f "$(command -v "$1")")" ]; then
        cp "$BUILD/librehearse.a" "$1"
    else
        cmake -S "$SOURCE" -B "$1" -DCMAKE_C_COMPILER="$1" -DCMAKE_BUILD_TYPE=None \
            -DCMAKE_C_FLAGS="${LEAVINGS_LEVEL:--O0}" >build.log 2>&1 &&
            cmake --build "$1" -j2 --target rehearse >>build.log 2>&1 || tail -n 20 build.log
    fi
    [ -f "$1/librehearse.a" ] || exit 1
}

# run COMPILER OBJECT: what the program that the object makes with that library says, in COMPILER.all. The program has
# the same name both times, and the code of the object, which is in a section of its own, the same addresses.
run() {
    rm -rf run
    mkdir run
    gcc "$2" -o run/program "$1/librehearse.a" $(pkg-config --libs libdw libelf jansson) -lm ${LDLIBS:-} \
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

build gcc
build clang
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
