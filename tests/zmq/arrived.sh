#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 300
# What was sent within the process has arrived where a thread knows that it was sent, as on the real library.
. "$SOURCE/tests/zmq/zmq.shlib"
compile_zmq tests/zmq/arrived -I"$SOURCE/tests/zmq"
outcomes_of=./arrived
reductions='source optimal'

for program in semaphore mutex variable condition relay; do
    outcomes $program 'crash outcome 1'
    for i in 1 2 3 4 5; do
        timeout 20 ./arrived $program real
        [ $? -eq 1 ] || {
            echo "FAIL $program on the real library"
            failed=1
        }
    done
done
outcomes barrier 'crash outcome 1'
outcomes unknown 'crash outcome 1' 'crash outcome 2'
outcomes remote 'crash outcome 1' 'crash outcome 2'
outcomes publish 'crash outcome 1' 'crash outcome 2'
[ $failed -eq 0 ]
