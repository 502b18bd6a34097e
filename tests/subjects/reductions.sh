#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# The reductions lose nothing on the smaller subjects, and on every subject they run what optimal.txt says.
if [ -n "${SANITIZE:-}" ]; then
    echo "a sanitizer replaces malloc, so final states can't be compared"
    exit 77
fi
. "$SOURCE/tests/subjects/reductions.shlib"

reduce_subjects "$SOURCE/tests/subjects/golden.txt" 700
run_subjects "$SOURCE/tests/subjects/optimal.txt" 2000 --reduction optimal
verdict_end
