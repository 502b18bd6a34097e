#!/bin/sh
# SPDX-License-Identifier: MIT
# What --reduction dcute finds after failures, compared with plain enumeration.
if [ -n "${SANITIZE:-}" ]; then
    echo "a sanitizer replaces malloc, so final states can't be compared"
    exit 77
fi
. "$SOURCE/tests/programs/verdict.shlib"
. "$SOURCE/tests/lib/modes.shlib"

compile_once "$SOURCE/tests/explore/dcute.c"
compare_modes dcute "$verdict_binary" --census <<END || disagree 'plain enumeration is not complete'
--reduction none
--reduction dcute --order low : classes
--reduction dcute --order high : classes
--reduction dcute --order created : classes
END
awk '/"test":/ { test = $2 } /"kind":/ { count[test]++ } END { for (test in count) if (count[test] == 2) print test }' \
    plain.json | grep -c . | grep -qx 5 || disagree 'not two findings in each test' "$(cat plain.json)"
verdict_end
