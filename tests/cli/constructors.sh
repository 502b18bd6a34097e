#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What a program does before and after its tests. Its own constructors are part of each test; those of libraries may neither
# print between results nor take for ever; and no end of a program changes anything.
if [ -n "${SANITIZE:-}" ]; then
    echo 'the program uses what it has freed, which only the library'"'"'s own malloc puts back'
    exit 77
fi
. "$SOURCE/tests/cli/expect.bash"

source=$SOURCE/tests/cli/constructors.c
# shellcheck disable=SC2086
$CC ${CFLAGS:-} -g -shared -fPIC -DLIBRARY "$source" -o libbefore.so &&
    $CC ${CFLAGS:-} -g -I"$SOURCE/include" "$source" -o program -Wl,--no-as-needed -L. -lbefore "-Wl,-rpath,$PWD" \
        "$BUILD/librehearse.a" -ldw -lelf -ljansson -lm ${LDLIBS:-} || fail 'cannot compile'

is_json() {
    [ "$(head -n 1 "$capture/stdout")$(tail -n 1 "$capture/stdout")" = '{}' ] || fail 'more than one object'
}
search=(explore --no-times --no-shrink --shared-files --undo off)

# The executable's own: by the command, and by the program itself. In a session of its own, for signals that get out. `told`
# is all that may be said on standard error.
find_it() {
    for command in "$REHEARSE ${search[*]} ./program" "./program ${search[*]}"; do
        # shellcheck disable=SC2086
        expect 1 setsid -w $command --test digits --json "$@"
        is_json
        grep -q "\"message\": \".*$wanted" "$capture/stdout" || fail "no $wanted: $command"
        ! grep -v "${told:-^\$}" "$capture/stderr" || fail "something on standard error: $command"
    done
}
for undo in on off verify; do
    wanted='check failed: numbers\[0\] != 21' find_it --keep-going --undo $undo
done
BEFORE=prints wanted='check failed: numbers\[0\] != 21' find_it
BEFORE=aborts wanted='abort() was called in act' find_it
BEFORE=exits wanted='the program called exit(0)' find_it
BEFORE=vanishes wanted='the program called _exit(0)' find_it
BEFORE=kills wanted='SIGKILL' find_it
BEFORE=loops told='does it hang' wanted='the handler does not end' find_it --hang-limit 20
for what in prints aborts exits vanishes kills loops; do
    AFTER=$what wanted='check failed: numbers\[0\] != 21' find_it
done
expect 0 env BEFORE=aborts "$REHEARSE" list ./program

# What it does to files is undone as what a test does is.
expect 1 env BEFORE=writes "$REHEARSE" explore ./program --test digits
[ ! -e written ] || fail 'a constructor has left a file'

# What is chance elsewhere is the same in all of them.
for run in first second; do
    expect 1 "$REHEARSE" "${search[@]}" ./program --test chances
    cp "$capture/stdout" "$run.txt"
done
grep -q ' 2$' first.txt || fail 'what a handler printed is not shown'
cmp first.txt second.txt || fail 'two runs differ'

# A library's.
digits=("$REHEARSE" "${search[@]}" ./program --test digits --json)
expect 1 env LIBRARY_BEFORE=prints LIBRARY_AFTER=prints "${digits[@]}"
is_json
says_error '^LIBRARY_BEFORE$'
for what in aborts exits vanishes kills loops; do
    expect 1 env LIBRARY_AFTER=$what setsid -w "${digits[@]}"
    is_json
done
# Much more memory is reserved later than there is.
expect 1 env LIBRARY_BEFORE=locks "${digits[@]}"
LIBRARY_BEFORE=loops refuses 3 './program has not come to its tests in 200 ms: does a constructor not end' \
    "$REHEARSE" explore --hang-limit 20 ./program
LIBRARY_BEFORE=vanishes refuses 3 'ended with status 0 before its tests could run' "$REHEARSE" explore ./program
LIBRARY_BEFORE=aborts refuses 3 'crashed before its tests could run: SIGABRT' "$REHEARSE" explore ./program
[ -z "$(pgrep -f "^$PWD/program")" ] || fail 'left a process behind'
