#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A test program is its own runner, with the same verbs and options; one with a main of its own obeys too.
. "$SOURCE/tests/cli/expect.bash"

build() {
    ${CC:-cc} ${CFLAGS:-} -g -I"$SOURCE/include" "$1" -o "$2" "${@:3}" "${LIBRARY:-$BUILD/librehearse.a}" -ldw -lelf -ljansson -lm ${LDLIBS:-} ||
        fail "cannot build $1"
}
build till.c till

expect 1 ./till
says '^\./till: test overdraw: FAILED'
says '^replay:  \./till replay overdraw.schedule$'
says '^1 passed, 1 failed$'
expect 1 ./till replay overdraw.schedule
expect 1 "$REHEARSE" replay overdraw.schedule
expect 0 ./till explore --test calm
expect 0 ./till --test calm --json
says '"program": "./till"'
expect 0 ./till list
expect 0 ./till --help
says '^Usage: ./till VERB'
refuses 2 "unknown verb 'calm'" ./till calm
refuses 2 'unknown option --foo for explore; see ./till explore --help' ./till --foo
refuses 2 'is its own program and takes no other' ./till explore till.c
refuses 2 'unknown option --here' ./till replay --here overdraw.schedule
REHEARSE_REQUEST=nonsense refuses 2 'no request of Rehearse' ./till
REHEARSE_REQUEST=77 refuses 2 'no request of Rehearse' ./till

# Linked so that what seems unused is left out.
build till.c thin -ffunction-sections -fdata-sections -Wl,--gc-sections
expect 0 "$REHEARSE" list ./thin
strip thin
expect 0 "$REHEARSE" list ./thin

build own_main.c own_main
expect 42 ./own_main a b
says '^own main with 2 arguments, last b$'
expect 0 "$REHEARSE" explore ./own_main -- a b
says '^\./own_main: test hears: passed'
! grep -q 'own main' "$capture/stdout" || fail 'the own main was run'
expect 0 "$REHEARSE" explore own_main.c

# Flags from a comment and from options; several sources; C++.
expect 0 "$REHEARSE" explore flags.c --cflags -DFROM_OPTION
CFLAGS="${CFLAGS:-} -DFROM_OPTION" expect 0 "$REHEARSE" explore flags.c
expect 2 "$REHEARSE" explore flags.c
says_error 'cflags was not read'
cp own_main.c 'own main.cpp'
expect 0 "$REHEARSE" explore 'own main.cpp'

# C++ is that of 20, with every compiler, unless flags name another one.
cat >standard.cpp <<'END'
#include <rehearse/test.h>
static_assert(__cplusplus == STANDARD, "another standard");
struct point {
    int x, y;
};
RH_TEST(designated)
{
    point here = {.x = 1, .y = 2};
    rh_check(here.x + here.y == 3);
}
END
for compiler in g++ clang++; do
    command -v $compiler >/dev/null || continue
    export CXX=$compiler
    expect 0 "$REHEARSE" explore standard.cpp --cflags '-DSTANDARD=202002L -Wall -Wextra'
    [ ! -s "$capture/stderr" ] || fail "$compiler warns"
    named='-DSTANDARD=201703L'
    expect 0 "$REHEARSE" explore standard.cpp --cflags "$named -std=c++17"
    CXX="$compiler --std=c++17" expect 0 "$REHEARSE" explore standard.cpp --cflags "$named"
    CXXFLAGS="${CXXFLAGS:-} -std=gnu++17" expect 0 "$REHEARSE" explore standard.cpp --cflags "$named"
done
unset CXX
echo 'int helper; ' >helper.c
expect 1 "$REHEARSE" explore till.c helper.c --json --test overdraw
says '"program": "till.c helper.c"'
expect 1 "$REHEARSE" replay overdraw.schedule
