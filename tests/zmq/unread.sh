#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Messages that nobody has received when the program ends are warnings, or errors for who wants that.
. "$SOURCE/tests/zmq/zmq.shlib"
. "$SOURCE/tests/cli/expect.bash"
mkdir -p schedules
compile_zmq tests/zmq/unread

printf 'rehearse schedule 1\nprogram ./unread\ntest main\nend\n' >empty.schedule

# in_order STATUS WHAT OPTIONS...: in the order of sending.
in_order() {
    local status=$1 what=$2
    shift 2
    expect "$status" "$REHEARSE" replay --adapter zmq "$@" empty.schedule -- ./unread "$what"
}

in_order 0 all
! grep -q 'never received' "$capture/stdout" || fail 'everything was received'
in_order 0 closed
says "^warning: undelivered: 'two', first of 2 messages, was never received: PAIR inproc://pair was closed"
in_order 0 open
says "^warning: leftover: 'two', first of 2 messages, was never received: PAIR inproc://pair has it to the end"
in_order 0 unbound
says "^warning: leftover: 'lost' was never received: nobody was bound to tcp://\\*:5555"
in_order 1 unbound --fail-on leftover

# A search saves the schedule of what was left, and that replays.
expect 0 "$REHEARSE" explore --adapter zmq --save schedules -- ./unread unbound
says '^\./unread: test main: passed, .*, 1 warning'
expect 0 "$REHEARSE" replay --adapter zmq schedules/main-warning.schedule -- ./unread unbound
says "^warning: leftover: 'lost' was never received"
