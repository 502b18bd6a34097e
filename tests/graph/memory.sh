#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 120
# Numbers that are put into memory in one way and looked at in another are found: random programs all of whose branches are
# taken have all of them in their graphs. Some of the programs are run too.
set -u
. "$SOURCE/tests/graph/compare.shlib"
begin_comparing
cc -std=c17 -O1 -D_GNU_SOURCE "$SOURCE/tests/graph/memory.c" -o memory || exit 1
for seed in $(seq 1 40); do
    ./memory "$seed" $((seed % 7 + 2)) >memory.c
    "$REHEARSE" graph memory.c >memory.graph || failed=$((failed + 1))
    count=$(graph_edges memory.graph | grep -c '^taken')
    if [ "$count" -ne "$(grep -c 'rh_send(state->to' memory.c)" ]; then
        echo "FAIL ./memory $seed $((seed % 7 + 2)): $count branches are in the graph"
        failed=$((failed + 1))
    fi
done
for seed in 41 42 43; do
    ./memory $seed 30 >"memory-$seed.c"
    check_sound "memory-$seed" "memory-$seed.c" '' sample --runs 1 || failed=$((failed + 1))
    if [ "$(grep -c '^taken' "memory-$seed.seen-edges")" -ne 60 ]; then
        echo "FAIL ./memory $seed 30: not every branch is taken"
        failed=$((failed + 1))
    fi
done
[ $failed -eq 0 ]
