#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 1200
# tests/zmq/subjects.sh with more executions of the fixed twins, tests/zmq/random.sh with more random topologies, and small
# programs with the reduction that tests/zmq/orders.sh and orders_remote.sh leave out.
export ZMQ_MOST=1000 ZMQ_ROUNDS=2000 ZMQ_REDUCTIONS=source
for test in subjects random orders orders_remote; do
    "$SOURCE/tests/zmq/$test.sh" || exit
done
