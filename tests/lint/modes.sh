#!/bin/sh
# SPDX-License-Identifier: MIT
# The runner of programs times modes notices what differs.
. "$SOURCE/tests/programs/verdict.shlib"
. "$SOURCE/tests/lib/modes.shlib"
compile_once "$SOURCE/tests/explore/senders.c"

# notices WHAT: the last comparison has said this, once; nothing if WHAT is empty.
notices() {
    verdict_count=$((verdict_count + 1))
    grep '^FAIL' said >failures
    if [ -z "$1" ]; then [ ! -s failures ]; else [ "$(wc -l <failures)" = 1 ] && grep -q -e "$1" failures; fi || {
        echo "FAIL the runner has not noticed: ${1:-that nothing is wrong}"
        cat said
        failed=1
    }
}
failed=0

# compared MODE [: WORDS]: after plain enumeration.
compared() {
    printf '%s\n' '--reduction none' "$*" | compare_modes senders "$verdict_binary" --census >said
}

compared --reduction optimal : classes
notices ''
compared --reduction none : same
notices ''
compared --reduction none --max-executions 1 : findings
notices 'complete'
compared --reduction optimal : same
notices 'differs from the mode before'
compared --reduction optimal --max-executions 1 : classes
notices 'complete.*final-states\|final-states.*complete'
compared --reduction optimal : nothing_digest
notices 'final-states'
compared --reduction optimal --drop 1 : final_states_digest
notices 'final-states'
compared --no-such-option : classes
notices 'no-such-option'
# With a table: a number that differs, and a test without a line.
sed -n 's/^ *"test": "\(.*\)".*/\1 : * * * */p' plain.json >table
printf '%s\n' '--reduction none' | run_modes "$verdict_binary" table >said
notices ''
sed '1s/: \* \*/: * 1/' table >other
printf '%s\n' '--reduction none' | run_modes "$verdict_binary" other >said
notices '--reduction none'
sed 1d table >other
printf '%s\n' '--reduction none' | run_modes "$verdict_binary" other >said
notices '--reduction none'

compile_once "$SOURCE/tests/explore/dependence.c"
printf '%s\n' '--reduction optimal' '--reduction none : final_states_digest' |
    compare_modes dependence "$verdict_binary" --census --test three_pairs >said
notices 'more-executions'
verdict_end && [ $failed = 0 ]
