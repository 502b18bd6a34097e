#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 400
# All outcomes of small programs with semaphores, read-write locks, spin locks, barriers and what is done once.
. "$SOURCE/tests/zmq/zmq.shlib"
compile_zmq tests/zmq/locks -I"$SOURCE/tests/zmq"
outcomes_of=./locks
reductions='source optimal'

outcomes try 'crash outcome 1' 'crash outcome 2'
outcomes guard 'crash outcome 2'
outcomes read 'crash outcome 0' 'crash outcome 1' 'crash outcome 2'
outcomes cross 'crash outcome 2' 'deadlock'
outcomes meet 'crash outcome 2'
outcomes once 'crash outcome 2'
outcomes vain 'crash outcome 3'
outcomes clocks 'crash outcome 4'
outcomes spin 'crash outcome 2'
outcomes long 'crash outcome 5'
[ $failed -eq 0 ]
