#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 3600
# The reductions lose nothing on any subject that plain enumeration completes with up to three million executions, in
# every undo mode on the smaller ones, and on the other programs; and the large ones end with the numbers of optimal.txt.
# With faults optimal is compared with source.
if [ -n "${SANITIZE:-}" ]; then
    echo "a sanitizer replaces malloc, so final states can't be compared"
    exit 77
fi
. "$SOURCE/tests/subjects/reductions.shlib"

REDUCTIONS_LEAST=0 "$SOURCE/tests/programs/reductions.sh" || disagree "tests/programs/reductions.sh"
table=$SOURCE/tests/subjects/optimal.txt
reduce_subjects "$SOURCE/tests/subjects/golden.txt" 1000000
reduce_subjects "$SOURCE/tests/subjects/long.txt" 3000000
strike_subjects 500
compile_once "$SOURCE/subjects/basset/leader_capture.c"
compare_optimal "three_nodes --crash 1" 20000 "$verdict_binary" --test three_nodes --crash 1 ||
    disagree "three_nodes --crash 1: source is not complete"
SUBJECTS_REPLAY=true
run_subjects "$table" 1000000 --reduction optimal
SUBJECTS_REPLAY=false
run_subjects "$table" 2000 --reduction optimal --undo verify
run_subjects "$table" 300 --reduction optimal --undo off
verdict_end
