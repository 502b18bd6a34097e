#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# A few random programs, compared in every way that compare.shlib knows.
if [ -n "${SANITIZE:-}" ]; then
    echo 'undo and leaks need the library'"'"'s own malloc, which a sanitizer replaces'
    exit 77
fi
. "$SOURCE/tests/random/compare.shlib"

compare_start
seed=1
while [ $seed -le 20 ]; do
    case $((seed % 4)) in
    0) compare_seed $seed fifo-causal ;;
    1) compare_seed $seed any-causal ;;
    2) compare_seed $seed fifo-strict ;;
    3) compare_seed $seed any-strict ;;
    esac
    seed=$((seed + 1))
done
compare_end
