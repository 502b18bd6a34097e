#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 200
# Options that change what sockets do give the same as on the real library, with every transport; what of them is not
# supported stops.
. "$SOURCE/tests/zmq/zmq.shlib"
. "$SOURCE/tests/cli/expect.bash"
compile_zmq tests/zmq/options
endpoints=(inproc://options tcp://127.0.0.1:5917 "ipc://$PWD/socket")
# On ZeroMQ much of it is waiting.
for endpoint in "${endpoints[@]}"; do
    timeout 60 ./options "$endpoint" >"real-${endpoint%%:*}.txt" &
done
for endpoint in "${endpoints[@]}"; do
    wait -n || fail 'an endpoint on ZeroMQ'
done
for endpoint in "${endpoints[@]}"; do
    real=real-${endpoint%%:*}.txt
    [ "$(wc -l <"$real")" -gt 50 ] || fail "$endpoint printed too little"
    expect 0 "$REHEARSE" sample --adapter zmq --runs 1 --output -- ./options "$endpoint"
    diff "$real" "$capture/stderr" || fail "another output with $endpoint"
done

expect 3 "$REHEARSE" explore --adapter zmq -- ./options tcp://127.0.0.1:5917 conflate
says_error '^rehearse: ZMQ_CONFLATE is not supported where messages are sent over tcp or ipc, on a PUSH socket$'
expect 3 "$REHEARSE" explore --adapter zmq -- ./options tcp://127.0.0.1:5917 large
says_error '^rehearse: a message that is larger than ZMQ_MAXMSGSIZE has come, which is not supported, on a PULL socket$'
