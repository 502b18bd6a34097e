#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 300
# Over tcp and ipc: monitors, connections that are made again, and lingering are as on the real library.
. "$SOURCE/tests/zmq/zmq.shlib"
. "$SOURCE/tests/cli/expect.bash"
compile_zmq tests/zmq/remote
for transport in tcp ipc; do
    timeout 60 ./remote $transport >real.txt || fail "$transport on ZeroMQ"
    [ "$(wc -l <real.txt)" -gt 40 ] || fail "$transport printed too little"
    expect 0 "$REHEARSE" sample --adapter zmq --runs 1 --output -- ./remote $transport
    diff real.txt "$capture/stderr" || fail "another output with $transport"
done
