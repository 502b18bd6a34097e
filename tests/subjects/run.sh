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

# The orders of this one are too many to reach the bug in turn; a random one does.
"$REHEARSE" sample --json --no-times --save . --test three_restarted \
    "$SOURCE/subjects/basset/leader_capture.c" >sample.json 2>sample.err
status=$?
[ $status -eq 1 ] && same_kinds check "$(json_kinds sample.json)" ||
    disagree "sample of three_restarted: status $status, kinds $(json_kinds sample.json)"
verdict_end
