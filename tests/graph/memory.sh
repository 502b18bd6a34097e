#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 300
# Numbers and addresses that are put into memory in one way and looked at in another are found: random programs all of whose
# branches are taken have all of them in their graphs. Some of the programs are run too, and optimized.
set -u
. "$SOURCE/tests/graph/compare.shlib"
begin_comparing
cc -std=c17 -O1 -D_GNU_SOURCE "$SOURCE/tests/graph/memory.c" -o memory || exit 1

# expected_edges FILE: what the lines of a program say about what they send to whom.
expected_edges() {
    awk -v file="$1" '/ -> [a-z_0-9]+$/ { print "taken", "begin", $NF, file ":" FNR }' "$1" | LC_ALL=C sort
}

for seed in $(seq 1 "${MEMORY_PROGRAMS:-12}"); do
    ./memory "$seed" 30 >memory.c
    expected_edges memory.c >expected
    "$REHEARSE" graph --cflags -w memory.c >memory.graph || failed=$((failed + 1))
    graph_edges memory.graph | LC_ALL=C comm -23 expected - >missed
    if [ -s missed ] || [ ! -s expected ]; then
        echo "FAIL ./memory $seed 30: not in the graph:"
        cat missed
        failed=$((failed + 1))
    fi
done
for seed in 1001 1002; do
    ./memory $seed 40 >"memory-$seed.c"
    check_sound "memory-$seed" "memory-$seed.c" '-w -fno-strict-aliasing' sample --runs 1 || failed=$((failed + 1))
    check_optimized "memory-$seed" "memory-$seed.c" -fno-strict-aliasing || failed=$((failed + 1))
    expected_edges "memory-$seed.c" | LC_ALL=C comm -3 - <(grep '^taken' "memory-$seed.seen-edges") >difference
    if [ -s difference ]; then
        echo "FAIL ./memory $seed 40: not as expected (left) or seen (right):"
        cat difference
        failed=$((failed + 1))
    fi
done
[ $failed -eq 0 ]
