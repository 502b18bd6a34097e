#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# A few random programs, compared in every way that compare.shlib knows; RANDOM_SMALL says how many.
if [ -n "${SANITIZE:-}" ]; then
    echo 'undo and leaks need the library'"'"'s own malloc, which a sanitizer replaces'
    exit 77
fi
. "$SOURCE/tests/random/compare.shlib"

compare_start
seed=1
while [ $seed -le "${RANDOM_SMALL:-4}" ]; do
    case $((seed % 4)) in
    0) rules=fifo-causal ;;
    1) rules=any-causal ;;
    2) rules=fifo-strict ;;
    3) rules=any-strict ;;
    esac
    compare_seed generate $seed $rules
    seed=$((seed + 1))
done
# Two that reductions have got wrong, and some others.
compare_seed orders 1269 fifo-causal
compare_seed orders 1519 any-causal
seed=1
while [ $seed -le 4 ]; do
    compare_seed orders $seed $([ $((seed % 2)) = 0 ] && echo fifo-causal || echo any-causal)
    seed=$((seed + 1))
done
# Two where deliveries that follow a known state race with what led to it.
compare_seed generate 5038 fifo-causal
compare_seed sums 6047 fifo-causal any-causal
compare_end
