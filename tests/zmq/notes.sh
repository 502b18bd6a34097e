#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Where something can be different in ZeroMQ and is not tried, that is said, once and with the socket that has met it, and
# nowhere else; and the search is not complete.
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
    if [ $# -gt 0 ]; then
        says ' in [0-9]+ executions?, not all that can happen \(see the note\)'
    else
        says 'passed, (all [0-9]+ executions|the only execution)'
    fi
    local complete='"complete": *true'
    [ $# -gt 0 ] && complete='"complete": *false'
    expect 0 "$REHEARSE" explore --adapter zmq --keep-going --max-executions 0 --json --save schedules -- ./notes "$program"
    says "$complete"
}

notes push_two 'a peer has left while something was sent to it.*\(PUSH inproc://peer\)$'
notes push_two_to_patient
notes answer_pair 'a peer has left while something was sent to it.*\(PAIR inproc://peer\)$'
notes close_behind 'somebody has used an endpoint because of.*\(inproc://late\)$'
notes subscribe_to_three 'a subscription was made while.*\(SUB tcp://127\.0\.0\.1:5555\)$'
notes subscribe_to_two
notes subscribe_inside
notes take_late 'more messages than the high-water mark.*\(PULL tcp://127\.0\.0\.1:5555\)$'
notes take_in_time
notes leave_much_behind 'a socket was closed while more was on its way.*\(PUSH tcp://127\.0\.0\.1:5555\)$'
notes leave_little_behind
notes answer_without_frame 'a REQ was sent a message without the empty frame.*\(REQ tcp://127\.0\.0\.1:5555\)$'
notes answer_with_frame
notes answer_inside
notes return_at_once 'the process was ended while another thread was running.*\(take_and_count\)$'
notes return_in_time
notes return_beside_waiting
notes end_unheard 'a context was shut down in no order .*\(take_until_end\)$'
notes end_heard
notes end_between 'a context was shut down in no order .*\(bind_and_close\)$'
notes end_around
notes publish_three 'more messages than the high-water mark were sent.*\(PUB tcp://127\.0\.0\.1:5555\)$'
notes publish_two
notes push_three_without_waiting 'more messages than the high-water mark were sent.*\(PUSH tcp://127\.0\.0\.1:5555\)$'
notes push_three_and_wait
notes push_to_both 'more messages than the high-water mark were sent.*\(PUSH tcp://127\.0\.0\.1:5555\)$'
notes push_much 'more was sent over tcp or ipc than .*\(PUSH tcp://127\.0\.0\.1:5555\)$'
