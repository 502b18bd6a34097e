#!/bin/sh
# SPDX-License-Identifier: MIT
# Five seconds of random topologies; tests/deep/runtime.sh has more of them.
set -u
. "$SOURCE/tests/runtime/build.shlib"
build_program stress "$SOURCE/tests/runtime/stress.c" || exit 1
timeout 60 ./stress 5
