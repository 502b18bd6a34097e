#!/bin/sh
# SPDX-License-Identifier: MIT
# The programs that bench/programs/promela has in Promela have as many states and deliveries as SPIN counts states and
# transitions, but for the one into the first state. Where SPIN is installed, it is asked again.
. "$SOURCE/tests/programs/verdict.shlib"
if [ -n "${SANITIZE:-}" ]; then
    echo "a sanitizer replaces malloc, so states can't be compared"
    exit 77
fi

# spin_number TEXT FILE: the number in front of the text in what a verifier prints.
spin_number() {
    sed -n "s/^ *\([0-9]*\) $1.*/\1/p" "$2"
}

ask_spin() { # name, macro, states, deliveries
    spin "$2" -a "$SOURCE/bench/programs/promela/$1.pml" >/dev/null
    "${CC:-cc}" -w -DSAFETY -DNOREDUCE pan.c -o pan
    ./pan >pan.out
    [ "$(spin_number 'states, stored' pan.out)" = "$3" ] &&
        [ "$(spin_number transitions pan.out)" = $(($4 + 1)) ] ||
        disagree "$1 $2: SPIN" "expected $3 states and $4 deliveries" "$(cat pan.out)"
}

twin() { # name, test, macro, states, deliveries
    explore_json twin --states exact --reduction none --delivery fifo --max-executions 0 --test "$2" \
        --cflags "$3" "$SOURCE/subjects/basset/$1.c"
    expect "$1 $3" twin 0 '*' "$5" -
    states=$(json_number twin.json states)
    [ "$states" = "$4" ] || disagree "$1 $3: states" "expected $4, got $states"
    ! command -v spin >/dev/null 2>&1 || ask_spin "$1" "$3" "$4" "$5"
}

twin leader whole_ring -DPROCESSES=3 32 53
twin leader whole_ring -DPROCESSES=7 2374 9121
twin spinsort most -DMOST=4 17 21
twin spinsort most -DMOST=12 4097 13313
twin shortpath detours -DMOST_NODES=5 2176 8149
twin shortpath detours -DMOST_NODES=6 11624 52960
verdict_end
