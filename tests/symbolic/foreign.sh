#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Functions whose code is not in the sources: which calls are taken over, what they give, and why the others are not. Every
# test is run in the world, with the real library.
[ -x "$BUILD/rehearse-analysis" ] || {
    echo "no LLVM 19 here: tools/install-deps symbolic"
    exit 77
}
[ -z "${SANITIZE:-}" ] || {
    echo "a sanitizer makes system calls of its own in the process that calls are made in"
    exit 77
}
. "$SOURCE/tests/cli/expect.bash"
cp "$SOURCE/tests/symbolic/foreign.c" .
$CC -shared -fPIC -O1 -o libforeign.so "$SOURCE/tests/symbolic/foreign_library.c" || fail 'the library'
libraries="-L$PWD -Wl,-rpath,$PWD -lforeign"

expect 0 "$REHEARSE" generate foreign.c --libs "$libraries"
grep -q ' 0  *0$' "$capture/stdout" || fail 'no clerk is followed completely'
cp "$capture/stdout" rows
# refused CLERK REASON: the path with the call is not followed, the two without it are.
refused() {
    grep -q "^$1  *job  *2  *0 .*the call of $2" rows || fail "$1: $(grep "^$1 " rows)"
}
touches='which touches what is not among its arguments'
refused beyond "sums, $touches"
refused count "counts, $touches"
refused keep "keeps, $touches"
refused allocate "allocates, $touches"
refused time "tells_time, $touches"
refused process 'tells_process, which asks the operating system'
refused tick "ticks, $touches"
refused output 'writes_out, which asks the operating system'
refused end "ends, $touches"
refused address 'address, which does not always give the same'
refused libc_time time
refused chance rand
refused environment getenv

# called CLERK CALL END: with a number from 1 to 4 the call is made; below and above it is not.
called() {
    expect 0 "$REHEARSE" generate foreign.c --libs "$libraries" --behaviour "$1" --message job --save "saved-$1"
    says "^foreign.c: $1 gets job: 3 tests\$"
    grep -qxF "      called  $2" "$capture/stdout" || fail "no call of $1"
    says "$3"
    says '^run: *3 of 3 tests, as predicted$'
}
called plain 'plain(1, 2.5, 1.25, 7, 3) = 37151' 'last = 37151,'
called mean 'mean(2, 1, 2) = 1.5' 'mean = 0x1.8p'
called table 'reads_table(1) = 1' 'last = 1,'
called branch 'reads_table(1) = 1' 'last = 1,'
called fill 'fills(24 bytes, 3)' 'bytes = \[0, 3, 6, 0\]'
called local 'fills(6 bytes, 1)' 'last = 0,'
called sum 'sums(8 bytes, 4) = 0' 'last = 0,'
called upper 'toupper(98) = 66' 'last = 66,'
called text 'snprintf(24 bytes, 4, 3 bytes, 1) = 1' 'bytes = \[49, 0, '
called parse 'atoi(3 bytes) = 42' 'last = 42,'
grep -q '^# Called for this test, with these values only: atoi(3 bytes) = 42.$' saved-parse/*.schedule || fail 'the schedule'

expect 0 "$REHEARSE" generate foreign.c --libs "$libraries" --behaviour plain --message job --write tests.c
grep -q '^// Called for this test, with these values only: plain(' tests.c || fail 'C'
expect 0 "$REHEARSE" generate foreign.c --libs "$libraries" --behaviour plain --message job --json
says '"called": \['
expect 4 "$REHEARSE" generate foreign.c --libs "$libraries" --behaviour plain --message job --require-complete

# What a constructor tells a library is not known where calls are made.
echo 'static int told; __attribute__((constructor)) static void tell(void) { told = 1; }' >>foreign.c
expect 0 "$REHEARSE" generate foreign.c --libs "$libraries" --behaviour plain --message job
says '^not followed, 1 times: the call of plain '
