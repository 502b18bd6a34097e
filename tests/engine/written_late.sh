#!/bin/sh
# SPDX-License-Identifier: MIT
# What the engine saves itself to look at again, it looks at when it may have changed: variables after a long time,
# and what a guard has answered before a delivery wrote to a variable.
. "$SOURCE/tests/programs/verdict.shlib"

echo 'shared-state is_open' >allowed
for undo in on off verify; do
    explore_json late --keep-going --undo $undo --reduction none "$SOURCE/tests/engine/late_global.c"
    expect "a variable that is written late, --undo $undo" late 1 719 1952 shared-state
    explore_json door --keep-going --undo $undo --reduction none --suppressions allowed \
        "$SOURCE/tests/engine/guard_reads_global.c"
    expect "a guard that reads a variable, --undo $undo" door 0 1 2 -
done
verdict_end
