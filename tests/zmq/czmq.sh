#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Debian's own CZMQ does the same on the real ZeroMQ and under control: actors, pollers, loops with timers, proxies,
# requests through a ROUTER, gossip, messages.
. "$SOURCE/tests/zmq/zmq.shlib"
pkg-config --exists libczmq || {
    echo 'no libczmq here: tools/install-deps zmq'
    exit 77
}
compile_zmq tests/zmq/actor -lczmq
timeout 20 ./actor >real.txt || exit 1
"$REHEARSE" sample --adapter zmq --runs 1 --output -- ./actor >report.txt 2>controlled.txt || {
    cat report.txt controlled.txt
    exit 1
}
diff real.txt controlled.txt || exit 1
"$REHEARSE" sample --adapter zmq --runs 100 --strategy random -- ./actor >report.txt 2>&1 || {
    cat report.txt
    exit 1
}
