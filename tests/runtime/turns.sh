#!/bin/sh
# SPDX-License-Identifier: MIT
# Who sends a lot makes way for who has to handle it: on one thread, a million messages to one actor take no more memory
# than some hundreds do, if the sender goes on by messages to itself.
if [ -n "${SANITIZE:-}" ]; then
    echo "a sanitizer takes memory of its own"
    exit 77
fi
. "$SOURCE/tests/programs/verdict.shlib"

compile_once "$SOURCE/subjects/savina/counting.c"
verdict_count=1
REHEARSE_THREADS=1 "$verdict_binary" 1000000 >said 2>&1 || disagree "counting" "$(cat said)"
kilobytes=$(awk '{ print $9 }' said)
[ "$kilobytes" -lt 20000 ] || disagree "a million messages that wait take $kilobytes kB"
verdict_end
