#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 3600
# The subjects that take long, all of golden.txt with every finding replayed, and more of it than
# `make check` does with each delivery's undo checked and with nothing undone.
if [ -n "${SANITIZE:-}" ]; then
    echo 'too slow where nothing is undone'
    exit 77
fi
. "$SOURCE/tests/subjects/table.shlib"

table=$SOURCE/tests/subjects/golden.txt
run_subjects "$SOURCE/tests/subjects/long.txt" 1000000000
SUBJECTS_REPLAY=true
run_subjects "$table" 1000000
SUBJECTS_REPLAY=false
run_subjects "$table" 12000 --undo verify
run_subjects "$table" 4000 --undo off
verdict_end
