#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 600
# Whatever executions of the examples, the subjects, features.c and some random programs do is in their graphs.
set -u
. "$SOURCE/tests/graph/compare.shlib"
need_analysis
if [ -n "${SANITIZE:-}" ]; then
    echo 'what is noted is shared memory, which a sanitizer does not know'
    exit 77
fi
failed=0
make_seen && make_generator || exit 1

for source in "$SOURCE"/examples/*.c "$SOURCE"/subjects/*/*.c "$SOURCE/tests/graph/features.c"; do
    name=$(basename "$(dirname "$source")")-$(basename "$source" .c)
    check_sound "$name" "$source" '' sample --runs 60 --delivery any --environment open ||
        failed=$((failed + 1))
done
for seed in 5 11 20 21 22; do
    check_sound_random $seed || failed=$((failed + 1))
done
[ $failed -eq 0 ]
