#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 300
# Components that are right, as others have written or invented them, and parts of Rehearse's own
# run time: nothing is found, and the search of those that are seen whole is complete.
set -u
failed=0

check() { # NAME COMPLETE OPTION...
    local name=$1 complete=$2
    shift 2
    "$REHEARSE" refine "$@" "$SOURCE/tests/threads/correct/$name.c" >out 2>&1
    local status=$? tests
    tests=$(grep -c ': test ' out)
    [ $status = 0 ] && [ "$tests" -gt 0 ] && [ "$(grep -c ", $complete\$" out)" = "$tests" ] && return
    echo "FAIL $name: status $status"
    cat out
    failed=1
}

for name in mcs_lock ticket_lock bounded_queue tagged_stack sequence_lock; do
    check $name complete
done
for name in runtime_mailbox runtime_ring runtime_queue runtime_timer; do
    check $name complete --cflags "-I$SOURCE/src"
done
if [ -e /usr/include/ck_ring.h ]; then
    for name in ck_ring ck_spinlock; do
        check $name complete --volatile-is-atomic
    done
    # Nothing but data races, which these are to C: results and views are right in all orders.
    for name in ck_fifo ck_stack; do
        "$REHEARSE" refine --volatile-is-atomic "$SOURCE/tests/threads/correct/$name.c" >out 2>&1
        [ "$(grep -c ', complete$' out)" = "$(grep -c ': test ' out)" ] && grep -q '^race: .* at ck_' out &&
            ! grep -q '^\(refinement\|check\|crash\|deadlock\|hang\|unserial\): ' out || {
            echo "FAIL $name: $(grep '^[a-z-]*: ' out)"
            failed=1
        }
    done
    # To C, such accesses are data races.
    "$REHEARSE" refine "$SOURCE/tests/threads/correct/ck_ring.c" 2>&1 | grep -q '^race: ' || {
        echo "FAIL ck_ring: volatile is taken for atomic"
        failed=1
    }
fi
if pkg-config --exists apr-util-1 2>/dev/null; then
    check apr_queue '[0-9]* executions' --cflags "$(pkg-config --cflags apr-util-1)" --libs "$(pkg-config --libs apr-util-1 apr-1)"
fi
exit $failed
