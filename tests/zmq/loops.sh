#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 400
# Event loops on the descriptor of a socket, with each of the calls that wait for one: nothing goes wrong in any of the orders
# that are tried. A loop that receives once for each time that the descriptor is readable waits for ever.
. "$SOURCE/tests/zmq/zmq.shlib"
. "$SOURCE/tests/cli/expect.bash"
mkdir -p schedules
compile_zmq tests/zmq/loops
for call in poll select epoll zmq_poll; do
    timeout 20 ./loops $call >real.txt || fail "$call on ZeroMQ"
    expect 0 "$REHEARSE" sample --adapter zmq --runs 1 --output -- ./loops $call
    diff real.txt "$capture/stderr" || fail "another output with $call"
    expect 0 "$REHEARSE" sample --adapter zmq --runs 50 -- ./loops $call
done
expect 0 "$REHEARSE" explore --adapter zmq --reduction optimal --max-executions 0 -- ./loops epoll
says '^\./loops: test main: UNDECIDED: nothing found in [0-9]+ executions, not all that can happen'
says '^note: +a loop may wait for ZMQ_FD: .*\(PAIR inproc://pair\)$'
expect 1 "$REHEARSE" explore --adapter zmq --save schedules -- ./loops careless
says '^deadlock: all threads wait: main#1 in poll on PAIR inproc://pair'
