#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Samples of threads: those taken by default find what random orders alone hardly ever show, since every
# other one is PCT's with its points of change; one seed gives the same samples each time.
set -u
failed=0
wrong() {
    echo "FAIL $*"
    failed=1
}

for subject in ms_queue_aba treiber_aba double_checked; do
    cp "$SOURCE/subjects/threads/$subject.c" .
    "$REHEARSE" refine --runs 2000 --seed 1 $subject.c >one 2>&1
    "$REHEARSE" refine --runs 2000 --seed 1 $subject.c >same 2>&1
    "$REHEARSE" refine --runs 2000 --seed 2 $subject.c >other 2>&1
    grep -q '^refinement: ' one || wrong "$subject: no refinement in 2,000 samples"
    cmp -s one same || wrong "$subject: one seed gives two runs"
    cmp -s one other && wrong "$subject: two seeds give one run"
done
"$REHEARSE" refine --runs 2000 --strategy random ms_queue_aba.c >random 2>&1
grep -q '^refinement: ' random && wrong "random orders show it too: another subject is needed here"
exit $failed
