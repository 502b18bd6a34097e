#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# Subjects that can go round for ever, with every finding replayed, and with nothing undone.
if [ -n "${SANITIZE:-}" ]; then
    echo "a sanitizer replaces malloc, so states can't be compared"
    exit 77
fi
. "$SOURCE/tests/subjects/table.shlib"

table=$SOURCE/tests/subjects/rounds.txt
SUBJECTS_REPLAY=true
run_subjects "$table" 1000 --reduction none
SUBJECTS_REPLAY=false
run_subjects "$table" 1000 --reduction none --undo verify
run_subjects "$table" 1000 --reduction none --undo off
verdict_end
