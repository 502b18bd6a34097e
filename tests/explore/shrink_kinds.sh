#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# Findings of every kind are shrunk, and in what is left of each nothing can be left out.
. "$SOURCE/tests/programs/verdict.shlib"
. "$SOURCE/tests/explore/shrink.shlib"

explore='explore --reduction none --max-executions 500'
shrink_table "$SOURCE/tests/kinds" "$SOURCE/tests/kinds/errors.txt" "$explore"
shrink_table "$SOURCE/tests/kinds" "$SOURCE/tests/kinds/crashes.txt" "$explore"
verdict_end
