#!/bin/sh
# SPDX-License-Identifier: MIT
# A search whose time is over is killed wherever it is, here most likely while it asks a guard about an earlier state: what it
# has found is confirmed all the same, and nothing is called nondeterministic.
. "$SOURCE/tests/programs/verdict.shlib"

compile_once "$SOURCE/tests/explore/endless.c"
for seconds in 0.1 0.2 0.3 0.4 0.5; do
    "$REHEARSE" explore --max-seconds $seconds --json --no-times "$verdict_binary" >result.json
    status=$?
    verdict_count=$((verdict_count + 1))
    # Nothing, if it came to no end of an execution in that time.
    case $status:$(json_kinds result.json) in
    0:bound | 0:-) ;;
    *) disagree "--max-seconds $seconds" "$status $(json_kinds result.json)" ;;
    esac
done
verdict_end
