#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 600
# Whatever executions of the examples, the subjects, features.c and some random programs do is in their graphs, and what
# they have taken is what --coverage shows. With SOUND_ALL also of the subjects of Savina, which are half of them.
set -u
. "$SOURCE/tests/graph/compare.shlib"
begin_comparing
[ -n "${SOUND_ALL:-}" ] || left_out='savina-*'
check_sources sample --runs 40 --max-length 1000 --delivery any --environment open
for seed in 5 20; do
    check_sound_random $seed || failed=$((failed + 1))
done
[ $failed -eq 0 ]
