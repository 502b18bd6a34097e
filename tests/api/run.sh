#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# Every operation of actor.h and test.h against golden.txt.
. "$SOURCE/tests/programs/verdict.shlib"

run_table "$SOURCE/tests/api" "$SOURCE/tests/api/golden.txt"
verdict_end
