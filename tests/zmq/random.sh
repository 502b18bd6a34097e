#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 400
# Random topologies and calls give the same on ZeroMQ and in its place: who gets which message, fair queueing, filters,
# identities, states of REQ and REP, high-water marks, errors. ZMQ_ROUNDS says how many.
. "$SOURCE/tests/zmq/zmq.shlib"
compile_zmq tests/zmq/random
rounds=${ZMQ_ROUNDS:-300}

# compare ARGUMENTS...
compare() {
    timeout 60 ./random "$@" >real.txt || exit 1
    [ "$(wc -l <real.txt)" -gt $((rounds * 40)) ] || exit 1
    "$REHEARSE" sample --adapter zmq --runs 1 --max-length 10000000 --output -- ./random "$@" \
        >report.txt 2>controlled.txt || {
        cat report.txt
        exit 1
    }
    diff real.txt controlled.txt | head -n 40
    cmp -s real.txt controlled.txt || exit 1
}

compare 0 "$rounds"
# Sockets look at what has come only in calls of their own.
compare 0 "$rounds" alone
