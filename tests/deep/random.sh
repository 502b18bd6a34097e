#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 7200
# Many random programs, compared under every rule. RANDOM_PROGRAMS says how many of either kind, RANDOM_FIRST the
# first seed, RANDOM_EXECUTIONS how many executions each search may take; a program on which two ways
# disagree is kept in the directory RANDOM_KEEP.
if [ -n "${SANITIZE:-}" ]; then
    echo 'undo and leaks need the library'"'"'s own malloc, which a sanitizer replaces'
    exit 77
fi
. "$SOURCE/tests/random/compare.shlib"

compare_start
first=${RANDOM_FIRST:-1000}
last=$((first + ${RANDOM_PROGRAMS:-300}))
while [ "$first" -lt $last ]; do
    compare_seed generate "$first" fifo-causal any-causal fifo-strict any-strict
    compare_seed orders "$first" fifo-causal any-causal fifo-strict any-strict
    compare_seed sums "$first" fifo-causal any-causal
    first=$((first + 1))
done
compare_end
