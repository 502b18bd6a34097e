#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# The small subjects with each delivery's undo checked, and with nothing undone at all.
if [ -n "${SANITIZE:-}" ]; then
    echo 'a sanitizer replaces malloc, so nothing can be undone'
    exit 77
fi
. "$SOURCE/tests/subjects/table.shlib"

table=$SOURCE/tests/subjects/golden.txt
run_subjects "$table" 200 --undo verify
run_subjects "$table" 100 --undo off
verdict_end
