#!/bin/sh
# SPDX-License-Identifier: MIT
# --commuting: orders of deliveries to one actor that can't differ are left out, and nothing else is.
if [ -n "${SANITIZE:-}" ]; then
    echo 'what commutes is found out by taking deliveries back, which a sanitizer prevents'
    exit 77
fi
. "$SOURCE/tests/programs/verdict.shlib"
${CC:-cc} -g -I"$SOURCE/include" "$SOURCE/tests/explore/commuting.c" -o commuting -L"$BUILD" \
    -lrehearse -ldw -lelf -ljansson -lm || exit 1

# row TEST STATUS EXECUTIONS KINDS: with and without, on both reductions; the executions are those with.
row() {
    explore_json none --keep-going --census --test "$1" --reduction none ./commuting
    finals=$(json_strings none.json final_states_digest)
    for reduction in source optimal; do
        explore_json found --keep-going --census --test "$1" --reduction $reduction --commuting \
            ./commuting
        expect "$1 $reduction" found "$2" "$3" '*' "$4"
        [ "$(json_number found.json complete)" = true ] || disagree "$1 $reduction: not complete"
        [ "$(json_strings found.json final_states_digest)" = "$finals" ] ||
            disagree "$1 $reduction: other final states"
        [ "$(json_kinds none.json)" = "$(json_kinds found.json)" ] ||
            disagree "$1 $reduction: other kinds than plain enumeration"
    done
}

row ignored 0 1 -
row summed 0 1 -
row remembered 0 720 -
# Three would do: one for each message that can be the last.
row told 0 4 -
row taken 1 '*' check
row fragile 1 '*' crash
row watched 1 '*' invariant
verdict_end
