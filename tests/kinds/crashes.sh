#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# Crashes, hangs and exits: the search goes on after each. Each finding is saved, and its file
# replays to the same finding.
. "$SOURCE/tests/programs/verdict.shlib"

run_table "$SOURCE/tests/kinds" "$SOURCE/tests/kinds/crashes.txt" replay
verdict_end
