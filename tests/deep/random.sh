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
compare_end
