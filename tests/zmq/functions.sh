#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Functions of ZeroMQ besides sockets give the same as on the real library: timers, parts, steerable proxies; and polls where
# something has come that is no request, or no reply. And pollers, which that has only as drafts.
. "$SOURCE/tests/zmq/zmq.shlib"
compile_zmq tests/zmq/functions
timeout 20 ./functions >real.txt || exit 1
[ "$(wc -l <real.txt)" -gt 18 ] || exit 1
"$REHEARSE" sample --adapter zmq --runs 1 --output -- ./functions >report.txt 2>controlled.txt || {
    cat report.txt controlled.txt
    exit 1
}
diff real.txt controlled.txt || exit 1
compile_zmq tests/zmq/poller "$BUILD/zmq/libzmq.so.5"
"$REHEARSE" explore --adapter zmq -- ./poller >report.txt 2>&1 || {
    cat report.txt
    exit 1
}
