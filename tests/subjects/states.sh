#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# Every small subject of bita/ with its states compared, against states.txt.
if [ -n "${SANITIZE:-}" ]; then
    echo "a sanitizer replaces malloc, so states can't be compared"
    exit 77
fi
. "$SOURCE/tests/subjects/table.shlib"

run_subjects "$SOURCE/tests/subjects/states.txt" 1000000
verdict_end
