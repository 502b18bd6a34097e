#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# The examples find what their comments say, and what they find replays.
. "$SOURCE/tests/programs/verdict.shlib"

run_table "$SOURCE/examples" "$SOURCE/tests/programs/examples.txt" replay
run_table "$SOURCE/examples" "$SOURCE/tests/programs/examples.txt" --undo verify
verdict_end
