#!/bin/sh
# SPDX-License-Identifier: MIT
# A program that behaves differently when it is run again is found out as soon as it is; one that
# looks at clocks and random numbers is not, for these are served.
. "$SOURCE/tests/programs/verdict.shlib"

for undo in off verify; do
    explore_json wild --undo $undo "$SOURCE/tests/kinds/nondeterminism.c"
    expect "nondeterminism.c --undo $undo" wild 1 '*' '*' nondeterminism
    explore_json tame --undo $undo --cflags -DFIXED "$SOURCE/tests/kinds/nondeterminism.c"
    expect "nondeterminism.c -DFIXED --undo $undo" tame 0 '*' '*' -
done
verdict_end
