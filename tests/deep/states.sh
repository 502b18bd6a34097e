#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 3600
# Every subject of golden.txt that plain enumeration completes, with known states left out: complete, and the same
# kinds of finding. Whole states are kept, so that two with the same fingerprint would be noticed.
if [ -n "${SANITIZE:-}" ]; then
    echo 'a sanitizer replaces malloc, so states cannot be compared'
    exit 77
fi
. "$SOURCE/tests/subjects/table.shlib"

grep -v '^#' "$SOURCE/tests/subjects/golden.txt" | grep ':.* true ' | grep -v '#.*first' |
    sed 's/^\(.*\): *\([0-9]\) *true *[0-9]* *[0-9]* *\([^ ]*\).*/\1: \2 true * * \3/' >table
for mode in exact actors; do
    while IFS= read -r line; do
        words=${line%%:*}
        compile_once "$SOURCE/subjects/${words%% *}"
        set -f
        run_subject "$words --states $mode" $verdict_binary ${words#* } --states $mode --states-full : ${line#*:}
        set +f
    done <table
done
STATES_ALL=1 "$SOURCE/tests/explore/states.sh" || disagree tests/explore/states.sh
verdict_end
