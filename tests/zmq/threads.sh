#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 400
# What random programs of several threads do on ZeroMQ, some execution does here, if a search says that it has tried all:
# whatever the machine happens to do, it is one of them. ZMQ_PROGRAMS says how many programs, ZMQ_RUNS how often each runs,
# ZMQ_MOST how many executions are tried, ZMQ_FIRST which program is the first.
. "$SOURCE/tests/zmq/zmq.shlib"
compile_zmq tests/zmq/threads
first=${ZMQ_FIRST:-1} programs=${ZMQ_PROGRAMS:-15} runs=${ZMQ_RUNS:-20} most=${ZMQ_MOST:-500}
compared=0

for ((seed = first; seed < first + programs; seed++)); do
    "$REHEARSE" explore --adapter zmq --output --json --no-shrink --keep-going --save schedules --max-executions "$most" \
        --reduction optimal -- ./threads $seed >result.json 2>ours.txt
    grep -q '"complete": *true' result.json || continue
    compared=$((compared + 1))
    for ((run = 0; run < runs; run++)); do
        # One that waits for ever has no outcome, and does so again.
        timeout 1 ./threads $seed || break
    done >real.txt
    LC_ALL=C sort -u ours.txt >ours
    LC_ALL=C sort -u real.txt | LC_ALL=C comm -23 - ours >only
    [ ! -s only ] || {
        echo "FAIL program $seed does on ZeroMQ what no execution does:"
        cat only
        failed=1
    }
done
echo "$compared of $programs compared"
[ $compared -gt 0 ] || failed=1
exit $failed
