#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 600
# The same table when every delivery's undo is checked, and when nothing is undone at all.
. "$SOURCE/tests/programs/verdict.shlib"

run_table "$SOURCE/tests/api" "$SOURCE/tests/api/golden.txt" --undo verify
run_table "$SOURCE/tests/api" "$SOURCE/tests/api/golden.txt" --undo off
verdict_end
