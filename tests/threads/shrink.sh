#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Schedules of threads shrink to those with the fewest turns: the same finding, which replays, and
# which can't be shrunk any more. The numbers of turns are worked out by hand: each thread has a
# turn, main a last one if it comes to an end, and each way that a thread must be interrupted adds
# one.
set -u
failed=0
wrong() {
    echo "FAIL $*"
    failed=1
}

check() { # SUBJECT TURNS CAUSE
    local name=$1 turns=$2 cause=$3 kind schedule
    rm -f ./*.schedule
    cp "$SOURCE/subjects/threads/$name.c" .
    "$REHEARSE" refine "$name.c" >found 2>&1
    schedule=$(sed -n '0,/^saved: */s/^saved: *//p' found | head -1)
    kind=$(sed -n 's/^finding \([a-z]*\).*/\1/p' "$schedule")
    timeout -s KILL 60 "$REHEARSE" shrink "$schedule" >shrunk 2>&1
    [ $? = 1 ] && grep -q "^$kind: " shrunk || wrong "$name: another finding: $(cat shrunk)"
    grep -q '^shrunk:  the least' shrunk || wrong "$name: not the least"
    grep -q "to $turns in [0-9]* executions\$" shrunk || wrong "$name: $(head -1 shrunk), not to $turns"
    grep -q "^cause:   .*$cause" shrunk || wrong "$name: $(grep '^cause' shrunk), not $cause"
    schedule=${schedule%.schedule}-shrunk.schedule
    [ "$(grep -c '^turn ' "$schedule")" = "$turns" ] || wrong "$name: $schedule has other turns"
    "$REHEARSE" shrink --json --no-times "$schedule" >again 2>&1
    grep -q "\"from\": $turns," again && grep -q "\"steps\": $turns," again &&
        grep -q '"least": true' again && grep -q "\"kind\": \"$kind\"" again ||
        wrong "$name: the least shrinks to something else: $(cat again)"
}

# Two threads, one of them interrupted, and main.
check multiset 4 'thread#2 reads slots+40 = 0 .* before thread#1 writes slots+40 = 5'
check hash_resize 4 'before'
check rw_upgrade 4 'before'
# A crash ends the execution: main has no turn at the end.
check refcount 3 'thread#1 reads object = (pointer) .* before thread#2 writes object = 0'
# Main waits for ever: it has no turn at the end.
check lost_notify 3 'thread#1 reads flag = 0 .* before thread#2 writes flag = 1'
# Accesses come after each other by locks alone: what matters is who has the lock first.
check string_buffer 4 'thread#2 locks b .* before thread#1 locks b'
[ $failed -eq 0 ]
