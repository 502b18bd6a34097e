#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 3600
# Of what is left of the bugs of Bita at the size of the originals, and of whatever more samples find in the programs of
# Savina, nothing can be left out; nor of what samples of all subjects and a search of the projects' programs show, warnings
# too. And tests/explore/shrink_living.sh with all bugs of Bita.
if [ -n "${SANITIZE:-}" ]; then
    echo "each of many executions is a process"
    exit 77
fi
. "$SOURCE/tests/programs/verdict.shlib"
. "$SOURCE/tests/explore/shrink.shlib"
. "$SOURCE/tests/subjects/shrink.shlib"

for seed in 1 2; do
    shrink_bita 5 --seed $seed --max-executions 2000 --max-deliveries 0
    shrink_savina none --runs 2000 --seed $seed
done
shrink_table "$SOURCE/subjects" "$SOURCE/tests/subjects/golden.txt" 'sample --runs 100 --seed 1'
grep '^projects/' "$SOURCE/tests/subjects/golden.txt" >projects.txt
shrink_table "$SOURCE/subjects" projects.txt 'explore --reduction none --max-executions 500'
LIVING_ALL=1 "$SOURCE/tests/explore/shrink_living.sh" || disagree tests/explore/shrink_living.sh
verdict_end
