#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Where something can be different in ZeroMQ and is not tried, that is said, once and with the socket that has met it, and
# nowhere else.
. "$SOURCE/tests/zmq/zmq.shlib"
. "$SOURCE/tests/cli/expect.bash"
mkdir -p schedules
compile_zmq tests/zmq/notes

# notes PROGRAM PATTERN...: the notes that there are, in this order.
notes() {
    local program=$1
    shift
    expect 0 "$REHEARSE" explore --adapter zmq --keep-going --max-executions 0 --save schedules -- ./notes "$program"
    [ "$(grep -c '^note: ' "$capture/stdout")" -eq $# ] || fail "not $# notes of $program"
    for pattern; do
        says "^note: +$pattern"
    done
}

notes push_two 'a peer has left while something was sent to it.*\(PUSH inproc://peer\)$'
notes push_two_to_patient
notes answer_pair 'a peer has left while something was sent to it.*\(PAIR inproc://peer\)$'
