#!/bin/sh
# SPDX-License-Identifier: MIT
# Two sources that disagree on the size of a message type are refused at start-up.
. "$SOURCE/tests/programs/verdict.shlib"

explore_json disagree "$SOURCE/tests/api/disagree_first.c" "$SOURCE/tests/api/disagree_second.c"
verdict_count=1
[ "$verdict_status" = 2 ] || disagree "status $verdict_status instead of 2" "$(cat disagree.err)"
grep -q parcel disagree.err || disagree "the type is not named" "$(cat disagree.err)"
verdict_end
