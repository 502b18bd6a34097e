#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# Every subject against golden.txt: all of it, then the small ones also with each delivery's undo
# checked, and with nothing undone at all.
. "$SOURCE/tests/subjects/table.shlib"

table=$SOURCE/tests/subjects/golden.txt
if [ -n "${SANITIZE:-}" ]; then
    # Nothing is undone under a sanitizer, so this is slow.
    run_subjects "$table" 400
else
    run_subjects "$table" 1000000
    run_subjects "$table" 400 --undo verify
    run_subjects "$table" 200 --undo off
fi
verdict_end
