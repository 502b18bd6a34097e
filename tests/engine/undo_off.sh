#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# What programs do to the engine, with --undo off: the search goes on, and says the same in every mode.
. "$SOURCE/tests/programs/verdict.shlib"

run_table "$SOURCE/tests/engine" "$SOURCE/tests/engine/engine.txt" replay --undo off
verdict_end
