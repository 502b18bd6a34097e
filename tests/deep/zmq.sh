#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 1200
# tests/zmq/subjects.sh with more executions of the fixed twins, and tests/zmq/random.sh with more random topologies.
ZMQ_MOST=1000 "$SOURCE/tests/zmq/subjects.sh" && ZMQ_ROUNDS=2000 exec "$SOURCE/tests/zmq/random.sh"
