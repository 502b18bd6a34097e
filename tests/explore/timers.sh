#!/bin/sh
# SPDX-License-Identifier: MIT
# Timers and guards, under both rules of time and every reduction.
if [ -n "${SANITIZE:-}" ]; then
    echo "a sanitizer replaces malloc, so final states can't be compared"
    exit 77
fi
. "$SOURCE/tests/programs/verdict.shlib"
. "$SOURCE/tests/lib/modes.shlib"

compile_once "$SOURCE/tests/explore/timers.c"
run_modes "$verdict_binary" "$SOURCE/tests/explore/timers.txt" --census <<END
--reduction none
--reduction source
--reduction optimal
--time strict --reduction none
--time strict --reduction optimal
END
# "late" is not said to be refused.
"$REHEARSE" explore --test one_is_refused --keep-going "$verdict_binary" >refused.out
grep -q 'refuses early' refused.out || disagree 'early is not said to be refused'
! grep -q 'refuses late' refused.out || disagree 'late is said to be refused'
verdict_end
