#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 1200
# tests/zmq/subjects.sh with more executions of the fixed twins, tests/zmq/random.sh with more random topologies,
# tests/zmq/threads.sh with more programs, and small programs with the reduction that tests/zmq/orders.sh and
# orders_remote.sh leave out, and those of CZMQ's own tests that take long; of tests/zmq/orders_remote.sh and the fixed subjects, what takes long with the best reduction.
export ZMQ_MOST=1000 ZMQ_ROUNDS=2000 ZMQ_PROGRAMS=400 ZMQ_REDUCTIONS=source SELFTESTS=deep
for test in subjects random threads orders orders_remote selftests; do
    "$SOURCE/tests/zmq/$test.sh" || exit
done
