#!/bin/sh
# SPDX-License-Identifier: MIT
# After one execution `coverage` says "must come first" only where that holds in every execution that has both messages,
# and elsewhere that it may have to. The pairs of pasts.c and door.c are counted by hand.
. "$SOURCE/tests/programs/verdict.shlib"

# pairs PROGRAM TEST MUST MAY: so many pairs of each kind at all actors.
pairs() {
    verdict_count=$((verdict_count + 1))
    "$REHEARSE" cover "$SOURCE/tests/cover/$1" --test "$2" --max-executions 1 --save-coverage one.coverage >said.txt 2>&1
    "$REHEARSE" coverage one.coverage >said.txt 2>&1
    found=$(awk '/of which one must come first/ { must += $1 } /of which one may have to/ { may += $1 }
        END { print must + 0, may + 0 }' said.txt)
    [ "$found" = "$3 $4" ] || disagree "$2: $found and not $3 $4" "$(cat said.txt)"
}

# `two` leads to `back`. `one` need not come before `back`, nor `a` before `b` and what is sent with it; and `b` was sent
# before `ask_back` with this past.
pairs pasts.c two_deliveries 1 4
# `one` comes before `two`, and so before `back`; what `one` leads to is sent before what `two` leads to.
pairs pasts.c two_in_order 5 1
pairs pasts.c one_delivery 0 3
# What sets the timers comes before them.
pairs pasts.c timers 2 3
pairs door.c refused 0 1
verdict_end
