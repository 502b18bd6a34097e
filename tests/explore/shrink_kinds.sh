#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# Findings of every kind are shrunk, and in what is left of each nothing can be left out.
. "$SOURCE/tests/programs/verdict.shlib"
. "$SOURCE/tests/explore/shrink.shlib"

explore='explore --reduction none --max-executions 500'
shrink_table "$SOURCE/tests/kinds" "$SOURCE/tests/kinds/errors.txt" "$explore"
# To try what hangs takes as long as the limit says, and to be sure of it ten times as long.
sed 's/--hang-limit 100/--hang-limit 40/' "$SOURCE/tests/kinds/crashes.txt" >crashes.txt
shrink_table "$SOURCE/tests/kinds" crashes.txt "$explore"
verdict_end
