#!/bin/sh
# SPDX-License-Identifier: MIT
# What handlers write into memory that was there before the test's body is put back, compared, and ties those together who
# use it: that of constructors, of a library's too, and of a main of the program's own.
. "$SOURCE/tests/programs/verdict.shlib"
here=$SOURCE/tests/engine
# shellcheck disable=SC2086
${CC:-cc} -g -shared -fPIC "$here/early_library.c" -o libearly.so &&
    ${CC:-cc} -g ${CFLAGS:-} -I"$SOURCE/include" "$here/early_memory.c" -o early_memory -L. -learly \
        "-Wl,-rpath,$PWD" "$BUILD/librehearse.a" -ldw -lelf -ljansson -lm ${LDLIBS:-} || exit 1

# Where malloc is a sanitizer's, states can't be compared, and what a handler frees is gone.
modes='--reduction none
--reduction source
--reduction optimal
--reduction dcute'
tests='constructor library mapping own_main printed'
[ -n "${SANITIZE:-}" ] || tests="$tests freed"
[ -n "${SANITIZE:-}" ] || modes="$modes
--reduction none --undo off
--reduction none --undo verify
--reduction optimal --undo off
--states exact
--states actors"

# explore_directly ARGUMENTS...: as explore_json, by the program itself, whose main prints something first.
explore_directly() {
    rm -rf run.saved
    mkdir run.saved
    ./early_memory explore --reduction none --no-shrink --json --no-times --save run.saved "$@" >run.out 2>run.err
    verdict_status=$?
    sed 1d run.out >run.json
}

for test in $tests; do
    for name in $test ${test}_holds; do
        case $name in
        freed | printed) continue ;;
        *_holds) status=0 kinds=- ;;
        *) status=1 kinds=check ;;
        esac
        while read -r options; do
            # shellcheck disable=SC2086
            explore_json run --keep-going --test "$name" $options ./early_memory
            expect "$name $options" run $status '*' '*' "$kinds"
            # shellcheck disable=SC2086
            explore_directly --keep-going --test "$name" $options
            expect "$name $options, directly" run $status '*' '*' "$kinds"
            [ "$(json_number run.json complete)" = true ] || disagree "$name $options: not complete"
        done <<END
$modes
END
    done
done

if [ -n "${SANITIZE:-}" ]; then
    verdict_end
    exit
fi

# The streams' buffers tie nobody together.
explore_json run --reduction optimal --test printed_holds ./early_memory
expect 'printing' run 0 1 2 -
explore_directly --reduction optimal --test printed_holds
expect 'printing, directly' run 0 1 2 -

# What does not fit is said.
explore_json run --test printed_holds ./early_memory
grep -q 'more before its tests than can be watched' run.json || disagree 'nothing is said about the large block'
verdict_end
