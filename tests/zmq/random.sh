#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Random topologies and calls give the same on ZeroMQ and in its place: who gets which message, fair queueing, filters,
# identities, states of REQ and REP, high-water marks, errors.
. "$SOURCE/tests/zmq/zmq.shlib"
compile_zmq tests/zmq/random
timeout 60 ./random 0 3000 >real.txt || exit 1
[ "$(wc -l <real.txt)" -gt 100000 ] || exit 1
"$REHEARSE" sample --adapter zmq --runs 1 --max-length 10000000 --output -- ./random 0 3000 \
    >report.txt 2>controlled.txt || {
    cat report.txt
    exit 1
}
diff real.txt controlled.txt | head -n 40
cmp -s real.txt controlled.txt
