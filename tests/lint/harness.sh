#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The harness counts what passes and fails, and nothing a test does confuses it.
set -eu

mkdir -p tree/tests/deep tree/build/tests
cp "$SOURCE/tests/run" "$SOURCE/tests/longest.txt" tree/tests

# script NAME BODY: a test of the small tree.
script() {
    printf '#!/usr/bin/env bash\n%s\n' "$2" >"tree/tests/$1"
    chmod +x "tree/tests/$1"
}

script good.sh 'test -d "$TMPDIR" && test "$PWD" = "$TMPDIR" && test -d "$BUILD" &&
    test "$REHEARSE" = "$BUILD/rehearse" && test -f "$SOURCE/tests/run"'
script skipped.sh 'echo no such machine; exit 77'

run() {
    SANITIZE='' tree/tests/run --build tree/build "$@" >output 2>&1
}

run || { cat output; exit 1; }
test "$(tail -n 1 output)" = '1 passed, 0 failed'
grep -q 'skipped: tests/skipped.sh: no such machine' output
# Each as it ends, in whatever order.
grep -q '^ *[12] of 2: tests/good.sh passed$' output
grep -q '^ *[12] of 2: tests/skipped.sh skipped$' output

script bad.sh 'echo what went wrong; mkdir closed; chmod 0 closed; exit 3'
script slow.sh '# timeout: 1
sleep 60'
script killed.sh 'kill -9 $$'
script deep/long.sh 'exit 0'
# A unit test that was not built.
echo >tree/tests/test_missing.c
printf '#!/usr/bin/env bash\nexit 0\n' >tree/build/tests/test_present
chmod +x tree/build/tests/test_present
echo >tree/tests/test_present.c

if run; then
    echo 'failures are not told by the exit status'
    exit 1
fi
test "$(tail -n 1 output)" = '2 passed, 4 failed' || { cat output; exit 1; }
grep -q 'failed: tests/bad.sh (exit status 3); all it said: .*/tree/build/tests/output/bad.sh$' output
grep -q '    what went wrong' output
# What a test has said, and what is left of one that failed.
test "$(cat tree/build/tests/output/bad.sh)" = 'what went wrong'
test -d tree/build/tests/output/bad.sh.directory/closed
test ! -e tree/build/tests/output/good.sh.directory
grep -q 'ended after 1 seconds' output
grep -q 'failed: tests/killed.sh (exit status 137)' output
grep -q 'failed: tests/test_missing.c' output

# The longest first: those that took long the last time, then those that are said to.
script first.sh 'exit 0'
script second.sh 'exit 0'
script third.sh 'exit 0'
echo '7.5 tests/first.sh 7.5' >tree/build/tests/seconds
printf '# a comment\ntests/second.sh\n' >tree/tests/longest.txt
run --jobs 1 ir
test "$(sed -n 's/.*: tests\/\(.*\)\.sh passed/\1/p' output | tr '\n' ' ')" = 'first third '
echo '7.5 tests/first.sh 7.5' >tree/build/tests/seconds
run --jobs 1 .sh || true
test "$(sed -n 's/.*: tests\/\(first\|second\|third\)\.sh passed/\1/p' output | tr '\n' ' ')" = 'second first third '

run --deep long
test "$(tail -n 1 output)" = '1 passed, 0 failed'
if run long; then
    echo 'a pattern that selects nothing is not told by the exit status'
    exit 1
fi
test "$(tail -n 1 output)" = '0 passed, 0 failed'

# Nothing is left behind.
test -z "$(ls -d "$TMPDIR"/rehearse-tests.* 2>/dev/null)"
