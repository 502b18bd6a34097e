#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 600
# Of what is left of findings in the subjects, nothing can be left out: the bugs of Bita at their small sizes, and what
# goes wrong in the programs of Savina. tests/explore/shrink.sh has those of golden.txt.
if [ -n "${SANITIZE:-}" ]; then
    echo "each of many executions is a process"
    exit 77
fi
. "$SOURCE/tests/programs/verdict.shlib"
. "$SOURCE/tests/explore/shrink.shlib"
. "$SOURCE/tests/subjects/shrink.shlib"

shrink_bita 3 --seed 1 --keep-going --max-executions 100
# To take what is left of filter_bank apart takes a third of all; tests/deep/shrink.sh has it.
shrink_savina filter_bank --runs 50 --seed 1
verdict_end
