#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# Every subject against golden.txt.
. "$SOURCE/tests/subjects/table.shlib"

# Under a sanitizer nothing is undone, and the larger ones would take long.
if [ -n "${SANITIZE:-}" ]; then
    most=400
else
    most=1000000
fi
run_subjects "$SOURCE/tests/subjects/golden.txt" $most
verdict_end
