#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 120
# Arithmetic and comparisons of numbers that are known come out as they do when the program runs: the branches in the graph
# are those that are taken, and hardly any others.
set -u
. "$SOURCE/tests/graph/compare.shlib"
begin_comparing
cc -std=c17 -O1 "$SOURCE/tests/graph/numbers.c" -o numbers || exit 1
extra=0 total=0
for seed in 1 2 3 4 5 6; do
    ./numbers $seed 1 >"numbers-$seed.c"
    check_sound "numbers-$seed" "numbers-$seed.c" '-fwrapv -w' sample --runs 1 || failed=$((failed + 1))
    extra=$((extra + $(LC_ALL=C comm -13 "numbers-$seed.seen-edges" "numbers-$seed.graph-edges" | wc -l)))
    total=$((total + $(wc -l <"numbers-$seed.graph-edges")))
done

# With several actors of one behaviour there are several numbers for each field.
for seed in 11 12 13 14; do
    ./numbers $seed 4 >"numbers-$seed.c"
    check_sound "numbers-$seed" "numbers-$seed.c" '-fwrapv -w' sample --runs 1 || failed=$((failed + 1))
done
if [ $total -lt 300 ] || [ $((extra * 50)) -gt $total ]; then
    echo "FAIL $extra of $total edges are not taken"
    failed=$((failed + 1))
fi
[ $failed -eq 0 ]
