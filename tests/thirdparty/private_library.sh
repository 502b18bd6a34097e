#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# --private-library: each actor has its own version of a library's data.
set -euo pipefail
cd "$TMPDIR"
if [ -n "${SANITIZE:-}" ]; then
    echo "an actor's version of a library lies in its own memory, which a sanitizer's malloc replaces"
    exit 77
fi
here=$SOURCE/tests/thirdparty
cc -g -shared -fPIC "$here/private_counter.c" -o libcounter.so
run() {
    "$REHEARSE" explore "$here/private_library.c" --reduction none --libs "-L$TMPDIR -lcounter -Wl,-rpath,$TMPDIR" \
        --json --no-times "$@" >out.json 2>err.txt
}
fail() { echo "$1"; cat out.json err.txt; exit 1; }

# A library that is not the system's counts as the program: its data is shared state.
status=0; run || status=$?
[ "$status" = 1 ] || fail "exit status $status without --private-library"
grep -q '"kind": "shared-state"' out.json || fail "no shared-state finding"

for undo in on off verify; do
    for name in counter libcounter; do
        status=0; run --undo "$undo" --private-library "$name" || status=$?
        [ "$status" = 0 ] || fail "exit status $status with --undo $undo"
        grep -q '"executions": 10,' out.json || fail "executions"
        grep -q '"deliveries": 33,' out.json || fail "deliveries"
        grep -q '"complete": true' out.json || fail "complete"
    done
done

status=0; run --private-library nothere || status=$?
[ "$status" = 2 ] || fail "exit status $status for a library that is not there"
grep -q 'nothere' err.txt || fail "the message does not name the library"
