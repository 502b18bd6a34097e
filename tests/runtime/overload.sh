#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Bounded mailboxes: senders wait, messages are dropped and counted, or the program says who was too fast.
set -u
. "$SOURCE/tests/runtime/build.shlib"
failed=0
complain() {
    echo "FAIL $*"
    failed=$((failed + 1))
}
build_program overload "$SOURCE/tests/runtime/overload.c" || exit 1

for threads in 1 2 4; do
    export REHEARSE_THREADS=$threads
    # 150,000 messages of about a kilobyte: all of them would take 150 MB.
    timeout 60 ./overload block 50000 >out 2>err || complain "block: status $?: $(cat err)"
    grep -q '^150000 got, 0 dropped, 0 out of order,' out || complain "block: $(cat out)"
    kilobytes=$(sed 's/.*, \([0-9]*\) kB$/\1/' out)
    [ -n "${SANITIZE:-}" ] || [ "$kilobytes" -lt 40000 ] || complain "block: $kilobytes kB"

    timeout 60 ./overload block 50000 outside >out 2>err || complain "block outside: status $?: $(cat err)"
    grep -q '^50000 got, 0 dropped, 0 out of order,' out || complain "block outside: $(cat out)"

    timeout 60 ./overload drop 50000 >out 2>err || complain "drop: status $?: $(cat err)"
    got=$(sed 's/ got.*//' out)
    dropped=$(sed 's/.* \([0-9]*\) dropped.*/\1/' out)
    [ $((got + dropped)) -eq 150000 ] && [ "$dropped" -gt 0 ] && grep -q ' 0 out of order' out ||
        complain "drop: $(cat out)"
    grep -q "^rehearse: $dropped messages were dropped because mailboxes were full" err ||
        complain "drop says: $(cat err)"

    # 60 messages, and 200 timers, which do not count before they fire and then find room.
    timeout 60 ./overload drop 20 timers >out 2>err || complain "timers: status $?: $(cat err)"
    grep -q '^260 got, 0 dropped, 0 out of order,' out || complain "timers: $(cat out)"

    sh -c 'timeout 60 ./overload fail 50000' >out 2>err
    status=$?
    [ $status -eq 134 ] && grep -q 'consumer#1 has 100 messages to handle, and parcel is one more, while producer#' err ||
        complain "fail: status $status: $(cat err)"
done
[ $failed -eq 0 ]
