#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 7200
# Ten thousand random programs on which every way of searching agrees with plain enumeration, and some of them in every
# way that compare.shlib knows. RANDOM_ROUNDS says how many times five hundred programs, RANDOM_FIRST the first seed; a
# program on which two ways disagree is kept in the directory RANDOM_KEEP.
if [ -n "${SANITIZE:-}" ]; then
    echo 'undo and leaks need the library'"'"'s own malloc, which a sanitizer replaces'
    exit 77
fi
. "$SOURCE/tests/random/batches.shlib"
. "$SOURCE/tests/random/compare.shlib"

first=${RANDOM_FIRST:-100000}
rounds=${RANDOM_ROUNDS:-24}
batches_start
batches_run "$rounds" 50 "$first" $((rounds * 417)) || verdict_failed=1

compare_start
last=$((first + 10))
while [ "$first" -lt $last ]; do
    compare_seed generate "$first" fifo-causal any-causal fifo-strict any-strict
    compare_seed orders "$first" fifo-causal any-causal fifo-strict any-strict
    compare_seed sums "$first" fifo-causal any-causal
    first=$((first + 1))
done
compare_end || verdict_failed=1
RANDOM_SMALL=20 "$SOURCE/tests/random/small.sh" || verdict_failed=1
COMINGS_LAST=12 "$SOURCE/tests/random/comings.sh" || verdict_failed=1
SHORTEST_LAST=10 "$SOURCE/tests/random/shortest.sh" || verdict_failed=1
WORK_BESIDE='off verify' "$SOURCE/tests/random/regressions.sh" || verdict_failed=1
[ $verdict_failed = 0 ]
