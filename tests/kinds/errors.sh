#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# Every kind of finding that the world itself notices. Each finding is saved, and its file
# replays to the same finding.
. "$SOURCE/tests/programs/verdict.shlib"

run_table "$SOURCE/tests/kinds" "$SOURCE/tests/kinds/errors.txt" replay
verdict_end
