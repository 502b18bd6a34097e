#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# What programs do to the engine, with --undo on: the search goes on, and says the same in every mode.
. "$SOURCE/tests/programs/verdict.shlib"

run_table "$SOURCE/tests/engine" "$SOURCE/tests/engine/engine.txt" replay --undo on
verdict_end
