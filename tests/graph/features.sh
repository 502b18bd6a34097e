#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The graph of features.c has the edges that features.txt names for each test, and no others.
set -u
. "$SOURCE/tests/graph/compare.shlib"
need_analysis
failed=0

for test in $(sed -n 's/^\([a-z]*\): .*/\1/p' "$SOURCE/tests/graph/features.txt" | uniq); do
    "$REHEARSE" graph --test "$test" "$SOURCE/tests/graph/features.c" >"$test.graph" || exit 1
    graph_edges "$test.graph" | cut -d ' ' -f 1-3 | LC_ALL=C sort -u >"$test.edges"
    sed -n "s/^$test: //p" "$SOURCE/tests/graph/features.txt" | LC_ALL=C sort -u >"$test.expected"
    if ! diff "$test.expected" "$test.edges" >difference; then
        echo "FAIL $test: expected (<) and in the graph (>)"
        cat difference
        failed=$((failed + 1))
    fi
done

# expect FILE LINE: the file has this line.
expect() {
    grep -qF -- "$2" "$1" || {
        echo "FAIL $1 does not have: $2"
        cat "$1"
        failed=$((failed + 1))
    }
}

expect unheard.graph 'surprise, sent by outside: deaf has no rh_as for it'
expect functions.graph 'tdelete, tfind, tsearch'
expect store.graph 'store (receptionist)'
expect store.graph 'put {value = 9} to store'
expect store.graph 'reply value {value = 4} to reader'
expect door.graph 'timer knock to open'
expect door.graph 'may come knock to closed'
expect door.graph 'becomes open'
expect array.graph 'creates holder {all = left|right, other = far}'
expect juggled.graph 'creates juggler {word = left, number = right, pair = any|far}'
for test in table recursion array boxed heap juggled variadic store; do
    if grep -q 'has no rh_as' $test.graph; then
        echo "FAIL $test: something counts as not handled"
        failed=$((failed + 1))
    fi
done
[ $failed -eq 0 ]
