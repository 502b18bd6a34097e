#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 400
# All outcomes of small programs with semaphores, read-write locks, barriers and what is done once.
. "$SOURCE/tests/zmq/zmq.shlib"
compile_zmq tests/zmq/locks -I"$SOURCE/tests/zmq"
failed=0

# outcomes PROGRAM FINDING...: what each search must find.
outcomes() {
    local program=$1 reduction
    shift
    printf '%s\n' "$@" >expected
    for reduction in source optimal; do
        findings_of --reduction "$reduction" -- ./locks "$program" >got
        cmp -s expected got || {
            echo "FAIL $program with --reduction $reduction"
            diff expected got
            failed=1
        }
    done
}

outcomes try 'crash outcome 1' 'crash outcome 2'
outcomes guard 'crash outcome 2'
outcomes read 'crash outcome 0' 'crash outcome 1' 'crash outcome 2'
outcomes cross 'crash outcome 2' 'deadlock'
outcomes meet 'crash outcome 2'
outcomes once 'crash outcome 2'
outcomes vain 'crash outcome 3'
outcomes clocks 'crash outcome 4'
[ $failed -eq 0 ]
